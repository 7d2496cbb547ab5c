//! Any bytes at any address are a typed view or an error, and the view has the elements that the rule of the document defines.
#![no_main]

#[path = "../../tests/tiled/properties/document.rs"]
mod document;
mod host;

use document::{by_the_document, indices};
use host::{Number, bytes as bytes_of, dims, groups};
use libfuzzer_sys::fuzz_target;
use tensor_layout::compute::{Ordered, Summand};
use tensor_layout::{Host, Layout, PackedMut, PackedRef, tiled};

/// The element at an offset, bit by bit, as a host value.
fn element<L: Layout>(packed: &[u8], offset: usize) -> Vec<u8> {
    let (stored, dtype) = (L::SPEC.stored_bits(), L::SPEC.dtype());
    let mut value = vec![0; dtype.byte_width()];
    for bit in 0..stored.min(8 * dtype.byte_width()) {
        let at = offset * stored + bit;
        value[bit / 8] |= (packed[at / 8] >> (at % 8) & 1) << (bit % 8);
    }
    value[0] = dtype.normalize(value[0]);
    value
}

/// Calls all functions of a view in the layout `L`, or in `M`, another layout of the same array.
fn check<L, M, const R: usize>(bytes: &[u8])
where
    L: Layout<Index = [usize; R]>,
    M: Layout<Element = L::Element, Shape = L::Shape, Index = [usize; R]>,
    Host<L>: Number + Ordered + Summand<Sum: Number>,
{
    let Some(([at, len, choice], values)) = bytes.split_first_chunk() else { return };
    let len = match len {
        0 => L::BYTES + 1,
        1 => L::BYTES.saturating_sub(1),
        _ => L::BYTES,
    };
    let mut storage = vec![0; len + 32];
    let start = 16 + usize::from(at % 16) - storage.as_ptr().addr() % 16;
    let (_, rest) = storage.split_at_mut(start);
    let (packed, _) = rest.split_at_mut(len);
    for (at, byte) in packed.iter_mut().enumerate() {
        *byte = values.get(at % values.len().max(1)).map_or(0, |value| value ^ (at >> 8) as u8);
    }
    let width = L::SPEC.dtype().byte_width();
    let Ok(view) = PackedRef::<L>::new(packed) else {
        assert!(len != L::BYTES || usize::from(*at) % width != 0, "{} at {at}", L::SPEC);
        assert!(PackedMut::<L>::new(packed).is_err());
        return;
    };
    assert_eq!(len, L::BYTES, "{}", L::SPEC);

    let all: Vec<[usize; R]> =
        indices(L::SPEC.dims()).map(|index| index.try_into().expect("the rank")).collect();
    let row_major = view.unpack();
    let expected: Vec<Vec<u8>> =
        all.iter().map(|index| element::<L>(packed, by_the_document(&L::SPEC, index))).collect();
    for ((index, value), expected) in all.iter().zip(&row_major).zip(&expected) {
        assert_eq!(&bytes_of(*value), expected, "{} at {index:?}", L::SPEC);
        assert_eq!(&bytes_of(view.get(*index)), expected, "{} at {index:?}", L::SPEC);
    }
    let moved = view.relayout::<M>();
    for (value, expected) in moved.unpack().into_iter().zip(&expected) {
        assert_eq!(&bytes_of(value), expected, "{} to {}", L::SPEC, M::SPEC);
    }
    reductions::<L>(view, &row_major, usize::from(*choice));

    let Some(index) = all.get(usize::from(*choice) * 7 % all.len().max(1)).copied() else { return };
    let value = row_major[usize::from(*at) % all.len()];
    let mut changed = packed.to_vec();
    let offset = L::offset(index);
    let before = packed.to_vec();
    let mut view = PackedMut::<L>::new(packed).expect("as before");
    view.set(index, value).expect("a value of the type");
    assert_eq!(bytes_of(view.get(index)), bytes_of(value), "{} at {index:?}", L::SPEC);
    // The other bits are unchanged.
    let stored = L::SPEC.stored_bits();
    for bit in offset * stored..(offset + 1) * stored {
        let (byte, mask) = (bit / 8, 1 << (bit % 8));
        changed[byte] = changed[byte] & !mask | view.as_bytes()[byte] & mask;
    }
    assert!(view.as_bytes() == changed, "{} at {index:?} from {before:?}", L::SPEC);
}

/// Sums, maxima and their positions over some dimensions, compared with loops.
fn reductions<L: Layout>(view: PackedRef<'_, L>, row_major: &[Host<L>], passed: usize)
where
    Host<L>: Number + Ordered + Summand<Sum: Number>,
{
    let dims = dims(passed, L::RANK);
    let (sums, maxima) = (view.sum(&dims), view.max(&dims));
    let groups = groups::<L>(passed, row_major);
    assert_eq!([sums.len(), maxima.len()], [groups.len(); 2], "{}", L::SPEC);
    // The maximum of no elements has no position.
    let has_positions = groups.iter().all(|group| !group.is_empty());
    let positions = if has_positions { view.argmax(&dims) } else { Vec::new() };
    for (at, group) in groups.into_iter().enumerate() {
        let group: Vec<f64> = group.into_iter().map(Number::number).collect();
        let has_nan = group.iter().any(|value| value.is_nan());
        let largest = group.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_largest = |value: f64| if has_nan { value.is_nan() } else { value == largest };
        assert!(is_largest(maxima[at].number()), "max of {group:?} in {}", L::SPEC);
        let position = group.iter().position(|value| is_largest(*value));
        assert_eq!(positions.get(at).copied(), position, "argmax of {group:?} in {}", L::SPEC);
        let (sum, found) = (group.iter().sum::<f64>(), sums[at].number());
        let magnitude: f64 = group.iter().map(|value| value.abs()).sum();
        // Sums that overflow on the way can be infinite or not a number.
        if magnitude < 1e38 {
            let bound = magnitude / 65536.0 + sum.abs() / 16_777_216.0;
            assert!((sum - found).abs() <= bound, "{found} for {sum}, {group:?} in {}", L::SPEC);
        }
    }
}

macro_rules! layouts {
    ($($R:literal [$($from:tt)*] [$($to:tt)*];)*) => {
        const CHECKS: &[fn(&[u8])] = &[$( check::<tiled!($($from)*), tiled!($($to)*), $R> ),*];
    };
}
layouts! {
    2 [pred[9,33]{1,0:T(8,128)(4,1)}] [pred[9,33]{0,1}];
    2 [pred[9,33]{1,0:T(8,16)E(1)}] [pred[9,33]];
    1 [pred[77]{0:E(1)}] [pred[77]{0:T(8)E(1)}];
    2 [s4[7,33]{1,0:T(8,32)(8,1)E(4)}] [s4[7,33]{0,1:E(4)}];
    2 [s4[5,9]{0,1:T(2,4)}] [s4[5,9]{1,0:T(3,2)E(4)}];
    2 [u2[5,19]{1,0:T(4,8)E(2)}] [u2[5,19]{0,1:E(4)}];
    1 [u1[35]{0:E(1)}] [u1[35]{0:T(16)}];
    2 [f4e2m1fn[6,21]{1,0:T(8,16)(2,1)E(4)}] [f4e2m1fn[6,21]];
    2 [s8[12,40]{1,0:T(8,32)(4,1)}] [s8[12,40]{0,1:T(5,7)}];
    2 [bf16[10,40]{1,0:T(8,32)(2,1)}] [bf16[10,40]{0,1}];
    2 [f16[9,9]{1,0:T(4,4)(2,2,2)}] [f16[9,9]{0,1:T(3,4)}];
    2 [f32[12,33]{1,0:T(8,16)}] [f32[12,33]{0,1:T(8,16)}];
    2 [f32[7,10]{1,0:T(*,4)}] [f32[7,10] padded to [8,12] with lowest];
    2 [f64[5,11]{1,0:T(2,4)}] [f64[5,11]{0,1}];
    3 [s32[3,5,7]{2,0,1:T(2,4)}] [s32[3,5,7]{0,2,1}];
    3 [u16[4,5,6]{2,1,0:T(*,3,4)(2,1)}] [u16[4,5,6]];
    3 [f8e4m3fn[3,9,10]{0,2,1:T(8,8)(4,1)}] [f8e4m3fn[3,9,10]{2,1,0:T(4,4)}];
    2 [f32[0,5]{1,0:T(8,16)}] [f32[0,5]];
    0 [f32[]{:T(128)}] [f32[]];
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    CHECKS[usize::from(*choice) % CHECKS.len()](bytes);
});
