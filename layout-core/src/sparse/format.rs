use crate::text::Text;

/// How a level stores its coordinates.
///
/// ```
/// use tensor_layout::sparse::{LevelFormat, SparseEncoding};
/// let text = "(i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4])";
/// let two_of_four: SparseEncoding = text.parse()?;
/// assert_eq!(two_of_four.levels()[2].format, LevelFormat::Structured { n: 2, m: 4 });
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LevelFormat {
    /// Every coordinate has a position, so that no coordinate is stored.
    Dense,
    /// Dense, with separate storage below each coordinate.
    Batch,
    /// Positions delimit a segment of coordinates for each parent.
    Compressed,
    /// Compressed, but both ends of each segment are stored, so that there may be gaps between segments.
    LooseCompressed,
    /// One coordinate for each parent. If further levels follow and the level is not `nonunique`, no two entries have the same
    /// coordinates down to it. The encoding does not guarantee this, so it is checked when a tensor is built.
    Singleton,
    /// `n` of every `m` coordinates: `structured[2, 4]`. The coordinates must be less than `m`.
    Structured {
        /// Coordinates stored for each parent.
        n: usize,
        /// The number of coordinates of each parent; `n` of them are stored.
        m: usize,
    },
    /// All coordinates of a dimension, in order, below a level of diagonals.
    Range,
    /// Compressed, but each coordinate is stored as the gap after the coordinate before it, in `bits` bits.
    Delta {
        /// Bits of a gap.
        bits: usize,
    },
}

impl LevelFormat {
    /// The names that the notation uses.
    pub const NAMES: [&str; 8] = [
        "dense",
        "batch",
        "compressed",
        "loose_compressed",
        "singleton",
        "structured",
        "range",
        "delta",
    ];

    /// The name in the notation, without sizes.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[match self {
            Self::Dense => 0,
            Self::Batch => 1,
            Self::Compressed => 2,
            Self::LooseCompressed => 3,
            Self::Singleton => 4,
            Self::Structured { .. } => 5,
            Self::Range => 6,
            Self::Delta { .. } => 7,
        }]
    }

    /// Whether every coordinate of the level has a position, so that none is stored.
    pub const fn is_full(&self) -> bool {
        matches!(self, Self::Dense | Self::Batch | Self::Range)
    }

    /// Whether the level stores positions.
    pub const fn has_positions(&self) -> bool {
        matches!(self, Self::Compressed | Self::LooseCompressed | Self::Delta { .. })
    }

    /// Whether the level stores coordinates.
    pub const fn has_coordinates(&self) -> bool {
        !self.is_full()
    }

    /// Whether the format can have properties.
    pub(crate) const fn takes_properties(&self) -> bool {
        matches!(self, Self::Compressed | Self::LooseCompressed | Self::Singleton)
    }

    /// Appends the format in MLIR's notation.
    pub(crate) const fn write(&self, text: Text) -> Text {
        let text = text.str(self.name());
        match *self {
            Self::Structured { n, m } => text.str("[").num(n).str(", ").num(m).str("]"),
            Self::Delta { bits } => text.str("[").num(bits).str("]"),
            _ => text,
        }
    }
}

/// What a level does not guarantee about its coordinates, and how those of a singleton are stored.
///
/// ```
/// use tensor_layout::sparse::{Properties, SparseEncoding};
/// let coo: SparseEncoding = "(i, j) -> (i : compressed(nonunique), j : singleton(soa))".parse()?;
/// assert_eq!(coo.levels()[1].properties, Properties { soa: true, ..Properties::NONE });
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Properties {
    /// A coordinate may be stored several times.
    pub nonunique: bool,
    /// Coordinates may be in any order.
    pub nonordered: bool,
    /// The coordinates of a singleton are in a separate array, instead of alternating with those of its parent.
    pub soa: bool,
}

impl Properties {
    /// No properties: all guarantees hold.
    pub const NONE: Self = Self { nonunique: false, nonordered: false, soa: false };

    /// The names in the notation, in the order in which they are printed.
    pub const NAMES: [&str; 3] = ["nonunique", "nonordered", "soa"];

    /// Which of [`Properties::NAMES`] are given.
    pub const fn given(&self) -> [bool; 3] {
        [self.nonunique, self.nonordered, self.soa]
    }

    /// Whether no property is given.
    pub const fn is_empty(&self) -> bool {
        !(self.nonunique || self.nonordered || self.soa)
    }
}
