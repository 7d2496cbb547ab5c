//! The mistakes of layouts, and their messages.

use super::spec::TiledSpec;
use crate::dtype::{DType, PaddingValue};
use crate::list::List;
use crate::parts::MAX_RANK;
use crate::text::Text;

/// The largest memory space that a layout can name; XLA stores the number in a signed byte.
pub const MAX_MEMORY_SPACE: usize = 127;

impl DType {
    /// The possible `n` of `E(n)`, the bits of an element in storage. Elements narrower than a byte are packed.
    pub const STORED_WIDTHS: [usize; 9] = [1, 2, 4, 6, 8, 16, 32, 64, 128];
}

/// One mistake in a layout. Displays as its message; [`Problem::help`] says what to write instead.
///
/// ```
/// use tensor_layout::{DType, tiled::{Draft, List, Problem, Subject}};
/// let mut draft = Draft::row_major(DType::F32, List::of(&[3, 5]).unwrap());
/// draft.memory_space = 300;
/// let problem = draft.validate().unwrap_err();
/// assert_eq!(problem, Problem::MemorySpace { n: 300 });
/// assert_eq!(problem.subject(), Subject::MemorySpace);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum Problem {
    /// `minor_to_major` does not have one entry for each dimension; `proposed` is an order that does.
    OrderLength { len: usize, proposed: List<usize, MAX_RANK> },
    /// `minor_to_major` names a dimension that does not exist.
    OrderOutOfRange { at: usize, dim: i128, proposed: List<usize, MAX_RANK> },
    /// `minor_to_major` names a dimension twice.
    OrderDuplicate { at: usize, dim: usize, proposed: List<usize, MAX_RANK> },
    /// A tile has no entries.
    TileEmpty { tile: usize },
    /// An entry of a tile is not positive.
    TileSize { tile: usize, at: usize, size: i128 },
    /// `*` in the most minor entry, which has no more minor dimension to combine with.
    CombineMinor { tile: usize, at: usize },
    /// `L(n)` with `n` below one.
    TailAlignment { n: i128 },
    /// `E(n)` with fewer bits than the type has.
    ElementBitsNarrow { bits: usize, dtype: DType },
    /// `E(n)` with a width that is not one of [`DType::STORED_WIDTHS`].
    ElementBitsWidth { bits: i128, dtype: DType },
    /// `S(n)` outside of the range that XLA can store.
    MemorySpace { n: i128 },
    /// `SC` of a physical dimension that does not exist.
    SplitOutOfRange { split: usize, dimension: i128, rank: usize },
    /// `SC` splits the same physical dimension twice.
    SplitDuplicate { split: usize, dimension: usize },
    /// An index of a split is not larger than the one before, `previous`, which is 0 for the first.
    SplitOrder { split: usize, at: usize, index: i128, previous: usize },
    /// An index of a split is outside of its dimension.
    SplitIndex { split: usize, at: usize, index: usize, dim: usize, size: usize },
    /// `padded to` does not have one width for each dimension.
    PaddedLength { rank: usize, len: usize },
    /// A dimension is padded to less than its size.
    PaddedWidth { dim: usize, width: i128, size: usize },
    /// The element type does not have the padding value.
    PaddedValue { value: PaddingValue, dtype: DType },
    /// `M(n)` with an `n` that is not the size of a possible prefix.
    PrefixBytes { n: i128 },
    /// A size that no dimension can have.
    DimSize { dim: usize, size: i128 },
    /// An unbounded dimension cannot be padded or split: its size is not known.
    UnboundedWidth { dim: usize },
    /// A bit of [`Draft::bounded`](super::Draft::bounded) or [`Draft::unbounded`](super::Draft::unbounded) for a dimension that does
    /// not exist, for one that has both, or for an unbounded one of another size than 0. No text has this mistake.
    Bound { dim: usize },
    /// The storage does not fit the address space. `bytes` is its size without padding, or `u128::MAX` if that overflows.
    Overflow { bytes: u128 },
}

/// The part of a layout that a [`Problem`] is about, so that the error is shown at the right tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields number the entries as written, from 0")]
pub enum Subject {
    /// The dimensions as a whole.
    Dims,
    /// `minor_to_major` as a whole.
    Order,
    OrderEntry(usize),
    Tile(usize),
    TileEntry(usize, usize),
    TailAlignment,
    ElementBits,
    MemorySpace,
    SplitDimension(usize),
    SplitIndex(usize, usize),
    /// The widths of `padded to` as a whole.
    Padded,
    PaddedWidth(usize),
    PaddedValue,
    PrefixBytes,
    Dim(usize),
}

impl Subject {
    /// Whether both are the same size: of a dimension, of a tile or of padding.
    #[doc(hidden)]
    pub const fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Dim(a), Self::Dim(b)) | (Self::PaddedWidth(a), Self::PaddedWidth(b)) => a == b,
            (Self::TileEntry(tile, a), Self::TileEntry(other, b)) => tile == other && a == b,
            _ => false,
        }
    }
}

impl Problem {
    /// What is wrong.
    pub const fn message(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::OrderLength { len, proposed } => {
                let text = text.str("the array has ").count(proposed.len(), "dimension");
                text.str(", but minor_to_major lists ").num(len)
            }
            Self::OrderOutOfRange { dim, proposed, .. } => {
                let text = text.str("dimension ").int(dim).str(" does not exist: the array has ");
                text.count(proposed.len(), "dimension")
            }
            Self::OrderDuplicate { dim, .. } => {
                text.str("dimension ").num(dim).str(" is listed twice in minor_to_major")
            }
            Self::TileEmpty { .. } => text.str("a tile needs at least one size"),
            Self::TileSize { size, .. } => text.str("a tile size must be positive, but this one is ").int(size),
            Self::CombineMinor { .. } => {
                text.str("`*` cannot be the most minor size of a tile: there is no dimension to combine it with")
            }
            Self::TailAlignment { n } => text.str("a tail alignment must be positive, but this one is ").int(n),
            Self::ElementBitsNarrow { bits, dtype } => {
                let text = text.str("`E(").num(bits).str(")` cannot hold an element of `").str(dtype.name());
                text.str("`, which has ").count(dtype.bits(), "bit")
            }
            Self::ElementBitsWidth { bits, .. } => {
                text.str("an element cannot be stored in ").int(bits).str(" bits")
            }
            Self::MemorySpace { n } => {
                text.str("memory space ").int(n).str(" is not between 0 and ").num(MAX_MEMORY_SPACE)
            }
            Self::SplitOutOfRange { dimension, rank, .. } => {
                let text = text.str("physical dimension ").int(dimension).str(" does not exist: the array has ");
                text.count(rank, "dimension")
            }
            Self::SplitDuplicate { dimension, .. } => {
                text.str("physical dimension ").num(dimension).str(" is split twice")
            }
            Self::SplitOrder { index, previous: 0, .. } => {
                text.str("a split index must be positive, but this one is ").int(index)
            }
            Self::SplitOrder { index, previous, .. } => {
                text.str("split indices must increase, but ").int(index).str(" follows ").num(previous)
            }
            Self::SplitIndex { index, dim, size, .. } => {
                let text = text.str("split index ").num(index).str(" is out of bounds: dimension ");
                text.num(dim).str(" has size ").num(size)
            }
            Self::PaddedLength { rank, len } => {
                let text = text.str("the array has ").count(rank, "dimension");
                text.str(", but `padded to` lists ").num(len)
            }
            Self::PaddedWidth { dim, width, size } => {
                let text = text.str("dimension ").num(dim).str(" has size ").num(size);
                text.str(" and cannot be padded to ").int(width)
            }
            Self::PaddedValue { value, dtype } => {
                text.str("`").str(dtype.name()).str("` has no value `").str(value.name()).str("` to pad with")
            }
            Self::PrefixBytes { n } => text.str("a buffer cannot start with ").int(n).str(" bytes of sizes"),
            Self::DimSize { dim, size } if size < 0 => {
                text.str("dimension ").num(dim).str(" cannot have the negative size ").int(size)
            }
            Self::DimSize { dim, size } => {
                let text = text.str("dimension ").num(dim).str(" has size ").int(size);
                text.str(", more than fits in the address space")
            }
            Self::UnboundedWidth { dim } => {
                text.str("dimension ").num(dim).str(" is unbounded, so it can be neither padded nor split")
            }
            Self::Bound { dim } => {
                let text = text.str("dimension ").num(dim);
                text.str(" cannot be bounded or unbounded as stated")
            }
            Self::Overflow { bytes: 0 } => {
                text.str("the array has no elements, but its other sizes multiply to more than fits in the address space")
            }
            Self::Overflow { bytes } if bytes <= isize::MAX as u128 => {
                let text = text.str("the array takes ").int(bytes as i128);
                text.str(" bytes, and with its padding more than fits in the address space")
            }
            Self::Overflow { bytes } if bytes <= i128::MAX as u128 => {
                let text = text.str("the array takes ").int(bytes as i128);
                text.str(" bytes, more than fits in the address space")
            }
            Self::Overflow { .. } => text.str("the array takes more bytes than fit in the address space"),
        }
    }

    /// Whether the array fits the address space without its padding.
    const fn is_padding(&self) -> bool {
        matches!(self, Self::Overflow { bytes } if *bytes <= isize::MAX as u128)
    }

    /// What to write instead.
    pub const fn help(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::OrderLength { proposed, .. }
            | Self::OrderOutOfRange { proposed, .. }
            | Self::OrderDuplicate { proposed, .. } => {
                if proposed.is_empty() {
                    return text.str("a scalar has an empty minor_to_major: `{:T(128)}`");
                }
                text.str("did you mean `{").list(proposed.as_slice()).str("}`?")
            }
            Self::TileEmpty { .. } => text.str("give it sizes, `T(8,128)`, or leave it out"),
            Self::TileSize { .. } => text.str("write 1 where a dimension is not tiled"),
            Self::CombineMinor { .. } => text.str("a size follows the last `*`: `T(*,128)`"),
            Self::MemorySpace { .. } => {
                text.str("HBM needs no `S`, VMEM is `S(1)`, the host is `S(5)`")
            }
            Self::SplitOutOfRange { rank, .. } if rank > 0 => {
                let text =
                    text.str("physical dimensions are numbered from the most major one, 0, to ");
                text.num(rank - 1)
            }
            Self::SplitOutOfRange { .. } => text.str("a scalar cannot be split: leave `SC` out"),
            Self::SplitDuplicate { .. } => {
                text.str("list all indices of a dimension in one group: `SC(0:30,60)`")
            }
            Self::SplitOrder { .. } => {
                text.str("list the indices in ascending order, each once: `SC(0:30,60)`")
            }
            Self::SplitIndex { size, .. } if size > 1 => {
                text.str("an index is between 1 and ").num(size - 1)
            }
            Self::SplitIndex { .. } => text.str("a dimension of this size cannot be split"),
            Self::PaddedLength { rank, .. } => {
                text.str("write ").count(rank, "width").str(", one for each dimension")
            }
            Self::PaddedWidth { size, .. } => text.str("write ").num(size).str(" or more"),
            Self::PrefixBytes { .. } => text.str("leave `M` out where no sizes precede the data"),
            Self::DimSize { size, .. } if size < 0 => {
                text.str("write the size, or a bound of it: `<=784`")
            }
            Self::UnboundedWidth { .. } => text.str("give it a bound: `<=784`"),
            Self::Bound { .. } => text
                .str("the dimension must exist, and is either bounded, or unbounded and of size 0"),
            Self::Overflow { bytes: 1.. } if self.is_padding() => {
                text.str("choose smaller tiles or widths")
            }
            Self::DimSize { .. } | Self::Overflow { .. } => text.str(
                "no memory is large enough for this array: write the sizes of one device's part",
            ),
            Self::TailAlignment { .. } => {
                text.str("leave `L` out where the end needs no alignment")
            }
            Self::ElementBitsNarrow { dtype, .. } | Self::ElementBitsWidth { dtype, .. } => {
                let text = text.str("`").str(dtype.name()).str("` can be stored in ");
                let mut widths = [0; DType::STORED_WIDTHS.len()];
                let (mut n, mut i) = (0, 0);
                while i < widths.len() {
                    if DType::STORED_WIDTHS[i] >= dtype.bits() {
                        widths[n] = DType::STORED_WIDTHS[i];
                        n += 1;
                    }
                    i += 1;
                }
                text.choice(widths.split_at(n).0).str(" bits")
            }
            Self::PaddedValue { dtype, .. } => {
                let mut names = [""; PaddingValue::ALL.len()];
                let (mut n, mut i) = (0, 0);
                while i < names.len() {
                    if dtype.padding_bits(PaddingValue::ALL[i]).is_some() {
                        names[n] = PaddingValue::ALL[i].name();
                        n += 1;
                    }
                    i += 1;
                }
                let text = text.str("`").str(dtype.name()).str("` can be padded with ");
                text.choice_of_names(names.split_at(n).0)
            }
        }
    }

    /// The part of the layout that the problem is about.
    pub const fn subject(&self) -> Subject {
        match *self {
            Self::OrderLength { .. } => Subject::Order,
            Self::OrderOutOfRange { at, .. } | Self::OrderDuplicate { at, .. } => {
                Subject::OrderEntry(at)
            }
            Self::TileEmpty { tile } => Subject::Tile(tile),
            Self::TileSize { tile, at, .. } | Self::CombineMinor { tile, at } => {
                Subject::TileEntry(tile, at)
            }
            Self::TailAlignment { .. } => Subject::TailAlignment,
            Self::ElementBitsNarrow { .. } | Self::ElementBitsWidth { .. } => Subject::ElementBits,
            Self::MemorySpace { .. } => Subject::MemorySpace,
            Self::SplitOutOfRange { split, .. } | Self::SplitDuplicate { split, .. } => {
                Subject::SplitDimension(split)
            }
            Self::SplitOrder { split, at, .. } | Self::SplitIndex { split, at, .. } => {
                Subject::SplitIndex(split, at)
            }
            Self::PaddedLength { .. } => Subject::Padded,
            Self::PaddedWidth { dim, .. } => Subject::PaddedWidth(dim),
            Self::PaddedValue { .. } => Subject::PaddedValue,
            Self::PrefixBytes { .. } => Subject::PrefixBytes,
            Self::UnboundedWidth { dim } | Self::Bound { dim } | Self::DimSize { dim, .. } => {
                Subject::Dim(dim)
            }
            Self::Overflow { .. } => Subject::Dims,
        }
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Problem {}

/// Does nothing if a layout is valid, and otherwise panics, which is a compile error in const evaluation.
///
/// ```should_panic
/// use tensor_layout::{DType, tiled::{Draft, List, checked}};
/// let mut draft = Draft::row_major(DType::F32, List::of(&[3, 5]).unwrap());
/// draft.memory_space = 300;
/// checked(&draft.validate());                                     // does not compile in a `const`
/// ```
///
/// # Panics
/// If the layout breaks a rule, with the message of the rule.
#[track_caller]
pub const fn checked(validated: &Result<TiledSpec, Problem>) {
    if let Err(problem) = validated {
        let (message, help) = (problem.message(), problem.help());
        if help.is_empty() {
            panic!("{}", message.as_str())
        }
        let text = Text::new().str(message.as_str()).str("; ").str(help.as_str());
        panic!("{}", text.as_str())
    }
}
