use core::fmt::Debug;
use core::ops::Range;

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A position: an unsigned integer of the width `posWidth`.
///
/// ```
/// use tensor_layout::sparse::Position;
/// assert_eq!((<u8 as Position>::BITS, <usize as Position>::BITS), (8, 0));
/// assert_eq!((<u8 as Position>::new(200), <u8 as Position>::new(300)), (Some(200), None));
/// ```
pub trait Position: Sealed + Copy + Default + PartialEq + Debug + Send + Sync + 'static {
    /// `posWidth`; 0 for the width of a pointer.
    const BITS: usize;
    /// The position as a number.
    fn get(self) -> usize;
    /// The number as a position; `None` if it does not fit.
    fn new(number: usize) -> Option<Self>;
    /// The number as a position. The caller must ensure that it fits.
    #[doc(hidden)]
    fn fitting(number: usize) -> Self;
}

/// A coordinate: an integer of the width `crdWidth`, signed if a level can have negative coordinates.
///
/// ```
/// use tensor_layout::sparse::{Bits2, Coordinate};
/// assert_eq!(<u16 as Coordinate>::get(&[7, 300], 1), 300);
/// assert_eq!(Bits2::get(&[0b11_10_01_00], 3), 3);                 // four coordinates to a byte
/// ```
pub trait Coordinate: Sealed + Copy + Debug + Send + Sync + 'static {
    /// The type of an element of the array of coordinates: one coordinate, or a byte with four of them.
    type Word: Copy + Default + PartialEq + Debug + Send + Sync + 'static;
    /// `crdWidth`; 0 for the width of a pointer.
    const BITS: usize;
    /// Whether values below zero can be stored.
    const SIGNED: bool;
    /// The number of coordinates in a word.
    const PER_WORD: usize;
    /// Coordinate number `at` of an array.
    ///
    /// # Panics
    /// If `at` is out of bounds, as slice indexing does.
    fn get(words: &[Self::Word], at: usize) -> i64;
    /// The coordinates at the positions `positions`: coordinate number `offset` of each group of `stride` coordinates.
    ///
    /// # Panics
    /// If the groups are out of bounds, as slice indexing does.
    fn segment(
        words: &[Self::Word],
        positions: Range<usize>,
        stride: usize,
        offset: usize,
    ) -> impl Iterator<Item = i64>;
    /// Whether in each of the first `count` pairs of coordinates the second one is larger than the first, and none is below 0 or
    /// above 3. `false` may also mean that this has not been determined.
    #[doc(hidden)]
    fn pairs_ascend(_words: &[Self::Word], _count: usize) -> bool {
        false
    }
    /// A word whose first coordinate is `coordinate`, which must fit.
    fn word(coordinate: i64) -> Self::Word;
    /// Appends a coordinate to an array of `len` coordinates; returns false if it does not fit.
    fn push(words: &mut alloc::vec::Vec<Self::Word>, len: usize, coordinate: i64) -> bool;
}

macro_rules! widths {
    ($($T:ident $bits:literal $signed:literal;)*) => { $(
        impl Sealed for $T {}
        impl Coordinate for $T {
            type Word = Self;
            const BITS: usize = $bits;
            const SIGNED: bool = $signed;
            const PER_WORD: usize = 1;
            #[inline(always)]
            fn get(words: &[Self], at: usize) -> i64 {
                words[at] as i64
            }
            #[inline(always)]
            fn segment(
                words: &[Self],
                positions: Range<usize>,
                stride: usize,
                offset: usize,
            ) -> impl Iterator<Item = i64> {
                let groups = words[positions.start * stride..positions.end * stride].chunks_exact(stride);
                groups.map(move |group| group[offset] as i64)
            }
            #[inline(always)]
            fn word(coordinate: i64) -> Self {
                coordinate as Self
            }
            #[inline]
            fn push(words: &mut alloc::vec::Vec<Self>, _: usize, coordinate: i64) -> bool {
                match Self::try_from(coordinate) {
                    Ok(coordinate) => words.push(coordinate),
                    Err(_) => return false,
                }
                true
            }
        }
    )* };
}
widths! {
    usize 0 false; u8 8 false; u16 16 false; u32 32 false; u64 64 false;
    isize 0 true; i8 8 true; i16 16 true; i32 32 true; i64 64 true;
}

macro_rules! positions {
    ($($T:ident $bits:literal;)*) => { $(
        impl Position for $T {
            const BITS: usize = $bits;
            #[inline(always)]
            fn get(self) -> usize {
                self as usize
            }
            #[inline]
            fn new(number: usize) -> Option<Self> {
                Self::try_from(number).ok()
            }
            #[inline(always)]
            fn fitting(number: usize) -> Self {
                number as Self
            }
        }
    )* };
}
positions! { usize 0; u8 8; u16 16; u32 32; u64 64; }

/// A coordinate of two bits, four to a byte, the first in the low bits: the metadata of 2:4 sparsity.
///
/// ```
/// use tensor_layout::sparse::{Bits2, Coordinate};
/// assert_eq!((Bits2::BITS, Bits2::PER_WORD), (2, 4));
/// let mut words = Vec::new();
/// assert!(Bits2::push(&mut words, 0, 2) && Bits2::push(&mut words, 1, 3));
/// assert_eq!(words, [0b1110]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bits2;

impl Sealed for Bits2 {}
impl Coordinate for Bits2 {
    type Word = u8;
    const BITS: usize = 2;
    const SIGNED: bool = false;
    const PER_WORD: usize = 4;
    #[inline(always)]
    fn get(words: &[u8], at: usize) -> i64 {
        i64::from(words[at / 4] >> (at % 4 * 2) & 3)
    }
    #[inline(always)]
    fn segment(
        words: &[u8],
        positions: Range<usize>,
        stride: usize,
        offset: usize,
    ) -> impl Iterator<Item = i64> {
        positions.map(move |position| Self::get(words, position * stride + offset))
    }
    #[inline(always)]
    fn word(coordinate: i64) -> u8 {
        coordinate as u8
    }
    fn pairs_ascend(words: &[u8], count: usize) -> bool {
        // In each half byte, `b + 8 - a - 1` is 8 or more if `a < b`, and no bit is borrowed from the next half byte.
        let ascend = |word: u64| {
            let (a, b) = (word & 0x3333_3333_3333_3333, word >> 2 & 0x3333_3333_3333_3333);
            (b | 0x8888_8888_8888_8888) - a - 0x1111_1111_1111_1111
        };
        let Some(words) = words.get(..count.div_ceil(2)) else { return false };
        let (whole, rest) = words.as_chunks::<8>();
        let of_whole =
            whole.iter().fold(u64::MAX, |all, word| all & ascend(u64::from_le_bytes(*word)));
        // 0 and 1 replace the missing pair.
        let mut last = [0x44; 8];
        last[..rest.len()].copy_from_slice(rest);
        if !count.is_multiple_of(2) && !rest.is_empty() {
            last[rest.len() - 1] = last[rest.len() - 1] & 0x0F | 0x40;
        }
        let all = of_whole & ascend(u64::from_le_bytes(last));
        all & 0x8888_8888_8888_8888 == 0x8888_8888_8888_8888
    }
    #[inline]
    fn push(words: &mut alloc::vec::Vec<u8>, len: usize, coordinate: i64) -> bool {
        if !(0..4).contains(&coordinate) {
            return false;
        }
        let bits = (coordinate as u8) << (len % 4 * 2);
        match words.last_mut() {
            Some(last) if !len.is_multiple_of(4) => *last |= bits,
            _ => words.push(bits),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits2, Coordinate};
    use alloc::vec::Vec;

    #[test]
    fn pairs_that_do_not_ascend_are_found_wherever_they_are() {
        for count in [1, 2, 3, 15, 16, 17, 31, 32, 33, 40] {
            let good: Vec<u8> = (0..count)
                .map(|pair| [0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110][pair % 6])
                .collect();
            let bytes = |halves: &[u8]| -> Vec<u8> {
                halves.chunks(2).map(|two| two[0] | two.get(1).unwrap_or(&0) << 4).collect()
            };
            // The bits after the last pair of a byte can have any value; in that case, `false` has no meaning.
            let words = bytes(&good);
            assert!(Bits2::pairs_ascend(&words, count) || count % 16 == 15, "{count}");
            assert!(!Bits2::pairs_ascend(&words[1..], count));
            for at in 0..count {
                for half in 0..16 {
                    let mut halves = good.clone();
                    halves[at] = half;
                    let is_good = half & 3 < half >> 2;
                    let found = Bits2::pairs_ascend(&bytes(&halves), count);
                    assert!(found == is_good || !found && count % 16 == 15, "{count} {at} {half}");
                }
            }
        }
        assert!(Bits2::pairs_ascend(&[], 0) && !u8::pairs_ascend(&[0, 1], 1));
    }
}
