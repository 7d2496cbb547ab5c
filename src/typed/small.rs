//! Small arrays: rustc computes the offset of each element, and the loop over these constants is unrolled.

use crate::movement::transfer::is_plain;
use crate::typed::{Layout, Specified};
use core::marker::PhantomData;

/// The largest number of elements of a small array.
const MOST: usize = 32;

/// The constants of a layout whose arrays are small.
pub(crate) struct Small<L>(PhantomData<L>);

impl<L: Layout> Small<L> {
    /// Whether arrays of the layout are small: they have few elements, of whole bytes, that need no conversion.
    pub(crate) const FITS: bool = {
        let spec = &<L as Layout>::SPEC;
        spec.elements() <= MOST && is_plain(spec) && spec.padded().is_none() && Self::WIDTH <= 8
    };
    /// The number of elements; 0 if the array is not small, since rustc evaluates the following constants even then.
    const ELEMENTS: usize = if Self::FITS { <L as Layout>::SPEC.elements() } else { 0 };
    const WIDTH: usize = <L as Layout>::SPEC.stored_bits() / 8;

    /// The offset of each element in bytes, by its number in row-major order.
    const OFFSETS: [usize; MOST] = {
        let (spec, map) = (&<L as Layout>::SPEC, &<L as Specified>::MAP);
        let mut offsets = [0; MOST];
        let mut number = 0;
        while number < Self::ELEMENTS {
            let mut index = [0; layout_core::parts::MAX_RANK];
            let (mut rest, mut dim) = (number, spec.rank());
            while dim > 0 {
                dim -= 1;
                index[dim] = rest % spec.dims()[dim];
                rest /= spec.dims()[dim];
            }
            offsets[number] = map.offset(index.split_at(spec.rank()).0) * Self::WIDTH;
            number += 1;
        }
        offsets
    };

    /// Packs an array. Both slices must have the right length.
    #[inline(always)]
    pub(crate) fn pack(row_major: &[u8], packed: &mut [u8]) {
        packed.fill(0);
        let (row_major, packed) =
            (&row_major[..Self::ELEMENTS * Self::WIDTH], &mut packed[..L::BYTES]);
        macro_rules! width { ($($W:literal)*) => { match Self::WIDTH { $(
            $W => for number in 0..Self::ELEMENTS {
                let value = &row_major[number * $W..][..$W];
                packed[Self::OFFSETS[number]..][..$W].copy_from_slice(value);
            },
        )* _ => unreachable!("narrower than that") } } }
        width!(1 2 4 8);
    }

    /// Unpacks an array. Both slices must have the right length.
    #[inline(always)]
    pub(crate) fn unpack(packed: &[u8], row_major: &mut [u8]) {
        let (packed, row_major) =
            (&packed[..L::BYTES], &mut row_major[..Self::ELEMENTS * Self::WIDTH]);
        macro_rules! width { ($($W:literal)*) => { match Self::WIDTH { $(
            $W => for number in 0..Self::ELEMENTS {
                let value = &packed[Self::OFFSETS[number]..][..$W];
                row_major[number * $W..][..$W].copy_from_slice(value);
            },
        )* _ => unreachable!("narrower than that") } } }
        width!(1 2 4 8);
    }
}
