//! Compares windows of random arrays with their elements one by one.

use super::reference::{self, Random, indices};
use super::{Guarded, on_random_cpu};
use crate::movement::{DynLayout, Mover, WindowMover, WindowRelayout};
use layout_core::tiled::TiledSpec;

/// The elements of a window, as host bytes.
fn elements(spec: &TiledSpec, first: &[usize], shape: &[usize], row_major: &[u8]) -> Vec<u8> {
    let width = spec.dtype().byte_width();
    let at = |index: &[usize]| {
        let index: Vec<usize> = index.iter().zip(first).map(|(i, first)| i + first).collect();
        reference::position(spec.dims(), &index) * width
    };
    indices(shape).flat_map(|index| row_major[at(&index)..][..width].to_vec()).collect()
}

/// Writes, reads and moves the window of shape `shape` that starts at `first`.
fn check(spec: &TiledSpec, other: &TiledSpec, [first, shape]: [&[usize]; 2], random: &mut Random) {
    let (old, new) = (random.values(spec), random.values(spec));
    let window = elements(spec, first, shape, &new);
    // The old array with the new values in the window.
    let mut both = old.clone();
    let width = spec.dtype().byte_width();
    for (index, value) in indices(shape).zip(window.chunks(width)) {
        let index: Vec<usize> = index.iter().zip(first).map(|(i, first)| i + first).collect();
        both[reference::position(spec.dims(), &index) * width..][..width].copy_from_slice(value);
    }
    let mut expected = reference::pack(spec, &both);
    reference::fill_padding(spec, &mut expected);
    let mut before = reference::pack(spec, &old);
    reference::fill_padding(spec, &mut before);
    let source = reference::pack(other, &new);

    on_random_cpu(random);
    let mut packed = Guarded::new(before.len(), 3);
    packed.middle().copy_from_slice(&before);
    spec.pack_window_bytes(first, shape, &window, packed.middle()).unwrap();
    assert!(packed.checked() == expected, "{spec} {first:?} {shape:?}");

    let mut read = Guarded::new(window.len(), 5);
    spec.unpack_window_bytes(first, shape, &expected, read.middle()).unwrap();
    assert!(read.checked() == window, "{spec} {first:?} {shape:?}");

    let mut moved = Guarded::new(before.len(), 7);
    moved.middle().copy_from_slice(&before);
    other.relayout_window_bytes((first, shape), &source, spec, moved.middle()).unwrap();
    assert!(moved.checked() == expected, "{other} to {spec} {first:?} {shape:?}");

    let any = WindowMover::new(spec).unwrap();
    packed = Guarded::new(before.len(), 3);
    packed.middle().copy_from_slice(&before);
    any.pack_bytes(first, shape, &window, packed.middle()).unwrap();
    assert!(packed.checked() == expected, "{any:?} {first:?} {shape:?}");
    read = Guarded::new(window.len(), 5);
    any.unpack_bytes(first, shape, &expected, read.middle()).unwrap();
    assert!(read.checked() == window, "{any:?} {first:?} {shape:?}");

    let relayout = WindowRelayout::new(other, spec).unwrap();
    moved = Guarded::new(before.len(), 7);
    moved.middle().copy_from_slice(&before);
    relayout.run_bytes(first, shape, &source, moved.middle()).unwrap();
    assert!(moved.checked() == expected, "{relayout:?} {first:?} {shape:?}");

    let pack = Mover::for_pack_window(spec, first, shape).unwrap();
    let unpack = Mover::for_unpack_window(spec, first, shape).unwrap();
    let relayout = Mover::for_relayout_window(other, spec, first, shape).unwrap();
    for _ in 0..2 {
        packed = Guarded::new(before.len(), 3);
        packed.middle().copy_from_slice(&before);
        pack.run_bytes(&window, packed.middle()).unwrap();
        assert!(packed.checked() == expected, "{pack:?} from {first:?}");

        read = Guarded::new(window.len(), 5);
        unpack.run_bytes(&expected, read.middle()).unwrap();
        assert!(read.checked() == window, "{unpack:?} from {first:?}");

        moved = Guarded::new(before.len(), 7);
        moved.middle().copy_from_slice(&before);
        relayout.run_bytes(&source, moved.middle()).unwrap();
        assert!(moved.checked() == expected, "{relayout:?} from {first:?}");
    }
}

#[test]
fn windows_hold_their_elements_and_nothing_else_changes() {
    let mut random = Random(11);
    for _ in 0..300 {
        let dtype = random.dtype();
        let dims = random.dims();
        let (spec, other) = (random.layout(dtype, &dims), random.layout(dtype, &dims));
        let first: Vec<usize> = dims.iter().map(|&size| random.below(size + 1)).collect();
        let shape: Vec<usize> =
            dims.iter().zip(&first).map(|(size, first)| random.below(size - first + 1)).collect();
        check(&spec, &other, [&first, &shape], &mut random);
    }
}

/// Windows that begin and end in the middle of a tile, whose rows are as short as the rows of the tile.
#[test]
fn every_window_of_tiles_in_tiles() {
    let mut random = Random(12);
    for text in ["s8[5,7]{0,1:T(4,4)(2,2)}", "f16[5,6]{0,1:T(4,4)(2,2)}", "u4[6,9]{0,1:T(4,8)E(4)}"]
    {
        let spec: TiledSpec = text.parse().unwrap();
        let other = TiledSpec::row_major(spec.dtype(), spec.dims()).unwrap();
        let &[rows, columns] = spec.dims() else { panic!("{spec}") };
        for first in indices(&[rows, columns]) {
            for shape in indices(&[rows - first[0] + 1, columns - first[1] + 1]) {
                check(&spec, &other, [&first, &shape], &mut random);
                check(&other, &spec, [&first, &shape], &mut random);
            }
        }
    }
}

/// A group of rows is read whole although the window has only two of its four columns, but never past the window's own bytes.
#[test]
fn the_last_group_of_a_window_is_read_within_it() {
    let spec: TiledSpec = "s8[2,3,16,100]{2,3,1,0:T(*,1,4,16)}".parse().unwrap();
    let other: TiledSpec = "s8[2,3,16,100]{3,2,1,0}".parse().unwrap();
    for seed in 0..20 {
        check(&spec, &other, [&[0, 0, 0, 6], &[2, 2, 16, 4]], &mut Random(seed));
    }
}

#[test]
fn windows_past_the_array_are_errors() {
    let spec: TiledSpec = TiledSpec::tpu_default(crate::DType::F32, &[3, 5]).unwrap();
    let mut packed = vec![0; spec.bytes()];
    for (first, shape) in [([2, 0], [2, 1]), ([0, 5], [1, 1]), ([usize::MAX, 0], [1, 1])] {
        let error = spec.pack_window_bytes(&first, &shape, &[0; 8], &mut packed).unwrap_err();
        assert!(error.to_string().contains("reaches out of dimension"), "{error}");
    }
    assert!(spec.pack_window_bytes(&[0], &[1], &[0; 4], &mut packed).is_err());
    assert!(Mover::for_pack_window(&spec, &[0], &[1]).is_err());
    assert!(Mover::for_unpack_window(&spec, &[2, 0], &[2, 1]).is_err());
    assert!(Mover::for_relayout_window(&spec, &spec, &[0, 5], &[1, 1]).is_err());
    assert!(spec.pack_window_bytes(&[1, 1], &[1, 1], &[0; 3], &mut packed).is_err());
    let any = WindowMover::new(&spec).unwrap();
    assert!(any.pack_bytes(&[2, 0], &[2, 1], &[0; 8], &mut packed).is_err());
    assert!(any.unpack_bytes(&[1, 1], &[1, 1], &packed, &mut [0; 3]).is_err());
    let relayout = WindowRelayout::new(&spec, &spec).unwrap();
    let from = vec![1; spec.bytes()];
    assert!(relayout.run_bytes(&[2, 0], &[2, 1], &from, &mut packed).is_err());
    assert!(relayout.run_bytes(&[1, 1], &[1, 1], &from[1..], &mut packed).is_err());
    assert!(relayout.run_bytes(&[1, 1], &[1, 1], &from, &mut packed[1..]).is_err());
    assert!(packed.iter().all(|byte| *byte == 0));
    let other = TiledSpec::tpu_default(crate::DType::F32, &[5, 3]).unwrap();
    assert!(WindowRelayout::new(&spec, &other).is_err());
}
