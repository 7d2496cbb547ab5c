//! Sparse matrices of other crates: their arrays are moved and not copied.

use tensor_layout::SparseTensor;
use tensor_layout::sparse::formats::{Csc, Csr};
use tensor_layout::sparse::storage::AssembleError;
use tensor_layout::sparse::{Coordinate, Duplicates, Position};

const ENTRIES: [([usize; 2], f64); 4] =
    [([0, 2], 1.0), ([1, 0], 2.0), ([1, 1], 3.0), ([2, 2], 4.0)];

fn csr() -> SparseTensor<Csr, f64> {
    SparseTensor::from_coo([3, 4], &ENTRIES, Duplicates::Error).expect("a matrix")
}

fn csc<I>() -> SparseTensor<Csc<I, I>, f64>
where
    I: Position + Coordinate<Word = I>,
{
    SparseTensor::from_coo([3, 4], &ENTRIES, Duplicates::Error).expect("a matrix")
}

#[test]
fn matrices_of_sprs_are_moved() {
    let tensor = csr();
    let address = tensor.values().as_ptr();
    let matrix = sprs::CsMatI::<f64, usize, usize>::try_from(tensor).expect("a matrix");
    assert_eq!(matrix.data().as_ptr(), address);
    assert_eq!((matrix.shape(), matrix.get(1, 1)), ((3, 4), Some(&3.0)));
    let columns = sprs::CsMatI::<f64, u32, u32>::try_from(csc::<u32>()).expect("a matrix");
    assert!(columns.is_csc());
    assert_eq!(SparseTensor::<Csc<u32, u32>, f64>::from_sprs(columns).expect("a matrix"), csc());
    let rejected = SparseTensor::<Csc, f64>::from_sprs(matrix).unwrap_err();
    assert_eq!((rejected.error, rejected.parts.values.len()), (AssembleError::StorageOrder, 4));
}

#[test]
fn matrices_of_nalgebra_are_moved() {
    let matrix = nalgebra_sparse::CsrMatrix::from(csr());
    assert_eq!((matrix.nrows(), matrix.ncols(), matrix.nnz()), (3, 4, 4));
    let address = matrix.values().as_ptr();
    let back = SparseTensor::<Csr, f64>::from_nalgebra(matrix).expect("a matrix");
    assert_eq!((back.values().as_ptr(), back), (address, csr()));
    let columns = nalgebra_sparse::CscMatrix::from(csc::<usize>());
    assert_eq!(SparseTensor::<Csc, f64>::from_nalgebra(columns).expect("a matrix"), csc());
}

#[test]
fn matrices_of_faer_are_moved() {
    let matrix = faer::sparse::SparseRowMat::<usize, f64>::try_from(csr()).expect("a matrix");
    assert_eq!((matrix.nrows(), matrix.ncols(), matrix.get(1, 1)), (3, 4, Some(&3.0)));
    assert_eq!(SparseTensor::<Csr, f64>::from_faer(matrix).expect("a matrix"), csr());
    let columns = faer::sparse::SparseColMat::<u32, f64>::try_from(csc::<u32>()).expect("a matrix");
    assert_eq!(SparseTensor::<Csc<u32, u32>, f64>::from_faer(columns).expect("a matrix"), csc());
}

#[test]
fn sizes_that_another_crate_cannot_number_are_an_error() {
    let rejected = |columns| {
        let pattern = nalgebra_sparse::CsrMatrix::<f64>::zeros(1, columns);
        SparseTensor::<Csr, f64>::from_nalgebra(pattern)
    };
    assert!(matches!(rejected(usize::MAX).unwrap_err().error, AssembleError::Shape(_)));
    assert!(rejected(1 << 40).is_ok());

    let wide = |columns| {
        SparseTensor::<Csr<u16, u16>, f64>::from_coo([1, columns], &[], Duplicates::Error)
            .expect("a matrix")
    };
    let error = sprs::CsMatI::<f64, u16, u16>::try_from(wide(1 << 16)).unwrap_err();
    assert_eq!(error.error, AssembleError::Sizes { rows: 1, columns: 1 << 16 });
    assert!(sprs::CsMatI::<f64, u16, u16>::try_from(wide((1 << 16) - 1)).is_ok());

    let wide = |columns| {
        SparseTensor::<Csr<u32, u32>, f64>::from_coo([1, columns], &[], Duplicates::Error)
            .expect("a matrix")
    };
    let error = faer::sparse::SparseRowMat::<u32, f64>::try_from(wide(1 << 31)).unwrap_err();
    assert_eq!(error.error, AssembleError::Sizes { rows: 1, columns: 1 << 31 });
    assert!(faer::sparse::SparseRowMat::<u32, f64>::try_from(wide((1 << 31) - 1)).is_ok());
}

#[test]
fn room_behind_the_entries_of_a_row_is_no_entry() {
    let matrix = |used: [usize; 2]| {
        let symbolic = faer::sparse::SymbolicSparseRowMat::new_checked(
            2,
            4,
            [0, 2, 4].into(),
            Some(used.into()),
            [0, 1, 2, 3].into(),
        );
        let values = [1.0, 99.0, 2.0, 77.0].into();
        SparseTensor::<Csr, f64>::from_faer(faer::sparse::SparseRowMat::new(symbolic, values))
    };
    let rejected = matrix([2, 1]).unwrap_err();
    assert_eq!(
        (rejected.error, rejected.parts.values.len()),
        (AssembleError::Room { segment: 1 }, 4)
    );
    assert_eq!(matrix([2, 2]).expect("a matrix").number_of_entries(), 4);
}
