//! The coordinates of an index on all levels, and the numbers by which entries are sorted into storage order.

use super::super::encoding::{LevelSpec, MAX_LEVELS, SparseEncoding};
use super::super::expr::LevelExpr;
use super::super::extent::Extent;
use super::Memory;
use crate::parts::FormPart;
use alloc::vec::Vec;
use core::ops::Range;

/// `(index[dim] >> shift) & mask`: a dimension, or its quotient or remainder by a power of two.
#[derive(Clone, Copy)]
pub(super) struct Bits {
    pub(super) dim: usize,
    shift: u32,
    mask: usize,
}

impl Bits {
    /// The coordinate of an index, which is never negative.
    #[inline(always)]
    pub(super) fn of(self, index: &[usize]) -> usize {
        (index[self.dim] >> self.shift) & self.mask
    }

    /// Whether the bits are the whole dimension.
    pub(super) fn is_whole(self) -> bool {
        self.shift == 0 && self.mask == usize::MAX
    }
}

/// The expression of a level in a form that is fast to evaluate: most levels are a dimension, or bits of one.
#[derive(Clone, Copy)]
enum Held {
    /// Bits of a dimension.
    Bits(Bits),
    /// Any other part of a form.
    Part(FormPart),
    /// The number of the entry in its row, which cannot be computed from its index.
    Count,
}

impl Held {
    fn of(expr: &LevelExpr) -> Self {
        let Some(part) = expr.part() else { return Self::Count };
        let FormPart { form, digit } = part;
        let alone = form.terms() == 1 && form.coefficients.contains(&1);
        let size = digit.size.unwrap_or(1);
        match form.first() {
            Some(dim) if alone && digit.div.is_power_of_two() && size.is_power_of_two() => {
                let mask = digit.size.map_or(usize::MAX, |size| size - 1);
                Self::Bits(Bits { dim, shift: digit.div.trailing_zeros(), mask })
            }
            _ => Self::Part(part),
        }
    }
}

/// The coordinates of all levels.
pub(super) type Target = [i64; MAX_LEVELS];

/// Sort keys of indices: a few numbers instead of the coordinates of all levels.
///
/// The levels are divided into groups such that the product of the sizes of a group fits 64 bits; most encodings have a single
/// group. The key of a group is the row-major number of its coordinates: with levels of 5 and 7 coordinates, the coordinates
/// (3, 2) have the key 3 * 7 + 2 = 23.
pub(super) struct Keys<'a> {
    pub(super) encoding: &'a SparseEncoding,
    pub(super) extents: &'a [Extent],
    /// The memory of the arrays that the entries are stored in.
    pub(super) memory: Memory,
    held: Vec<Held>,
    /// The number of coordinates of each level in the key; 1 for a count, which depends on the order of the entries.
    sizes: Vec<usize>,
    groups: Vec<Range<usize>>,
}

impl<'a> Keys<'a> {
    pub(super) fn new(encoding: &'a SparseEncoding, extents: &'a [Extent], memory: Memory) -> Self {
        let held = encoding.levels().iter().map(|level| Held::of(&level.expr)).collect();
        let size = |(level, extent): (&LevelSpec, &Extent)| match level.expr {
            LevelExpr::Count { .. } => 1,
            LevelExpr::Part { .. } => extent.size.max(1),
        };
        let sizes = encoding.levels().iter().zip(extents).map(size).collect();
        let mut keys = Self { encoding, extents, memory, held, sizes, groups: Vec::new() };
        keys.groups = keys.grouped();
        keys
    }

    fn grouped(&self) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        let (mut start, mut size) = (0, 1usize);
        for level in 0..self.extents.len() {
            match size.checked_mul(self.sizes[level]) {
                Some(product) => size = product,
                None => {
                    groups.push(start..level);
                    (start, size) = (level, self.sizes[level]);
                }
            }
        }
        groups.push(start..self.extents.len());
        groups
    }

    /// The levels of each group, outermost first.
    pub(super) fn groups(&self) -> &[Range<usize>] {
        &self.groups
    }

    /// Whether the product of the sizes of `levels` fits 64 bits.
    pub(super) fn is_one_group(&self, mut levels: Range<usize>) -> bool {
        let product = levels.try_fold(1usize, |size, level| size.checked_mul(self.sizes[level]));
        product.is_some()
    }

    /// The largest key of a group.
    pub(super) fn largest(&self, group: Range<usize>) -> u64 {
        group.map(|level| self.sizes[level] as u64).product::<u64>() - 1
    }

    /// The bits of a dimension that a level holds; `None` if it holds something else.
    pub(super) fn bits(&self, level: usize) -> Option<Bits> {
        match self.held.get(level) {
            Some(Held::Bits(bits)) => Some(*bits),
            _ => None,
        }
    }

    /// The coordinate of a level; 0 for a count.
    #[inline(always)]
    pub(super) fn coordinate(&self, level: usize, index: &[usize]) -> i64 {
        match &self.held[level] {
            Held::Bits(bits) => bits.of(index) as i64,
            Held::Part(part) => part.of(index),
            Held::Count => 0,
        }
    }

    /// The coordinates of all levels.
    #[inline(always)]
    pub(super) fn target(&self, index: &[usize]) -> Target {
        let mut target = [0; MAX_LEVELS];
        for (level, coordinate) in target.iter_mut().enumerate().take(self.held.len()) {
            *coordinate = self.coordinate(level, index);
        }
        target
    }

    /// The coordinates of all levels but the last, which is 0.
    pub(super) fn group(&self, index: &[usize]) -> Target {
        let mut target = self.target(index);
        target[self.held.len().saturating_sub(1)] = 0;
        target
    }

    /// The key of a group of levels for an index within bounds.
    #[inline(always)]
    pub(super) fn key(&self, group: Range<usize>, index: &[usize]) -> u64 {
        let mut levels = group;
        let Some(first) = levels.next() else { return 0 };
        let mut key = (self.coordinate(first, index) - self.extents[first].least) as u64;
        for level in levels {
            let offset = self.coordinate(level, index) - self.extents[level].least;
            key = key.wrapping_mul(self.sizes[level] as u64).wrapping_add(offset as u64);
        }
        key
    }
}
