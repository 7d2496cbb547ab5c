use super::types::{Entries, Levels, Nest, RankType, Sealed};
use core::marker::PhantomData;
use layout_core::sparse::{Coordinate, Position, Problem, SparseDraft, SparseEncoding};
use layout_core::text::Text;
use typenum::Unsigned;

/// A sparse encoding as a type: rank, levels, widths of positions and coordinates, and other entries.
///
/// Write it with the macro `sparse_encoding!`; it has no values. Two equal encodings are the same type wherever they are
/// written. Its interface is in [`Encoding`] and in `SparseTensor`.
///
/// ```
/// use tensor_layout::sparse::types::{Compressed, Dense, Dim, Level, Rank};
/// use tensor_layout::sparse::Encoded;
/// use tensor_layout::sparse_encoding;
/// type Written = sparse_encoding!((i, j) -> (i : dense, j : compressed));
/// type Same = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>)>;
/// let _: fn(Written) -> Same = |encoding| encoding;               // one type
/// ```
#[allow(clippy::type_complexity, reason = "the parameters are the encoding")]
pub struct Encoded<R, L, P = usize, C = usize, A = ()> {
    marker: PhantomData<fn() -> (R, L, P, C, A)>,
}

/// An encoding of arrays with as many dimensions as those of `E`: `Encoding<Index = E::Index>`, with an error that names both.
///
/// ```
/// use tensor_layout::sparse::{BuildError, Encoding, SparseTensor, WithDimsOf, formats::{Csc, Csr}};
///
/// fn stored_as<E: Encoding, F: WithDimsOf<E>>(a: &SparseTensor<E, f64>) -> Result<SparseTensor<F, f64>, BuildError> {
///     a.convert()
/// }
/// let rows = SparseTensor::<Csr, f64>::from_dense([2, 2], &[0.0, 5.0, 7.0, 0.0])?;
/// assert_eq!(stored_as::<_, Csc>(&rows)?.values(), [7.0, 5.0]);
/// # Ok::<(), BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the encodings `{Self}` and `{E}` are of arrays with different numbers of dimensions",
    label = "another number of dimensions",
    note = "a conversion keeps the dimensions: give an encoding whose map declares as many, `(i, j) -> ..` for a matrix"
)]
pub trait WithDimsOf<E: Encoding>: Encoding<Index = E::Index> {}

#[diagnostic::do_not_recommend]
impl<E: Encoding, F: Encoding<Index = E::Index>> WithDimsOf<E> for F {}

/// How a sparse tensor is stored, as a type.
///
/// ```
/// use tensor_layout::sparse::{Encoding, types::*, Encoded};
/// // sparse_encoding!((i, j) -> (i : dense, j : compressed), crdWidth = 32)
/// type Csr = Encoded<Rank<2>, (Level<Dim<0>, Dense>, Level<Dim<1>, Compressed>), usize, u32>;
/// assert_eq!(
///     Csr::SPEC.to_string(),
///     "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), crdWidth = 32 }>",
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sparse encoding",
    label = "not an encoding, as `sparse_encoding!` makes them",
    note = "the encoding comes first: `SparseTensor<Csr, f64>`, `BlockTensor<Bsr, Block>`"
)]
pub trait Encoding: Sealed + 'static {
    /// The number of dimensions as a type, for use in bounds.
    type Rank: Unsigned;
    /// The number of levels as a type, for use in bounds.
    type Levels: Unsigned;
    /// An index: `[usize; RANK]`.
    type Index: AsRef<[usize]>
        + AsMut<[usize]>
        + Copy
        + Default
        + PartialEq
        + core::fmt::Debug
        + Send
        + Sync
        + 'static;
    /// The type in which positions are stored.
    type Position: Position;
    /// The type in which coordinates are stored.
    type Coordinate: Coordinate;
    /// The levels one by one.
    type Nest: Nest;
    /// The run-time twin, which displays as MLIR's canonical text.
    const SPEC: SparseEncoding;
}

/// Reports a broken rule in const evaluation.
#[track_caller]
const fn checked(validated: &Result<SparseEncoding, Problem>) -> SparseEncoding {
    match validated {
        Ok(encoding) => *encoding,
        Err(problem) => {
            let (message, help) = (problem.message(), problem.help());
            if help.is_empty() {
                panic!("{}", message.as_str())
            }
            let text = Text::new().str(message.as_str()).str("; ").str(help.as_str());
            panic!("{}", text.as_str())
        }
    }
}

impl<R: RankType, L: Levels, P: Position, C: Coordinate, A: Entries> Sealed
    for Encoded<R, L, P, C, A>
{
}

#[diagnostic::do_not_recommend]
impl<R: RankType, L: Levels, P: Position, C: Coordinate, A: Entries> Encoding
    for Encoded<R, L, P, C, A>
{
    type Rank = R::Rank;
    type Levels = L::Count;
    type Index = R::Index;
    type Position = P;
    type Coordinate = C;
    type Nest = L::Nest;
    const SPEC: SparseEncoding = checked(&Self::VALIDATED);
}

impl<R: RankType, L: Levels, P: Position, C: Coordinate, A: Entries> Encoded<R, L, P, C, A> {
    /// The encoding of the type's parameters, not checked yet.
    const DRAFT: SparseDraft = {
        let mut draft = A::GIVEN.apply(SparseDraft::new(R::Rank::USIZE));
        draft.levels = L::LIST;
        draft.position_bits = P::BITS;
        draft.coordinate_bits = C::BITS;
        draft
    };
    /// The encoding, or the rule that it breaks.
    const VALIDATED: Result<SparseEncoding, Problem> = match Self::DRAFT.validate() {
        Ok(encoding) if encoding.is_signed() && !C::SIGNED => Err(Problem::UnsignedCoordinates),
        validated => validated,
    };
}
