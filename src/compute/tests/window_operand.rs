//! Compares windows as operands and destinations with slices and updates.

use super::*;
use crate::compute::matmul::{Operand, OperandMut};
use crate::{PackedRef, WithElementOf, WithRankOf, tiled};

/// Whether the elements of a window are read in place.
fn is_in_place<L: Layout, M: Layout>(array: &Packed<L>, window: PackedRef<'_, M>) -> bool {
    array.as_bytes().as_ptr_range().contains(&window.as_bytes().as_ptr())
}

/// Checks all windows of the layout `M`; returns at how many indices they are read and written in place.
fn check<L, M>() -> [usize; 2]
where
    L: Layout,
    M: WithElementOf<L> + WithRankOf<L> + Layout<Index = L::Index>,
{
    let mut random = Random(43);
    let (array, other) = (noisy::<L>(&mut random), noisy::<M>(&mut random));
    let mut in_place = [0; 2];
    for first in indices::<L>() {
        let end = plus::<L>(first, M::SPEC.dims());
        let is_within = end.as_ref().iter().zip(L::SPEC.dims()).all(|(end, size)| end <= size);
        assert_eq!(array.try_window::<M>(first).is_ok(), is_within, "{first:?} of {}", L::SPEC);
        assert_eq!(array.clone().try_window_mut::<M>(first).is_ok(), is_within);
        if !is_within {
            continue;
        }
        let window = array.window::<M>(first);
        in_place[0] += usize::from(is_in_place(&array, window.view()));
        let equal = window.view() == array.slice::<M>(first).as_ref();
        assert!(equal, "{} from {first:?} of {}", M::SPEC, L::SPEC);

        let mut untouched = array.clone();
        drop(untouched.window_mut::<M>(first));
        assert_eq!(untouched.as_bytes(), array.as_bytes());

        let (mut written, mut expected) = (array.clone(), array.clone());
        let mut window = written.window_mut::<M>(first);
        assert!(window.view() == array.slice::<M>(first).as_ref());
        window.view_mut().as_bytes_mut().copy_from_slice(other.as_bytes());
        drop(window);
        expected.update_slice(first, &other).unwrap();
        assert_eq!(written.as_bytes(), expected.as_bytes(), "{first:?} of {}", L::SPEC);
        let window = written.window_mut::<M>(first);
        let bytes = window.view().as_bytes().as_ptr();
        drop(window);
        in_place[1] += usize::from(written.as_bytes().as_ptr_range().contains(&bytes));
    }
    in_place
}

#[test]
fn windows_are_the_elements_of_their_arrays() {
    type Rows = tiled!(f32[9,20]{1,0:T(2,4)});
    assert_eq!(check::<Rows, tiled!(f32[4,20]{1,0:T(2,4)})>(), [3, 3]);
    assert_eq!(check::<Rows, tiled!(f32[2,8]{1,0:T(2,4)})>(), [16, 16]);
    // A window with padding is read in place, but not written, since a product also writes padding.
    assert_eq!(check::<Rows, tiled!(f32[1,4]{1,0:T(2,4)})>(), [45, 0]);
    assert_eq!(check::<Rows, tiled!(f32[3,20]{1,0:T(2,4)})>(), [4, 0]);
    assert_eq!(check::<Rows, tiled!(f32[4,8]{1,0:T(2,4)})>(), [0, 0]);
    assert_eq!(check::<Rows, tiled!(f32[4,20])>(), [0, 0]);
    assert_eq!(check::<Rows, tiled!(f32[9,20]{1,0:T(2,4)})>(), [1, 0]);

    type Plain = tiled!(bf16[6,5]);
    assert_eq!(check::<Plain, tiled!(bf16[2,5])>(), [5, 5]);
    assert_eq!(check::<Plain, tiled!(bf16[1,3])>(), [18, 18]);
    assert_eq!(check::<Plain, tiled!(bf16[2,3])>(), [0, 0]);
    assert_eq!(check::<Plain, tiled!(bf16[2,5]{0,1})>(), [0, 0]);
    assert_eq!(check::<tiled!(bf16[6,5]{0,1}), tiled!(bf16[6,2]{0,1})>(), [4, 4]);

    type Pairs = tiled!(bf16[12,8]{1,0:T(4,4)(2,1)});
    assert_eq!(check::<Pairs, tiled!(bf16[4,8]{1,0:T(4,4)(2,1)})>(), [3, 3]);
    assert_eq!(check::<Pairs, tiled!(bf16[4,4]{1,0:T(4,4)(2,1)})>(), [6, 6]);
    assert_eq!(check::<Pairs, tiled!(bf16[8,4]{1,0:T(4,4)(2,1)})>(), [0, 0]);

    type Nibbles = tiled!(s4[5,6]{1,0:E(4)});
    assert_eq!(check::<Nibbles, tiled!(s4[2,6]{1,0:E(4)})>(), [4, 4]);
    assert_eq!(check::<Nibbles, tiled!(s4[1,2]{1,0:E(4)})>(), [15, 15]);

    type Batches = tiled!(s8[3,4,6]{2,1,0:T(2,4)});
    assert_eq!(check::<Batches, tiled!(s8[1,4,6]{2,1,0:T(2,4)})>(), [3, 0]);
    assert_eq!(check::<Batches, tiled!(s8[2,2,4]{2,1,0:T(2,4)})>(), [0, 0]);
    assert_eq!(check::<Batches, tiled!(s8[1,2,4]{2,1,0:T(2,4)})>(), [6, 6]);
    assert_eq!(check::<tiled!(f32[5]), tiled!(f32[3])>(), [3, 3]);
    assert_eq!(check::<tiled!(f32[40]{0:T(16)}), tiled!(f32[16]{0:T(16)})>(), [2, 2]);
}

#[test]
fn windows_are_operands_and_destinations_of_products() {
    type X = tiled!(f32[24,16]{1,0:T(8,128)});
    type W = tiled!(f32[16,40]{1,0:T(8,128)});
    type Y = tiled!(f32[24,40]{0,1});
    let x = Packed::<X>::from_fn(|[i, j]| ((i * 5 + j * 3) % 11) as f32 - 5.0);
    let w = Packed::<W>::from_fn(|[i, j]| ((i * 7 + j) % 13) as f32 - 6.0);
    let all: Packed<Y> = crate::matmul(&x, &w);
    let mut y = Packed::<Y>::filled(f32::NAN);
    for row in [0, 8, 16] {
        for column in [0, 20] {
            let (a, b) = (
                x.window::<tiled!(f32[8,16]{1,0:T(8,128)})>([row, 0]),
                w.window::<tiled!(f32[16,20]{0,1})>([0, column]),
            );
            crate::matmul_into(&a, &b, &mut y.window_mut::<tiled!(f32[8,20])>([row, column]));
        }
    }
    assert!(y == all);
    let part = x.window::<tiled!(f32[8,16]{1,0:T(8,128)})>([8, 0]);
    let mut rows = y.window_mut::<tiled!(f32[8,40]{1,0:T(8,128)})>([8, 0]);
    crate::Product::of(&part, &w).add_to_scaled(-1.0, &mut rows);
    drop(rows);
    assert_eq!(y.slice::<tiled!(f32[8,40])>([8, 0]).unpack(), [0.0; 320]);
    assert_eq!(y.slice::<tiled!(f32[8,40])>([16, 0]), all.slice([16, 0]));
}

#[test]
fn windows_end_at_the_size_of_run_time() {
    let mut x = Packed::<tiled!(f32[<=6,4])>::filled(1.0);
    x.set_len(0, 3).unwrap();
    assert_eq!(x.window::<tiled!(f32[2,4])>([1, 0]).view().total(), 8.0);
    assert!(x.try_window::<tiled!(f32[2,4])>([2, 0]).is_err());
    assert!(x.try_window_mut::<tiled!(f32[2,4])>([2, 0]).is_err());
}

#[test]
#[should_panic(expected = "the window reaches out of dimension 1 of the layout `f32[6,4]{1,0}`")]
fn a_window_past_the_end_panics() {
    drop(Packed::<tiled!(f32[6,4])>::filled(1.0).window_mut::<tiled!(f32[2,4])>([1, 1]));
}
