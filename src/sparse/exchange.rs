//! Sparse matrices of other crates. Those of compressed rows and columns have the same arrays: they are moved, not copied,
//! and what comes in is checked.

use super::formats::{Csc, Csr};
use super::tensor::SparseTensor;
use alloc::vec::Vec;
use layout_core::sparse::storage::{Assembled, LevelParts, Parts};

/// The arrays of compressed rows or columns: positions, coordinates, values.
type Arrays<P, C, T> = (Vec<P>, Vec<C>, Vec<T>);

fn take<P, C, T>(parts: Parts<P, C, T>) -> ([usize; 2], Arrays<P, C, T>) {
    let Parts { shape, mut levels, values } = parts;
    let LevelParts { positions, coordinates } = levels.pop().unwrap_or_default();
    ([shape[0], shape[1]], (positions, coordinates, values))
}

fn parts<P, C, T>(
    shape: [usize; 2],
    (positions, coordinates, values): Arrays<P, C, T>,
) -> Parts<P, C, T> {
    let levels = Vec::from([LevelParts::default(), LevelParts { positions, coordinates }]);
    Parts { shape: shape.into(), levels, values }
}

#[cfg(feature = "sprs")]
mod with_sprs {
    use super::*;
    use crate::sparse::{AssembleError, Coordinate, Position, Rejected};
    use alloc::boxed::Box;
    use sprs::{CsMatI, SpIndex};

    macro_rules! conversions {
        ($($E:ident $new:ident $is_csr:literal;)*) => { $(
            impl<T, P, C> From<SparseTensor<$E<P, C>, T>> for CsMatI<T, C, P>
            where
                P: Position + SpIndex,
                C: Coordinate<Word = C> + SpIndex,
            {
                fn from(tensor: SparseTensor<$E<P, C>, T>) -> Self {
                    let ([rows, columns], (positions, coordinates, values)) = take(tensor.disassemble());
                    Self::$new((rows, columns), positions, coordinates, values)
                }
            }

            impl<T, P, C> SparseTensor<$E<P, C>, T>
            where
                P: Position + SpIndex,
                C: Coordinate<Word = C> + SpIndex,
            {
                /// The matrix of `sprs`, whose storage order must be that of the encoding.
                ///
                /// # Errors
                /// If it is not, or its indices are not sorted; the arrays are handed back.
                pub fn from_sprs(matrix: CsMatI<T, C, P>) -> Assembled<Self, P, C, T> {
                    let matches = matrix.is_csr() == $is_csr;
                    let (rows, columns) = matrix.shape();
                    let parts = parts([rows, columns], matrix.into_raw_storage());
                    if !matches {
                        let error = AssembleError::StorageOrder;
                        return Err(Box::new(Rejected { parts, error }));
                    }
                    Self::assemble(parts)
                }
            }
        )* };
    }
    conversions! { Csr new true; Csc new_csc false; }
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

            impl<T> From<$Matrix<T>> for SparseTensor<$E, T> {
                fn from(matrix: $Matrix<T>) -> Self {
                    let shape = [matrix.nrows(), matrix.ncols()];
                    match Self::assemble(parts(shape, matrix.disassemble())) {
                        Ok(tensor) => tensor,
                        Err(_) => unreachable!("the arrays of a matrix are sorted and within bounds"),
                    }
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

    macro_rules! conversions {
        ($($E:ident $Matrix:ident $Symbolic:ident;)*) => { $(
            impl<T, I> From<SparseTensor<$E<I, I>, T>> for $Matrix<I, T>
            where
                I: Position + Coordinate<Word = I> + Index,
            {
                fn from(tensor: SparseTensor<$E<I, I>, T>) -> Self {
                    let ([rows, columns], (positions, coordinates, values)) = take(tensor.disassemble());
                    let symbolic = $Symbolic::new_checked(rows, columns, positions, None, coordinates);
                    Self::new(symbolic, values)
                }
            }

            impl<T, I> SparseTensor<$E<I, I>, T>
            where
                I: Position + Coordinate<Word = I> + Index,
            {
                /// The matrix of `faer`.
                ///
                /// # Errors
                /// If its indices are not sorted, or it has room between its entries; the arrays are handed back.
                pub fn from_faer(matrix: $Matrix<I, T>) -> Assembled<Self, I, I, T> {
                    let (symbolic, values) = matrix.into_parts();
                    let (rows, columns, positions, _, coordinates) = symbolic.into_parts();
                    Self::assemble(parts([rows, columns], (positions, coordinates, values)))
                }
            }
        )* };
    }
    conversions! { Csr SparseRowMat SymbolicSparseRowMat; Csc SparseColMat SymbolicSparseColMat; }
}

#[cfg(all(test, feature = "faer", feature = "nalgebra-sparse", feature = "sprs"))]
mod tests {
    use super::*;
    use crate::sparse::{AssembleError, Duplicates};

    const ENTRIES: [([usize; 2], f64); 4] =
        [([0, 2], 1.0), ([1, 0], 2.0), ([1, 1], 3.0), ([2, 2], 4.0)];

    fn csr() -> SparseTensor<Csr, f64> {
        SparseTensor::from_coo([3, 4], &ENTRIES, Duplicates::Error).expect("a matrix")
    }

    fn csc<I>() -> SparseTensor<Csc<I, I>, f64>
    where
        I: crate::sparse::Position + crate::sparse::Coordinate<Word = I>,
    {
        SparseTensor::from_coo([3, 4], &ENTRIES, Duplicates::Error).expect("a matrix")
    }

    #[test]
    fn matrices_of_sprs_are_moved() {
        let tensor = csr();
        let address = tensor.values().as_ptr();
        let matrix = sprs::CsMatI::<f64, usize, usize>::from(tensor);
        assert_eq!(matrix.data().as_ptr(), address);
        assert_eq!((matrix.shape(), matrix.get(1, 1)), ((3, 4), Some(&3.0)));
        let columns = sprs::CsMatI::<f64, u32, u32>::from(csc::<u32>());
        assert!(columns.is_csc());
        assert_eq!(
            SparseTensor::<Csc<u32, u32>, f64>::from_sprs(columns).expect("a matrix"),
            csc()
        );
        let rejected = SparseTensor::<Csc, f64>::from_sprs(matrix).unwrap_err();
        assert_eq!((rejected.error, rejected.parts.values.len()), (AssembleError::StorageOrder, 4));
    }

    #[test]
    fn matrices_of_nalgebra_are_moved() {
        let matrix = nalgebra_sparse::CsrMatrix::from(csr());
        assert_eq!((matrix.nrows(), matrix.ncols(), matrix.nnz()), (3, 4, 4));
        let address = matrix.values().as_ptr();
        let back = SparseTensor::<Csr, f64>::from(matrix);
        assert_eq!((back.values().as_ptr(), back), (address, csr()));
        let columns = nalgebra_sparse::CscMatrix::from(csc::<usize>());
        assert_eq!(SparseTensor::<Csc, f64>::from(columns), csc());
    }

    #[test]
    fn matrices_of_faer_are_moved() {
        let matrix = faer::sparse::SparseRowMat::<usize, f64>::from(csr());
        assert_eq!((matrix.nrows(), matrix.ncols(), matrix.get(1, 1)), (3, 4, Some(&3.0)));
        assert_eq!(SparseTensor::<Csr, f64>::from_faer(matrix).expect("a matrix"), csr());
        let columns = faer::sparse::SparseColMat::<u32, f64>::from(csc::<u32>());
        assert_eq!(
            SparseTensor::<Csc<u32, u32>, f64>::from_faer(columns).expect("a matrix"),
            csc()
        );
    }
}
