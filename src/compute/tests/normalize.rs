use super::*;
use crate::compute::{Ordered, Real};

/// Softmax, layer norm and root-mean-square norm of one line, in `f64`.
fn plain(x: &[f64], scale: &[f64], shift: &[f64], epsilon: f64) -> [Vec<f64>; 3] {
    let count = x.len() as f64;
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = x.iter().map(|x| (x - max).exp()).sum();
    let mean = x.iter().sum::<f64>() / count;
    let var = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    let root = (x.iter().map(|x| x * x).sum::<f64>() / count + epsilon).sqrt();
    let with_scale = x.iter().zip(scale);
    [
        x.iter().map(|x| (x - max).exp() / total).collect(),
        with_scale
            .clone()
            .zip(shift)
            .map(|((x, scale), shift)| (x - mean) / (var + epsilon).sqrt() * scale + shift)
            .collect(),
        with_scale.map(|(x, scale)| x / root * scale).collect(),
    ]
}

fn check<L: Layout>(exact: f64)
where
    Host<L>: Real<Compute: From<f32> + Into<f64>>,
{
    let (spec, random) = (<L as Layout>::SPEC, &mut Random(41));
    let mut x = noisy::<L>(random);
    for index in indices::<L>() {
        let value = (random.below(2000) as f32 - 700.0) / 200.0;
        x.set(index, Host::<L>::narrow(value.into())).unwrap();
    }
    let wide = |x: Host<L>| -> f64 { Host::<L>::widen(x).into() };
    for dim in 0..L::RANK {
        let size = spec.dims()[dim];
        let mut numbers = || -> Vec<<Host<L> as Real>::Compute> {
            (0..size).map(|_| (random.below(100) as f32 / 64.0).into()).collect()
        };
        let (scale, shift, epsilon) = (numbers(), numbers(), 1e-3);
        let widened = |x: &[<Host<L> as Real>::Compute]| -> Vec<f64> {
            x.iter().map(|x| (*x).into()).collect()
        };
        let results = [
            x.softmax(dim),
            x.layer_norm(dim, &scale, &shift, epsilon),
            x.rms_norm(dim, &scale, epsilon),
        ];
        let mut stored = x.as_bytes().to_vec();
        reference::fill_padding(&spec, &mut stored);
        assert_eq!(stored, x.as_bytes(), "the test has garbage in the padding");
        for index in indices::<L>() {
            let position = index.as_ref()[dim];
            if position > 0 && position + 1 < size {
                continue; // the first and the last of each line
            }
            let line: Vec<f64> = (0..size)
                .map(|i| {
                    let mut index = index;
                    index.as_mut()[dim] = i;
                    wide(x.get(index))
                })
                .collect();
            let expected = plain(&line, &widened(&scale), &widened(&shift), epsilon);
            for (result, expected) in results.iter().zip(&expected) {
                let (result, expected) = (wide(result.get(index)), expected[position]);
                let error = (result - expected).abs();
                assert!(
                    error <= exact * expected.abs().max(1.0),
                    "{result} is not {expected} at {index:?} along {dim} of {spec}"
                );
            }
        }
    }
}

#[test]
fn normalizations_are_those_of_plain_loops() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        check::<layout!(F32 [37, 300] {1, 0} [8, 128])>(4e-6);
        check::<layout!(F32 [20, 257] {0, 1} [8, 128])>(4e-6);
        check::<layout!(BF16 [33, 130] {1, 0} [8, 128][2, 1])>(8e-3);
        check::<layout!(F16 [9, 70] {0, 1} [8, 16][2, 1])>(1e-3);
        check::<layout!(F64 [17, 45] {1, 0} [2, 16])>(1e-13);
        check::<layout!(F32 [3, 5, 7, 9] {3, 1, 0, 2} [4, 8])>(4e-6);
        check::<layout!(F32 [300] {0} [128])>(4e-6);
    }
}

#[test]
fn large_arrays_are_normalized_window_by_window() {
    // The variance of two nearly equal numbers cancels.
    check::<layout!(F32 [2, 9000] {1, 0} [8, 128])>(2e-5);
    check::<layout!(BF16 [600, 130] {1, 0} [8, 128][2, 1])>(8e-3);
    check::<layout!(F32 [130, 700] {0, 1} [8, 128])>(4e-6);
}

#[test]
fn the_instructions_of_the_cpu_change_nothing() {
    type L = layout!(BF16 [33, 300] {1, 0} [8, 128][2, 1]);
    let x = noisy::<L>(&mut Random(42)).convert::<layout!(F32 [33, 300] {1, 0} [8, 128])>(|x| {
        if x.is_finite() { x.to_f32() % 8.0 } else { 1.0 }
    });
    let results = Cpu::all().into_iter().map(|cpu| {
        forced::set(cpu, false);
        [x.softmax(1), x.softmax(0), x.rms_norm(1, &[1.5; 300], 1e-6)]
            .map(|result| result.unpack().iter().map(|x| x.to_bits()).collect::<Vec<_>>())
    });
    let results: Vec<_> = results.collect();
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn masked_scores_weigh_nothing() {
    type L = layout!(F32 [3, 4] {1, 0} [8, 128]);
    let no = f32::NEG_INFINITY;
    let scores = [1e30, no, no, 1e30, no, no, no, no, f32::NAN, 0.0, 0.0, 0.0];
    let weights = L::pack(&scores).unwrap().softmax(1).unpack();
    assert_eq!(weights[..4], [0.5, 0.0, 0.0, 0.5]);
    assert!(weights[4..].iter().all(|x| x.is_nan()));
}

#[test]
fn nothing_is_normalized() {
    let none = Packed::<layout!(F32 [3, 0] {1, 0} [8, 128])>::zeroed().unwrap();
    assert_eq!(none.softmax(1).unpack(), [0.0; 0]);
    assert_eq!(none.layer_norm(1, &[], &[], 0.0).unpack(), [0.0; 0]);
}

#[test]
#[should_panic(expected = "3 numbers are given, but dimension 1 has 4 indices")]
fn scales_have_a_number_for_each_index() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::zeroed().unwrap().rms_norm(1, &[1.0; 3], 0.0);
}

#[test]
#[should_panic(expected = "dimension 2 does not exist: the rank is 2")]
fn a_dimension_that_does_not_exist() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::zeroed().unwrap().softmax(2);
}

fn check_cumulative<L: Layout>(
    value: impl Fn(usize) -> Host<L>,
    add: impl Fn(Host<L>, Host<L>) -> Host<L>,
) where
    Host<L>: crate::compute::Arithmetic,
{
    let (mut x, random) = (noisy::<L>(&mut Random(43)), &mut Random(44));
    for index in indices::<L>() {
        x.set(index, value(random.below(1000))).unwrap();
    }
    for dim in 0..L::RANK {
        let sums = x.cumulative_sum(dim);
        for index in indices::<L>() {
            let mut before = index;
            let expected = match index.as_ref()[dim].checked_sub(1) {
                Some(i) => {
                    before.as_mut()[dim] = i;
                    add(sums.get(before), x.get(index))
                }
                None => x.get(index),
            };
            assert_eq!(bits::<L>(sums.get(index)), bits::<L>(expected), "{index:?} along {dim}");
        }
    }
}

#[test]
fn cumulative_sums_add_one_element_each() {
    // Whole numbers, whose sums are exact.
    check_cumulative::<layout!(F32 [37, 300] {1, 0} [8, 128])>(|n| n as f32, |a, b| a + b);
    check_cumulative::<layout!(F32 [3, 5, 7, 9] {3, 1, 0, 2} [4, 8])>(|n| n as f32, |a, b| a + b);
    check_cumulative::<layout!(S8 [20, 200] {1, 0} [8, 128][4, 1])>(|n| n as i8, i8::wrapping_add);
    check_cumulative::<layout!(U64 [11, 40] {1, 0} [4, 8])>(|n| n as u64, |a, b| a + b);
    check_cumulative::<layout!(S32 [600, 130] {0, 1} [8, 128])>(|n| n as i32 - 500, |a, b| a + b);
    type Nibbles =
        Tiled<S4, Shape2<19, 70>, Order2<1, 0>, (Tile2<8, 128>, Tile2<8, 1>), (ElementBits<4>,)>;
    let low = |n: i8| n << 4 >> 4;
    check_cumulative::<Nibbles>(|n| n as i8 % 8, |a, b| low(a + b));
}

#[test]
fn a_cumulative_sum_of_narrow_floats_is_rounded_once() {
    let x = <layout!(BF16 [1000] {0} [128][2, 1])>::pack(&[half::bf16::ONE; 1000]).unwrap();
    // Adding up in bf16 would stay at 256.
    assert_eq!(x.cumulative_sum(0).get([999]).to_f32(), 1000.0);
    // The nearest `f32` to 1 + 2^-8 + 2^-40 is 1 + 2^-8, which is a tie between two `bf16`.
    let beside = [1.0, 1.0 / 256.0, 2_f32.powi(-40)].map(half::bf16::from_f32);
    let beside = <layout!(BF16 [3] {0})>::pack(&beside).unwrap();
    assert_eq!(beside.cumulative_sum(0).get([2]).to_f32(), 1.0 + 1.0 / 128.0);
}
