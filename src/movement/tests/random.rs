use super::reference::{Random, indices};
use super::{check, on_random_cpu};
use crate::movement::element::load;
use crate::movement::{DynLayout, Mover};
use layout_core::tiled::TiledSpec;

#[test]
fn any_layout_of_any_array_agrees_with_the_reference() {
    let mut random = Random(1);
    for _ in 0..800 {
        let (dtype, dims) = (random.dtype(), random.dims());
        let (layout, other) = (random.layout(dtype, &dims), random.layout(dtype, &dims));
        check(&layout, &other, &mut random);
    }
}

/// Few enough to run under Valgrind.
#[test]
fn a_few_small_arrays_agree_with_the_reference() {
    let mut random = Random(3);
    for _ in 0..24 {
        let (dtype, dims) = (random.dtype(), random.dims());
        let (layout, other) = (random.layout(dtype, &dims), random.layout(dtype, &dims));
        check(&layout, &other, &mut random);
    }
}

/// Moves an array, and a window of it, to another layout, and compares each element.
fn moves_each_element(from: &TiledSpec, to: &TiledSpec, random: &mut Random) {
    on_random_cpu(random);
    let row_major = random.values(from);
    let width = from.dtype().byte_width();
    let mut source = vec![0xFF; from.storage_bytes()];
    from.pack_window_bytes(&vec![0; from.rank()], from.dims(), &row_major, &mut source).unwrap();
    let mut moved = vec![0; to.storage_bytes()];
    from.relayout_bytes(&source, to, &mut moved).unwrap();
    let mask = u128::MAX >> (128 - from.dtype().bits());
    for (index, value) in indices(from.dims()).zip(row_major.chunks(width)) {
        let value = load(value, 8 * width, 0) & mask;
        for (spec, bytes) in [(from, &source), (to, &moved)] {
            let element = load(bytes, spec.stored_bits(), spec.offset(&index)) & mask;
            assert!(element == value, "{from} to {to}: {spec} at {index:?}");
        }
    }
    let mut again = vec![0; to.storage_bytes()];
    Mover::for_relayout(from, to).unwrap().run_bytes(&source, &mut again).unwrap();
    assert!(again == moved, "{from} to {to}: the mover and the one-shot function differ");
    let first: Vec<usize> = from.dims().iter().map(|&size| random.below(size)).collect();
    let left = from.dims().iter().zip(&first);
    let shape: Vec<usize> = left.map(|(size, first)| 1 + random.below(size - first)).collect();
    let mut window = vec![0; to.storage_bytes()];
    from.relayout_window_bytes((&first, &shape), &source, to, &mut window).unwrap();
    let mut again = vec![0; to.storage_bytes()];
    let mover = Mover::for_relayout_window(from, to, &first, &shape).unwrap();
    mover.run_bytes(&source, &mut again).unwrap();
    assert!(again == window, "{from} to {to}: the mover and the one-shot function differ");
    for (index, value) in indices(from.dims()).zip(row_major.chunks(width)) {
        let within = (0..from.rank()).all(|d| (first[d]..first[d] + shape[d]).contains(&index[d]));
        let value = if within { load(value, 8 * width, 0) & mask } else { 0 };
        let element = load(&window, to.stored_bits(), to.offset(&index)) & mask;
        assert!(element == value, "{from} to {to}: {shape:?} from {first:?}, at {index:?}");
    }
}

fn hard_pairs(seed: u64, pairs: usize) {
    let mut random = Random(seed);
    for _ in 0..pairs {
        let [from, to] = random.hard_pair();
        moves_each_element(&from, &to, &mut random);
    }
}

#[test]
fn combined_dimensions_agree_with_nested_tiles_that_do_not_divide_each_other() {
    hard_pairs(4, 3000);
}

#[test]
fn nested_tiles_that_reach_past_a_dimension_keep_their_elements() {
    let mut random = Random(5);
    for [from, to] in [
        ["f32[33,5]{1,0:T(7,8)(4,7)(4,5)}", "f32[33,5]{1,0:T(*,5)}"],
        ["f32[10,5]{1,0:T(7,8)(4,7)(4,5)}", "f32[10,5]{1,0:T(*,5)}"],
        ["s16[19,3]{1,0:T(5,5)(5,4)} padded to [19,6] with zero", "s16[19,3]{1,0:T(*,3)}"],
        ["s8[4,7]{1,0:T(6,7)(5,3)} padded to [7,7] with zero", "s8[4,7]{0,1:T(*,4)}"],
        ["s16[13,2]{1,0:T(6,3)(4,2)} padded to [15,5] with zero", "s16[13,2]{1,0:T(*,1)(5,8)}"],
    ] {
        let [from, to]: [TiledSpec; 2] = [from, to].map(|text| text.parse().unwrap());
        moves_each_element(&from, &to, &mut random);
        moves_each_element(&to, &from, &mut random);
    }
}
