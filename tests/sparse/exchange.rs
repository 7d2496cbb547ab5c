//! Tensors in other forms: over borrowed arrays, with their encoding as a value, transposed, with other values.

use crate::encodings::*;
use tensor_layout::half::bf16;
use tensor_layout::sparse::{
    AssembleError, Duplicates, DynSparseTensor, Encoding, FromDynamicError, LevelParts,
    LevelSlices, Parts, SparseEncoding, SparseTensor, SparseTensorRef, Transpose, formats,
};
use tensor_layout::sparse_kernel;

const ENTRIES: [([usize; 2], f64); 6] =
    [([0, 0], 1.0), ([0, 4], 2.0), ([1, 5], 3.0), ([2, 2], 4.0), ([2, 3], 5.0), ([3, 2], 6.0)];

fn tensor<E: Encoding<Index = [usize; 2]>>() -> SparseTensor<E, f64> {
    SparseTensor::from_coo([4, 8], &ENTRIES, Duplicates::Error).expect("a matrix")
}

fn over<E: Encoding>(tensor: &SparseTensor<E, f64>) -> SparseTensorRef<'_, E, f64> {
    let levels = (0..E::SPEC.levels().len()).map(|level| LevelSlices {
        positions: tensor.positions(level),
        coordinates: tensor.coordinates(level),
    });
    let levels: Vec<_> = levels.collect();
    SparseTensorRef::new(tensor.shape(), &levels, tensor.values()).expect("arrays of a tensor")
}

fn borrowed_and_dynamic<E: Encoding<Index = [usize; 2]>>() {
    let owned = tensor::<E>();
    let borrowed = over(&owned);
    assert_eq!((borrowed.to_coo(), borrowed.shape()), (owned.to_coo(), [4, 8]), "{}", E::SPEC);
    assert_eq!(borrowed.values().as_ptr(), owned.values().as_ptr());
    assert_eq!(*borrowed, owned);
    let copy = borrowed.clone();
    drop(borrowed);
    assert_eq!(copy, owned);

    let dynamic = DynSparseTensor::from(owned.clone());
    let built = DynSparseTensor::from_coo(E::SPEC, &[4, 8], &ENTRIES, Duplicates::Error);
    assert_eq!(Ok(&dynamic), built.as_ref(), "{}", E::SPEC);
    assert_eq!(SparseTensor::<E, f64>::try_from(dynamic), Ok(owned), "{}", E::SPEC);
}

#[test]
fn every_encoding_over_borrowed_arrays_and_as_a_value() {
    borrowed_and_dynamic::<Csr>();
    borrowed_and_dynamic::<Csr32>();
    borrowed_and_dynamic::<SortedCoo>();
    borrowed_and_dynamic::<SoaCoo>();
    borrowed_and_dynamic::<Dcsc>();
    borrowed_and_dynamic::<Bsr2>();
    borrowed_and_dynamic::<Nv24>();
    borrowed_and_dynamic::<Ell>();
    borrowed_and_dynamic::<Loose>();
    borrowed_and_dynamic::<Dia>();
    borrowed_and_dynamic::<AntiDia>();
    borrowed_and_dynamic::<Delta>();
    borrowed_and_dynamic::<Unordered>();
    borrowed_and_dynamic::<CsrNonunique>();
    let batches = [([0, 1], 1.0), ([1, 2], 2.0)];
    let owned = SparseTensor::<Batched, f64>::from_coo([2, 8], &batches, Duplicates::Error);
    let owned = owned.expect("batches");
    assert_eq!(*over(&owned), owned);
    let dynamic = DynSparseTensor::from(owned.clone());
    assert_eq!(SparseTensor::<Batched, f64>::try_from(dynamic), Ok(owned));
}

sparse_kernel! {
    fn spmv(a: Csr32<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

#[test]
fn borrowed_arrays_are_checked_and_are_operands() {
    let owned = tensor::<Csr32>();
    let borrowed = over(&owned);
    let x: Vec<f64> = (0..8).map(f64::from).collect();
    assert_eq!(spmv(&borrowed, &x).expect("sizes").values(), [8.0, 15.0, 23.0, 12.0]);
    let of = |positions, coordinates, values| {
        let levels = [LevelSlices::default(), LevelSlices { positions, coordinates }];
        let tensor = SparseTensorRef::<Csr32, f64>::new([2, 3], &levels, values);
        tensor.map(|tensor| tensor.to_coo()).map_err(|error| error.to_string())
    };
    assert_eq!(of(&[0, 1, 2], &[0, 2], &[1.0, 2.0]), Ok(vec![([0, 0], 1.0), ([1, 2], 2.0)]));
    for (positions, coordinates, values, expected) in [
        (
            &[0, 2][..],
            &[0, 2][..],
            &[1.0, 2.0][..],
            "level 1: 3 positions are needed, but there are 2",
        ),
        (
            &[0, 1, 2],
            &[0, 3],
            &[1.0, 2.0],
            "level 1: coordinate 3 at position 1 is not between 0 and 2",
        ),
        (&[0, 1, 2], &[0, 2], &[1.0], "level 1: 2 values are needed, but there are 1"),
    ] {
        assert_eq!(of(positions, coordinates, values), Err(expected.to_owned()));
    }
    let none = SparseTensorRef::<Csr32, f64>::new([2, 3], &[], &[]);
    assert_eq!(none.err(), Some(AssembleError::Levels { expected: 2, found: 0 }));
}

#[test]
fn tensors_of_other_encodings_or_too_wide_numbers_are_refused() {
    let csc = DynSparseTensor::from(tensor::<Csc>());
    let error = SparseTensor::<Csr, f64>::try_from(csc).unwrap_err();
    assert!(matches!(error, FromDynamicError::Encoding { .. }));
    // A tensor with its encoding at run time keeps its arrays as wide as a pointer.
    let narrow: SparseEncoding = "(i) -> (i : compressed), posWidth = 8".parse().expect("text");
    let levels = vec![LevelParts { positions: vec![0, 300], coordinates: (0..300).collect() }];
    let parts = Parts { shape: vec![300], levels, values: vec![1.0; 300] };
    let wide = DynSparseTensor::assemble(narrow, parts).expect("a vector");
    type Narrow = tensor_layout::sparse_encoding!((i) -> (i : compressed), posWidth = 8);
    let error = SparseTensor::<Narrow, f64>::try_from(wide).unwrap_err().to_string();
    assert_eq!(error, "level 0: 300 does not fit the 8 bits that the encoding gives positions");
}

fn transposes<E: Transpose>() {
    let matrix = tensor::<E>();
    let (values, dense) = (matrix.values().as_ptr(), matrix.to_dense().expect("memory"));
    let transposed = matrix.clone().transpose();
    assert_eq!(transposed.shape(), [8, 4]);
    let found = transposed.to_dense().expect("memory");
    for (at, value) in dense.iter().enumerate() {
        assert_eq!(found[at % 8 * 4 + at / 8], *value, "{}", E::SPEC);
    }
    assert_eq!(transposed.transpose(), matrix);
    assert_eq!(matrix.transpose().values().as_ptr(), values, "nothing is copied");
}

#[test]
fn a_transposed_matrix_has_the_same_arrays() {
    transposes::<Csr>();
    transposes::<Dcsc>();
    transposes::<SortedCoo>();
    transposes::<Bsr2>();
    transposes::<Nv24>();
    transposes::<Ell>();
    transposes::<Dia>();
    transposes::<Linear>();
    let columns: SparseTensor<formats::Csc, f64> = tensor::<formats::Csr>().transpose();
    assert_eq!(columns.get([5, 1]), 3.0);
}

#[test]
fn rows_and_columns_are_those_of_the_matrix() {
    let (rows, columns) = (tensor::<Csr32>(), tensor::<Csc>());
    for i in 0..4 {
        let expected = ENTRIES.iter().filter(|(index, _)| index[0] == i);
        assert!(rows.row(i).eq(expected.map(|(index, value)| (index[1], value))));
    }
    for j in 0..8 {
        let expected = ENTRIES.iter().filter(|(index, _)| index[1] == j);
        assert!(columns.column(j).eq(expected.map(|(index, value)| (index[0], value))));
    }
    let loose = tensor::<Loose>();
    assert!(loose.row(2).eq([(2, &4.0), (3, &5.0)]));
    assert!(std::panic::catch_unwind(|| tensor::<Csr>().row(4).count()).is_err());
}

#[test]
fn values_are_mapped_and_cast_as_rust_does() {
    let blocks = tensor::<Bsr2>();
    let doubled = blocks.clone().map(|value| value * 2.0);
    assert_eq!(doubled.coordinates(1), blocks.coordinates(1));
    assert_eq!(doubled.get([2, 3]), 10.0);
    let cast = |values: [f64; 3]| SparseTensor::<Csr, f64>::from_dense([1, 3], &values).unwrap();
    assert_eq!(cast([-1.5, 300.0, 2.9]).cast::<u8>().values(), [0, 255, 2]);
    assert_eq!(
        cast([1.5, 256.0, 257.0]).cast::<bf16>().cast::<f32>().values(),
        [1.5, 256.0, 256.0]
    );
    // The first 32 bits alone would be a tie, which rounds to 1.
    let beside = 1.0 + 2.0_f64.powi(-8) + 2.0_f64.powi(-40);
    assert_eq!(cast([beside, 1.0, 2.0]).cast::<bf16>().values()[0].to_f64(), 1.0 + 1.0 / 128.0);
    assert_eq!(cast([-1.0, 1.0, 2.0]).cast::<i64>().cast::<u16>().values(), [65535, 1, 2]);
}

#[test]
fn triplets_are_entries() {
    let (rows, columns): (Vec<_>, Vec<_>) = ENTRIES.iter().map(|([i, j], _)| (*i, *j)).unzip();
    let values = ENTRIES.map(|(_, value)| value);
    let of = |rows: &[usize]| {
        SparseTensor::<Csr, f64>::from_triplets([4, 8], rows, &columns, &values, Duplicates::Error)
    };
    assert_eq!(of(&rows), Ok(tensor::<Csr>()));
    assert_eq!(
        of(&rows[1..]).unwrap_err().to_string(),
        "there are 5 rows and 6 columns for 6 values: each entry needs one of each"
    );
    let empty = SparseTensor::<Dcsr, f64>::empty([4, 8]).expect("an array");
    assert_eq!((empty.number_of_entries(), empty.shape()), (0, [4, 8]));
}
