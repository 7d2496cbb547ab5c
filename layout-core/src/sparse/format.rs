use crate::text::Text;

/// How a level stores its coordinates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LevelFormat {
    /// Every coordinate, so that none has to be stored.
    Dense,
    /// Dense, with separate storage below each coordinate.
    Batch,
    /// Positions delimit a segment of coordinates for each parent.
    Compressed,
    /// The same, but both ends of each segment are stored, so that there may be gaps between segments.
    LooseCompressed,
    /// One coordinate for each parent. With further levels below it, and unless it is `nonunique`, no two entries have the
    /// same coordinates down to it. That is checked when a tensor is built, since it does not follow from the encoding.
    Singleton,
    /// `n` of every `m` coordinates: `structured[2, 4]`. What it holds of an index must be less than `m`.
    Structured {
        /// Coordinates stored for each parent.
        n: usize,
        /// Coordinates to choose from.
        m: usize,
    },
    /// Below a diagonal: the coordinates of a dimension in order, as many as it has.
    Range,
    /// Compressed, but with the gap to the coordinate before instead of the coordinate, in this many bits.
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

    /// The name, without sizes.
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

    /// Whether the level has positions.
    pub const fn has_positions(&self) -> bool {
        matches!(self, Self::Compressed | Self::LooseCompressed | Self::Delta { .. })
    }

    /// Whether the level has coordinates.
    pub const fn has_coordinates(&self) -> bool {
        !self.is_full()
    }

    /// Whether it takes properties.
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Properties {
    /// A coordinate may be stored several times.
    pub nonunique: bool,
    /// Coordinates may be in any order.
    pub nonordered: bool,
    /// The coordinates of a singleton have an array of their own, and do not alternate with those of its parent.
    pub soa: bool,
}

impl Properties {
    /// All guarantees hold.
    pub const NONE: Self = Self { nonunique: false, nonordered: false, soa: false };

    /// The names that the notation uses, in the order in which they print.
    pub const NAMES: [&str; 3] = ["nonunique", "nonordered", "soa"];

    /// Which of [`Properties::NAMES`] are given.
    pub const fn given(&self) -> [bool; 3] {
        [self.nonunique, self.nonordered, self.soa]
    }

    /// Whether nothing is given.
    pub const fn is_empty(&self) -> bool {
        !(self.nonunique || self.nonordered || self.soa)
    }
}
