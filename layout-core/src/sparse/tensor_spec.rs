use super::MAX_RANK;
use super::encoding::SparseEncoding;
use super::problem::Problem;
use super::scalar::ScalarType;
use super::syntax::{lower_encoding, parse_encoding};
use crate::syntax::{Cursor, ParseError, failed, lex};
use core::fmt;
use core::str::FromStr;

/// The type of a sparse tensor: its sizes, the type of its elements, and its encoding. MLIR's
/// `tensor<4x?xf64, #sparse_tensor.encoding<{ .. }>>`, which it reads (`FromStr`) and prints (`Display`).
///
/// ```
/// use tensor_layout::sparse::SparseTensorSpec;
/// let text = "tensor<4x?xf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>";
/// let spec: SparseTensorSpec = text.parse().unwrap();
/// assert_eq!(spec.sizes(), [Some(4), None]);
/// assert!(spec.fits(&[4, 9]) && !spec.fits(&[5, 9]));
/// assert_eq!(
///     spec.to_string(),
///     "tensor<4x?xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SparseTensorSpec {
    encoding: SparseEncoding,
    element: ScalarType,
    sizes: [Option<usize>; MAX_RANK],
}

impl SparseTensorSpec {
    /// A tensor of these sizes, `None` for `?`.
    ///
    /// # Errors
    /// The first reason why the encoding cannot store such a tensor.
    pub fn new(
        sizes: &[Option<usize>],
        element: ScalarType,
        encoding: SparseEncoding,
    ) -> Result<Self, Problem> {
        match encoding.array_problems(sizes, Some(element)).into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(Self::unchecked(sizes, element, encoding)),
        }
    }

    /// [`SparseTensorSpec::new`] without checks: there must be a size for each dimension of the encoding. Whether the encoding
    /// can store such a tensor is checked when one is built.
    #[doc(hidden)]
    pub const fn unchecked(
        sizes: &[Option<usize>],
        element: ScalarType,
        encoding: SparseEncoding,
    ) -> Self {
        let mut all = [None; MAX_RANK];
        let mut dim = 0;
        while dim < encoding.rank() {
            all[dim] = sizes[dim];
            dim += 1;
        }
        Self { encoding, element, sizes: all }
    }

    /// The sizes of the dimensions, `None` for `?`.
    pub fn sizes(&self) -> &[Option<usize>] {
        &self.sizes[..self.encoding.rank()]
    }

    /// The type of the elements.
    pub const fn element(&self) -> ScalarType {
        self.element
    }

    /// The encoding.
    pub const fn encoding(&self) -> &SparseEncoding {
        &self.encoding
    }

    /// Whether a tensor of this shape has the type: the number of dimensions is the same, and so are the sizes that are known.
    pub fn fits(&self, shape: &[usize]) -> bool {
        let sizes = self.sizes();
        let fits =
            |(size, known): (&usize, &Option<usize>)| known.is_none_or(|known| known == *size);
        sizes.len() == shape.len() && shape.iter().zip(sizes).all(fits)
    }
}

impl FromStr for SparseTensorSpec {
    type Err = ParseError;

    /// Reads MLIR's text of a tensor type with its encoding. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let tokens = lex(text);
        let mut cursor = Cursor::new(&tokens, text.len());
        let first = cursor.span();
        if !cursor.is_word("tensor") {
            let help = "write `tensor<4x6xf64, #sparse_tensor.encoding<{ .. }>>`";
            cursor.report(first, "expected the type of a tensor", help);
            return Err(failed(text, &tokens, cursor.diagnostics));
        }
        let syntax = parse_encoding(&mut cursor);
        if syntax.is_some() {
            cursor.expect_end_of("the tensor type");
        }
        let mut diagnostics = cursor.diagnostics;
        let encoding = syntax.as_ref().and_then(|syntax| lower_encoding(syntax, &mut diagnostics));
        match (encoding, syntax.and_then(|syntax| syntax.tensor)) {
            (Some(encoding), Some(tensor)) if diagnostics.is_empty() => {
                Ok(Self::unchecked(&tensor.dims, tensor.element, encoding))
            }
            _ => Err(failed(text, &tokens, diagnostics)),
        }
    }
}

/// Prints MLIR's canonical text; parsing it returns the same type.
impl fmt::Display for SparseTensorSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for size in self.sizes() {
            match size {
                Some(size) => write!(f, "{size}x")?,
                None => f.write_str("?x")?,
            }
        }
        write!(f, "{}, {}>", self.element, self.encoding)
    }
}
