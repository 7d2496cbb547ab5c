//! Parts of indices and their strides: the model that all notations share.
//!
//! An index is split into **parts**. A part is `(y floordiv div) mod size`, where `y` is a dimension, or a *derived
//! value*: a sum of parts with coefficients (dimensions that a tile combines with `*`, or a part that a later tile
//! does not divide). Each part is multiplied by its stride, and the sum of the products is the offset of the element.
//! In `f32[3,5]{1,0:T(2,2)}` that is `(d0 floordiv 2) * 12 + (d1 floordiv 2) * 4 + (d0 mod 2) * 2 + d1 mod 2`, which puts
//! element `[2, 3]` at 12 + 4 + 0 + 1 = 17.
//!
//! [`IndexMap`] is the table of all parts. Sizes, both index functions, plans, pictures and the unrolled functions of the
//! types read this one table; the unrolled functions read it after parts that continue each other have been joined.

mod affine;
mod apply;
mod build;
mod carries;
mod compare;
mod digit;
mod digits;
mod extent;
#[cfg(feature = "sparse")]
mod form;
#[cfg(feature = "sparse")]
mod inverse;
mod join;
mod refine;
mod row_major;
mod stride;

pub use affine::AffineMap;
pub use apply::Coordinates;
pub use build::Builder;
pub use compare::Agreement;
pub use digit::Digit;
#[cfg(feature = "sparse")]
pub use form::{Form, MAX_COEFFICIENT, MAX_FORM_RANK};
#[cfg(feature = "sparse")]
pub(crate) use inverse::{Flaw, FormMap};
#[cfg(feature = "sparse")]
pub use inverse::{FormPart, Inverse, MAX_FORM_PARTS};
#[doc(hidden)]
pub use refine::{Group, RefinedPart, Refinement, spans};

/// The largest number of dimensions of a layout.
pub const MAX_RANK: usize = 16;
/// The largest number of tiles of a layout.
pub const MAX_TILES: usize = 4;
/// The largest number of entries of a tile.
pub const MAX_TILE_RANK: usize = 8;
/// The largest number of parts of a map: each entry of a tile adds at most one.
pub const MAX_PARTS: usize = MAX_RANK + MAX_TILES * MAX_TILE_RANK;
/// The largest number of terms of derived values: at most one for each entry of each tile.
pub const MAX_TERMS: usize = MAX_TILES * MAX_TILE_RANK;
/// The largest number of values: the dimensions, the derived values, and one value that is always zero.
pub const MAX_VALUES: usize = MAX_RANK + MAX_TERMS + 1;

/// One part of an index and its stride: `((y floordiv div) mod size) * stride`, for the value `y` that `source` names.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let part = spec.map().parts()[0];                               // d0 floordiv 2
/// assert_eq!((part.source, part.div, part.size, part.stride), (0, 2, 2, 12));
/// assert_eq!((part.of(2), part.at(17)), (1, 1));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Number of the value that is split: numbers below the rank are dimensions, the others derived values.
    pub source: usize,
    /// What the value is divided by.
    pub div: usize,
    /// Number of values of the part: it is less than this.
    pub size: usize,
    /// What the part is multiplied by: elements in storage, or units of the derived value.
    pub stride: usize,
    /// Whether `mod size` changes anything; the most major part of a value needs none.
    pub wrap: bool,
}

impl Part {
    #[doc(hidden)]
    pub const UNIT: Self = Self { source: 0, div: 1, size: 1, stride: 0, wrap: false };

    /// The part as a digit of its value, without the stride.
    #[inline(always)]
    pub const fn digit(&self) -> Digit<usize> {
        Digit { div: self.div, size: if self.wrap { Some(self.size) } else { None } }
    }

    /// The part of the value `y`, before it is multiplied by the stride.
    #[inline]
    pub const fn of(&self, y: usize) -> usize {
        // A part of size 1 is zero for every source: a dimension of size 1, or one that was added to fill a tile.
        if self.size <= 1 { 0 } else { self.digit().of(y) }
    }

    /// The part, read back from an offset as the digit `(offset floordiv stride) mod size`: the inverse of [`Part::of`]. In the
    /// example of this module, `d0 floordiv 2` has stride 12 and size 2; at offset 17 it is `(17 floordiv 12) mod 2 = 1`.
    #[inline]
    pub const fn at(&self, offset: usize) -> usize {
        Digit::<usize> { div: self.stride, size: Some(self.size) }.of(offset)
    }
}

/// A summand of a derived value: `part` of an earlier value, added to the value number `target`.
///
/// ```
/// use tensor_layout::TiledSpec;
/// // The tile combines both dimensions: its one part is a part of `d0 * 5 + d1`.
/// let spec: TiledSpec = "f32[3,5]{1,0:T(*,4)}".parse()?;
/// let terms = spec.map().terms().iter().map(|term| (term.part.source, term.part.stride));
/// assert!(terms.eq([(1, 1), (0, 5)]));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Number of the derived value.
    pub target: usize,
    /// What is added to it.
    pub part: Part,
}

/// The offset of each element of an array, as a table: derived values first, then the parts, major to minor.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let map = spec.map();
/// assert_eq!((map.len(), map.offset(&[2, 3])), (24, 17));
/// assert_eq!(map.index(17).unwrap().as_slice(), [2, 3]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexMap {
    rank: usize,
    /// Bounds of the dimensions, then of the derived values.
    bounds: [usize; MAX_VALUES],
    values: usize,
    terms: [Term; MAX_TERMS],
    term_count: usize,
    parts: [Part; MAX_PARTS],
    part_count: usize,
    len: usize,
}

impl IndexMap {
    /// Number of dimensions of an index.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Product of the sizes of the parts: elements stored, padding included.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements at all.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of elements of the array: the product of the bounds of its dimensions.
    pub const fn elements(&self) -> usize {
        // In an empty array the other sizes are not limited, so their product may overflow.
        if self.is_empty() {
            return 0;
        }
        let mut product = 1;
        let mut dim = 0;
        while dim < self.rank {
            product *= self.bounds[dim];
            dim += 1;
        }
        product
    }

    /// The parts, major to minor. Their sizes are the expanded physical shape.
    pub const fn parts(&self) -> &[Part] {
        self.parts.split_at(self.part_count).0
    }

    /// The summands of the derived values; those of a value come before the terms that split it.
    pub const fn terms(&self) -> &[Term] {
        self.terms.split_at(self.term_count).0
    }

    /// Bound of value `y`, which is always less: the logical size of a dimension, or the size of a derived value.
    pub const fn bound(&self, y: usize) -> usize {
        self.bounds[y]
    }

    /// One past the largest number that the digits of value `y` can represent; more than its bound if the value is padded. 0 if
    /// there is no such value.
    pub const fn reach(&self, y: usize) -> usize {
        if y >= self.values {
            return 0;
        }
        let mut reach = 1;
        let mut i = 0;
        while i < self.term_count + self.part_count {
            let part = if i < self.term_count {
                &self.terms[i].part
            } else {
                &self.parts[i - self.term_count]
            };
            if part.source == y && part.size > 1 {
                reach += (part.size - 1) * part.div;
            }
            i += 1;
        }
        reach
    }

    /// Number of values, dimensions and derived ones together.
    pub const fn values(&self) -> usize {
        self.values
    }
}
