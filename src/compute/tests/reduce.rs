use super::*;
use crate::compute::{Ordered, Summand};
use core::cmp::Ordering;
use half::{bf16, f16};
use num_complex::Complex;

/// A value whose sums are exact in every type in which they are computed.
trait Exact: HostValue + Summand<Sum: Into<Self::Wide>> {
    type Wide: Copy + Default + PartialEq + core::fmt::Debug + core::ops::Add<Output = Self::Wide>;
    fn exact(n: usize) -> Self;
    fn wide(self) -> Self::Wide;
}

macro_rules! exact {
    ($($H:ty: $Wide:ty, [$($value:expr),*], $x:ident => $wide:expr;)*) => { $(
        impl Exact for $H {
            type Wide = $Wide;
            fn exact(n: usize) -> Self {
                let values = [$($value),*];
                values[n % values.len()]
            }
            fn wide(self) -> $Wide {
                let $x = self;
                $wide
            }
        }
    )* };
}
exact! {
    bool: u64, [true, false], x => x.into();
    i8: i64, [-5, 7, 3, -8], x => x.into();
    i16: i64, [-300, 7, i16::MAX, i16::MIN], x => x.into();
    i32: i64, [-3, 7, i32::MAX, i32::MIN], x => x.into();
    i64: i64, [-3, 1 << 40, -1 << 41], x => x;
    u8: u64, [3, 15, 0, 9], x => x.into();
    u32: u64, [u32::MAX, 9], x => x.into();
    u64: u64, [1 << 50, 9], x => x;
    f32: f64, [0.5, 3.0, -7.0, 2.0], x => x.into();
    f64: f64, [0.5, 3.0, -7.0, 2.0], x => x;
    bf16: f64, [bf16::from_f32(0.5), bf16::from_f32(3.0), bf16::from_f32(-7.0)], x => x.into();
    f16: f64, [f16::from_f32(0.5), f16::from_f32(3.0), f16::from_f32(-7.0)], x => x.into();
    microfloat::f8e5m2: f64, [Self::from_f32(0.5), Self::from_f32(3.0)], x => x.to_f32().into();
    microfloat::f8e8m0fnu: f64, [Self::from_f32(0.5), Self::from_f32(4.0)], x => x.to_f32().into();
    Complex<f32>: ComplexSum, [Complex::new(0.5, 3.0), Complex::new(-4.0, 0.0)], x => ComplexSum(x);
}

#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct ComplexSum(Complex<f32>);

impl core::ops::Add for ComplexSum {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl From<Complex<f32>> for ComplexSum {
    fn from(x: Complex<f32>) -> Self {
        Self(x)
    }
}

/// For each result, in row-major order, the indices of its elements, in row-major order.
fn groups<L: Layout>(dims: &[usize]) -> Vec<Vec<L::Index>> {
    let spec = <L as Layout>::SPEC;
    let kept: Vec<usize> = (0..spec.rank()).filter(|dim| !dims.contains(dim)).collect();
    let sizes: Vec<usize> = kept.iter().map(|&dim| spec.dims()[dim]).collect();
    let mut groups = vec![vec![]; sizes.iter().product()];
    for index in indices::<L>() {
        let at: Vec<usize> = kept.iter().map(|&dim| index.as_ref()[dim]).collect();
        groups[reference::position(&sizes, &at)].push(index);
    }
    groups
}

fn check_sums<L: Layout>()
where
    Host<L>: Exact,
{
    let mut packed = noisy::<L>(&mut Random(5));
    for (i, index) in indices::<L>().into_iter().enumerate() {
        packed.set(index, Host::<L>::exact(i * i / 7)).unwrap();
    }
    for dims in subsets(L::RANK) {
        let expected: Vec<_> = groups::<L>(&dims)
            .into_iter()
            .map(|group| {
                group
                    .into_iter()
                    .map(|i| packed.get(i).wide())
                    .fold(Default::default(), |a, b| a + b)
            })
            .collect();
        let sums: Vec<<Host<L> as Exact>::Wide> =
            packed.sum(&dims).into_iter().map(Into::into).collect();
        assert_eq!(sums, expected, "{packed:?} over {dims:?}");
        let counts = packed.fold(&dims, 0, |n, _| n + 1, |a, b| a + b);
        let expected: Vec<usize> = groups::<L>(&dims).iter().map(Vec::len).collect();
        assert_eq!(counts, expected, "{packed:?} over {dims:?}");
    }
    let total: <Host<L> as Exact>::Wide = packed.total().into();
    assert_eq!(total, packed.sum(&(0..L::RANK).collect::<Vec<_>>())[0].into());
}

/// The order of maxima: a NaN is greater than all numbers.
fn order<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    let nan = |x: &T| x.partial_cmp(x).is_none();
    a.partial_cmp(b).unwrap_or_else(|| nan(a).cmp(&nan(b)))
}

fn check_maxima<L: Layout>()
where
    Host<L>: Ordered + PartialOrd,
{
    // Few different values, so that there are ties.
    let mut packed = noisy::<L>(&mut Random(6));
    let all = indices::<L>();
    for (i, index) in all.iter().enumerate().filter(|(i, _)| i % 3 > 0) {
        packed.set(*index, packed.get(all[i * i / 5 % all.len() / 3])).unwrap();
    }
    for dims in subsets(L::RANK) {
        let groups = groups::<L>(&dims);
        if groups.iter().any(Vec::is_empty) {
            continue;
        }
        let (maxima, positions) = (packed.max(&dims), packed.argmax(&dims));
        assert_eq!((maxima.len(), positions.len()), (groups.len(), groups.len()));
        for (group, (max, position)) in groups.iter().zip(maxima.into_iter().zip(positions)) {
            let values: Vec<Host<L>> = group.iter().map(|&index| packed.get(index)).collect();
            let best = values
                .iter()
                .skip(1)
                .fold(&values[0], |a, b| if order(b, a).is_gt() { b } else { a });
            assert!(
                order(&max, best).is_eq(),
                "{max:?} is not {best:?} in {packed:?} over {dims:?}"
            );
            let first = values.iter().position(|x| order(x, best).is_eq());
            assert_eq!(Some(position), first, "{packed:?} over {dims:?}");
        }
        let (minima, positions) = (packed.min(&dims), packed.argmin(&dims));
        assert_eq!((minima.len(), positions.len()), (groups.len(), groups.len()));
        // A NaN comes first in either order.
        let below = |a: &Host<L>, b: &Host<L>| match (a.partial_cmp(a), b.partial_cmp(b)) {
            (Some(_), Some(_)) => order(b, a),
            _ => order(a, b),
        };
        for (group, (min, position)) in groups.iter().zip(minima.into_iter().zip(positions)) {
            let values: Vec<Host<L>> = group.iter().map(|&index| packed.get(index)).collect();
            let best = values
                .iter()
                .skip(1)
                .fold(&values[0], |a, b| if below(b, a).is_gt() { b } else { a });
            assert!(below(&min, best).is_eq(), "{min:?} is not {best:?} in {packed:?}");
            let first = values.iter().position(|x| below(x, best).is_eq());
            assert_eq!(Some(position), first, "{packed:?} over {dims:?}");
        }
    }
}

#[test]
fn sums_are_those_of_the_elements() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for_direct!(check_sums);
        for_others!(check_sums);
        check_sums::<layout!(C64 [9, 40] {1, 0} [8, 16])>();
    }
}

/// The function fails for zero, which all padding is.
#[test]
fn functions_see_no_padding() {
    type Columns = crate::tiled!(s32[8,2000]{1,0:T(8,128)});
    type Rows = crate::tiled!(s32[2001,128]{1,0:T(8,128)});
    type Bounded = crate::tiled!(s32[<=32,2048]{1,0:T(8,128)});
    let over = |a: i32, x: i32| a + 1000 / x;
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        let columns = Columns::pack(&[1; 16_000]).unwrap();
        assert_eq!(columns.fold(&[0], 0, over, |a, b| a + b), [8000; 2000]);
        assert_eq!(columns.fold(&[1], 0, over, |a, b| a + b), [2_000_000; 8]);
        let rows = Rows::pack(&[1; 128 * 2001]).unwrap();
        assert_eq!(rows.fold(&[0], 0, over, |a, b| a + b), [2_001_000; 128]);
        assert_eq!(rows.fold(&[1], 0, over, |a, b| a + b), [128_000; 2001]);
        let mut bounded = Packed::<Bounded>::with_sizes([0, 2048]).unwrap();
        bounded.push_rows(&[1; 3 * 2048]).unwrap();
        assert_eq!(bounded.fold(&[0], 0, over, |a, b| a + b), [3000; 2048]);
        assert_eq!(bounded.fold(&[1], 0, over, |a, b| a + b), [2_048_000; 3]);
    }
}

#[test]
fn maxima_are_those_of_the_elements() {
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for_direct!(check_maxima);
        for_others!(check_maxima);
    }
}

#[test]
fn means_divide_by_the_number_of_elements() {
    type L = layout!(F32 [5, 9, 130] {2, 0, 1} [4, 128]);
    let packed = noisy::<L>(&mut Random(5)).map(|_| 3.0);
    assert_eq!(packed.mean(&[0, 2]), [3.0; 9]);
    let truths = <layout!(PRED [2, 2] {1, 0})>::pack(&[true, false, true, true]).unwrap();
    assert_eq!(truths.mean(&[1]), [0.5, 1.0]);
    let complex =
        <layout!(C64 [2] {0})>::pack(&[Complex::new(1.0, 2.0), Complex::new(0.0, 4.0)]).unwrap();
    assert_eq!(complex.mean(&[0]), [Complex::new(0.5, 3.0)]);
    // The sums wrap.
    let large = <layout!(S64 [2] {0})>::pack(&[i64::MAX; 2]).unwrap();
    assert_eq!((large.sum(0), large.mean(0)), (vec![-2], vec![i64::MAX as f64]));
    let large = <layout!(U64 [300] {0})>::pack(&[u64::MAX; 300]).unwrap();
    assert_eq!(large.mean(0), [u64::MAX as f64]);
}

#[test]
fn a_nan_is_the_maximum_of_its_row_alone() {
    type L = layout!(F32 [100, 300] {1, 0} [8, 128]);
    let mut packed = Packed::<L>::zeroed().unwrap();
    let negative_nan = f32::from_bits(0xFFC0_0000);
    packed.set([7, 299], negative_nan).unwrap();
    packed.set([8, 17], f32::NAN).unwrap();
    packed.set([8, 5], f32::INFINITY).unwrap();
    let maxima = packed.max(&[1]);
    let nans: Vec<usize> = (0..100).filter(|&row| maxima[row].is_nan()).collect();
    assert_eq!(nans, [7, 8]);
    assert_eq!(packed.argmax(&[1])[6..10], [0, 299, 17, 0]);
    assert_eq!(packed.argmax(&[0, 1]), [7 * 300 + 299]);
}

#[test]
fn both_zeros_are_one_maximum() {
    let packed = <layout!(F32 [3] {0})>::pack(&[-0.0, 0.0, -1.0]).unwrap();
    assert_eq!((packed.max(&[0])[0], packed.argmax(&[0])), (0.0, vec![0]));
}

#[test]
fn reductions_of_nothing() {
    type Rows = layout!(F32 [3, 0] {1, 0} [8, 128]);
    let none = Packed::<Rows>::zeroed().unwrap();
    assert_eq!(none.sum(&[1]), [0.0; 3]);
    assert_eq!(none.sum(&[0]), [0.0; 0]);
    assert_eq!(none.max(&[1]), [f32::NEG_INFINITY; 3]);
    assert_eq!(none.min(&[1]), [f32::INFINITY; 3]);
    assert!(none.var(&[1]).iter().all(|var| var.is_nan()));
    assert!(none.mean(&[1]).iter().all(|mean| mean.is_nan()));
    assert_eq!(none.argmax(&[0]), [0; 0]);
    assert_eq!(none.fold(&[1], 7, |_, _| 0, |a, _| a), [7; 3]);
    assert_eq!(Packed::<layout!(S4 [0] {0})>::zeroed().unwrap().max(&[0]), [-8]);
    assert_eq!(Packed::<layout!(S4 [0] {0})>::zeroed().unwrap().min(&[0]), [7]);
}

#[test]
#[should_panic(expected = "an array without elements has no maximum")]
fn the_maximum_of_nothing_has_no_position() {
    Packed::<layout!(F32 [3, 0] {1, 0})>::zeroed().unwrap().argmax(&[1]);
}

#[test]
#[should_panic(expected = "dimension 2 does not exist: the rank is 2")]
fn a_dimension_that_does_not_exist() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::zeroed().unwrap().sum(&[0, 2]);
}

#[test]
#[should_panic(expected = "dimension 1 is given twice")]
fn a_dimension_that_is_reduced_twice() {
    Packed::<layout!(F32 [3, 4] {1, 0})>::zeroed().unwrap().sum(&[1, 1]);
}

#[test]
#[should_panic(expected = "an array without elements has no minimum")]
fn the_minimum_of_nothing_has_no_position() {
    Packed::<layout!(F32 [3, 0] {1, 0})>::zeroed().unwrap().argmin(&[1]);
}

fn check_variances<L: Layout>(mean: f64, value: impl Fn(f64) -> Host<L>)
where
    Host<L>: Ordered + Into<f64>,
{
    let mut packed = noisy::<L>(&mut Random(8));
    let mut random = Random(9);
    for index in indices::<L>() {
        packed.set(index, value(mean + random.below(1000) as f64 - 500.0)).unwrap();
    }
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for dims in subsets(L::RANK) {
            for (group, var) in groups::<L>(&dims).iter().zip(packed.var(&dims)) {
                let values = || group.iter().map(|&index| packed.get(index).into());
                let count = group.len() as f64;
                // Whole numbers: the sum is exact.
                let mean = values().map(|x| x - mean).sum::<f64>() / count + mean;
                let exact = values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
                // Rounding the mean of a part to `f64` shifts it.
                let bound = 1e-12 + mean.abs() * f64::EPSILON / exact.sqrt().max(1.0);
                assert!((var - exact).abs() <= bound * exact, "{var} is not {exact} over {dims:?}");
            }
        }
    }
}

#[test]
fn variances_do_not_cancel() {
    check_variances::<layout!(F32 [37, 300] {1, 0} [8, 128])>(0.0, |x| x as f32);
    check_variances::<layout!(F32 [37, 300] {1, 0} [8, 128])>(8e6, |x| x as f32);
    check_variances::<layout!(F64 [17, 45] {1, 0} [2, 16])>(1e12, |x| x);
    check_variances::<layout!(S32 [13, 6, 50] {0, 2, 1})>(1e9, |x| x as i32);
    check_variances::<layout!(F64 [3, 5, 7] {2, 1, 0} [3, 4])>(-1e12, |x| x);
}

/// Numbers of very different magnitudes and of either sign.
fn uneven<L: Layout>(value: impl Fn(f32) -> Host<L>) -> Packed<L> {
    let mut random = Random(7);
    let values: Vec<Host<L>> = (0..<L as Layout>::SPEC.elements())
        .map(|_| {
            let magnitude =
                (random.below(1000) as f32 - 300.0) * (random.below(30) as f32 - 10.0).exp2();
            value(magnitude)
        })
        .collect();
    L::pack(&values).unwrap()
}

#[test]
fn sums_of_many_elements_stay_within_their_bound() {
    fn check<L: Layout>(value: impl Fn(f32) -> Host<L>, wide: impl Fn(Host<L>) -> f64)
    where
        Host<L>: Summand<Sum = f32>,
    {
        let packed = uneven::<L>(value);
        for dims in [vec![0], vec![1], vec![0, 1]] {
            for (group, sum) in groups::<L>(&dims).iter().zip(packed.sum(&dims)) {
                let values = group.iter().map(|&index| wide(packed.get(index)));
                let (exact, magnitude) =
                    values.fold((0.0, 0.0), |(sum, magnitude), x| (sum + x, magnitude + x.abs()));
                let rounding = exact.abs() * f64::from(f32::EPSILON);
                let error = (f64::from(sum) - exact).abs();
                assert!(
                    error <= magnitude / 65536.0 + rounding,
                    "{error} for {exact} over {dims:?}"
                );
            }
        }
    }
    check::<layout!(F32 [600, 300] {1, 0} [8, 128])>(|x| x, f64::from);
    check::<layout!(BF16 [600, 300] {1, 0} [8, 128][2, 1])>(bf16::from_f32, f64::from);
}

#[test]
fn the_instructions_of_the_cpu_change_nothing() {
    fn check<L: Layout>(packed: &Packed<L>)
    where
        Host<L>: Summand<Sum = f32> + Ordered,
    {
        let results = Cpu::all().into_iter().map(|cpu| {
            forced::set(cpu, false);
            let sums = [vec![0], vec![1], vec![0, 1]].map(|dims| packed.sum(&dims));
            let bits = sums.concat().iter().map(|sum| sum.to_bits()).collect::<Vec<_>>();
            (bits, packed.argmax(&[1]))
        });
        let results: Vec<_> = results.collect();
        assert!(results.iter().all(|result| *result == results[0]));
    }
    check(&uneven::<layout!(F32 [100, 300] {1, 0} [8, 128])>(|x| x));
    check(&uneven::<layout!(BF16 [100, 300] {1, 0} [8, 128][2, 1])>(bf16::from_f32));
}
