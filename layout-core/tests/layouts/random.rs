//! Random layouts, the same in every run, and the rule of the documents, with which they are compared.
#![allow(dead_code, reason = "each test file uses a part of it")]

use layout_core::DType;
use layout_core::TiledSpec;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{Draft, List, Padded, Split, Tile};

/// A small generator (xorshift64*); a failing case fails again on the next run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(crate) fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }

    /// A tile of rank 1 to `rank` with entries up to `size`; one entry in four that can be is `*`, if `combine`.
    pub(crate) fn tile(&mut self, rank: usize, size: usize, combine: bool) -> Tile {
        let rank = 1 + self.below(rank);
        let entries: Vec<usize> = (0..rank)
            .map(|at| {
                if combine && at + 1 < rank && self.chance(4) {
                    Tile::COMBINE
                } else {
                    1 + self.below(size)
                }
            })
            .collect();
        Tile::of(&entries).unwrap()
    }

    /// A layout of an array of `dims`.
    pub(crate) fn layout(&mut self, dims: &[usize], combine: bool) -> Draft {
        let mut draft = Draft::row_major(DType::F32, List::of(dims).unwrap());
        if !self.chance(3) {
            draft.minor_to_major = List::of(&self.permutation(dims.len())).unwrap();
        }
        for _ in 0..self.pick(&[0, 1, 1, 2, 2, 3, 4]) {
            draft.tiles = draft.tiles.push(self.tile(4, 6, combine)).unwrap();
        }
        if self.chance(8) {
            let widths: Vec<usize> = dims.iter().map(|size| size + self.below(3)).collect();
            draft.padded = Some(Padded {
                widths: List::of(&widths).unwrap(),
                value: layout_core::PaddingValue::Zero,
            });
        }
        draft
    }

    /// A rank, usually at most 8.
    fn rank(&mut self) -> usize {
        if self.chance(4) { self.below(MAX_RANK + 1) } else { self.below(9) }
    }

    /// The dimensions of a small array: rank 0 to 4 and sizes up to 7, rarely 0, or any rank and sizes 1 and 2.
    pub(crate) fn dims(&mut self) -> Vec<usize> {
        if self.chance(12) {
            return (0..=self.below(MAX_RANK)).map(|_| 1 + self.below(3) / 2).collect();
        }
        let rank = self.below(5);
        (0..rank).map(|_| if self.chance(40) { 0 } else { 1 + self.below(7) }).collect()
    }

    /// Dimensions with `elements` elements: rank 0 to 5, sizes of one included.
    pub(crate) fn factors(&mut self, elements: usize) -> Vec<usize> {
        let (mut dims, mut rest) = (vec![], elements);
        while rest > 1 && dims.len() < 4 {
            let divisors: Vec<usize> = (1..=rest).filter(|&d| rest.is_multiple_of(d)).collect();
            let divisor = self.pick(&divisors);
            dims.push(divisor);
            rest /= divisor;
        }
        if rest > 1 || self.chance(6) {
            dims.push(rest);
        }
        dims
    }

    /// A small layout, combining dimensions half of the time.
    pub(crate) fn spec(&mut self) -> TiledSpec {
        let (dims, combine) = (self.dims(), self.chance(2));
        spec(self.layout(&dims, combine))
    }

    /// A draft that may be invalid.
    pub(crate) fn garbage(&mut self) -> Draft {
        let dims: Vec<usize> = (0..self.rank()).map(|_| self.number()).collect();
        let mut draft = Draft::row_major(self.pick(&DType::ALL), List::of(&dims).unwrap());
        let (marks, exist) = (self.next() as u16, ((1u32 << dims.len()) - 1) as u16);
        let empty =
            (0..dims.len()).filter(|dim| dims[*dim] == 0).fold(0, |set, dim| set | 1 << dim);
        (draft.bounded, draft.unbounded) = match self.below(8) {
            0 => (marks, self.next() as u16),
            1 | 2 => (marks & exist & !empty, marks & empty),
            _ => (marks & exist, 0),
        };
        if self.chance(3) {
            let order: Vec<usize> = (0..self.rank()).map(|_| self.number()).collect();
            draft.minor_to_major = List::of(&order).unwrap();
        } else if self.chance(2) {
            draft.minor_to_major = List::of(&self.permutation(dims.len())).unwrap();
        }
        for _ in 0..self.below(5) {
            let sizes: Vec<usize> = (0..self.below(9)).map(|_| self.number()).collect();
            draft.tiles = draft.tiles.push(Tile::of(&sizes).unwrap()).unwrap();
        }
        if self.chance(4) {
            draft.tail_alignment = self.number();
            draft.element_bits = self.pick(&[0, 1, 4, 8, 32, self.0 as usize]);
            draft.memory_space = self.number();
            draft.prefix_bytes = self.number();
        }
        for _ in 0..self.pick(&[0, 0, 0, 1, 3]) {
            let indices: Vec<usize> = (0..self.below(9)).map(|_| self.number()).collect();
            let split = Split { dimension: self.number(), indices: List::of(&indices).unwrap() };
            draft.splits = draft.splits.push(split).unwrap();
        }
        if self.chance(4) {
            let mut widths: Vec<usize> =
                dims.iter().map(|size| size.saturating_add(self.number())).collect();
            widths.truncate(self.pick(&[MAX_RANK, MAX_RANK, MAX_RANK, 2]));
            let value = self.pick(&layout_core::PaddingValue::ALL);
            draft.padded = Some(Padded { widths: List::of(&widths).unwrap(), value });
        }
        draft
    }

    /// A layout whose storage is about as large as the address space; about half of them are too large.
    pub(crate) fn large(&mut self) -> Draft {
        let mut bits = 58 + self.below(6);
        let mut size = |random: &mut Self| {
            let share = random.below(bits.min(40) + 1);
            bits -= share;
            ((1_usize << share) - random.below(2)).max(1)
        };
        let dims: Vec<usize> = (0..self.rank()).map(|_| size(self)).collect();
        let mut draft = Draft::row_major(DType::U8, List::of(&dims).unwrap());
        draft.minor_to_major = List::of(&self.permutation(dims.len())).unwrap();
        for _ in 0..self.below(5) {
            let mut tile: Vec<usize> = (0..self.below(8))
                .map(|_| match self.below(4) {
                    0 => Tile::COMBINE,
                    1 => size(self),
                    _ => 1 << self.below(20),
                })
                .collect();
            tile.push(1 << self.below(8));
            draft.tiles = draft.tiles.push(Tile::of(&tile).unwrap()).unwrap();
        }
        draft
    }

    /// A number of any magnitude, usually small.
    fn number(&mut self) -> usize {
        match self.below(24) {
            0 => usize::MAX,
            1 => Tile::COMBINE,
            2 => isize::MAX as usize,
            3 => 1 << self.below(64),
            4 => (1 << self.below(64)) - 1,
            5 => self.next() as usize,
            _ => self.below(9),
        }
    }
}

/// The checked layout of a draft that is known to be valid.
pub(crate) fn spec(draft: Draft) -> TiledSpec {
    draft.validate().unwrap_or_else(|problem| panic!("{problem}: {draft:?}"))
}

/// A layout from the parts of its notation.
pub(crate) fn tiled(
    dtype: DType,
    dims: &[usize],
    order: &[usize],
    tiles: &[&[usize]],
) -> TiledSpec {
    let mut draft = Draft::row_major(dtype, List::of(dims).unwrap());
    draft.minor_to_major = List::of(order).unwrap();
    for tile in tiles {
        draft.tiles = draft.tiles.push(Tile::of(tile).unwrap()).unwrap();
    }
    spec(draft)
}

/// All indices of an array in row-major order.
pub(crate) fn indices(dims: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &size in dims {
        all = all
            .into_iter()
            .flat_map(|index| {
                (0..size).map(move |i| index.iter().copied().chain([i]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}

/// The offset of an element as XLA's "Tiled layout" document defines it, and the stored length: a list of
/// (index, size), which each tile rewrites.
pub(crate) fn by_the_document(draft: &Draft, index: &[usize]) -> (usize, usize) {
    let widths = draft.padded.as_ref().map_or(draft.dims, |padded| padded.widths);
    let mut list: Vec<(usize, usize)> = draft
        .minor_to_major
        .as_slice()
        .iter()
        .rev()
        .map(|&dim| (index[dim], widths.as_slice()[dim]))
        .collect();
    for tile in draft.tiles.as_slice() {
        let tile = tile.as_slice();
        while list.len() < tile.len() {
            list.insert(0, (0, 1));
        }
        let mut suffix = list.split_off(list.len() - tile.len());
        let mut sizes = tile.to_vec();
        while let Some(at) = sizes.iter().position(|&size| size == Tile::COMBINE) {
            sizes.remove(at);
            let (i, d) = suffix.remove(at);
            suffix[at] = (i * suffix[at].1 + suffix[at].0, d * suffix[at].1);
        }
        list.extend(suffix.iter().zip(&sizes).map(|(&(i, d), t)| (i / t, d.div_ceil(*t))));
        list.extend(suffix.iter().zip(&sizes).map(|(&(i, _), &t)| (i % t, t)));
    }
    list.iter().fold((0, 1), |(offset, len), &(i, d)| (offset * d + i, len * d))
}
