//! Packs bit by bit, using only the index function; random layouts and values.

use crate::{DType, PaddingValue};
use layout_core::parts::MAX_RANK;
use layout_core::tiled::{Draft, List, Padded, Tile, TiledSpec};

/// A layout from its numbers.
pub(crate) fn draft(
    dtype: DType,
    dims: &[usize],
    minor_to_major: &[usize],
    tiles: &[&[usize]],
) -> Draft {
    let mut draft = Draft::row_major(dtype, List::of(dims).unwrap());
    draft.minor_to_major = List::of(minor_to_major).unwrap();
    for tile in tiles {
        draft.tiles = draft.tiles.push(Tile::of(tile).unwrap()).unwrap();
    }
    draft
}

/// All indices of an array in row-major order.
pub(crate) fn indices(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    (0..dims.iter().product()).map(|mut position: usize| {
        let mut index = vec![0; dims.len()];
        for (i, size) in dims.iter().enumerate().rev() {
            index[i] = position % size;
            position /= size;
        }
        index
    })
}

pub(crate) fn position(dims: &[usize], index: &[usize]) -> usize {
    index.iter().zip(dims).fold(0, |position, (i, size)| position * size + i)
}

fn bit(bytes: &[u8], at: usize) -> bool {
    bytes.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1)
}

/// The array of the padded widths, without explicit padding.
fn widened(spec: &TiledSpec, padded: &Padded) -> TiledSpec {
    Draft { dims: padded.widths, padded: None, ..*spec.draft() }.validate().unwrap()
}

pub(crate) fn pack(spec: &TiledSpec, row_major: &[u8]) -> Vec<u8> {
    let stored = spec.stored_bits();
    let mut packed = vec![0; spec.storage_bytes()];
    let mut write = |offset: usize, value: &[u8]| {
        for i in 0..stored {
            let at = offset * stored + i;
            packed[at / 8] &= !(1 << (at % 8));
            packed[at / 8] |= u8::from(bit(value, i)) << (at % 8);
        }
    };
    if let Some(padded) = spec.padded() {
        let bits = spec.dtype().padding_bits(padded.value).unwrap();
        let mut value = bits.to_le_bytes();
        value[0] = spec.dtype().normalize(value[0]);
        let wide = widened(spec, &padded);
        for index in indices(wide.dims()) {
            write(wide.offset(&index), &value);
        }
    }
    let values = row_major.chunks(spec.dtype().byte_width());
    for (index, value) in indices(spec.dims()).zip(values) {
        write(spec.offset(&index), value);
    }
    packed
}

/// Sets all bits in which no element is stored.
pub(crate) fn fill_padding(spec: &TiledSpec, packed: &mut [u8]) {
    let stored = spec.stored_bits();
    let mut elements = vec![false; packed.len() * 8];
    for index in indices(spec.dims()) {
        elements[spec.offset(&index) * stored..][..stored].fill(true);
    }
    for (at, _) in elements.iter().enumerate().filter(|(_, element)| !**element) {
        packed[at / 8] |= 1 << (at % 8);
    }
}

/// Pseudorandom numbers, the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// One host value for each element.
    pub(crate) fn values(&mut self, spec: &TiledSpec) -> Vec<u8> {
        let len = spec.elements() * spec.dtype().byte_width();
        (0..len).map(|_| spec.dtype().normalize(self.next() as u8)).collect()
    }

    /// A random index, if the array has elements.
    pub(crate) fn index(&mut self, dims: &[usize]) -> Option<Vec<usize>> {
        dims.iter().map(|&size| (size > 0).then(|| self.below(size))).collect()
    }

    pub(crate) fn dtype(&mut self) -> DType {
        self.pick(&DType::ALL)
    }

    /// Up to 5 dimensions of up to 40, or many of 1 or 2; with at most some thousand elements.
    pub(crate) fn dims(&mut self) -> Vec<usize> {
        if self.below(10) == 0 {
            return (0..1 + self.below(MAX_RANK)).map(|_| 1 + self.below(3) / 2).collect();
        }
        loop {
            let rank = self.below(6);
            let dims: Vec<usize> = (0..rank)
                .map(|_| if self.below(40) == 0 { 0 } else { 1 + self.below(40) })
                .collect();
            if dims.iter().product::<usize>() <= 3000 {
                return dims;
            }
        }
    }

    /// A random layout for the array that is small enough to check.
    pub(crate) fn layout(&mut self, dtype: DType, dims: &[usize]) -> TiledSpec {
        loop {
            if let Ok(spec) = self.draft(dtype, dims).validate()
                && spec.storage_bytes() <= 1 << 17
            {
                return spec;
            }
        }
    }

    fn draft(&mut self, dtype: DType, dims: &[usize]) -> Draft {
        let order = self.order(dims.len());
        let tiles: Vec<Vec<usize>> = (0..self.below(4)).map(|_| self.tile()).collect();
        let tiles: Vec<&[usize]> = tiles.iter().map(Vec::as_slice).collect();
        let mut draft = draft(dtype, dims, &order, &tiles);
        if self.below(4) == 0 {
            draft.tail_alignment = 1 + self.below(100);
        }
        let mut widths = DType::STORED_WIDTHS.to_vec();
        widths.retain(|&width| width >= dtype.bits());
        let width = self.pick(&widths);
        draft.element_bits = self.pick(&[0, 0, widths[0], width]);
        if self.below(6) == 0 {
            self.pad(&mut draft);
        }
        draft
    }

    /// Two layouts of a small array for which a common refinement is hard to find: the first has tiles within tiles of any
    /// sizes, which seldom divide each other; the second combines dimensions.
    pub(crate) fn hard_pair(&mut self) -> [TiledSpec; 2] {
        loop {
            let rank = 2 + self.below(4) / 3;
            let mut dims: Vec<usize> = (0..rank).map(|_| 1 + self.below(8)).collect();
            dims[0] += self.below(2) * self.below(32 / rank);
            let dtype = self.pick(&[DType::S8, DType::S16, DType::F32, DType::S4]);
            // Each tile is a little smaller than the one around it.
            let mut nested = vec![self.tile_below(rank, 9)];
            for _ in 0..self.below(4) {
                let tile = nested[nested.len() - 1].clone();
                nested.push(tile.iter().map(|&size| size - self.below(size.min(4))).collect());
            }
            let mut combined = vec![Tile::COMBINE; rank];
            let any = 1 + self.below(9);
            combined[rank - 1] = self.pick(&[1, dims[0], dims[rank - 1], any]);
            let mut other = vec![combined];
            for _ in 0..self.below(6) / 3 {
                other.push(self.tile_below(rank, 9));
            }
            let drafts = [nested, other].map(|tiles| {
                let tiles: Vec<&[usize]> = tiles.iter().map(Vec::as_slice).collect();
                let order = self.order(rank);
                let mut draft = draft(dtype, &dims, &order, &tiles);
                draft.element_bits = if dtype == DType::S4 { 4 } else { 0 };
                if self.below(4) == 0 {
                    self.pad(&mut draft);
                }
                draft
            });
            let [a, b] = drafts;
            if let (Ok(a), Ok(b)) = (a.validate(), b.validate()) {
                return if self.below(2) == 0 { [a, b] } else { [b, a] };
            }
        }
    }

    fn tile_below(&mut self, rank: usize, end: usize) -> Vec<usize> {
        (0..1 + self.below(rank)).map(|_| 1 + self.below(end)).collect()
    }

    /// Row-major, or any other order.
    fn order(&mut self, rank: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rank).rev().collect();
        if self.below(2) == 0 {
            for i in (1..rank).rev() {
                order.swap(i, self.below(i + 1));
            }
        }
        order
    }

    /// Pads the array explicitly.
    fn pad(&mut self, draft: &mut Draft) {
        let dims = draft.dims.as_slice().iter();
        let widths: Vec<usize> = dims.map(|size| size + self.below(4)).collect();
        let value = self.pick(&PaddingValue::ALL);
        draft.padded = Some(Padded { widths: List::of(&widths).unwrap(), value });
    }

    /// One to three sizes, sometimes more; `*` only before another size.
    fn tile(&mut self) -> Vec<usize> {
        let rank = 1 + if self.below(6) == 0 { self.below(6) } else { self.below(3) };
        let sizes = (0..rank).map(|i| match self.below(8) {
            0 if i + 1 < rank => Tile::COMBINE,
            0..4 => 1 + self.below(9),
            _ => self.pick(&[1, 2, 4, 8, 16, 32]),
        });
        sizes.collect()
    }
}
