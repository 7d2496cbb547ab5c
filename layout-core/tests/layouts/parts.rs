//! The table of parts of random layouts, compared with the rule of the documents.

use super::random::{Random, by_the_document, indices, tiled};
use layout_core::parts::{MAX_PARTS, MAX_TERMS, MAX_TILES};
use layout_core::tiled::Tile;
use layout_core::{DType, TiledSpec};

#[test]
fn offsets_and_indices_are_the_documents() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let spec = random.spec();
        let mut stored = std::collections::HashMap::new();
        for index in indices(spec.dims()) {
            let (offset, len) = by_the_document(spec.draft(), &index);
            assert_eq!(spec.offset(&index), offset, "{spec} {index:?}");
            assert_eq!(spec.len(), len, "{spec}");
            assert!(stored.insert(offset, index).is_none(), "{spec} {offset}");
        }
        // Every offset, or some of them if there are very many.
        for offset in (0..spec.len() + 2).step_by(1 + spec.len() / 4000) {
            let index = spec.index(offset);
            assert_eq!(index.as_deref(), stored.get(&offset).map(Vec::as_slice), "{spec} {offset}");
        }
        assert_eq!(spec.elements(), stored.len(), "{spec}");
    }
}

#[test]
fn extent_ends_at_the_last_element() {
    let mut random = Random::new(2);
    for _ in 0..5000 {
        let spec = random.spec();
        let last = indices(spec.dims()).iter().map(|index| spec.offset(index) + 1).max();
        assert_eq!(spec.extent(), last.unwrap_or(0), "{spec}");
    }
}

#[test]
fn extent_of_a_large_array_is_found_at_once() {
    // Almost all of it is padding, of combined dimensions too.
    let spec = tiled(DType::U8, &[3, 5], &[1, 0], &[&[Tile::COMBINE, 1 << 60]]);
    assert_eq!((spec.extent(), spec.len()), (15, 1 << 60));
    let spec =
        tiled(DType::U8, &[2, 3, 5], &[2, 0, 1], &[&[1 << 20, 1 << 20], &[Tile::COMBINE, 7]]);
    let last = indices(spec.dims()).iter().map(|index| spec.offset(index) + 1).max();
    assert_eq!(Some(spec.extent()), last);
}

#[test]
fn a_stride_is_the_same_everywhere() {
    let mut random = Random::new(3);
    let (mut uniform, mut unseen) = (0, 0);
    for _ in 0..4000 {
        let spec = random.spec();
        for dim in (0..spec.rank()).filter(|&dim| spec.dims()[dim] > 1 && spec.elements() > 0) {
            let mut steps: Vec<isize> = indices(spec.dims())
                .iter()
                .filter(|index| index[dim] > 0)
                .map(|index| {
                    let mut before = index.clone();
                    before[dim] -= 1;
                    spec.offset(index) as isize - spec.offset(&before) as isize
                })
                .collect();
            steps.sort_unstable();
            steps.dedup();
            let expected = if let [step] = steps[..] { Some(step as usize) } else { None };
            uniform += usize::from(expected.is_some());
            if spec.stride(dim) != expected {
                assert_eq!(spec.stride(dim), None, "{spec} dimension {dim}");
                assert!(spec.to_string().contains('*'), "{spec} dimension {dim}");
                unseen += 1;
            }
        }
    }
    assert!(uniform > 3000 && unseen < 10, "{unseen} of {uniform}");
}

#[test]
fn a_stride_does_not_overflow() {
    // One step of the most major part is 2^60 elements, and the most minor part has a stride of 2^30.
    let spec = tiled(DType::U8, &[1 << 62], &[0], &[&[1 << 30], &[1 << 30, 1]]);
    assert_eq!(spec.stride(0), None);
    // Nothing is stored, so the other dimensions may be of any size.
    let spec = tiled(DType::F64, &[0, 1 << 62], &[1, 0], &[]);
    assert_eq!((spec.stride(0), spec.byte_stride(0)), (Some(1 << 62), None));
    assert_eq!((spec.stride(1), spec.byte_stride(1)), (Some(1), Some(8)));
}

/// Calls all functions of a layout, and converts some indices to offsets and back.
fn ask(spec: &TiledSpec) {
    let _ = (spec.bytes(), spec.logical_bytes(), spec.storage_bytes(), spec.stored_bits());
    assert!(spec.extent() <= spec.len() && spec.elements() <= spec.extent(), "{spec}");
    for dim in 0..spec.rank() {
        let _ = (spec.stride(dim), spec.byte_stride(dim));
    }
    for offset in [0, 1, spec.len() / 2, spec.extent().saturating_sub(1), usize::MAX] {
        let index = spec.index(offset);
        assert!(
            index.is_some() || offset.wrapping_add(1) != spec.extent() || offset == usize::MAX,
            "{spec}"
        );
        if let Some(index) = index {
            assert_eq!(spec.offset(&index), offset, "{spec}");
        }
    }
    for number in [0, 1, spec.elements() / 2, spec.elements().wrapping_sub(1), usize::MAX] {
        let index = spec.map().index_of(number);
        assert_eq!(index.is_some(), number < spec.elements(), "{spec}");
        if let Some(index) = index {
            assert_eq!(spec.index(spec.offset(&index)).unwrap(), index, "{spec}");
        }
    }
    assert!(!spec.to_string().is_empty() && !spec.map().affine_map().to_string().is_empty());
}

#[test]
fn garbage_is_refused_without_a_panic() {
    let mut random = Random::new(4);
    let mut valid = 0;
    for _ in 0..60_000 {
        let draft = random.garbage();
        let problems = draft.problems();
        for problem in problems.as_slice() {
            assert!(!problem.message().is_empty());
            let _ = (problem.help(), problem.subject());
        }
        match draft.validate() {
            Ok(spec) => ask(&spec),
            Err(problem) => assert_eq!(problem, problems.as_slice()[0]),
        }
        valid += usize::from(problems.is_empty());
    }
    assert!(valid > 2000, "{valid}");
}

#[test]
fn large_layouts_do_not_overflow() {
    let mut random = Random::new(5);
    let mut valid = 0;
    for _ in 0..8000 {
        let Ok(spec) = random.large().validate() else { continue };
        valid += usize::from(spec.len() > 1 << 50);
        ask(&spec);
    }
    assert!(valid > 1500, "{valid}");
}

#[test]
fn a_map_can_be_filled_to_its_capacity() {
    let star = Tile::COMBINE;
    let dims = [2, 1, 3, 2, 2, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1];
    let order = [3, 0, 2, 1, 7, 6, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15];
    // As many parts as there can be, and as many terms.
    let split: &[usize] = &[2, 3, 1, 2, 3, 2, 1, 2];
    let parts = tiled(DType::F32, &dims, &order, &[split; MAX_TILES]);
    assert_eq!(parts.map().parts().len(), MAX_PARTS);
    let combined: &[usize] = &[star, star, star, star, star, star, star, 4];
    let terms = tiled(DType::F32, &dims, &order, &[combined; MAX_TILES]);
    assert_eq!(terms.map().terms().len(), MAX_TERMS);
    for spec in [parts, terms] {
        for index in indices(&dims) {
            let expected = by_the_document(spec.draft(), &index);
            assert_eq!((spec.offset(&index), spec.len()), expected);
        }
        ask(&spec);
    }
}

#[test]
fn joined_parts_give_the_same_offsets() {
    let mut random = Random::new(4);
    let (mut fewer, mut resolved) = (0, 0);
    for _ in 0..4000 {
        let spec = random.spec();
        let map = spec.map();
        let joined = map.joined();
        for index in indices(spec.dims()) {
            assert_eq!(joined.offset(&index), map.offset(&index), "{spec} {index:?}");
        }
        let moving = map.parts().iter().filter(|part| part.size > 1).count();
        fewer += usize::from(joined.parts().len() < moving);
        resolved += usize::from(joined.terms().len() < map.terms().len());
    }
    assert!(fewer > 400 && resolved > 400, "{fewer} have fewer parts, {resolved} fewer terms");
}

#[test]
fn joined_digits_give_the_same_indices() {
    let mut random = Random::new(5);
    let (mut fewer, mut resolved) = (0, 0);
    for _ in 0..4000 {
        let spec = random.spec();
        let map = spec.map();
        let joined = map.joined_digits();
        // All offsets of most layouts, and some offsets of the largest.
        for offset in (0..map.len() + 2).step_by(1 + map.len() / 1000) {
            let index = map.index(offset);
            assert_eq!(joined.index(offset), index, "{spec} at {offset}");
            if let Some(index) = index {
                assert_eq!(joined.offset(&index), offset, "{spec} {index:?}");
            }
        }
        let digits = map.parts().iter().filter(|part| part.size > 1).count();
        fewer += usize::from(joined.parts().len() < digits);
        let terms = map.terms().iter().filter(|term| term.part.size > 1).count();
        resolved += usize::from(joined.terms().len() < terms);
    }
    assert!(fewer > 400 && resolved > 200, "{fewer} have fewer digits, {resolved} fewer terms");
}

#[test]
fn digits_that_continue_each_other_are_joined() {
    for (layout, joined) in [
        ("pred[1000,3000]{1,0:T(32,128)(32,1)E(1)}", "(d0 floordiv 32, d1, d0 mod 32)"),
        // No two dimensions share a digit of a row of 480.
        ("f32[6,10,8,128]{3,2,1,0:T(*,*,8,128)}", "(d0, d1, d2, d3)"),
        ("f32[6,10,8,256]{3,2,1,0:T(*,*,8,128)}", "(d0, d1, d3 floordiv 128, d2, d3 mod 128)"),
        // The padding past the last row belongs to the most major dimension.
        ("f32[3,5,16,128]{3,2,1,0:T(*,*,32,128)}", "(d0 * 80 + d1 * 16 + d2, d3)"),
        ("f32[3,4,16,128]{3,2,1,0:T(*,*,128,128)}", "(d0, d1, d2, d3)"),
        // Rows of padding are columns past the last.
        ("f32[1,100]{1,0:T(8,128)}", "(d1)"),
        ("f32[1,300]{1,0:T(8,128)}", "(d1 floordiv 128, 0 floordiv 128, d1 mod 128)"),
        ("f32[16,256]{1,0:T(8,128)}", "(d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)"),
    ] {
        let spec: TiledSpec = layout.parse().unwrap();
        let map = spec.map().joined_digits().affine_map().to_string();
        assert_eq!(map.split_once(" -> ").unwrap().1, joined, "{layout}");
    }
}

#[test]
fn parts_that_continue_each_other_are_joined() {
    for (layout, joined) in [
        ("pred[1000,3000]{1,0:T(32,128)(32,1)E(1)}", "(d0 floordiv 32, d1, d0 mod 32)"),
        ("s4[100,200]{0,1:T(64,128)(8,1)E(4)}", "(d1 floordiv 8, d0, d1 mod 8)"),
        ("f32[6,10,8,128]{3,2,1,0:T(*,*,8,128)}", "(d0 * 80 + d1 * 8 + d2, d3)"),
        // Tiles do not cut the combined rows, so no division is needed.
        ("f32[6,10,8,256]{3,2,1,0:T(*,*,8,128)}", "(d0, d1, d3 floordiv 128, d2, d3 mod 128)"),
        ("f32[8,128]{1,0:T(8,128)}", "(d0, d1)"),
        ("f32[8,128]{1,0:T(4,128)}", "(d0, d1)"),
        ("f32[16,256]{1,0:T(8,128)}", "(d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)"),
    ] {
        let spec: TiledSpec = layout.parse().unwrap();
        let map = spec.map().joined().affine_map().to_string();
        assert_eq!(map.split_once(" -> ").unwrap().1, joined, "{layout}");
    }
}
