//! Products of quantized activations on every instruction set that this CPU has, compared with plain loops.

use super::{DynQuantizedRef, Integers, QuantizedError, tables};
use crate::cpu::{Cpu, forced};
use crate::quantized::tests::{number, random};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use half::bf16;
use layout_core::quantized::QuantizedSpec;

/// Elements of 8 and 4 bits, all kinds of scales, blocks of several groups, and rows that end within a step.
const LAYOUTS: [&str; 13] = [
    "q8_0[37,96]",
    "q8_0[6,64]",
    "s8[5,512] by f32[1,256] in planes",
    "s8[5,320] by f16[1,64] in blocks",
    "q4_0[37,96]",
    "q4_0[9,160]",
    "s4[5,256] by f32[1,128] in blocks",
    "s4[5,320] by f16[1,64] in planes",
    "mxfp4_gguf[37,96]",
    "mxfp4[37,224]",
    "f4e2m1fn[5,64] by f16[1,32] in planes",
    "f4e2m1fn[5,64] by f32[1,64] in blocks",
    "f4e2m1fn[9,128] by f8e4m3fn[1,32] in planes",
];

/// The integers that activations become, with the scale of each, and the largest magnitude of its 32.
fn quantized(x: &[f32]) -> Vec<(f32, f32, f32)> {
    let group = |x: &[f32]| {
        let largest = x.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
        let (inverse, scale) = (127.0 / largest, largest / 127.0);
        let of = move |x: &f32| match inverse.is_finite() {
            true => ((x * inverse).round_ties_even(), scale, largest),
            false => (0.0, 0.0, largest),
        };
        x.iter().map(of).collect::<Vec<_>>()
    };
    x.chunks(32).flat_map(group).collect()
}

/// The documented order of operations.
fn in_order(spec: &QuantizedSpec, weights: &DynQuantizedRef<'_>, row: usize, x: &[f32]) -> f32 {
    let (bytes, block) = (weights.bytes(), spec.block());
    let is_half = spec.element().bits() == 4;
    let pairs = is_half && spec.arrangement().name() == "planes";
    let unit = if spec.element() == crate::DType::F4E2M1FN { 0.5 } else { 1.0 };
    let x = quantized(x);
    let mut lanes = [0.0_f32; 16];
    let groups = if is_half { 4 } else { 2 };
    for (group, x) in x.chunks(32).enumerate() {
        let at = (row * spec.columns() + group * 32) / block;
        let elements = &bytes[spec.elements_at(at)..];
        let scale = spec.scale_of(&bytes[spec.scale_at(at)..]);
        let mut integers = [0.0_f32; 8];
        for (position, (x, ..)) in x.iter().enumerate() {
            let element = spec.element_of(elements, (group * 32 + position) % block) / unit;
            let byte = match (is_half, pairs) {
                (false, _) => position,
                (true, true) => position / 2,
                (true, false) => position % 16,
            };
            integers[byte / 4] += element * x;
        }
        let scale = scale * (x[0].1 * unit);
        let count = 16 / groups;
        for (lane, integer) in integers[..count].iter().enumerate() {
            lanes[group % groups * count + lane] += integer * scale;
        }
    }
    for apart in [8, 4, 2, 1] {
        for lane in 0..apart {
            lanes[lane] += lanes[lane + apart];
        }
    }
    lanes[0] * crate::quantized::view::tensor_scale(spec, bytes)
}

#[test]
fn products_are_as_documented_on_every_cpu() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64);
        let values: Vec<f32> = (0..spec.len()).map(|_| number(random())).collect();
        let mut bytes = vec![0; spec.bytes()];
        crate::quantized::view::pack_into(&spec, &values, &mut bytes).expect("finite");
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        let unpacked = weights.unpack();
        for m in [1, 2, 5] {
            let mut x: Vec<f32> = (0..m * spec.columns()).map(|_| number(random())).collect();
            // Zeros, and numbers too small for a scale.
            x[..32].fill(if m == 2 { 1e-38 } else { 0.0 });
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul_s8(&x).expect("memory");
                assert_eq!(y.len(), m * spec.rows());
                for (at, y) in y.iter().enumerate() {
                    let row = at % spec.rows();
                    let x = &x[at / spec.rows() * spec.columns()..][..spec.columns()];
                    let expected = in_order(&spec, &weights, row, x);
                    assert_eq!(y.to_bits(), expected.to_bits(), "{text} {m} {cpu:?} {at}");
                    let w = &unpacked[row * spec.columns()..][..spec.columns()];
                    let (mut exact, mut changed, mut magnitude) = (0.0, 0.0, 0.0);
                    for ((w, x), (_, _, largest)) in w.iter().zip(x).zip(quantized(x)) {
                        let (w, x) = (f64::from(*w), f64::from(*x));
                        exact += w * x;
                        magnitude += (w * x).abs() + w.abs() * f64::from(largest) / 253.0;
                        changed += w.abs() * f64::from(largest) / 253.0;
                    }
                    // If the scale is subnormal, the error can be the whole magnitude.
                    let bound = changed * if m == 2 { 253.0 } else { 1.0 };
                    let bound =
                        bound + (spec.columns() as f64 / 64.0 + 9.0) * 2f64.powi(-24) * magnitude;
                    let error = (exact - f64::from(*y)).abs();
                    assert!(error <= bound, "{text} {m} {cpu:?} {at}: {error:e} > {bound:e}");
                }
            }
        }
    }
}

/// All codes, the largest activations, and scales that are infinite or not a number.
#[test]
fn any_bytes_are_multiplied_in_the_same_way() {
    for (seed, text) in LAYOUTS.iter().enumerate() {
        let spec: QuantizedSpec = text.parse().expect("a layout");
        let mut random = random(seed as u64 + 100);
        for round in 0..20 {
            let fill = [0x80, 0x7F, 0x00, 0xFF];
            let bytes: Vec<u8> = (0..spec.bytes())
                .map(|_| fill.get(round).copied().unwrap_or_else(|| random() as u8))
                .collect();
            let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
            let sign = |bits: u64| if bits.is_multiple_of(2) { 1.0 } else { -1.0 };
            let x: Vec<f32> = (0..spec.columns())
                .map(|_| match round {
                    0..4 => 1.0,
                    4..8 => sign(random()),
                    _ => number(random()),
                })
                .collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul_s8(&x).expect("memory");
                for (row, y) in y.iter().enumerate() {
                    let expected = in_order(&spec, &weights, row, &x);
                    let same = y.to_bits() == expected.to_bits() || y.is_nan() && expected.is_nan();
                    assert!(same, "{text} {round} {cpu:?} {row}: {y:e}, {expected:e}");
                }
            }
        }
    }
}

#[test]
fn some_rows_and_narrow_activations() {
    let spec: QuantizedSpec = "q8_0[9,64]".parse().expect("a preset");
    let bytes: Vec<u8> = (0..spec.bytes()).map(|at| (at * 7 % 60) as u8).collect();
    let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
    let narrow: Vec<bf16> = (0..3 * 64).map(|n| bf16::from_f32(n as f32 - 90.0)).collect();
    let wide: Vec<f32> = narrow.iter().map(|x| x.to_f32()).collect();
    let y = weights.matmul_s8(&narrow).expect("memory");
    assert_eq!(y, weights.matmul_s8(&wide).expect("memory"));
    let some = weights.rows(2..8).rows(1..4).matmul_s8(&narrow).expect("memory");
    let expected: Vec<f32> = y.chunks(9).flat_map(|y| y[3..6].to_vec()).collect();
    assert_eq!(some, expected);
    assert!(weights.rows(4..4).matmul_s8(&narrow).expect("memory").is_empty());
}

#[test]
fn what_cannot_be_multiplied_is_told() {
    for (text, codes) in [("mxfp8[4,64]", false), ("nvfp4[4,64]", true)] {
        let spec: QuantizedSpec = text.parse().expect("a preset");
        let bytes = vec![0; spec.bytes()];
        let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
        let error = weights.matmul_s8(&[1.0_f32; 64]).unwrap_err();
        assert!(matches!(error, QuantizedError::NotIntegers { .. }), "{error}");
        assert!(error.to_string().contains("help: "), "{error}");
        assert_eq!(Integers::of(&spec, &tables(&spec)).is_some(), codes);
    }
    let spec: QuantizedSpec = "q8_0[2,64]".parse().expect("a preset");
    let bytes = vec![0; spec.bytes()];
    let weights = DynQuantizedRef::new(spec, &bytes).expect("sized");
    for number in [f32::INFINITY, f32::NAN] {
        let mut x = [1.0; 128];
        x[77] = number;
        let error = weights.matmul_s8(&x).unwrap_err();
        assert!(matches!(error, QuantizedError::ActivationNotFinite { position: 77, .. }));
    }
    assert!(matches!(
        weights.matmul_s8(&[1.0_f32; 63]),
        Err(QuantizedError::Activations { actual: 63, .. })
    ));
    assert!(matches!(
        weights.matmul_s8_into(&[1.0_f32; 64], &mut [0.0; 3]),
        Err(QuantizedError::ResultLength { actual: 3, expected: 2, .. })
    ));
}
