//! Arrays at any strides, cached movers, and doubles as pairs of floats.

use super::config;
use super::document::indices;
use super::layouts::layout;
use proptest::prelude::*;
use std::sync::Arc;
use tensor_layout::{DynLayout, Mover, MoverCache, PackError, Strided, TiledSpec, ef57};

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn values_at_any_strides_are_packed_as_their_row_major_copy(
        text in layout(),
        strides in prop::collection::vec(-20_isize..20, 16),
        salt in any::<u8>(),
    ) {
        let spec: TiledSpec = text.parse().unwrap();
        prop_assume!(!text.contains("SC"));
        let (dims, width) = (spec.dims(), spec.dtype().byte_width());
        let strides = &strides[..dims.len()];
        let reach = |size: &usize, stride: &isize| (size.max(&1) - 1) as isize * stride;
        let reaches: Vec<_> = dims.iter().zip(strides).map(|(size, stride)| reach(size, stride)).collect();
        let first = reaches.iter().filter(|reach| **reach < 0).sum::<isize>().unsigned_abs();
        let past: isize = reaches.iter().filter(|reach| **reach > 0).sum();
        let bytes: Vec<u8> = (0..first + past.unsigned_abs() + width)
            .map(|at| spec.dtype().normalize((at as u8).wrapping_mul(151) ^ salt))
            .collect();
        let rows: Vec<u8> = indices(dims)
            .flat_map(|index| {
                let steps = index.iter().zip(strides).map(|(at, stride)| *at as isize * stride);
                let at = first.checked_add_signed(steps.sum()).expect("within the bytes");
                bytes[at..at + width].to_vec()
            })
            .collect();
        let (mut packed, mut expected) = (vec![salt; spec.storage_bytes()], vec![salt; spec.storage_bytes()]);
        spec.pack_strided_bytes(Strided { bytes: &bytes, first, strides }, &mut packed).unwrap();
        spec.pack_bytes(&rows, &mut expected).unwrap();
        prop_assert!(packed == expected);
    }

    #[test]
    fn a_pair_of_floats_keeps_48_bits_of_a_double(value in any::<f32>(), tail in -0.5..0.5) {
        prop_assume!(value.is_normal() && value.abs() > 1e-20 && value.abs() < 1e38);
        let double = f64::from(value) * (1.0 + tail * f64::from(f32::EPSILON));
        let back = ef57::join(ef57::split(double));
        prop_assert!(((back - double) / double).abs() <= 2.0_f64.powi(-48), "{double} {back}");
    }
}

#[test]
fn strides_may_be_negative_or_zero_but_must_stay_within_the_bytes() {
    let spec: TiledSpec = "s16[2,3]".parse().unwrap();
    let bytes: Vec<u8> = (0..12).collect();
    let mut packed = [0; 12];
    let mut pack = |first, strides: &[isize]| {
        let values = Strided { bytes: &bytes, first, strides };
        spec.pack_strided_bytes(values, &mut packed)?;
        Ok::<_, PackError>(packed)
    };
    assert_eq!(pack(0, &[6, 2]).unwrap(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(pack(10, &[-6, -2]).unwrap(), [10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1]);
    assert_eq!(pack(4, &[0, 2]).unwrap(), [4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9]);
    assert_eq!(pack(0, &[2, 4]).unwrap(), [0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11]);
    for (first, strides, message) in [
        (
            8,
            [-6, -2],
            "with these strides, an array with the dimensions of `s16[2,3]{1,0}` reaches byte -2, but it has 12 bytes",
        ),
        (
            2,
            [6, 2],
            "with these strides, an array with the dimensions of `s16[2,3]{1,0}` reaches byte 14, but it has 12 bytes",
        ),
        (
            0,
            [isize::MAX, isize::MIN],
            "with these strides, an array with the dimensions of `s16[2,3]{1,0}` reaches byte -18446744073709551616, but it has 12 bytes",
        ),
    ] {
        assert_eq!(pack(first, &strides).unwrap_err().to_string(), message);
    }
    assert_eq!(
        pack(0, &[2]).unwrap_err().to_string(),
        "1 strides are given, but the layout `s16[2,3]{1,0}` has 2 dimensions",
    );
    let empty: TiledSpec = "f32[0,3]".parse().unwrap();
    let values = Strided { bytes: &[], first: 7, strides: &[1, -1] };
    assert_eq!(empty.pack_strided_bytes(values, &mut []), Ok(()));
    let scalar: TiledSpec = "f32[]".parse().unwrap();
    let values = Strided { bytes: &[9, 1, 2, 3, 4], first: 1, strides: &[] };
    let mut packed = [0; 4];
    assert_eq!(scalar.pack_strided_bytes(values, &mut packed), Ok(()));
    assert_eq!(packed, [1, 2, 3, 4]);
}

#[test]
fn the_same_layouts_give_the_same_mover() {
    let [a, b, c] = ["s8[3,5]{1,0:T(2,2)}", "s8[3,5]{0,1}", "s8[3,5]"]
        .map(|text| text.parse::<TiledSpec>().unwrap());
    let mut movers = MoverCache::new(2);
    let first = movers.pack(&a).unwrap();
    assert!(Arc::ptr_eq(&first, &movers.pack(&a).unwrap()));
    assert!(Arc::ptr_eq(&movers.unpack(&a).unwrap(), &movers.unpack(&a).unwrap()));
    let moved = movers.relayout(&a, &b).unwrap();
    assert!(Arc::ptr_eq(&moved, &movers.relayout(&a, &b).unwrap()));
    assert!(!Arc::ptr_eq(&moved, &movers.relayout(&b, &a).unwrap()));
    // Of three layouts, the least recently used one is planned again, and the others are not.
    let second = movers.pack(&b).unwrap();
    movers.pack(&a).unwrap();
    movers.pack(&c).unwrap();
    assert!(Arc::ptr_eq(&first, &movers.pack(&a).unwrap()));
    assert!(!Arc::ptr_eq(&second, &movers.pack(&b).unwrap()));
    let mut none = MoverCache::new(0);
    assert!(!Arc::ptr_eq(&none.pack(&a).unwrap(), &none.pack(&a).unwrap()));
    let unbounded: TiledSpec = "s8[?]".parse().unwrap();
    assert!(matches!(movers.pack(&unbounded), Err(PackError::Unbounded { .. })));
}

#[test]
fn a_double_is_a_float_and_what_it_lacks() {
    assert_eq!(ef57::split(1.0 + 2.0_f64.powi(-30)), [1.0, 2.0_f32.powi(-30)]);
    assert_eq!(ef57::split(16_777_217.0), [16_777_216.0, 1.0]);
    assert_eq!(ef57::join([16_777_216.0, 1.0]), 16_777_217.0);
    assert_eq!(ef57::split(f64::INFINITY), [f32::INFINITY, 0.0]);
    assert_eq!(ef57::split(-1e300), [f32::NEG_INFINITY, 0.0]);
    let [nan, low] = ef57::split(f64::NAN);
    assert!(nan.is_nan() && low == 0.0);
    // Pairs are where the doubles would be.
    let spec: TiledSpec = "f64[2,2]{0,1}".parse().unwrap();
    let values = [0.1, 0.2, 0.3, 0.4].map(ef57::split);
    let bytes = |pairs: [[f32; 2]; 4]| {
        pairs.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()
    };
    let mut packed = [0; 32];
    Mover::for_pack(&spec).unwrap().run_bytes(&bytes(values), &mut packed).unwrap();
    let [a, b, c, d] = values;
    assert_eq!(packed[..], bytes([a, c, b, d]));
}
