//! `tensor<4x6xf64, #CSR>` as a type and as a value: every tensor type of MLIR's document.

use crate::encodings::*;
use tensor_layout::draw::Draw;
use tensor_layout::half::bf16;
use tensor_layout::sparse::{
    BuildError, Duplicates, LevelSlices, Problem, ScalarType, SparseTensor, SparseTensorRef,
    SparseTensorSpec, formats,
};
use tensor_layout::{sparse_kernel, sparse_tensor};

/// "... tensor<?xf32, #SparseVector> ..." and all others of the document, as they stand there.
#[test]
fn every_tensor_type_of_the_document_is_a_type() {
    type Vector = sparse_tensor!(tensor<?xf32, #SparseVector>);
    type Coo = sparse_tensor!(tensor<?x?xf64, #SortedCOO>);
    type Rows = sparse_tensor!(tensor<100x100xbf16, #CSR>);
    type Columns = sparse_tensor!(tensor<8x8xf64, #DCSC>);
    type Blocks = sparse_tensor!(tensor<20x30xf32, #BSR>);
    type Explicit = sparse_tensor!(tensor<20x30xf32, #BSR_explicit>);
    type EllRows = sparse_tensor!(tensor<?x?xf64, #ELL>);
    type Slice = sparse_tensor!(tensor<?x?xf64, #CSR_SLICE>);
    for (spec, sizes) in [
        (Vector::SPEC, "?xf32"),
        (Coo::SPEC, "?x?xf64"),
        (Rows::SPEC, "100x100xbf16"),
        (Columns::SPEC, "8x8xf64"),
        (Blocks::SPEC, "20x30xf32"),
        (Explicit::SPEC, "20x30xf32"),
        (EllRows::SPEC, "?x?xf64"),
        (Slice::SPEC, "?x?xf64"),
    ] {
        assert_eq!(spec.to_string(), format!("tensor<{sizes}, {}>", spec.encoding()));
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    assert_eq!(Blocks::SPEC, Explicit::SPEC);
    let rows = Rows::from_coo(&[([99, 99], bf16::from_f32(1.5))], Duplicates::Error);
    assert_eq!(rows.expect("a matrix").get([99, 99]).to_f32(), 1.5);
    let vector = Vector::with_shape([1 << 40], &[([1 << 39], 2.0)], Duplicates::Error);
    assert_eq!(vector.expect("a vector").shape(), [1 << 40]);
}

/// "The dimension size (implicit from the tensor's dimension shape)": the sizes come from the type.
#[test]
fn dimension_sizes_are_those_of_the_tensors_shape() {
    type Matrix = sparse_tensor!(tensor<4x6xf64, #CSR>);
    let dense = [
        1.0, 2.0, 0.0, 0.0, 4.0, 0.0, //
        0.0, 3.0, 0.0, 0.0, 0.0, 5.0, //
        0.0, 0.0, 6.0, 7.0, 0.0, 0.0, //
        0.0, 0.0, 8.0, 0.0, 0.0, 0.0,
    ];
    let matrix = Matrix::from_dense(&dense).expect("a matrix");
    assert_eq!((matrix.shape(), matrix.positions(1)), ([4, 6], &[0, 3, 5, 7, 8][..]));
    let entries = matrix.to_coo();
    assert_eq!(Matrix::from_coo(&entries, Duplicates::Error).as_ref(), Ok(&matrix));
    for outside in [[4, 0], [0, 6]] {
        let error = Matrix::from_coo(&[(outside, 1.0)], Duplicates::Error).unwrap_err();
        assert!(matches!(error, BuildError::OutOfBounds { entry: 0, .. }), "{error}");
    }
    let error = Matrix::from_dense(&dense[1..]).unwrap_err();
    assert_eq!(error, BuildError::Length { expected: 24, found: 23 });
    let triplets = Matrix::from_triplets(&[3], &[2], &[8.0], Duplicates::Error).expect("a matrix");
    assert_eq!(triplets.to_coo(), [([3, 2], 8.0)]);
    assert_eq!(Matrix::empty().expect("a matrix").number_of_entries(), 0);
    let columns: sparse_tensor!(tensor<6x4xf64, #CSC>) = matrix.clone().transpose();
    assert_eq!(columns.get([5, 1]), 5.0);
    let blocks = matrix.convert::<Bsr2>().expect("blocks");
    assert_eq!(
        (blocks.coordinates(1), blocks.to_string()),
        (&[0, 2, 1][..], (*blocks).to_string())
    );
    let halves: sparse_tensor!(tensor<4x6xi16, #CSR>) = matrix.map(|x| x / 2.0).cast();
    assert_eq!(halves.values(), [0, 1, 2, 1, 2, 3, 3, 4]);
}

const ROWS: usize = 2;

fn widths<const N: usize>(matrix: &sparse_tensor!(f64[N, ?] Csr)) -> [usize; N] {
    core::array::from_fn(|i| matrix.row(i).count())
}

#[test]
fn sizes_are_literals_consts_const_generics_or_known_at_run_time() {
    type Named = sparse_tensor!(f64[ROWS, {ROWS * 3}] Csr);
    type Open = sparse_tensor!(f64[ROWS, ?] Csr);
    let same: Named = <sparse_tensor!(f64[2,6] Csr)>::empty().expect("a matrix");
    assert_eq!(same.shape(), [2, 6]);
    let open = Open::with_shape([2, 9], &[([1, 8], 1.0)], Duplicates::Error).expect("a matrix");
    assert_eq!(widths(&open), [0, 1]);
    let error = Open::with_shape([3, 9], &[], Duplicates::Error).unwrap_err();
    assert_eq!(error.to_string(), "dimension 0 has the size 2 in the type, but 3 was given");
    assert_eq!(Open::SPEC.sizes(), [Some(2), None]);
    // A tensor without sizes in its type can be converted into one with them, and back.
    assert!(Named::try_from(open.clone().into_tensor()).is_err());
    assert_eq!(Open::try_from(open.clone().into_tensor()), Ok(open));
    type Complex = sparse_tensor!(complex<f32>[2,2] formats::Coo<u32, u32>);
    assert_eq!(Complex::SPEC.element(), ScalarType::Complex32);
    type Whole = sparse_tensor!(tensor<0x3xi8, #sparse_tensor.encoding<{
        map = (i, j) -> (i : compressed, j : dense), posWidth = 8
    }>>);
    assert_eq!(Whole::empty().expect("no rows").shape(), [0, 3]);
}

sparse_kernel! {
    fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn scaled(a: Csr<f64>[i, j], c: f64) -> b: Csr<f64>[i, j] { b[i, j] = c * a[i, j] }
}

#[test]
fn kernels_take_tensors_with_sizes() {
    type Matrix = sparse_tensor!(tensor<2x3xf64, #CSR>);
    let matrix = Matrix::from_dense(&[1.0, 0.0, 2.0, 0.0, 3.0, 0.0]).expect("a matrix");
    assert_eq!(spmv(&matrix, &[1.0, 10.0, 100.0]).expect("sizes").values(), [201.0, 30.0]);
    let scaled = Matrix::try_from(scaled(&matrix, 2.0).expect("sizes")).expect("the same sizes");
    assert_eq!(scaled.get([0, 2]), 4.0);
    let levels = [0, 1].map(|level| LevelSlices {
        positions: matrix.positions(level),
        coordinates: matrix.coordinates(level),
    });
    let borrowed = SparseTensorRef::<Csr, f64>::new([2, 3], &levels, matrix.values());
    let borrowed: &SparseTensor<Csr, f64> = &borrowed.expect("a matrix");
    assert_eq!(borrowed, &*matrix);
}

/// A tensor that the encoding cannot store, or one with another element type, is detected when it is built.
#[test]
fn tensors_are_checked_when_they_are_built() {
    type Exact = tensor_layout::sparse_encoding!((i) -> (i floordiv 2 : compressed, i mod 2 : dense), padded = false);
    type Ones = tensor_layout::sparse_encoding!((i) -> (i : compressed), explicitVal = 1.0 : f32);
    let error = <sparse_tensor!(f64[5] Exact)>::empty().unwrap_err();
    assert!(matches!(error, BuildError::Shape(_)), "{error}");
    assert!(<sparse_tensor!(f64[6] Exact)>::empty().is_ok());
    let error = <sparse_tensor!(f64[5] Ones)>::empty().unwrap_err();
    assert!(matches!(error, BuildError::Shape(Problem::ValueType { .. })), "{error}");
    assert!(<sparse_tensor!(f32[5] Ones)>::empty().is_ok());
}

#[test]
fn tensor_types_are_read_and_printed_at_run_time() {
    let text = "tensor<10x?x4xcomplex<f64>, #sparse_tensor.encoding<{ map = (d0, d1, d2) -> (d0 : dense, d1 : compressed(nonunique), d2 : singleton), crdWidth = 16 }>>";
    let spec: SparseTensorSpec = text.parse().expect("a tensor type");
    assert_eq!(spec.to_string(), text);
    assert_eq!(spec.sizes(), [Some(10), None, Some(4)]);
    assert!(spec.fits(&[10, 7, 4]) && !spec.fits(&[10, 7, 5]) && !spec.fits(&[10, 7]));
    let again = SparseTensorSpec::new(spec.sizes(), spec.element(), *spec.encoding());
    assert_eq!(again, Ok(spec));
    assert!(SparseTensorSpec::new(&[Some(4)], spec.element(), *spec.encoding()).is_err());
    for (text, expected) in [
        (
            "#sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>",
            "1:1: expected the type of a tensor (help: write `tensor<4x6xf64, #sparse_tensor.encoding<{ .. }>>`)",
        ),
        (
            "tensor<4x6xf64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>>",
            "1:8: the encoding has 1 dimension, but the array has 2 (help: write 1 size)",
        ),
        (
            "tensor<4xf64, #sparse_tensor.encoding<{ map = (i) -> (i : compressed) }>> x",
            "1:75: expected the end of the tensor type, found `x` (help: leave `x` out)",
        ),
    ] {
        assert_eq!(text.parse::<SparseTensorSpec>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn tensor_types_are_drawn_with_the_sizes_of_their_levels() {
    type Blocks = sparse_tensor!(tensor<20x30xf32, #BSR>);
    let facts = Blocks::SPEC.facts();
    let fact = |name: &str| facts.get(name).map(|fact| fact.text.as_str());
    assert_eq!((fact("sizes"), fact("element type")), (Some("20x30"), Some("f32")));
    assert_eq!(fact("level sizes"), Some("(10,10,2,3)"));
    assert_eq!(Blocks::SPEC.notation(), Blocks::SPEC.to_string());
    let open = <sparse_tensor!(tensor<?x30xf32, #BSR>)>::SPEC.facts();
    assert_eq!(open.get("sizes").map(|fact| fact.text.as_str()), Some("?x30"));
    assert!(open.get("level sizes").is_none());
}
