use super::MAX_RANK;
use super::expr::LevelExpr;
use super::format::{LevelFormat, Properties};
use super::problem::Problem;
use super::scalar::Scalar;
use crate::list::List;
use crate::parts::Inverse;

/// The largest number of levels of an encoding.
pub const MAX_LEVELS: usize = crate::parts::MAX_FORM_PARTS;

/// One level of storage: the part of an index that it holds, and how it stores that part.
///
/// ```
/// use tensor_layout::sparse::{LevelExpr, LevelFormat, SparseEncoding};
/// let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed(nonunique))".parse()?;
/// let level = csr.levels()[1];
/// assert_eq!((level.expr, level.format), (LevelExpr::dim(1), LevelFormat::Compressed));
/// assert!(level.properties.nonunique);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LevelSpec {
    /// The part of an index that the level holds.
    pub expr: LevelExpr,
    /// How the level stores its coordinates.
    pub format: LevelFormat,
    /// What the level does not guarantee about its coordinates.
    pub properties: Properties,
}

impl LevelSpec {
    #[doc(hidden)]
    pub const FILLER: Self =
        Self { expr: LevelExpr::dim(0), format: LevelFormat::Dense, properties: Properties::NONE };
}

/// A slice of a dimension: `slice(0, 8, ?)`. `None` for `?`.
///
/// ```
/// use tensor_layout::sparse::{DimSlice, SparseEncoding};
/// let text = "(i : #sparse_tensor<slice(0, 8, ?)>) -> (i : compressed)";
/// let slice: SparseEncoding = text.parse()?;
/// assert_eq!(slice.slices().unwrap(), [DimSlice { offset: Some(0), size: Some(8), stride: None }]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DimSlice {
    /// The first coordinate.
    pub offset: Option<usize>,
    /// Number of coordinates.
    pub size: Option<usize>,
    /// The distance from one coordinate to the next.
    pub stride: Option<usize>,
}

impl DimSlice {
    /// The slice of a dimension without one if others have one, as in MLIR: `slice(0, ?, 1)`.
    pub const WHOLE: Self = Self { offset: Some(0), size: None, stride: Some(1) };
}

/// An encoding as written: nothing is checked yet. [`SparseDraft::validate`] turns it into a [`SparseEncoding`].
///
/// ```
/// use tensor_layout::sparse::{LevelExpr, LevelFormat, LevelSpec, Properties, SparseDraft};
/// let level = |dim, format| LevelSpec { expr: LevelExpr::dim(dim), format, properties: Properties::NONE };
/// let mut draft = SparseDraft::new(2);
/// draft.levels = draft.levels.push(level(0, LevelFormat::Dense)).unwrap();
/// assert!(draft.validate().is_err());                             // no level holds `d1`
/// draft.levels = draft.levels.push(level(1, LevelFormat::Compressed)).unwrap();
/// assert_eq!(draft.validate().unwrap(), "(i, j) -> (i : dense, j : compressed)".parse()?);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SparseDraft {
    /// Number of dimensions.
    pub rank: usize,
    /// The levels, outermost first.
    pub levels: List<LevelSpec, MAX_LEVELS>,
    /// `posWidth`: bits of a position, 0 for the width of a pointer.
    pub position_bits: usize,
    /// `crdWidth`: bits of a coordinate, 0 for the width of a pointer.
    pub coordinate_bits: usize,
    /// `explicitVal`: the value that all stored entries have.
    pub explicit: Option<Scalar>,
    /// `implicitVal`: the value of all elements that are not stored, which must be zero.
    pub implicit: Option<Scalar>,
    /// The slice of each dimension, if this is the encoding of a slice.
    pub slices: Option<[DimSlice; MAX_RANK]>,
    /// `padded = false`: blocks must divide the dimensions.
    pub exact: bool,
}

impl SparseDraft {
    /// An encoding of `rank` dimensions, without any levels yet.
    pub const fn new(rank: usize) -> Self {
        Self {
            rank,
            levels: List::new(LevelSpec::FILLER),
            position_bits: 0,
            coordinate_bits: 0,
            explicit: None,
            implicit: None,
            slices: None,
            exact: false,
        }
    }

    /// Checks every rule.
    ///
    /// # Errors
    /// The first rule that the encoding breaks.
    pub const fn validate(self) -> Result<SparseEncoding, Problem> {
        let (problems, inverse) = self.check();
        match (problems.first(), inverse) {
            (None, Some(inverse)) => Ok(SparseEncoding { draft: self, inverse }),
            (Some(problem), _) => Err(problem),
            // Without an inverse there is a problem, so this cannot happen.
            (None, None) => Err(Problem::NoLevels),
        }
    }
}

/// How a sparse tensor is stored: MLIR's `#sparse_tensor.encoding`, checked.
///
/// Reads MLIR's text (`FromStr`) and prints its canonical text (`Display`).
///
/// ```
/// use tensor_layout::sparse::SparseEncoding;
/// let csr: SparseEncoding = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
/// assert_eq!(csr.to_string(), "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>");
/// assert_eq!((csr.rank(), csr.levels().len()), (2, 2));
///
/// // What MLIR rejects is an error with its position, and so is what MLIR accepts but handles wrongly.
/// let error = "(i, j) -> (i floordiv 2 : dense, j : compressed)".parse::<SparseEncoding>().unwrap_err();
/// assert_eq!(error.to_string(), "1:12: no level holds `i mod 2`, without which `i` cannot be found \
///     (help: add the level `i mod 2 : dense`)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SparseEncoding {
    draft: SparseDraft,
    inverse: Inverse,
}

impl SparseEncoding {
    /// The encoding as written.
    pub const fn draft(&self) -> &SparseDraft {
        &self.draft
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.draft.rank
    }

    /// The levels, outermost first.
    pub const fn levels(&self) -> &[LevelSpec] {
        self.draft.levels.as_slice()
    }

    /// How the dimensions are computed from the coordinates of the levels.
    pub const fn inverse(&self) -> &Inverse {
        &self.inverse
    }

    /// Whether this is the encoding of a slice, which has no storage of its own.
    pub const fn is_slice(&self) -> bool {
        self.draft.slices.is_some()
    }

    /// The slice of each dimension, if this is the encoding of a slice.
    pub fn slices(&self) -> Option<&[DimSlice]> {
        self.draft.slices.as_ref().map(|slices| &slices[..self.rank()])
    }

    /// Whether a level counts the entries of a row, as in ELL.
    pub const fn counts(&self) -> bool {
        self.count_level().is_some()
    }

    /// Whether the number of entries in a row is limited, as in ELL and in 2:4 sparsity.
    pub fn is_bounded(&self) -> bool {
        let bounded = |level: &LevelSpec| matches!(level.format, LevelFormat::Structured { .. });
        self.counts() || self.levels().iter().any(bounded)
    }

    /// The level that counts, if there is one.
    #[doc(hidden)]
    pub const fn count_level(&self) -> Option<usize> {
        let mut level = 0;
        while level < self.levels().len() {
            if matches!(self.levels()[level].expr, LevelExpr::Count { .. }) {
                return Some(level);
            }
            level += 1;
        }
        None
    }

    /// Number of leading batch levels.
    pub const fn batch_levels(&self) -> usize {
        let mut level = 0;
        while level < self.levels().len()
            && matches!(self.levels()[level].format, LevelFormat::Batch)
        {
            level += 1;
        }
        level
    }

    /// Whether a coordinate of a level can be below zero.
    pub const fn is_signed(&self) -> bool {
        let mut level = 0;
        while level < self.levels().len() {
            if self.levels()[level].expr.is_signed() {
                return true;
            }
            level += 1;
        }
        false
    }

    /// Whether a position in storage may have no index in the array: the padding of a block, the part of a diagonal outside
    /// of the array, or a slot of an array without columns.
    pub const fn overhangs(&self) -> bool {
        if self.counts() {
            return true;
        }
        let mut level = 0;
        while level < self.levels().len() {
            if let LevelExpr::Part { form, .. } = &self.levels()[level].expr
                && (self.levels()[level].expr.is_split() || form.terms() > 1)
            {
                return true;
            }
            if let LevelFormat::Structured { .. } = self.levels()[level].format {
                return true;
            }
            level += 1;
        }
        false
    }

    /// Whether zeros that are not entries may be stored: below a full level, or as padding.
    pub const fn fills(&self) -> bool {
        let last = self.levels().len() - 1;
        let mut level = 0;
        while level <= last {
            let format = self.levels()[level].format;
            if matches!(format, LevelFormat::Structured { .. } | LevelFormat::Delta { .. })
                || (format.is_full() && level == last)
            {
                return true;
            }
            level += 1;
        }
        self.counts() || self.batch_levels() > 0
    }

    /// Whether entries must differ in their coordinates down to `level`, a `singleton` that is not `nonunique` and has further
    /// levels below it. Each entry has its own position there, so the encoding does not guarantee the difference; it is checked
    /// when a tensor is built.
    #[doc(hidden)]
    pub const fn tells_apart(&self, level: usize) -> bool {
        let this = &self.levels()[level];
        matches!(this.format, LevelFormat::Singleton)
            && !this.properties.nonunique
            && level + 1 < self.levels().len()
    }

    /// Whether the positions of `level` below one position of the level above, or below adjacent ones with the same coordinates,
    /// all differ in their coordinates. On a `singleton` each entry has its own position; if the singleton is the last level,
    /// entries of one index may repeat a coordinate.
    pub(crate) const fn is_unique(&self, level: usize) -> bool {
        let this = &self.levels()[level];
        match this.format {
            LevelFormat::Singleton => self.tells_apart(level),
            _ => !this.properties.nonunique,
        }
    }

    /// Whether several positions may have the same index: those of a `nonunique` level, or the empty slots of a row.
    #[doc(hidden)]
    pub const fn repeats(&self) -> bool {
        self.counts() || self.first_nonunique() < self.levels().len()
    }

    /// Whether one of several positions with the same index may be without an entry.
    #[doc(hidden)]
    pub const fn repeats_fill(&self) -> bool {
        let mut level = self.first_nonunique();
        while level < self.levels().len() {
            let format = self.levels()[level].format;
            if format.is_full() || matches!(format, LevelFormat::Delta { .. }) {
                return true;
            }
            level += 1;
        }
        self.counts()
    }

    /// The first `nonunique` level; the number of levels if there is none.
    const fn first_nonunique(&self) -> usize {
        let mut level = 0;
        while level < self.levels().len() && !self.levels()[level].properties.nonunique {
            level += 1;
        }
        level
    }

    /// Whether `level` is the last level of an encoding that counts: it has a coordinate for every slot, empty ones included.
    #[doc(hidden)]
    pub const fn is_padded(&self, level: usize) -> bool {
        self.counts() && level + 1 == self.levels().len()
    }

    /// The number of levels in the run that starts at `level`: a compressed level and the singletons below it that are not
    /// `soa`, whose coordinates alternate in one array in MLIR's view. 1 if no run starts there.
    pub const fn interleaved(&self, level: usize) -> usize {
        let levels = self.levels();
        if !levels[level].format.has_positions() {
            return 1;
        }
        let mut end = level + 1;
        while end < levels.len()
            && matches!(levels[end].format, LevelFormat::Singleton)
            && !levels[end].properties.soa
        {
            end += 1;
        }
        end - level
    }
}
