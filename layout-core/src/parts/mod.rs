//! Parts of indices, and where they lie: what all notations share.
//!
//! An index is split into **parts**. A part is `(y floordiv div) mod size`, where `y` is a dimension, or a *derived
//! value*: a sum of parts with coefficients (dimensions that a tile combines with `*`, or a part that a later tile
//! does not divide). Each part lies on a stride; the sum is where the element lives. [`IndexMap`] is the table of
//! all parts. Sizes, both index functions, plans, pictures and the unrolled functions of the types read this one table;
//! the index functions of types come from it after parts that continue each other have been joined.

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
pub use digit::Digit;
#[cfg(feature = "sparse")]
pub use form::{Form, MAX_COEFFICIENT, MAX_FORM_RANK};
#[cfg(feature = "sparse")]
pub(crate) use inverse::{Flaw, FormMap};
#[cfg(feature = "sparse")]
pub use inverse::{FormPart, Inverse, MAX_FORM_PARTS};
#[doc(hidden)]
pub use refine::{Group, RefinedPart, Refinement, spans};

/// Dimensions that a layout can have.
pub const MAX_RANK: usize = 16;
/// Tiles that a layout can repeat.
pub const MAX_TILES: usize = 4;
/// Entries that a tile can have.
pub const MAX_TILE_RANK: usize = 8;
/// Parts that a map can have: each tile adds as many as it has entries.
pub const MAX_PARTS: usize = MAX_RANK + MAX_TILES * MAX_TILE_RANK;
/// Terms of derived values: at most one for each entry of each tile.
pub const MAX_TERMS: usize = MAX_TILES * MAX_TILE_RANK;
/// Dimensions and derived values together, and one that is always zero.
pub const MAX_VALUES: usize = MAX_RANK + MAX_TERMS + 1;

/// `((y floordiv div) mod size) * stride`, for the value `y` that `source` names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Number of the value that is split: a dimension below the rank, a derived value from there on.
    pub source: usize,
    /// What the value is divided by.
    pub div: usize,
    /// How many values the part takes.
    pub size: usize,
    /// What one step of the part adds: elements in storage, or units of the derived value.
    pub stride: usize,
    /// Whether `mod size` changes anything; the most major part of a value needs none.
    pub wrap: bool,
}

impl Part {
    #[doc(hidden)]
    pub const UNIT: Self = Self { source: 0, div: 1, size: 1, stride: 0, wrap: false };

    /// The digit of the value that the part is.
    #[inline(always)]
    pub const fn digit(&self) -> Digit<usize> {
        Digit { div: self.div, size: if self.wrap { Some(self.size) } else { None } }
    }

    /// What the part is of the value `y`, before the stride.
    #[inline]
    pub const fn of(&self, y: usize) -> usize {
        // A part of one value is zero whatever it is a part of: a dimension of one, or what a tile was padded with.
        if self.size <= 1 { 0 } else { self.digit().of(y) }
    }

    /// What the part is at an offset, in which it is the digit on its stride: the inverse of [`Part::of`].
    #[inline]
    pub const fn at(&self, offset: usize) -> usize {
        Digit::<usize> { div: self.stride, size: Some(self.size) }.of(offset)
    }
}

/// A summand of a derived value: `part` of an earlier value, added to the value number `target`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Number of the derived value.
    pub target: usize,
    /// What is added to it.
    pub part: Part,
}

/// The offset of each element of an array, as a table: derived values first, then the parts, major to minor.
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
        // Where nothing is stored, the sizes of the other dimensions may be of any magnitude.
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

    /// The summands of the derived values, ordered so that sources come before targets.
    pub const fn terms(&self) -> &[Term] {
        self.terms.split_at(self.term_count).0
    }

    /// Bound of value `y`: a dimension's logical size, or a derived value's.
    pub const fn bound(&self, y: usize) -> usize {
        self.bounds[y]
    }

    /// One past the largest number that the digits of value `y` can represent; more than its bound where there is
    /// padding. 0 if there is no such value.
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
