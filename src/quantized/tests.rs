//! Products on every instruction set that this CPU has, compared with plain loops.

use super::{DynQuantizedRef, QuantizedSpec};
use crate::cpu::{Cpu, forced};
use alloc::vec;
use alloc::vec::Vec;
use half::bf16;

const LAYOUTS: [&str; 32] = [
    "q8_0[37,96]",
    // More scales in a row than are read at once.
    "q8_0[7,544]",
    "s8[5,544] by f16[1,32] in planes",
    "s8[5,512] by f32[1,256] in planes",
    "s8[5,512] by f16[1,64] in blocks",
    "q4_0[37,96]",
    "s4[5,256] by f32[1,128] in blocks",
    "s4[5,256] by f16[1,64] in planes",
    "mxfp4_gguf[37,96]",
    "mxfp4[37,96]",
    "f4e2m1fn[5,64] by f16[1,32] in planes",
    "f4e2m1fn[5,64] by f32[1,64] in blocks",
    "f4e2m1fn[5,64] by f8e4m3fn[1,32] in planes",
    "f4e2m1fn[5,64] by f8e4m3fn[1,16] in planes",
    "nvfp4[37,96]",
    "nvfp4[37,80]",
    "nvfp4[3,16]",
    "nvfp4_gguf[37,192]",
    "nvfp4_gguf[6,320]",
    "nvfp4_gguf[3,1408]",
    "nvfp4[3,1072]",
    "q4_0[5,1184]",
    "mxfp4[3,1056]",
    "s4[3,1056] by f16[1,32] in planes",
    "s4[3,1152] by f16[1,128] in planes",
    "f4e2m1fn[3,1056] by f32[1,32] in blocks",
    "f4e2m1fn[3,1536] by f32[1,256] in planes",
    "f4e2m1fn[6,224] by f8e4m3fn[1,32] in blocks",
    "mxfp8[37,96]",
    "mxfp8_e5m2[37,96]",
    "f8e4m3fn[5,256] by f32[1,128] in planes",
    "f8e5m2[5,64] by f16[1,64] in blocks",
];

pub(super) fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state ^ state >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
    }
}

pub(super) fn number(bits: u64) -> f32 {
    (bits & 0xFFFF) as f32 / 32768.0 - 1.0
}

/// The bytes of an array of random numbers.
fn packed(spec: &QuantizedSpec, random: &mut impl FnMut() -> u64) -> Vec<u8> {
    let values: Vec<f32> = (0..spec.len()).map(|_| number(random())).collect();
    let mut bytes = vec![0; spec.bytes()];
    super::view::pack_into(spec, &values, &mut bytes).expect("finite");
    bytes
}

/// The documented order of operations, on unpacked elements and scales.
fn in_order(
    spec: &QuantizedSpec,
    weights: &DynQuantizedRef<'_>,
    row: usize,
    x: &[f32],
    cpu: Cpu,
) -> f32 {
    let fused = alloc::format!("{cpu:?}").starts_with("Avx512");
    let mul_add = |a: f32, b: f32, c: f32| if fused { a.mul_add(b, c) } else { a * b + c };
    let (bytes, block) = (weights.bytes(), spec.block());
    let element = |k: usize| {
        let at = (row * spec.columns() + k) / block;
        let elements = &bytes[spec.elements_at(at)..];
        spec.element_of(elements, k % block)
    };
    let scale = |k: usize| {
        let at = (row * spec.columns() + k) / block;
        spec.scale_of(&bytes[spec.scale_at(at)..])
    };
    let mut lanes = [0.0_f32; 16];
    let step = block.max(32);
    for start in (0..spec.columns()).step_by(step) {
        for (lane, sum) in lanes.iter_mut().enumerate() {
            let product = |group: usize| {
                let [a, b] = [lane, lane + 16].map(|at| group + in_group(spec, at));
                // A group may end with the row.
                let product = || mul_add(element(a), x[a], element(b) * x[b]);
                (b < spec.columns()).then(product)
            };
            let groups = (start..start + step).step_by(32).filter_map(product);
            let Some(part) = groups.reduce(|a, b| a + b) else { continue };
            // If blocks have 16 elements, each uses half of the lanes.
            let at = start + if block == 16 && lane >= 8 { 16 } else { 0 };
            *sum = mul_add(part, scale(at), *sum);
        }
    }
    total(lanes) * super::view::tensor_scale(spec, bytes)
}

#[test]
fn products_are_as_documented_on_every_cpu() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64);
        let bytes = packed(&spec, &mut random);
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        let unpacked = weights.unpack();
        for m in [1, 2, 4, 7, 9] {
            let x: Vec<f32> = (0..m * spec.columns()).map(|_| number(random())).collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                assert_eq!(y.len(), m * spec.rows());
                for (at, y) in y.iter().enumerate() {
                    let row = at % spec.rows();
                    let x = &values_of(&x, at / spec.rows(), spec.columns());
                    let (expected, factors) = few_rows(&spec, &weights, row, x, (false, cpu));
                    assert_eq!(y.to_bits(), expected.to_bits(), "{text} {m} {cpu:?} {at}");
                    let w = values_of(&unpacked, row, spec.columns());
                    let bound = bound(factors, &w, x);
                    let exact: f64 =
                        w.iter().zip(x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let error = (exact - f64::from(*y)).abs();
                    assert!(error <= bound, "{text} {m} {cpu:?} {at}: {error:e} > {bound:e}");
                }
            }
        }
    }
}

/// Random bytes are also numbers that packing does not produce, infinities, and not numbers.
#[test]
fn rows_are_unpacked_alike_on_every_cpu() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64 + 300);
        let bytes: Vec<u8> = (0..spec.bytes()).map(|_| random() as u8).collect();
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        for cpu in Cpu::all() {
            forced::set(cpu, false);
            let unpacked = weights.rows(1..spec.rows()).unpack();
            assert_eq!(unpacked.len(), (spec.rows() - 1) * spec.columns());
            for (at, x) in unpacked.into_iter().enumerate() {
                let expected = super::view::value(&spec, &bytes, spec.columns() + at);
                let same = x.to_bits() == expected.to_bits() || x.is_nan() && expected.is_nan();
                assert!(same, "{text} {cpu:?} {at}: {x}, not {expected}");
            }
        }
    }
}

/// Rows that are multiplied by expanded weights where no other order is documented.
#[test]
fn many_rows_are_as_exact_as_documented_on_every_cpu() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64 + 200);
        let bytes = packed(&spec, &mut random);
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        let unpacked = weights.unpack();
        for m in [super::matmul::EXPANDED, 31] {
            let x: Vec<f32> = (0..m * spec.columns()).map(|_| number(random())).collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                for (at, y) in y.iter().enumerate() {
                    let row = at % spec.rows();
                    let x = &values_of(&x, at / spec.rows(), spec.columns());
                    let (_, factors) = few_rows(&spec, &weights, row, x, (false, cpu));
                    let w = values_of(&unpacked, row, spec.columns());
                    let products = w.iter().zip(x).map(|(w, x)| f64::from(*w) * f64::from(*x));
                    let magnitude: f64 = products.clone().map(f64::abs).sum();
                    let expanded = (spec.columns() + 3) as f64 * 2f64.powi(-24) * magnitude;
                    let bound = bound(factors, &w, x).max(expanded);
                    let error = (products.sum::<f64>() - f64::from(*y)).abs();
                    assert!(error <= bound, "{text} {m} {cpu:?} {at}: {error:e} > {bound:e}");
                }
            }
        }
        // Some rows of weights, and a few of activations, whose products are the same up to their order.
        if spec.rows() > 2 {
            let x: Vec<f32> = (0..30 * spec.columns()).map(|_| number(random())).collect();
            let all = weights.matmul(&x).expect("memory");
            let some = weights.rows(1..2).matmul(&x).expect("memory");
            let column: Vec<f32> = all[1..].iter().step_by(spec.rows()).copied().collect();
            for (a, b) in some.iter().zip(&column) {
                assert!((a - b).abs() <= 1e-3 * (1.0 + a.abs()), "{text}: {a}, {b}");
            }
        }
    }
}

fn values_of(values: &[f32], row: usize, columns: usize) -> Vec<f32> {
    values[row * columns..][..columns].to_vec()
}

/// All codes of elements and scales, also those that are infinite or not a number.
#[test]
fn any_bytes_are_multiplied_in_the_same_way() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64 + 100);
        // Fewer rounds for long rows.
        let rounds = if spec.columns() > 512 { 12 } else { 40 };
        for round in 0..rounds {
            let mut bytes: Vec<u8> = (0..spec.bytes()).map(|_| random() as u8).collect();
            if round % 2 == 0 {
                // Scales with which the values of the elements are still visible.
                let finite: &[u8] = match spec.scale().bits() {
                    8 => &[0x7F],
                    16 => &[0, 0x3C],
                    _ => &[0, 0, 0x80, 0x3F],
                };
                for block in 0..spec.blocks() {
                    let at = spec.scale_at(block);
                    let scale =
                        if spec.scale() == crate::DType::F8E4M3FN { &[0x38][..] } else { finite };
                    bytes[at..][..scale.len()].copy_from_slice(scale);
                }
            }
            let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
            let x: Vec<f32> = (0..spec.columns())
                .map(|k| {
                    if round < rounds / 2 {
                        f32::from(k == round * 7 % spec.columns())
                    } else {
                        number(random())
                    }
                })
                .collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                for (row, y) in y.iter().enumerate() {
                    let (expected, _) = few_rows(&spec, &weights, row, &x, (false, cpu));
                    let same = y.to_bits() == expected.to_bits() || y.is_nan() && expected.is_nan();
                    assert!(same, "{text} {cpu:?} {row}: {y:e}, {expected:e}");
                }
            }
        }
    }
}

#[test]
fn activations_of_sixteen_bits_are_widened() {
    let spec: QuantizedSpec = "q8_0[9,64]".parse().expect("a preset");
    let bytes: Vec<u8> = (0..spec.bytes()).map(|at| (at * 7 % 60) as u8).collect();
    let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
    let narrow: Vec<bf16> = (0..3 * 64).map(|n| bf16::from_f32(n as f32 - 90.0)).collect();
    let wide: Vec<f32> = narrow.iter().map(|x| x.to_f32()).collect();
    let y = weights.matmul(&narrow).expect("memory");
    assert_eq!(y, weights.matmul(&wide).expect("memory"));
    // A view of some rows has their products alone.
    let some = weights.rows(2..8).rows(1..4).matmul(&narrow).expect("memory");
    let expected: Vec<f32> = y.chunks(9).flat_map(|y| y[3..6].to_vec()).collect();
    assert_eq!(some, expected);
}

/// The documented order of operations of many rows of `bf16`, where the CPU has their dot products.
fn in_pairs(spec: &QuantizedSpec, weights: &DynQuantizedRef<'_>, row: usize, x: &[f32]) -> f32 {
    by_blocks(spec, weights, row, x, |product| {
        let positions = (0..spec.block()).step_by(2).flat_map(|pair| [pair + 1, pair]);
        positions.fold(0.0_f32, |sum, position| product(position, sum))
    })
}

/// The same where tile registers multiply groups of 16 rows.
fn in_tiles(spec: &QuantizedSpec, weights: &DynQuantizedRef<'_>, row: usize, x: &[f32]) -> f32 {
    by_blocks(spec, weights, row, x, |product| {
        (0..spec.block()).step_by(32).fold(0.0_f32, |sum, group| {
            let [first, second] = [0, 1].map(|element| {
                let pairs = (group..group + 32).step_by(2);
                pairs.fold(0.0_f32, |sum, pair| product(pair + element, sum))
            });
            sum + (first + second)
        })
    })
}

/// The sum of all blocks, each multiplied by its scale. `sum_of` computes that of a block with a function that adds the product at a
/// position, rounded once.
fn by_blocks(
    spec: &QuantizedSpec,
    weights: &DynQuantizedRef<'_>,
    row: usize,
    x: &[f32],
    sum_of: impl Fn(&dyn Fn(usize, f32) -> f32) -> f32,
) -> f32 {
    let (bytes, block) = (weights.bytes(), spec.block());
    let mut sum = 0.0_f32;
    for start in (0..spec.columns()).step_by(block) {
        let at = (row * spec.columns() + start) / block;
        let elements = &bytes[spec.elements_at(at)..];
        let part = sum_of(&|position, sum| {
            let k = in_group(spec, position);
            spec.element_of(elements, k).mul_add(x[start + k], sum)
        });
        let scale = spec.scale_of(&bytes[spec.scale_at(at)..]);
        sum = part.mul_add(scale, sum);
    }
    sum * super::view::tensor_scale(spec, bytes)
}

/// The element at a position in the vectors of its group: the first 16 positions are bytes and, if two elements share a byte, its low
/// bits.
fn in_group(spec: &QuantizedSpec, position: usize) -> usize {
    let distance = spec.pair_distance().unwrap_or(16);
    let (group, byte, high) = (position / 32, position % 16, position / 16 % 2);
    group * 32 + byte / distance * 2 * distance + byte % distance + high * distance
}

/// The documented order of operations if elements of 8 bits become `bf16`, with activations of `bf16` or wider ones.
fn in_words(
    spec: &QuantizedSpec,
    weights: &DynQuantizedRef<'_>,
    row: usize,
    x: &[f32],
    narrow: bool,
) -> f32 {
    let bytes = weights.bytes();
    let mut lanes = [0.0_f32; 16];
    for first in (0..spec.columns()).step_by(64) {
        // The second half of the lanes may be past the end of the row.
        for lane in (0..16).filter(|lane| first + lane / 8 * 32 < spec.columns()) {
            let (mut sums, mut scale) = ([0.0_f32; 2], 0.0);
            for vector in 0..2 {
                for second in [1, 0] {
                    let word = 2 * lane + second;
                    let k = first + word / 8 * 16 + vector * 8 + word % 8;
                    let at = (row * spec.columns() + k) / spec.block();
                    let element = spec.element_of(&bytes[spec.elements_at(at)..], k % spec.block());
                    scale = spec.scale_of(&bytes[spec.scale_at(at)..]);
                    let sum = &mut sums[if narrow { 0 } else { second }];
                    *sum = element.mul_add(x[k], *sum);
                }
            }
            let part = if narrow { sums[0] } else { sums[0] + sums[1] };
            lanes[lane] = part.mul_add(scale, lanes[lane]);
        }
    }
    total(lanes) * super::view::tensor_scale(spec, bytes)
}

/// The documented order of operations with digits of the activations.
fn in_digits(spec: &QuantizedSpec, weights: &DynQuantizedRef<'_>, row: usize, x: &[f32]) -> f32 {
    let of_largest = (85 << 16) as f32;
    let unit = if spec.element() == crate::DType::S4 { 1.0 } else { 0.5 };
    let (bytes, shared) = (weights.bytes(), spec.block().min(32));
    let mut lanes = [[0.0_f32; 16]; 2];
    for first in (0..spec.columns()).step_by(shared) {
        let largest = x[first / 32 * 32..][..32].iter().fold(0.0_f32, |max, x| max.max(x.abs()));
        let products = (first..first + shared).map(|k| {
            let at = (row * spec.columns() + k) / spec.block();
            let element = spec.element_of(&bytes[spec.elements_at(at)..], k % spec.block());
            let integer = if largest == 0.0 { 0.0 } else { x[k] * (of_largest / largest) };
            (element / unit) as i64 * integer.round_ties_even() as i64
        });
        let part = products.sum::<i64>() as f32 * (largest / of_largest * unit);
        let at = (row * spec.columns() + first) / spec.block();
        let scale = spec.scale_of(&bytes[spec.scale_at(at)..]);
        let (chunk, group) = (first % 512 / 128, first % 128 / 32);
        let (vector, lane) = match shared {
            16 => (chunk / 2, 4 * group + chunk % 2 * 2 + first % 32 / 16),
            _ => (0, 4 * group + chunk),
        };
        lanes[vector][lane] = part.mul_add(scale, lanes[vector][lane]);
    }
    let [mut lanes, second] = lanes;
    if shared == 16 {
        for (lane, second) in lanes.iter_mut().zip(second) {
            *lane += second;
        }
    }
    total(lanes) * super::view::tensor_scale(spec, bytes)
}

/// The sum of lanes.
fn total(mut lanes: [f32; 16]) -> f32 {
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

/// The documented order of operations of few rows of finite activations, and the factors of its bound: that of the sum of magnitudes,
/// and that of the largest magnitude of each 32 activations times the sum of the magnitudes of the weights.
fn few_rows(
    spec: &QuantizedSpec,
    weights: &DynQuantizedRef<'_>,
    row: usize,
    x: &[f32],
    (narrow, cpu): (bool, Cpu),
) -> (f32, [f64; 2]) {
    let columns = spec.columns() as f64;
    let whole = spec.columns().is_multiple_of(32);
    match spec.element().bits() {
        4 if whole && has_dots_of_bytes(cpu) => {
            (in_digits(spec, weights, row, x), [columns / 512.0 + 12.0, 2.0])
        }
        8 if whole && spec.element() != crate::DType::S8 && has_pairs_of_bf16(cpu) => {
            (in_words(spec, weights, row, x, narrow), [columns / 64.0 + 16.0, 0.0])
        }
        _ => (in_order(spec, weights, row, x, cpu), [columns / 32.0 + 9.0, 0.0]),
    }
}

/// The largest error that a bound permits, see [`few_rows`].
fn bound(factors: [f64; 2], weights: &[f32], x: &[f32]) -> f64 {
    let sum = |values: &[f64]| values.iter().sum::<f64>();
    let magnitude = |x: &f32| f64::from(x.abs());
    let products: Vec<f64> =
        weights.iter().zip(x).map(|(w, x)| magnitude(w) * magnitude(x)).collect();
    let groups = weights.chunks(32).zip(x.chunks(32)).map(|(w, x)| {
        let largest = x.iter().map(magnitude).fold(0.0, f64::max);
        largest * sum(&w.iter().map(magnitude).collect::<Vec<_>>())
    });
    (factors[0] * sum(&products) + factors[1] * groups.sum::<f64>()) * 2f64.powi(-24)
}

#[test]
fn rows_of_bf16_are_as_documented_on_every_cpu() {
    // Some rows are longer than a panel is deep.
    let long = [
        "q4_0[7,160]",
        "q4_0[9,416]",
        "mxfp4_gguf[6,544]",
        "nvfp4[5,288]",
        "nvfp4_gguf[5,576]",
        "mxfp8[70,352]",
        "q8_0[3,8256]",
        "s8[33,4352] by f32[1,256] in planes",
        "mxfp4[2,4128]",
    ];
    for (seed, text) in LAYOUTS.iter().chain(&long).enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64 + 200);
        let bytes = packed(&spec, &mut random);
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        let unpacked = weights.unpack();
        for m in [1, 3, 5, 6, 11, 13, 17] {
            let x: Vec<bf16> =
                (0..m * spec.columns()).map(|_| bf16::from_f32(number(random()))).collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                for (at, y) in y.iter().enumerate() {
                    let row = at % spec.rows();
                    let x = &x[at / spec.rows() * spec.columns()..][..spec.columns()];
                    let x: Vec<f32> = x.iter().map(|x| x.to_f32()).collect();
                    let paired = m >= 6 && spec.block() >= 32 && has_pairs_of_bf16(cpu);
                    let tiled = tiled_rows(cpu, m, spec.block());
                    let (expected, factors) = match paired {
                        true => {
                            let steps = spec.block() + spec.columns() / spec.block() + 2;
                            let sum = match at / spec.rows() < tiled {
                                true => in_tiles(&spec, &weights, row, &x),
                                false => in_pairs(&spec, &weights, row, &x),
                            };
                            (sum, [steps as f64, 0.0])
                        }
                        false => few_rows(&spec, &weights, row, &x, (true, cpu)),
                    };
                    assert_eq!(y.to_bits(), expected.to_bits(), "{text} {m} {cpu:?} {at}");
                    let w = &unpacked[row * spec.columns()..][..spec.columns()];
                    let bound = bound(factors, w, &x);
                    let exact: f64 =
                        w.iter().zip(&x).map(|(w, x)| f64::from(*w) * f64::from(*x)).sum();
                    let error = (exact - f64::from(*y)).abs();
                    assert!(error <= bound, "{text} {m} {cpu:?} {at}: {error:e} > {bound:e}");
                }
            }
        }
        // A view of some rows has their products alone.
        if spec.rows() > 2 {
            let x: Vec<bf16> = (0..7 * spec.columns()).map(|n| bf16::from_f32(n as f32)).collect();
            let all = weights.matmul(&x).expect("memory");
            let some = weights.rows(1..3).matmul(&x).expect("memory");
            let expected: Vec<f32> =
                all.chunks(spec.rows()).flat_map(|y| y[1..3].to_vec()).collect();
            assert_eq!(some, expected, "{text}");
        }
    }
}

/// The number of rows of activations that a CPU of the tests multiplies with tile registers.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
fn tiled_rows(cpu: Cpu, rows: usize, block: usize) -> usize {
    let Cpu::Avx512(has) = cpu else { return 0 };
    super::panels::Has::detect(has).map_or(0, |has| has.tiled_rows(rows, block / 2))
}

/// The number of rows of activations that a CPU of the tests multiplies with tile registers.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
fn tiled_rows(_: Cpu, _: usize, _: usize) -> usize {
    0
}

/// Whether a CPU of the tests multiplies pairs of `bf16`.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
fn has_pairs_of_bf16(cpu: Cpu) -> bool {
    matches!(cpu, Cpu::Avx512(has) if super::panels::Has::detect(has).is_some())
}

/// Whether a CPU of the tests multiplies pairs of `bf16`.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
fn has_pairs_of_bf16(_: Cpu) -> bool {
    false
}

/// Whether a CPU of the tests has AVX-512 and its dot products of bytes.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
fn has_dots_of_bytes(cpu: Cpu) -> bool {
    matches!(cpu, Cpu::Avx512(has) if super::s8::HasDots::detect(has).is_some())
}

/// Whether a CPU of the tests has AVX-512 and its dot products of bytes.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
fn has_dots_of_bytes(_: Cpu) -> bool {
    false
}

/// Activations that have no digits are multiplied as on CPUs without these instructions, all rows of them.
#[test]
fn activations_without_a_scale_are_multiplied_as_they_are() {
    for text in ["q4_0[5,160]", "mxfp4[5,160]", "nvfp4_gguf[3,192]"] {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(300);
        let bytes = packed(&spec, &mut random);
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        for special in [f32::NAN, -f32::INFINITY, f32::MIN_POSITIVE, f32::from_bits(1)] {
            let mut x: Vec<f32> = (0..2 * spec.columns()).map(|_| number(random())).collect();
            // The only number of its group.
            x[32..64].fill(0.0);
            x[40] = special;
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                for (at, y) in y.iter().enumerate() {
                    let (m, row) = (at / spec.rows(), at % spec.rows());
                    let x = &x[m * spec.columns()..][..spec.columns()];
                    let expected = in_order(&spec, &weights, row, x, cpu);
                    let same = y.to_bits() == expected.to_bits() || y.is_nan() && expected.is_nan();
                    assert!(same, "{text} {special:e} {cpu:?} {at}: {y:e}, {expected:e}");
                }
            }
        }
    }
}
