//! Sparse matrices of other crates. Their compressed rows and columns have the same arrays, which are moved and not copied;
//! imported arrays are checked.

use super::formats::{Csc, Csr};
use super::tensor::SparseTensor;
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sparse::storage::{AssembleError, Assembled, LevelParts, Parts, Rejected};

/// The arrays of compressed rows or columns: positions, coordinates, values.
type CompressedArrays<P, C, T> = (Vec<P>, Vec<C>, Vec<T>);

fn take<P, C, T>(parts: Parts<P, C, T>) -> ([usize; 2], CompressedArrays<P, C, T>) {
    let Parts { shape, mut levels, values } = parts;
    let LevelParts { positions, coordinates } = levels.pop().unwrap_or_default();
    ([shape[0], shape[1]], (positions, coordinates, values))
}

fn parts<P, C, T>(
    shape: [usize; 2],
    (positions, coordinates, values): CompressedArrays<P, C, T>,
) -> Parts<P, C, T> {
    let levels = Vec::from([LevelParts::default(), LevelParts { positions, coordinates }]);
    Parts { shape: shape.into(), levels, values }
}

/// Returns the arrays, with the reason.
fn reject<P, C, T>(parts: Parts<P, C, T>, error: AssembleError) -> Box<Rejected<Parts<P, C, T>>> {
    Box::new(Rejected { parts, error })
}

#[cfg(feature = "sprs")]
mod with_sprs {
    use super::*;
    use crate::sparse::{Coordinate, Position};
    use sprs::{CsMatI, SpIndex};

    macro_rules! conversions {
        ($($E:ident $try_new:ident $is_csr:literal;)*) => { $(
            /// The same arrays. They are returned as an error if the types of the indices can represent the indices of the
            /// matrix but not its sizes, which `sprs` requires.
            impl<T, P, C> TryFrom<SparseTensor<$E<P, C>, T>> for CsMatI<T, C, P>
            where
                P: Position + SpIndex,
                C: Coordinate<Word = C> + SpIndex,
            {
                type Error = Box<Rejected<Parts<P, C, T>>>;

                fn try_from(tensor: SparseTensor<$E<P, C>, T>) -> Result<Self, Self::Error> {
                    let ([rows, columns], (positions, coordinates, values)) = take(tensor.disassemble());
                    let matrix = Self::$try_new((rows, columns), positions, coordinates, values);
                    matrix.map_err(|(positions, coordinates, values, _)| {
                        let parts = parts([rows, columns], (positions, coordinates, values));
                        reject(parts, AssembleError::Sizes { rows, columns })
                    })
                }
            }

            impl<T, P, C> SparseTensor<$E<P, C>, T>
            where
                P: Position + SpIndex,
                C: Coordinate<Word = C> + SpIndex,
            {
                /// The matrix of `sprs`, which must have the storage order of the encoding.
                ///
                /// # Errors
                /// If the storage order differs, or if the indices are not sorted. The arrays are returned with the error.
                pub fn from_sprs(matrix: CsMatI<T, C, P>) -> Assembled<Self, P, C, T> {
                    let matches = matrix.is_csr() == $is_csr;
                    let (rows, columns) = matrix.shape();
                    let parts = parts([rows, columns], matrix.into_raw_storage());
                    if !matches {
                        return Err(reject(parts, AssembleError::StorageOrder));
                    }
                    Self::assemble(parts)
                }
            }
        )* };
    }
    conversions! { Csr try_new true; Csc try_new_csc false; }
}

#[cfg(feature = "nalgebra-sparse")]
mod with_nalgebra_sparse {
    use super::*;
    use nalgebra_sparse::{CscMatrix, CsrMatrix};

    macro_rules! conversions {
        ($($E:ident $Matrix:ident $try_from:ident;)*) => { $(
            impl<T> From<SparseTensor<$E, T>> for $Matrix<T> {
                fn from(tensor: SparseTensor<$E, T>) -> Self {
                    let ([rows, columns], (positions, coordinates, values)) = take(tensor.disassemble());
                    match Self::$try_from(rows, columns, positions, coordinates, values) {
                        Ok(matrix) => matrix,
                        Err(_) => unreachable!("the arrays of a tensor are sorted and within bounds"),
                    }
                }
            }

            impl<T> SparseTensor<$E, T> {
                /// The matrix of `nalgebra-sparse`.
                ///
                /// # Errors
                /// If it has more rows or columns than coordinates can represent. The arrays are returned with the error.
                pub fn from_nalgebra(matrix: $Matrix<T>) -> Assembled<Self, usize, usize, T> {
                    let shape = [matrix.nrows(), matrix.ncols()];
                    Self::assemble(parts(shape, matrix.disassemble()))
                }
            }
        )* };
    }
    conversions! { Csr CsrMatrix try_from_csr_data; Csc CscMatrix try_from_csc_data; }
}

#[cfg(feature = "faer")]
mod with_faer {
    use super::*;
    use crate::sparse::{Coordinate, Position};
    use faer::Index;
    use faer::sparse::{SparseColMat, SparseRowMat, SymbolicSparseColMat, SymbolicSparseRowMat};

    /// Whether a size fits the signed type of indices.
    fn fits<I: Position>(size: usize) -> bool {
        size.checked_mul(2).is_some_and(|double| I::new(double).is_some())
    }

    /// The first segment that uses fewer positions than are reserved for it.
    fn first_with_room<I: Position>(positions: &[I], used: &[I]) -> Option<usize> {
        let mut segments = positions.windows(2).zip(used);
        segments.position(|(ends, used)| ends[1].get() - ends[0].get() != used.get())
    }

    macro_rules! conversions {
        ($($E:ident $Matrix:ident $Symbolic:ident;)*) => { $(
            /// The same arrays. They are returned as an error if the type of the indices can represent the indices of the
            /// matrix but not its sizes as signed numbers, which `faer` requires.
            impl<T, I> TryFrom<SparseTensor<$E<I, I>, T>> for $Matrix<I, T>
            where
                I: Position + Coordinate<Word = I> + Index,
            {
                type Error = Box<Rejected<Parts<I, I, T>>>;

                fn try_from(tensor: SparseTensor<$E<I, I>, T>) -> Result<Self, Self::Error> {
                    let ([rows, columns], arrays) = take(tensor.disassemble());
                    if [rows, columns].iter().any(|size| !fits::<I>(*size)) {
                        let error = AssembleError::Sizes { rows, columns };
                        return Err(reject(parts([rows, columns], arrays), error));
                    }
                    let (positions, coordinates, values) = arrays;
                    let symbolic = $Symbolic::new_checked(rows, columns, positions, None, coordinates);
                    Ok(Self::new(symbolic, values))
                }
            }

            impl<T, I> SparseTensor<$E<I, I>, T>
            where
                I: Position + Coordinate<Word = I> + Index,
            {
                /// The matrix of `faer`.
                ///
                /// # Errors
                /// If its indices are not sorted, or if a row or column has unused capacity after its entries. The arrays are
                /// returned with the error.
                pub fn from_faer(matrix: $Matrix<I, T>) -> Assembled<Self, I, I, T> {
                    let (symbolic, values) = matrix.into_parts();
                    let (rows, columns, positions, used, coordinates) = symbolic.into_parts();
                    let segment = used.and_then(|used| first_with_room(&positions, &used));
                    let parts = parts([rows, columns], (positions, coordinates, values));
                    match segment {
                        Some(segment) => Err(reject(parts, AssembleError::Room { segment })),
                        None => Self::assemble(parts),
                    }
                }
            }
        )* };
    }
    conversions! { Csr SparseRowMat SymbolicSparseRowMat; Csc SparseColMat SymbolicSparseColMat; }
}
