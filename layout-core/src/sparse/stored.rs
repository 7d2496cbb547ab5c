//! A sparse tensor as one range of bytes: its arrays, one after the other.

use super::encoding::MAX_LEVELS;
use super::problem::Problem;
use super::scalar::ScalarType;
use super::syntax::{EncodingSyntax, literal, lower_encoding, parse_encoding};
use super::{MAX_RANK, SparseEncoding, SparseTensorSpec};
use crate::dtype::DType;
use crate::syntax::{Cursor, Diagnostics, Kind, ParseError, Parsed, Span, read_text};
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;

/// An array of a sparse tensor.
///
/// ```
/// use tensor_layout::sparse::{SparseArray, StoredSparseSpec};
/// let spec: StoredSparseSpec = "tensor<8xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>> \
///     with 2 positions(0), 3 coordinates(0), 3 values".parse()?;
/// assert_eq!(spec.range(SparseArray::Positions(0)), 0..16);
/// assert_eq!(spec.range(SparseArray::Values), 128..140);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SparseArray {
    /// The positions of a level.
    Positions(usize),
    /// The coordinates of a level.
    Coordinates(usize),
    /// The values.
    Values,
}

/// Why a sparse tensor cannot be stored as one range of bytes.
///
/// ```
/// use tensor_layout::sparse::{SparseTensorSpec, StoredProblem, StoredSparseSpec};
/// let open: SparseTensorSpec = "tensor<?xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>".parse()?;
/// let problem = StoredSparseSpec::new(open, &[(2, 3)], 3).unwrap_err();
/// assert_eq!(problem, StoredProblem::OpenSize { dim: 0 });
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoredProblem {
    /// The encoding cannot store an array of this shape.
    #[error("{0}")]
    Shape(Box<Problem>),
    /// A size is not known.
    #[error("dimension {dim} has no size, but a stored tensor needs all sizes")]
    OpenSize {
        /// The dimension.
        dim: usize,
    },
    /// A slice has no storage of its own.
    #[error("the encoding describes a slice, which has no storage of its own")]
    Slice,
    /// The values have a type that arrays cannot store.
    #[error("no array of `{0}` is stored")]
    Element(ScalarType),
    /// There are more or fewer levels than the encoding has.
    #[error("the encoding has {expected} levels, but there are arrays of {found}")]
    Levels {
        /// The number of levels.
        expected: usize,
        /// The number of levels that are given.
        found: usize,
    },
    /// The arrays do not fit the address space.
    #[error("the number of bytes overflows")]
    Overflow,
}

/// The type of a sparse tensor and the lengths of its arrays. Together they describe its bytes: the arrays follow one another, and
/// each starts at a multiple of 64 bytes.
///
/// The arrays are the positions and the coordinates of each level, followed by the values. Positions and coordinates have the
/// widths of the encoding, or 64 bits if it does not set the width. All numbers are little-endian.
///
/// ```
/// use tensor_layout::sparse::{SparseArray, StoredSparseSpec};
/// let text = "tensor<2x3xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), \
///     posWidth = 32, crdWidth = 16 }>> with 3 positions(1), 4 coordinates(1), 4 values";
/// let spec: StoredSparseSpec = text.parse()?;
/// assert_eq!(spec.to_string(), text);
/// assert_eq!(spec.range(SparseArray::Coordinates(1)), 64..72);
/// assert_eq!(spec.bytes(), 128 + 4 * 8);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StoredSparseSpec {
    tensor: SparseTensorSpec,
    element: DType,
    dims: [usize; MAX_RANK],
    /// The lengths of the positions and the coordinates of each level, followed by the length of the values.
    lengths: [usize; 2 * MAX_LEVELS + 1],
}

impl StoredSparseSpec {
    /// The alignment of the start of each array, in bytes.
    pub const ALIGNMENT: usize = 64;

    /// A tensor with arrays of these lengths: the lengths of the positions and the coordinates of each level, in stored words, and
    /// the length of the values. Whether a tensor can have arrays of these lengths is checked only when the arrays are passed.
    ///
    /// # Errors
    /// If a size is open, if the encoding cannot store a tensor of the type, or if the arrays do not fit the address space.
    pub fn new(
        tensor: SparseTensorSpec,
        levels: &[(usize, usize)],
        values: usize,
    ) -> Result<Self, StoredProblem> {
        let encoding = tensor.encoding();
        let (expected, found) = (encoding.levels().len(), levels.len());
        if expected != found {
            return Err(StoredProblem::Levels { expected, found });
        }
        if encoding.is_slice() {
            return Err(StoredProblem::Slice);
        }
        let mut dims = [0; MAX_RANK];
        for (dim, (to, size)) in dims.iter_mut().zip(tensor.sizes()).enumerate() {
            *to = size.ok_or(StoredProblem::OpenSize { dim })?;
        }
        let ty = tensor.element();
        let problems = encoding.array_problems(tensor.sizes(), Some(ty));
        if let Some(problem) = problems.into_iter().next() {
            return Err(StoredProblem::Shape(Box::new(problem)));
        }
        let element = ty.dtype().ok_or(StoredProblem::Element(ty))?;
        let mut lengths = [0; 2 * MAX_LEVELS + 1];
        for (level, (positions, coordinates)) in levels.iter().enumerate() {
            lengths[2 * level] = *positions;
            lengths[2 * level + 1] = *coordinates;
        }
        lengths[2 * MAX_LEVELS] = values;
        let spec = Self { tensor, element, dims, lengths };
        match spec.checked_bytes() {
            Some(_) => Ok(spec),
            None => Err(StoredProblem::Overflow),
        }
    }

    /// The type of the tensor. All its sizes are known.
    pub const fn tensor(&self) -> &SparseTensorSpec {
        &self.tensor
    }

    /// The encoding.
    pub const fn encoding(&self) -> &SparseEncoding {
        self.tensor.encoding()
    }

    /// The sizes of the dimensions.
    pub fn dims(&self) -> &[usize] {
        &self.dims[..self.encoding().rank()]
    }

    /// The type of the values. MLIR's integers, which are signless, count as signed.
    pub const fn element(&self) -> DType {
        self.element
    }

    /// The arrays in the order of their bytes, including those of length 0.
    pub fn arrays(&self) -> impl Iterator<Item = SparseArray> + use<> {
        let levels = self.encoding().levels().len();
        let level = |level| [SparseArray::Positions(level), SparseArray::Coordinates(level)];
        (0..levels).flat_map(level).chain([SparseArray::Values])
    }

    /// The length of an array.
    ///
    /// # Panics
    /// If there is no such level.
    pub const fn len(&self, array: SparseArray) -> usize {
        self.lengths[match array {
            SparseArray::Positions(level) => 2 * level,
            SparseArray::Coordinates(level) => 2 * level + 1,
            SparseArray::Values => 2 * MAX_LEVELS,
        }]
    }

    /// Whether no value is stored.
    pub const fn is_empty(&self) -> bool {
        self.len(SparseArray::Values) == 0
    }

    /// The number of bytes of an element of an array. Coordinates of two bits are stored four to a byte.
    pub const fn width(&self, array: SparseArray) -> usize {
        let draft = self.encoding().draft();
        let bits = match array {
            SparseArray::Positions(_) => draft.position_bits,
            SparseArray::Coordinates(_) => draft.coordinate_bits,
            SparseArray::Values => return self.element.byte_width(),
        };
        if bits == 0 { 8 } else { bits.div_ceil(8) }
    }

    /// The range of the bytes of an array.
    ///
    /// # Panics
    /// If there is no such level.
    pub fn range(&self, array: SparseArray) -> Range<usize> {
        let mut end = 0_usize;
        for before in self.arrays() {
            let bytes = self.len(before) * self.width(before);
            if before == array {
                let start = if bytes == 0 { end } else { end.next_multiple_of(Self::ALIGNMENT) };
                return start..start + bytes;
            }
            if bytes > 0 {
                end = end.next_multiple_of(Self::ALIGNMENT) + bytes;
            }
        }
        panic!("the tensor has no {array}")
    }

    /// The number of bytes of all arrays, and of the gaps between them.
    pub fn bytes(&self) -> usize {
        // `new` has checked that the sum does not overflow.
        self.checked_bytes().unwrap_or(usize::MAX)
    }

    fn checked_bytes(&self) -> Option<usize> {
        let end = self.arrays().try_fold(0_usize, |end, array| {
            let bytes = self.len(array).checked_mul(self.width(array))?;
            if bytes == 0 {
                return Some(end);
            }
            end.checked_next_multiple_of(Self::ALIGNMENT)?.checked_add(bytes)
        })?;
        (end <= isize::MAX as usize).then_some(end)
    }
}

/// Prints the array as in the text of a [`StoredSparseSpec`]: `positions(1)`.
impl fmt::Display for SparseArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positions(level) => write!(f, "positions({level})"),
            Self::Coordinates(level) => write!(f, "coordinates({level})"),
            Self::Values => f.write_str("values"),
        }
    }
}

/// Prints the canonical text: MLIR's text of the type, the lengths of the arrays that are not empty, and the length of the values.
impl fmt::Display for StoredSparseSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with ", self.tensor)?;
        for array in self.arrays() {
            match (self.len(array), array) {
                (values, SparseArray::Values) => write!(f, "{values} values")?,
                (0, _) => {}
                (len, array) => write!(f, "{len} {array}, ")?,
            }
        }
        Ok(())
    }
}

/// A stored tensor as written.
struct StoredSyntax<S> {
    tensor: EncodingSyntax<S>,
    start: S,
    arrays: Vec<(SparseArray, usize, S)>,
}

const LENGTHS: &str =
    "write the lengths of the arrays: `3 positions(1), 4 coordinates(1), 4 values`";

impl FromStr for StoredSparseSpec {
    type Err = ParseError;

    /// Reads MLIR's text of a tensor type, `with`, and the lengths of its arrays. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read_text(text, "the lengths", |cursor| stored(cursor).ok(), lower)
    }
}

fn stored<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<StoredSyntax<S>> {
    let start = cursor.span();
    if !cursor.is_word("tensor") {
        let help = "write `tensor<4x6xf64, #sparse_tensor.encoding<{ .. }>> with ..`";
        return Err(cursor.unexpected_with_help("the type of a tensor", help));
    }
    let tensor = parse_encoding(cursor).ok_or(crate::syntax::Stop)?;
    cursor.expect_word("with")?;
    let mut arrays = Vec::new();
    loop {
        let span = cursor.span();
        let len = length(cursor)?;
        let Some(Kind::Word(name)) = cursor.peek() else {
            return Err(cursor.unexpected_with_help("the name of an array", LENGTHS));
        };
        let of_level = match name.as_str() {
            "positions" => SparseArray::Positions,
            "coordinates" => SparseArray::Coordinates,
            "values" => {
                cursor.next();
                arrays.push((SparseArray::Values, len, span));
                return Ok(StoredSyntax { tensor, start, arrays });
            }
            _ => return Err(cursor.unexpected_with_help("the name of an array", LENGTHS)),
        };
        cursor.next();
        cursor.expect(&Kind::Open('('))?;
        let level = length(cursor)?;
        cursor.expect(&Kind::Close(')'))?;
        cursor.expect(&Kind::Symbol(','))?;
        arrays.push((of_level(level), len, span));
    }
}

fn length<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<usize> {
    let span = cursor.span();
    let text = literal(cursor, "a number")?;
    text.parse().map_err(|_| {
        cursor.report(span, format!("`{text}` is not a length"), LENGTHS);
        crate::syntax::Stop
    })
}

fn lower(
    syntax: &StoredSyntax<usize>,
    diagnostics: &mut Diagnostics<usize>,
) -> Option<StoredSparseSpec> {
    let encoding = lower_encoding(&syntax.tensor, diagnostics)?;
    let tensor = syntax.tensor.tensor.as_ref()?;
    if !diagnostics.is_empty() {
        return None;
    }
    let mut report = |span, message| {
        diagnostics.push(crate::syntax::Diagnostic { span, message, help: LENGTHS.into() });
    };
    let tensor = SparseTensorSpec::unchecked(&tensor.dims, tensor.element, encoding);
    let mut levels = alloc::vec![(0, 0); encoding.levels().len()];
    let (mut values, mut before) = (0, None);
    for &(array, len, span) in &syntax.arrays {
        let to = match array {
            SparseArray::Positions(level) => levels.get_mut(level).map(|level| &mut level.0),
            SparseArray::Coordinates(level) => levels.get_mut(level).map(|level| &mut level.1),
            SparseArray::Values => Some(&mut values),
        };
        let Some(to) = to else {
            report(span, format!("there are {array}, but {} levels", encoding.levels().len()));
            return None;
        };
        *to = len;
        // In the order of storage: by level, positions first.
        let order = match array {
            SparseArray::Positions(level) => 2 * level,
            SparseArray::Coordinates(level) => 2 * level + 1,
            SparseArray::Values => usize::MAX,
        };
        if before.is_some_and(|before| before >= order) {
            report(span, format!("`{array}` is not listed in the order of storage"));
        }
        before = Some(order);
    }
    StoredSparseSpec::new(tensor, &levels, values)
        .map_err(|problem| report(syntax.start, format!("{problem}")))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    const TYPE: &str = "tensor<4x6xbf16, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>";

    #[test]
    fn texts_are_read_and_printed() {
        for arrays in [
            "5 positions(1), 7 coordinates(1), 7 values",
            "0 values",
            "1 positions(0), 2 coordinates(0), 5 positions(1), 7 values",
        ] {
            let text = format!("{TYPE} with {arrays}");
            let spec: StoredSparseSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
    }

    #[test]
    fn mistakes_are_told() {
        let whole = format!("{TYPE} with 5 positions(1), 7 values");
        for (text, message) in [
            (whole.replace("4x6x", "4x?x"), "dimension 1 has no size"),
            (whole.replace("bf16", "index"), "no array of `index` is stored"),
            (whole.replace("positions(1)", "positions(2)"), "there are positions(2), but 2 levels"),
            (whole.replace("5 pos", "-5 pos"), "expected a number"),
            (whole.replace("5 pos", "0x5 pos"), "`0x5` is not a length"),
            (whole.replace("5 pos", "99999999999999999999 pos"), "is not a length"),
            (whole.replace("5 pos", "4611686018427387904 pos"), "the number of bytes overflows"),
            (whole.replace("positions", "places"), "expected the name of an array"),
            (whole.replace(" with", ""), "expected `with`"),
            (whole.replace("7 values", "2 positions(1), 7 values"), "is not listed in the order"),
            (whole.replace("7 values", "2 positions(0), 7 values"), "is not listed in the order"),
            (whole.clone() + " 3", "expected the end of the lengths"),
            (whole.replace("tensor<4x6xbf16, ", "").replace(">> ", "> "), "expected the type"),
            (TYPE.into(), "expected `with`"),
            (whole.replace("d1 : compressed", "d1 : dense, d1 : dense"), "1:"),
        ] {
            let error = text.parse::<StoredSparseSpec>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}\n{error}");
        }
    }

    #[test]
    fn arrays_are_aligned_and_do_not_overlap() {
        let text = format!("{TYPE} with 5 positions(1), 7 coordinates(1), 7 values");
        let spec: StoredSparseSpec = text.parse().unwrap();
        assert_eq!(spec.range(SparseArray::Positions(0)), 0..0);
        assert_eq!(spec.range(SparseArray::Positions(1)), 0..40);
        assert_eq!(spec.range(SparseArray::Coordinates(1)), 64..64 + 56);
        assert_eq!(spec.range(SparseArray::Values), 128..142);
        assert_eq!(spec.bytes(), 142);
    }
}
