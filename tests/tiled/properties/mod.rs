//! Properties of every layout, checked on random ones.
#![allow(deprecated, reason = "some of these arrays are mostly padding")]

mod damage;
mod document;
mod layouts;
mod movement;
mod moves;
mod strided;

use damage::{change, changed, golden};
use document::{by_the_document, indices};
use layouts::layout;
use proptest::prelude::*;
use std::collections::HashSet;
use tensor_layout::{Layout, Shape, TiledSpec, tiled};

/// `factor` times as many cases as `PROPTEST_CASES` sets, which is 256 by default.
fn config(factor: u32) -> ProptestConfig {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    ProptestConfig { cases: factor * config.cases, ..config }
}

proptest! {
    #![proptest_config(config(2))]

    #[test]
    fn a_printed_layout_is_read_as_itself(text in layout()) {
        let spec: TiledSpec = text.parse().unwrap();
        let canonical = spec.to_string();
        prop_assert_eq!(canonical.parse::<TiledSpec>().unwrap(), spec, "{}", canonical);
        prop_assert_eq!(canonical.parse::<TiledSpec>().unwrap().to_string(), canonical);
        let alone = TiledSpec::with_layout(spec.dtype(), spec.dims(), &spec.layout().to_string()).unwrap();
        prop_assert_eq!(alone.layout().to_string(), spec.layout().to_string());
        prop_assert_eq!(alone.map().parts().len(), spec.map().parts().len());
    }

    #[test]
    fn each_element_has_a_place_of_its_own(text in layout()) {
        let spec: TiledSpec = text.parse().unwrap();
        let mut taken = HashSet::new();
        for index in indices(spec.dims()) {
            let offset = spec.offset(&index);
            prop_assert_eq!(offset, by_the_document(&spec, &index), "{:?}", index);
            prop_assert!(offset < spec.len() && offset < spec.map().len(), "{:?} at {}", index, offset);
            prop_assert!(taken.insert(offset), "{:?} at {}, which is taken", index, offset);
            let back = spec.index(offset);
            prop_assert_eq!(back.as_deref(), Some(&index[..]));
        }
        prop_assert_eq!(taken.len(), spec.elements());
        prop_assert_eq!(spec.extent(), taken.iter().max().map_or(0, |last| last + 1));
        // Everything else is padding.
        for offset in (0..spec.len().min(1 << 15)).chain(spec.len()..spec.len() + 3) {
            prop_assert_eq!(spec.index(offset).is_some(), taken.contains(&offset), "{}", offset);
        }
        prop_assert_eq!(spec.index(usize::MAX), None);
    }

    #[test]
    fn a_stride_is_what_one_step_moves(text in layout()) {
        let spec: TiledSpec = text.parse().unwrap();
        for dim in 0..spec.rank() {
            let mut steps = HashSet::new();
            for mut index in indices(spec.dims()) {
                let from = spec.offset(&index);
                index[dim] += 1;
                if let Some(to) = spec.checked_offset(&index) {
                    steps.insert(to.wrapping_sub(from));
                }
            }
            match spec.stride(dim) {
                Some(stride) => prop_assert!(steps.iter().all(|step| *step == stride), "{}: {:?}", dim, steps),
                // Where dimensions are combined, only some values of the combined one may occur: then `None` is conservative.
                None if text.contains('*') => {}
                None => prop_assert!(steps.len() != 1, "{}: {:?}", dim, steps),
            }
        }
    }

    #[test]
    fn sizes_follow_from_each_other(text in layout()) {
        let spec: TiledSpec = text.parse().unwrap();
        let bits = spec.stored_bits();
        prop_assert_eq!(spec.elements(), spec.dims().iter().product::<usize>());
        prop_assert_eq!(spec.physical_shape().product::<usize>(), spec.map().len());
        prop_assert_eq!(spec.storage_bytes(), (spec.len() * bits).div_ceil(8));
        prop_assert_eq!(spec.logical_bytes(), (spec.elements() * bits).div_ceil(8));
        prop_assert!(spec.bytes() <= spec.storage_bytes());
        prop_assert!(spec.elements() <= spec.extent() && spec.extent() <= spec.len());
    }
}

/// Compares a type with the spec that its own text produces at run time.
fn type_is_as_its_text<L: Layout>(text: &str) {
    let spec: TiledSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(L::SPEC, spec);
    assert_eq!((L::RANK, L::DIMS.as_ref()), (spec.rank(), spec.dims()), "{spec}");
    assert_eq!((L::LEN, L::BYTES), (spec.len(), spec.bytes()), "{spec}");
    // All offsets of a small array; otherwise some, at steps that no tile shares.
    let step = if L::LEN > 1 << 16 { 997 } else { 1 };
    for offset in (0..L::LEN).step_by(step).chain(L::LEN..L::LEN + 2) {
        let index = L::index(offset);
        let coordinates = index.map(|index| index.as_ref().to_vec());
        assert_eq!(coordinates.as_deref(), spec.index(offset).as_deref(), "{spec} {offset}");
        if let Some(index) = index {
            assert_eq!((L::offset(index), spec.offset(index.as_ref())), (offset, offset), "{spec}");
        }
    }
}

#[test]
fn types_are_as_their_texts() {
    macro_rules! check {
        ($([$($layout:tt)*])*) => { $( type_is_as_its_text::<tiled!($($layout)*)>(stringify!($($layout)*)); )* };
    }
    check! {
        [pred[]]
        [f32[]{:T(256)}]
        [u32[]{:T(8)S(8)}]
        [s8[7]]
        [f32[0]]
        [bf16[2048]{0:T(1024)(128)(2,1)}]
        [u1[9]{0:E(1)}]
        [f32[9]{0:T(8)(1,5,1)}]
        [f32[10]{0:T(8)L(1024)}]
        [F32[3,5]<1,0:T(2,2)>]
        [F32[4,8]<1,0:T(2,4)(2,1)>]
        [f32[3,5]{0,1}]
        [f32[0,5]{1,0:T(8,128)}]
        [bf16[1000,384]{1,0:T(8,128)(2,1)}]
        [bf16[33,130]{0,1:T(16,128)(2,1)S(1)}]
        [s8[64,256]{1,0:T(32,128)(4,1)}]
        [s4[64,129]{1,0:T(64,128)(8,1)E(4)}]
        [f32[8]{0:T(2,2)}]
        [f32[9,10]{0,1:T(3,4)(2,3)}]
        [f32[4,4]{1,0:T(2,2)(2,2,2)}]
        [f32[9,10]{1,0:T(4,4)(*,3,2)(2,1)}]
        [f32[<=23,44]{1,0:T(8,128)M(16)}]
        [pred[123,456]{1,0:T(2,128)S(3)SC(0:10)(1:4,5)}]
        [c64[2,3]{0,1} padded to [3,5] with one]
        [f16[3,5,7]{0,2,1}]
        [f32[4,5,6]{2,1,0:T(*,3,4)}]
        [f8e4m3fn[7,33,130]{0,2,1:T(8,128)(4,1)}]
        [f64[2,3,4,5]{3,0,2,1:T(2,1,4)}]
        [F32[2,7,8,11,10]<4,3,2,1,0:T(*,*,2,*,3)>]
        [u16[2,1,3,1,2,2]{0,5,1,4,2,3:T(2,2)}]
        [s16[1,2,3,1,2,3,1,2]{0,7,1,6,2,5,3,4:T(1,1,1,1,2,1,4,8)(4,1)(2,1)(1,2,1)}]
    }
}

proptest! {
    #![proptest_config(config(16))]

    #[test]
    fn damaged_text_is_an_error_or_prints_as_it_reads(
        texts in proptest::collection::vec(proptest::sample::select(golden()), 1..3),
        tuple: bool,
        changes in proptest::collection::vec(change(), 0..5),
    ) {
        let text = if tuple { format!("({})", texts.join(", ")) } else { texts.concat() };
        let text = changes.iter().fold(text, |text, change| changed(&text, change));
        match text.parse::<Shape>() {
            Ok(shape) => {
                let canonical = shape.to_string();
                prop_assert_eq!(canonical.parse::<Shape>().unwrap(), shape.clone(), "{}", canonical);
                for spec in shape.arrays() {
                    prop_assert!(spec.bytes() <= isize::MAX as usize && spec.elements() <= isize::MAX as usize);
                    for dim in 0..spec.rank() {
                        let _ = spec.byte_stride(dim);
                    }
                    for offset in [0, spec.len() / 2, spec.len().saturating_sub(1), spec.len()] {
                        if let Some(index) = spec.index(offset) {
                            prop_assert_eq!(spec.offset(&index), offset);
                        }
                    }
                }
            }
            Err(error) => prop_assert!(!error.mistakes().is_empty() && !error.to_string().is_empty()),
        }
    }
}
