//! The index map of a type, unrolled: every number of the table is a constant, only the index is run-time data.
//!
//! Only [`IndexMap`](layout_core::parts::IndexMap) defines the rule; these functions read its table entry by entry. The table is
//! joined first, in one way for offsets and in another for indices, which leaves fewer entries. Each entry computes the same as
//! [`Part::of`](layout_core::parts::Part::of), with constants for the fields.
//!
//! For `f32[1000,384]{1,0:T(8,128)}` the offset is `i / 8 * 3072 + j / 128 * 1024 + i % 8 * 128 + j % 128`, and for the offset `o`,
//! `i` is `o / 3072 * 8 + o / 128 % 8` and `j` is `o / 1024 % 3 * 128 + o % 128`.

use crate::typed::{Layout, Specified};
use layout_core::floordiv_mod;
use layout_core::parts::{IndexMap, MAX_PARTS, MAX_RANK, MAX_TERMS, MAX_VALUES, Part, Term};

/// Calls a macro for each number below a constant: a dimension, or the number of a part, a term or a check. The calls are in nested
/// groups, so that rustc skips whole groups of numbers that are not needed.
///
/// rustc evaluates every constant of a function, also where the code is skipped, so each call should have few: one for an entry of a
/// table, rather than one for each of its fields.
macro_rules! unroll {
    (dims: $m:ident, $n:expr) => {
        unroll!($m, $n; [0: 0 1 2 3 4 5 6 7] [8: 8 9 10 11 12 13 14 15]);
    };
    ($m:ident, $n:expr) => {
        unroll!($m, $n; [0: 0 1 2 3 4 5 6 7] [8: 8 9 10 11 12 13 14 15] [16: 16 17 18 19 20 21 22 23]
            [24: 24 25 26 27 28 29 30 31] [32: 32 33 34 35 36 37 38 39]
            [40: 40 41 42 43 44 45 46 47] [48: 48]);
    };
    (terms: $m:ident, $n:expr) => {
        unroll!($m, $n; [0: 0 1 2 3 4 5 6 7] [8: 8 9 10 11 12 13 14 15] [16: 16 17 18 19 20 21 22 23]
            [24: 24 25 26 27 28 29 30 31]);
    };
    ($m:ident, $n:expr;) => {};
    ($m:ident, $n:expr; [$from:literal: $($i:literal)*] $($rest:tt)*) => {
        if const { $from < $n } {
            $( if const { $i < $n } { $m!($i); } )*
            unroll!($m, $n; $($rest)*);
        }
    };
}

/// The same as `unroll!`, from the last number down; for terms.
macro_rules! unroll_back {
    ($m:ident, $n:expr) => {
        unroll_back!($m, $n; [24: 31 30 29 28 27 26 25 24] [16: 23 22 21 20 19 18 17 16] [8: 15 14 13 12 11 10 9 8]
            [0: 7 6 5 4 3 2 1 0]);
    };
    ($m:ident, $n:expr; $([$from:literal: $($i:literal)*])*) => {
        $( if const { $from < $n } { $( if const { $i < $n } { $m!($i); } )* } )*
    };
}

const _: () = assert!(
    MAX_RANK <= 16 && MAX_PARTS <= 48 && MAX_TERMS <= 32 && MAX_VALUES <= 49,
    "as far as the loops are unrolled"
);

/// Panics if a coordinate is out of bounds, as slice indexing does.
#[inline(always)]
#[track_caller]
pub(crate) fn check_bounds<L: Layout>(index: &L::Index) {
    macro_rules! check {
        ($i:literal) => {
            if index.as_ref()[$i] >= const { size::<L>($i) } {
                out_of_bounds::<L>(*index);
            }
        };
    }
    unroll!(dims: check, L::RANK);
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds<L: Layout>(index: L::Index) -> ! {
    panic!("index {index:?} is out of bounds of the array of shape {:?}", L::DIMS)
}

/// The table from which offsets are computed.
struct Joined<L>(core::marker::PhantomData<L>);

impl<L: Layout> Entries for Joined<L> {
    const MAP: IndexMap = <L as Specified>::MAP.joined();
}

/// The table from which indices are computed.
struct JoinedDigits<L>(core::marker::PhantomData<L>);

impl<L: Layout> Entries for JoinedDigits<L> {
    const MAP: IndexMap = <L as Specified>::MAP.joined_digits();
}

/// The parts within a tile of the first level. Not joined, since an index in a tile can be one of padding.
struct InTile<L>(core::marker::PhantomData<L>);

impl<L: Layout> Entries for InTile<L> {
    const MAP: IndexMap = <L as Specified>::MAP;
    const FIRST: usize = match <L as Specified>::UNCHECKED.tile_parts() {
        Some(first) => first,
        None => 0,
    };
}

#[inline(always)]
pub(crate) fn offset<L: Layout>(index: &L::Index) -> usize {
    offset_by::<L, Joined<L>>(index)
}

/// [`offset`] for an index that is known to be in bounds.
///
/// # Safety
/// Each coordinate of `index` must be less than the size of its dimension.
#[inline(always)]
#[allow(unsafe_code, reason = "the promise is the caller's")]
pub(crate) unsafe fn offset_unchecked<L: Layout>(index: &L::Index) -> usize {
    macro_rules! assume {
        ($i:literal) => {
            // SAFETY: the caller promises that each coordinate is in bounds.
            unsafe { core::hint::assert_unchecked(index.as_ref()[$i] < const { size::<L>($i) }) }
        };
    }
    // Knowing the bounds, rustc divides small numbers in a narrower register. The bounds do not make shifts and masks faster, and
    // they make their sums slower: if rustc sees that no bits overlap, it turns the sum into an `or`, and can no longer add and
    // scale in one instruction.
    if const { Table::<Joined<L>>::MAP.divides() } {
        unroll!(dims: assume, L::RANK);
    }
    let offset = offset::<L>(index);
    // SAFETY: an index in bounds has an offset below the length.
    unsafe { core::hint::assert_unchecked(offset < const { Table::<Unjoined<L>>::MAP.len() }) };
    offset
}

/// The offset of an element from the start of its tile.
#[inline(always)]
pub(crate) fn offset_in_tile<L: Layout>(index: &L::Index) -> usize {
    offset_by::<L, InTile<L>>(index)
}

#[inline(always)]
fn offset_by<L: Layout, T: Entries>(index: &L::Index) -> usize {
    let mut y = [0; MAX_VALUES];
    let mut offset = 0;
    macro_rules! load {
        ($i:literal) => {
            y[$i] = index.as_ref()[$i];
        };
    }
    macro_rules! term {
        ($i:literal) => {
            let term = const { Table::<T>::term($i) };
            y[term.target] += value!(term.part);
        };
    }
    macro_rules! part {
        ($i:literal) => {
            let part = const { Table::<T>::part($i) };
            offset += value!(part);
        };
    }
    /// One entry: `((y floordiv div) mod size) * stride`.
    macro_rules! value {
        ($part:expr) => {
            if $part.size > 1 {
                floordiv_mod!(y[$part.source], $part.div, $part.size, $part.wrap) * $part.stride
            } else {
                0
            }
        };
    }
    unroll!(dims: load, L::RANK);
    unroll!(terms: term, Table::<T>::MAP.terms().len());
    unroll!(part, Table::<T>::MAP.parts().len());
    offset
}

#[inline(always)]
pub(crate) fn index<L: Layout>(offset: usize) -> Option<L::Index> {
    index_by::<L, JoinedDigits<L>>(offset)
}

#[inline(always)]
fn index_by<L: Layout, T: Entries>(offset: usize) -> Option<L::Index> {
    // With explicit padding, an array without elements can have a length.
    if const { Table::<T>::MAP.elements() == 0 } {
        return None;
    }
    // All conditions combined into one, without branches.
    let mut inside =
        const { Table::<T>::MAP.bound_sees_the_end() } || offset < const { Table::<T>::MAP.len() };
    let mut y = [0usize; MAX_VALUES];
    let mut index = L::Index::default();
    macro_rules! part {
        ($i:literal) => {
            digit!(offset, const { Table::<T>::part_digit($i) });
        };
    }
    macro_rules! term {
        ($i:literal) => {
            let term = const { Table::<T>::term_digit($i) };
            digit!(y[term.target], term.part);
        };
    }
    /// Adds a digit of a number, multiplied by the divisor of its part, to the value that the part splits. Past the end of the
    /// array the sums may overflow, and are meaningless.
    macro_rules! digit {
        ($number:expr, $part:expr) => {
            let part = $part;
            let digit = floordiv_mod!($number, part.stride, part.size, part.wrap);
            let value = &mut y[part.source];
            *value = value.wrapping_add(digit.wrapping_mul(part.div));
        };
    }
    macro_rules! check {
        ($i:literal) => {
            let (value, bound) = const { Table::<T>::CHECKS.0[$i] };
            inside &= y[value] < bound;
        };
    }
    macro_rules! store {
        ($i:literal) => {
            index.as_mut()[$i] = y[$i];
        };
    }
    unroll!(part, Table::<T>::MAP.parts().len());
    unroll_back!(term, Table::<T>::MAP.terms().len());
    unroll!(check, Table::<T>::CHECKS.1);
    unroll!(dims: store, L::RANK);
    inside.then_some(index)
}

/// The digits of an offset at the strides of the `N` parts.
#[inline(always)]
pub(crate) fn digits<L: Layout, const N: usize>(offset: usize) -> [usize; N] {
    let mut digits = [0; N];
    macro_rules! digit {
        ($i:literal) => {
            digits[$i] = offset / const { nonzero(Table::<Unjoined<L>>::part($i).stride) }
                % const { nonzero(Table::<Unjoined<L>>::part($i).size) };
        };
    }
    unroll!(digit, N);
    digits
}

/// The entries of a table, by number.
trait Entries {
    const MAP: IndexMap;
    /// The number of the first part that is added to the offset.
    const FIRST: usize = 0;
}

/// The table of the layout, not joined.
struct Unjoined<L>(core::marker::PhantomData<L>);

impl<L: Layout> Entries for Unjoined<L> {
    const MAP: IndexMap = <L as Specified>::MAP;
}

struct Table<T>(core::marker::PhantomData<T>);

impl<T: Entries> Table<T> {
    /// A reference, so that a constant that reads an entry does not copy the table.
    const MAP: &'static IndexMap = &T::MAP;

    /// Part number `i`; one without an effect if there is none, or if it is not added to the offset.
    const fn part(i: usize) -> Part {
        if T::FIRST <= i && i < Self::MAP.parts().len() { Self::MAP.parts()[i] } else { Part::UNIT }
    }

    /// The numbers of the parts sorted by their values, as a person computes an index: one dimension after the other.
    const BY_VALUE: &'static [usize; MAX_PARTS] = &{
        let parts = Self::MAP.parts();
        let mut numbers = [MAX_PARTS; MAX_PARTS];
        let mut i = 0;
        while i < parts.len() {
            let mut at = i;
            while at > 0 && parts[numbers[at - 1]].source > parts[i].source {
                numbers[at] = numbers[at - 1];
                at -= 1;
            }
            numbers[at] = i;
            i += 1;
        }
        numbers
    };

    /// The part that is number `i` by its value, as a digit of the offset. The first part of the table is the whole quotient of the
    /// offset: no `mod`.
    const fn part_digit(i: usize) -> Part {
        if i < Self::MAP.parts().len() {
            let number = Self::BY_VALUE[i];
            digit(Self::MAP.parts()[number], number > 0)
        } else {
            Part::UNIT
        }
    }

    /// Term number `i`; one without an effect if there is none.
    const fn term(i: usize) -> Term {
        if i < Self::MAP.terms().len() {
            Self::MAP.terms()[i]
        } else {
            Term { target: 0, part: Part::UNIT }
        }
    }

    /// Term number `i` as a digit of its target.
    const fn term_digit(i: usize) -> Term {
        let Term { target, part } = Self::term(i);
        Term { target, part: digit(part, !Self::MAP.is_most_major_term(i)) }
    }

    /// The values whose digits can represent a number past their bounds, with these bounds, and the number of these values. Only
    /// padding makes a check necessary. The digits that are 0 except in padding come first, since that takes the fewest
    /// instructions.
    const CHECKS: &'static ([(usize, usize); MAX_VALUES], usize) = &{
        let (mut checks, mut count) = ([(0, 0); MAX_VALUES], 0);
        let mut padding = true;
        loop {
            let mut value = 0;
            while value < Self::MAP.values() {
                let bound = Self::MAP.bound(value);
                if bound > 0 && (bound == 1) == padding && Self::MAP.reach(value) > bound {
                    checks[count] = (value, bound);
                    count += 1;
                }
                value += 1;
            }
            if !padding {
                break (checks, count);
            }
            padding = false;
        }
    };
}

/// A part as a digit, whose divisors are not zero: they could be only if the array is empty.
const fn digit(part: Part, wrap: bool) -> Part {
    let [stride, size] = [nonzero(part.stride), nonzero(part.size)];
    Part { stride, size, wrap, ..part }
}

const fn size<L: Layout>(dim: usize) -> usize {
    if dim < L::RANK { <L as Specified>::UNCHECKED.dims()[dim] } else { 0 }
}

const fn nonzero(n: usize) -> usize {
    if n == 0 { 1 } else { n }
}

#[cfg(test)]
mod tests {
    use crate::typed::Tiled;
    use crate::typed::types::*;
    use crate::{BF16, F32, Layout};
    use layout_core::tiled::Tile;

    /// The typed functions agree with the table on every index and every offset.
    fn agrees<L: Layout>() {
        let spec = <L as Layout>::SPEC;
        let mut elements = 0;
        for offset in 0..L::LEN + 2 {
            let index = L::index(offset);
            assert_eq!(
                index.map(|index| index.as_ref().to_vec()),
                spec.index(offset).map(|index| index.to_vec())
            );
            if let Some(index) = index {
                assert_eq!(L::offset(index), offset);
                assert_eq!(spec.offset(index.as_ref()), offset);
                elements += 1;
            }
        }
        assert_eq!(elements, spec.elements());
        for past in 0..300 {
            for offset in
                [usize::MAX - past, usize::MAX / 2 + past, (L::LEN + 2).saturating_mul(past + 1)]
            {
                assert_eq!(L::index(offset), None, "{spec} at {offset}");
            }
        }
    }

    #[test]
    fn typed_functions_agree_with_the_table() {
        agrees::<Tiled<F32, Shape2<3, 5>, Order2<1, 0>, (Tile2<2, 2>,)>>();
        agrees::<Tiled<F32, Shape0, Order0, (Tile1<128>,)>>();
        agrees::<Tiled<F32, Shape0, Order0>>();
        agrees::<Tiled<BF16, Shape1<2048>, Order1<0>, (Tile1<1024>, Tile1<128>, Tile2<2, 1>)>>();
        agrees::<Tiled<BF16, Shape3<7, 33, 130>, Order3<0, 2, 1>, (Tile2<8, 128>, Tile2<2, 1>)>>();
        agrees::<Tiled<F32, Shape3<4, 5, 6>, Order3<2, 1, 0>, (Tile3<{ Tile::COMBINE }, 3, 4>,)>>();
        agrees::<Tiled<F32, Shape2<9, 10>, Order2<0, 1>, (Tile2<3, 4>, Tile2<2, 3>)>>();
        agrees::<Tiled<F32, Shape1<9>, Order1<0>, (Tile1<8>, Tile3<1, 5, 1>)>>();
        agrees::<
            Tiled<
                F32,
                Shape2<9, 10>,
                Order2<1, 0>,
                (Tile2<4, 4>, Tile3<{ Tile::COMBINE }, 3, 2>, Tile2<2, 1>),
            >,
        >();
        agrees::<Tiled<F32, Shape2<0, 10>, Order2<1, 0>, (Tile2<8, 128>,)>>();
        // The column and the padding rows joined into one digit; the end checked by a bound, although the sums overflow.
        agrees::<Tiled<F32, Shape2<1, 100>, Order2<1, 0>, (Tile2<8, 128>,)>>();
        agrees::<Tiled<F32, Shape2<13, 1>, Order2<1, 0>, (Tile2<7, 1>, Tile2<3, 1>)>>();
        agrees::<
            Tiled<
                F32,
                Shape4<3, 4, 5, 7>,
                Order4<3, 2, 1, 0>,
                (Tile4<{ Tile::COMBINE }, { Tile::COMBINE }, 10, 4>,),
            >,
        >();
        agrees::<
            Tiled<
                F32,
                Shape4<3, 5, 6, 7>,
                Order4<3, 2, 1, 0>,
                (Tile4<{ Tile::COMBINE }, { Tile::COMBINE }, 32, 4>,),
            >,
        >();
    }

    #[test]
    #[should_panic(expected = "index [3, 0] is out of bounds of the array of shape [3, 5]")]
    fn an_index_out_of_bounds_panics() {
        Tiled::<F32, Shape2<3, 5>, Order2<1, 0>>::offset([3, 0]);
    }
}
