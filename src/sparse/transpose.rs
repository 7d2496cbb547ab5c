use super::tensor::SparseTensor;
use super::typed::{Encoded, Encoding};
use super::types::{
    Count, Dim, Entries, Exact, Explicit, Floordiv, Implicit, Level, Levels, Mod, Rank, Sum2, With,
};
use layout_core::sparse::storage::Storage;
use layout_core::sparse::{Coordinate, Position};

/// An encoding of matrices whose arrays are also the transposed matrix in another encoding, [`Transpose::Transposed`]: CSC for
/// CSR.
///
/// ```
/// use tensor_layout::sparse::{SparseTensor, Transpose, formats::{Csc, Csr}};
///
/// fn columns<E: Transpose>(matrix: SparseTensor<E, f64>) -> SparseTensor<E::Transposed, f64> {
///     matrix.transpose()
/// }
/// let matrix = SparseTensor::<Csr, f64>::from_dense([2, 3], &[0.0, 5.0, 0.0, 7.0, 0.0, 9.0])?;
/// let transposed: SparseTensor<Csc, f64> = columns(matrix);
/// assert_eq!((transposed.shape(), transposed.get([2, 1])), ([3, 2], 9.0));
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
pub trait Transpose: Encoding<Index = [usize; 2]> {
    /// The same levels with the two dimensions exchanged: CSC for CSR.
    type Transposed: Transpose<
            Transposed = Self,
            Index = [usize; 2],
            Position = Self::Position,
            Coordinate = Self::Coordinate,
        >;
}

/// A part of an encoding of matrices, such as a level, that can be written with the two dimensions exchanged.
pub trait Exchange {
    /// The same part with the dimensions exchanged.
    type Exchanged;
}

impl Exchange for Dim<0> {
    type Exchanged = Dim<1>;
}
impl Exchange for Dim<1> {
    type Exchanged = Dim<0>;
}
impl<const SLOTS: usize> Exchange for Count<0, SLOTS> {
    type Exchanged = Count<1, SLOTS>;
}
impl<const SLOTS: usize> Exchange for Count<1, SLOTS> {
    type Exchanged = Count<0, SLOTS>;
}
impl<const A: i64, const B: i64> Exchange for Sum2<A, B> {
    type Exchanged = Sum2<B, A>;
}
impl<E: Exchange, const DIV: usize> Exchange for Floordiv<E, DIV> {
    type Exchanged = Floordiv<E::Exchanged, DIV>;
}
impl<E: Exchange, const SIZE: usize> Exchange for Mod<E, SIZE> {
    type Exchanged = Mod<E::Exchanged, SIZE>;
}
impl<E: Exchange, F> Exchange for Level<E, F> {
    type Exchanged = Level<E::Exchanged, F>;
}

macro_rules! tuples {
    ($(($($L:ident)*))*) => { $(
        impl<$($L: Exchange),*> Exchange for ($($L,)*) {
            type Exchanged = ($($L::Exchanged,)*);
        }
    )* };
}
tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// The entries of an encoding besides its levels and widths, if none names a dimension: all but slices.
pub trait OfNoDim: Entries {}
impl OfNoDim for () {}
impl<const TYPE: u32, const BITS: u128, O: OfNoDim> OfNoDim for With<Explicit<TYPE, BITS>, O> {}
impl<const TYPE: u32, const BITS: u128, O: OfNoDim> OfNoDim for With<Implicit<TYPE, BITS>, O> {}
impl<O: OfNoDim> OfNoDim for With<Exact, O> {}

impl<L, P: Position, C: Coordinate, A: OfNoDim> Transpose for Encoded<Rank<2>, L, P, C, A>
where
    L: Levels + Exchange,
    L::Exchanged: Levels + Exchange<Exchanged = L>,
{
    type Transposed = Encoded<Rank<2>, L::Exchanged, P, C, A>;
}

impl<E: Transpose, T> SparseTensor<E, T> {
    /// The transposed matrix, in the encoding with the two dimensions exchanged. No array is copied or changed: consecutive
    /// rows in storage are consecutive columns of the transposed matrix.
    ///
    /// ```
    /// use tensor_layout::sparse::{SparseTensor, formats::{Csc, Csr}};
    /// let rows = SparseTensor::<Csr, f64>::from_dense([2, 3], &[1.0, 0.0, 2.0, 0.0, 3.0, 0.0]).unwrap();
    /// let columns: SparseTensor<Csc, f64> = rows.transpose();
    /// assert_eq!((columns.shape(), columns.get([2, 0])), ([3, 2], 2.0));
    /// ```
    #[must_use]
    pub fn transpose(self) -> SparseTensor<E::Transposed, T> {
        let Storage { mut parts, extents, counts, batches } = self.storage;
        parts.shape.reverse();
        SparseTensor::from_storage(Storage { parts, extents, counts, batches })
    }
}
