//! The compact form in which a program contains each layout type: a few hundred bytes instead of the several kilobytes of the
//! fixed-size tables with which rustc plans.

use super::inner::StepKernel;
use super::regions::Axis;
use super::step::{INNER, OUTER, Pattern, Step};
use layout_core::dtype::DType;
use layout_core::parts::{MAX_RANK, MAX_TILE_RANK, MAX_TILES, Part};
use layout_core::tiled::{Draft, List, Tile, TiledSpec};

/// A layout in compact form, for error messages; its spec is built only when a message needs it.
#[derive(Clone, Copy)]
pub(crate) enum CompactSpec {
    /// The numbers of the layout, encoded by [`Encoded`].
    Encoded(DType, &'static [u8]),
    /// A layout with attributes that are too rare to be encoded.
    Full(&'static TiledSpec),
}

impl CompactSpec {
    /// The layout.
    #[cold]
    #[inline(never)]
    pub(crate) fn spec(&self) -> TiledSpec {
        match *self {
            Self::Full(spec) => *spec,
            Self::Encoded(dtype, bytes) => match Reader(bytes).draft(dtype).validate() {
                Ok(spec) => spec,
                Err(_) => unreachable!("the layout was checked before it was encoded"),
            },
        }
    }
}

/// The largest number of bytes of an encoded number, with 7 bits in each.
const NUMBER: usize = usize::BITS.div_ceil(7) as usize;
/// The largest number of bytes of an encoded layout.
pub(crate) const MAX_ENCODED: usize =
    NUMBER * (2 * (MAX_RANK + 1) + 1 + MAX_TILES * (MAX_TILE_RANK + 1) + 6);

/// The numbers of a layout: each list after its length, then the attributes. Each number is encoded with 7 bits to a byte, the
/// lowest first, and the highest bit is set in all its bytes but the last.
///
/// `f32[3,5]{1,0:T(2,2)}` is encoded as 2 dimensions, 3 and 5; 2 entries of the order, 1 and 0; 1 tile of 2 sizes, 2 and 2; and 0 0
/// 1 0 0 0, the attributes with their default values.
pub(crate) struct Encoded {
    bytes: [u8; MAX_ENCODED],
    pub(crate) len: usize,
}

impl Encoded {
    /// Encodes a layout; `None` if it has attributes that are not encoded.
    pub(crate) const fn of(draft: &Draft) -> Option<Self> {
        if !draft.splits.is_empty() || draft.padded.is_some() {
            return None;
        }
        let mut encoded = Self { bytes: [0; MAX_ENCODED], len: 0 };
        encoded.push_list(draft.dims.as_slice());
        encoded.push_list(draft.minor_to_major.as_slice());
        let tiles = draft.tiles.as_slice();
        encoded.push(tiles.len());
        let mut i = 0;
        while i < tiles.len() {
            encoded.push_list(tiles[i].as_slice());
            i += 1;
        }
        encoded.push(draft.bounded as usize);
        encoded.push(draft.unbounded as usize);
        encoded.push(draft.tail_alignment);
        encoded.push(draft.element_bits);
        encoded.push(draft.memory_space);
        encoded.push(draft.prefix_bytes);
        Some(encoded)
    }

    const fn push_list(&mut self, list: &[usize]) {
        self.push(list.len());
        let mut i = 0;
        while i < list.len() {
            self.push(list[i]);
            i += 1;
        }
    }

    const fn push(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.bytes[self.len] = number as u8 | 0x80;
            self.len += 1;
            number >>= 7;
        }
        self.bytes[self.len] = number as u8;
        self.len += 1;
    }

    /// The first `N` bytes. Those past the end of the encoding are zero.
    pub(crate) const fn first<const N: usize>(&self) -> [u8; N] {
        match self.bytes.first_chunk() {
            Some(bytes) => *bytes,
            None => panic!("no more bytes than a layout can have"),
        }
    }
}

/// Reads the numbers that [`Encoded`] writes.
struct Reader(&'static [u8]);

impl Reader {
    fn number(&mut self) -> usize {
        let (mut number, mut shift) = (0, 0);
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if *byte < 0x80 {
                break;
            }
        }
        number
    }

    fn list<const N: usize>(&mut self) -> List<usize, N> {
        let mut list = List::new(0);
        list.len = self.number();
        list.items[..list.len].fill_with(|| self.number());
        list
    }

    fn draft(&mut self, dtype: DType) -> Draft {
        let (dims, minor_to_major) = (self.list(), self.list());
        let mut draft = Draft::untiled(dtype, dims, minor_to_major);
        draft.tiles.len = self.number();
        draft.tiles.items[..draft.tiles.len].fill_with(|| -> Tile { self.list() });
        draft.bounded = self.number() as u16;
        draft.unbounded = self.number() as u16;
        draft.tail_alignment = self.number();
        draft.element_bits = self.number();
        draft.memory_space = self.number();
        draft.prefix_bytes = self.number();
        draft
    }
}

/// A [`Step`] in a third of its size: its numbers all fit 32 bits, and it has only the last `O` axes around its kernel and the
/// last `I` within. The axes before them have one element each.
#[derive(Clone, Copy)]
pub(crate) struct CompactStep<const O: usize, const I: usize> {
    kernel: StepKernel,
    from: u32,
    to: u32,
    reach: [u32; 2],
    batch: u32,
    width: u8,
    side: u8,
    pattern: Pattern,
    outer: [CompactAxis; O],
    inner: [CompactAxis; I],
}

/// The steps of most layouts: rows of tiles of a matrix that are copied, interleaved or deinterleaved.
pub(crate) type RowStep = CompactStep<3, 2>;
/// Steps with all the axes that a step can have.
pub(crate) type AnyStep = CompactStep<OUTER, INNER>;

/// An [`Axis`] as count, size, and the strides in the source and in the destination.
type CompactAxis = [u32; 4];

impl<const O: usize, const I: usize> CompactStep<O, I> {
    /// Returns `None` if a number of the step, or one of its axes, does not fit.
    pub(crate) const fn of(step: &Step) -> Option<Self> {
        let (Some(outer), Some(inner)) = (compact_axes(&step.outer), compact_axes(&step.inner))
        else {
            return None;
        };
        let Step { from, to, reach, batch, .. } = *step;
        let most = u32::MAX as usize;
        if from > most || to > most || reach[0] > most || reach[1] > most || batch > most {
            return None;
        }
        Some(Self {
            kernel: step.kernel,
            from: from as u32,
            to: to as u32,
            reach: [reach[0] as u32, reach[1] as u32],
            batch: batch as u32,
            width: step.width as u8,
            side: step.side as u8,
            pattern: step.pattern,
            outer,
            inner,
        })
    }

    /// The step in full.
    #[inline]
    pub(crate) fn step(&self) -> Step {
        Step {
            from: self.from as usize,
            to: self.to as usize,
            width: self.width.into(),
            side: self.side.into(),
            pattern: self.pattern,
            kernel: self.kernel,
            outer: all_axes(&self.outer),
            batch: self.batch as usize,
            inner: all_axes(&self.inner),
            reach: self.reach.map(|bytes| bytes as usize),
        }
    }
}

/// The last `N` axes, if all axes before them have one element and all numbers fit; else `None`.
const fn compact_axes<const ALL: usize, const N: usize>(
    axes: &[Axis; ALL],
) -> Option<[CompactAxis; N]> {
    let (mut compact, mut all, mut i) = ([[0; 4]; N], 0, 0);
    while i < ALL {
        let Axis { count, size, source, destination } = axes[i];
        if i < ALL - N {
            if count != 1 || size != 1 {
                return None;
            }
        } else {
            all |= count | size | source | destination;
            compact[i - (ALL - N)] = [count as u32, size as u32, source as u32, destination as u32];
        }
        i += 1;
    }
    if all <= u32::MAX as usize { Some(compact) } else { None }
}

/// All axes: the axes that were left out, with one element each, then the axes of `compact`.
#[inline]
fn all_axes<const ALL: usize, const N: usize>(compact: &[CompactAxis; N]) -> [Axis; ALL] {
    let mut axes = [Axis::UNIT; ALL];
    for (axis, compact) in axes[ALL - N..].iter_mut().zip(compact) {
        let [count, size, source, destination] = compact.map(|number| number as usize);
        *axis = Axis { count, size, source, destination };
    }
    axes
}

/// A [`Part`] of an index map whose numbers all fit 32 bits, as the search for padding needs it: source, div, size and stride.
pub(crate) type CompactPart = [u32; 4];

/// Returns `None` if a number of the part does not fit.
pub(crate) const fn compact_part(part: &Part) -> Option<CompactPart> {
    let Part { source, div, size, stride, .. } = *part;
    if source | div | size | stride > u32::MAX as usize {
        return None;
    }
    Some([source as u32, div as u32, size as u32, stride as u32])
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn layouts_are_read_as_they_were_encoded() {
        for text in [
            "f32[3,5]{1,0:T(2,2)}",
            "bf16[<=4096,300,2]{1,2,0:T(8,128)(2,1)S(1)}",
            "s4[7,33,130]{2,0,1:T(*,8,128)(4,1)L(1024)E(4)}",
            "pred[]",
            "f32[?,<=5]",
        ] {
            let spec: TiledSpec = text.parse().unwrap();
            let encoded = Encoded::of(spec.draft()).unwrap();
            let bytes: [u8; MAX_ENCODED] = encoded.first();
            let bytes = bytes[..encoded.len].to_vec().leak();
            assert_eq!(
                CompactSpec::Encoded(spec.dtype(), bytes).spec().to_string(),
                spec.to_string()
            );
        }
    }

    #[test]
    fn steps_are_compact_if_their_numbers_fit_32_bits() {
        let mut step = Step { from: 7, batch: 9, width: 2, side: 2, ..Step::NONE };
        step.inner[3] = Axis { count: 3, size: 4, source: 5, destination: u32::MAX as usize };
        let back = [AnyStep::of(&step).unwrap().step(), RowStep::of(&step).unwrap().step()];
        for back in back {
            assert_eq!((back.from, back.batch, back.width, back.side), (7, 9, 2, 2));
            assert_eq!((back.inner, back.outer), (step.inner, step.outer));
        }
        step.inner[3].destination += 1;
        assert!(AnyStep::of(&step).is_none() && RowStep::of(&step).is_none());
    }

    #[test]
    fn steps_with_few_axes_leave_the_others_out() {
        let axis = Axis { count: 2, size: 2, source: 3, destination: 4 };
        for at in 0..4 {
            let mut step = Step::NONE;
            step.inner[at] = axis;
            assert_eq!(RowStep::of(&step).is_some(), at >= 2, "axis {at} within");
            assert_eq!(AnyStep::of(&step).unwrap().step().inner, step.inner);
            step = Step::NONE;
            step.outer[at] = axis;
            assert_eq!(RowStep::of(&step).is_some(), at >= 1, "axis {at} around");
            assert_eq!(AnyStep::of(&step).unwrap().step().outer, step.outer);
        }
    }
}
