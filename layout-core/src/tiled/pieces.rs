//! Arrays in pieces, to pack arrays that do not fit in memory.

use super::draft::{Draft, Padded, Split};
use super::spec::TiledSpec;
use crate::list::List;
use crate::parts::{Coordinates, MAX_RANK};
use alloc::vec::Vec;
use core::iter::{FusedIterator, zip};
use core::ops::Range;

/// A box of an array that is packed by itself. Its bytes are bytes of the packed array, in a few runs.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let last = spec.pieces(48).last().unwrap();
/// assert_eq!(last.spec().to_string(), "f32[1,5]{1,0:T(2,2)}");
/// assert_eq!(*last.origin(), [2, 0]);
/// assert_eq!(spec.offset(&[2, 3]), last.offset() + last.spec().offset(&[0, 3]));
/// ```
#[derive(Clone, Debug)]
pub struct Piece<'a> {
    array: &'a TiledSpec,
    spec: TiledSpec,
    origin: Coordinates,
    offset: usize,
    /// The number of the part along which a run extends; the more major parts number the runs.
    along: usize,
}

/// Bytes that are contiguous both in a packed piece and in the packed array.
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[4,4]{1,0:T(2,2)}".parse()?;
/// let runs: Vec<_> = spec.pieces(32).nth(1).unwrap().runs().collect();
/// assert_eq!((runs.len(), &runs[0].piece, &runs[0].array), (1, &(0..32), &(32..64)));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The range of the bytes in the piece.
    pub piece: Range<usize>,
    /// The range of the same bytes in the array.
    pub array: Range<usize>,
}

impl Piece<'_> {
    /// The layout of the piece: that of the array, with the sizes of the box.
    ///
    /// The last piece includes the padding that `L` adds to the array. Splits between memories and the prefix of a dynamic
    /// shape belong to the array as a whole; pieces do not have them.
    pub const fn spec(&self) -> &TiledSpec {
        &self.spec
    }

    /// Index of the first element of the box in the array.
    pub const fn origin(&self) -> &Coordinates {
        &self.origin
    }

    /// The start of the piece in the storage of the array, in elements.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Where the bytes of the piece belong in the array. The runs cover all bytes of the piece, in order.
    pub fn runs(&self) -> impl Iterator<Item = Run> + '_ {
        let map = self.spec.map();
        let (major, array) = (&map.parts()[..self.along], self.array);
        let count: usize = major.iter().map(|part| part.size).product();
        let len = map.len() / count;
        (0..count).map(move |run| {
            let start = run * len;
            let end = if run + 1 == count { self.spec.len() } else { start + len };
            let moves =
                zip(major, array.map().parts()).map(|(part, whole)| part.at(start) * whole.stride);
            let offset = self.offset + moves.sum::<usize>();
            let bytes = |elements| array.packed_bytes(elements);
            Run {
                piece: bytes(start)..bytes(end),
                array: bytes(offset)..bytes(offset + end - start),
            }
        })
    }
}

/// An iterator over the pieces of an array, from [`TiledSpec::pieces`] or [`TiledSpec::slabs`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// let spec: TiledSpec = "f32[4,4]{1,0:T(2,2)}".parse()?;
/// let texts: Vec<String> = spec.pieces(32).map(|piece| piece.spec().to_string()).collect();
/// assert_eq!(texts, ["f32[2,4]{1,0:T(2,2)}", "f32[2,4]{1,0:T(2,2)}"]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    array: &'a TiledSpec,
    /// Outermost first.
    cuts: Vec<Cut>,
    /// Stored elements of a full piece.
    len: usize,
    numbers: Range<usize>,
}

/// How one dimension is cut: it has `units` units of `unit` indices each, and a piece has `step` units.
#[derive(Clone, Copy, Debug)]
struct Cut {
    dim: usize,
    /// Number of the part along which it is cut.
    part: usize,
    unit: usize,
    /// Stored elements from one unit to the next.
    stride: usize,
    units: usize,
    step: usize,
}

impl TiledSpec {
    /// Cuts the array into boxes that are contiguous in storage, of at most `max_bytes` packed bytes if possible,
    /// in the order of storage. Each piece has one run.
    ///
    /// Together the pieces are the whole storage, padding included. They consist of whole tiles and whole bytes, and
    /// dimensions that a tile combines with `*` are not cut; if no box of `max_bytes` meets these conditions, a piece is
    /// larger.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[100,256]{1,0:T(8,128)}".parse().unwrap();
    /// let bytes: Vec<_> = spec.pieces(50_000).flat_map(|piece| piece.runs().last()).map(|run| run.array).collect();
    /// assert_eq!(bytes, [0..40_960, 40_960..81_920, 81_920..106_496]);
    /// ```
    pub fn pieces(&self, max_bytes: usize) -> Pieces<'_> {
        let parts = self.map().parts().iter().enumerate().filter(|(_, part)| part.size > 1);
        let along = parts.map_while(|(i, part)| self.cut(part.source).filter(|cut| cut.part == i));
        Pieces::new(self, along, max_bytes)
    }

    /// Cuts the array into boxes that are contiguous, or nearly so, in the row-major array, of at most `max_bytes` packed
    /// bytes if possible, in row-major order. Use it to read a row-major file and pack it box by box.
    ///
    /// The same as [`TiledSpec::pieces`], except that a piece has several runs if the dimension that is cut is not the most
    /// major one in storage.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "bf16[1000,16]{0,1:T(8,128)(2,1)}".parse().unwrap();
    /// let slab = spec.slabs(10_000).nth(1).unwrap();
    /// assert_eq!(slab.spec().to_string(), "bf16[256,16]{0,1:T(8,128)(2,1)}");
    /// assert_eq!(*slab.origin(), [256, 0]);
    /// assert_eq!(slab.runs().map(|run| run.array).collect::<Vec<_>>(), [4096..8192, 20_480..24_576]);
    /// ```
    pub fn slabs(&self, max_bytes: usize) -> Pieces<'_> {
        Pieces::new(self, (0..self.rank()).filter_map(|dim| self.cut(dim)), max_bytes)
    }

    /// How value `source` can be cut so that every box has the layout of an array of its size; `None` if it cannot be cut.
    fn cut(&self, source: usize) -> Option<Cut> {
        let map = self.map();
        let at = map.parts().iter().position(|part| part.source == source)?;
        let most_major = map.parts()[at];
        let terms = map.terms().iter().map(|term| &term.part);
        let mut others =
            map.parts()[at + 1..].iter().chain(terms).filter(|part| part.source == source);
        // Splits nest: all parts of a dimension repeat with each unit of the part that has the largest `div`. If that part is
        // a term, the tile combines the dimension with others.
        if source >= self.rank() || !others.all(|part| part.div <= most_major.div) {
            return None;
        }
        // Elements narrower than a byte: a unit has the least number of indices that fill whole bytes.
        let bits = most_major.stride % 8 * self.stored_bits();
        let grain = (1..=8).find(|grain| (grain * bits).is_multiple_of(8))?;
        if grain > 1 && map.parts()[..at].iter().any(|part| part.size > 1) {
            return None;
        }
        let units = most_major.size.div_ceil(grain);
        if units <= 1 {
            return None;
        }
        let (unit, stride) = (most_major.div.checked_mul(grain)?, most_major.stride * grain);
        Some(Cut { dim: source, part: at, unit, stride, units, step: units })
    }

    /// The layout for other sizes, without splits and prefix, and with `tail` elements of padding at the end.
    fn resized(&self, dims: &[usize], widths: &[usize], tail: usize) -> Self {
        let (draft, Some(dims), Some(widths)) = (*self.draft(), List::of(dims), List::of(widths))
        else {
            unreachable!("the array has as many dimensions")
        };
        let Some(map) = draft.map_of(dims.as_slice(), widths.as_slice()) else {
            unreachable!("a piece is no larger than the array, whose map exists")
        };
        let draft = Draft {
            dims,
            bounded: 0,
            // Aligns the end to the length with the tail: the array is then padded to exactly that.
            tail_alignment: if tail > 0 { map.len() + tail } else { 1 },
            splits: List::new(Split { dimension: 0, indices: List::new(0) }),
            prefix_bytes: 0,
            padded: draft.padded.map(|padded| Padded { widths, ..padded }),
            ..draft
        };
        Self::of_parts(draft, map)
    }
}

impl<'a> Pieces<'a> {
    /// Cuts `array` along `cuts`, outermost first, until a piece has at most `max_bytes`.
    fn new(array: &'a TiledSpec, cuts: impl Iterator<Item = Cut>, max_bytes: usize) -> Self {
        let mut pieces = Self { array, cuts: Vec::new(), len: array.map().len(), numbers: 0..0 };
        for mut cut in cuts {
            if array.packed_bytes(pieces.len) <= max_bytes {
                break;
            }
            let part = array.map().parts()[cut.part];
            let unit = pieces.len / part.size * (cut.unit / part.div);
            cut.step = (max_bytes / array.packed_bytes(unit)).clamp(1, cut.units);
            // The same number of pieces, of more even sizes.
            cut.step = cut.units.div_ceil(cut.pieces());
            pieces.len = unit * cut.step;
            pieces.cuts.push(cut);
        }
        let count: usize = pieces.cuts.iter().map(Cut::pieces).product();
        pieces.numbers = 0..if pieces.len == 0 { 0 } else { count };
        pieces
    }

    fn piece(&self, mut number: usize) -> Piece<'a> {
        let (array, rank) = (self.array, self.array.rank());
        let padded = array.draft().padded;
        let sizes = array.dims();
        let bounds = padded.as_ref().map_or(sizes, |padded| padded.widths.as_slice());
        let (mut origin, mut dims, mut widths) = ([0; MAX_RANK], [0; MAX_RANK], [0; MAX_RANK]);
        dims[..rank].copy_from_slice(sizes);
        widths[..rank].copy_from_slice(bounds);
        let (mut offset, mut last) = (0, true);
        for cut in self.cuts.iter().rev() {
            let first = number % cut.pieces() * cut.step;
            number /= cut.pieces();
            let end = (first + cut.step).min(cut.units);
            last &= end == cut.units;
            let (start, end) = (first * cut.unit, end * cut.unit);
            origin[cut.dim] = start.min(sizes[cut.dim]);
            dims[cut.dim] = end.min(sizes[cut.dim]) - origin[cut.dim];
            widths[cut.dim] = end.min(bounds[cut.dim]) - start;
            offset += first * cut.stride;
        }
        let tail = if last { array.len() - array.map().len() } else { 0 };
        let Some(origin) = Coordinates::new(&origin[..rank]) else {
            unreachable!("the array has as many dimensions")
        };
        Piece {
            array,
            spec: array.resized(&dims[..rank], &widths[..rank], tail),
            origin,
            offset,
            along: self.cuts.iter().map(|cut| cut.part).max().unwrap_or(0),
        }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        self.numbers.next().map(|number| self.piece(number))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Piece<'a>> {
        self.numbers.nth(n).map(|number| self.piece(number))
    }
}

impl ExactSizeIterator for Pieces<'_> {}
impl FusedIterator for Pieces<'_> {}

impl Cut {
    const fn pieces(&self) -> usize {
        self.units.div_ceil(self.step)
    }
}
