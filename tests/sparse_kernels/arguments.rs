//! The arguments that the macro's functions accept for an operand: tensors with and without sizes in their types, and slices.

use tensor_layout::sparse::{Duplicates, SliceRange, SparseTensor, SparseTensorRef, formats};
use tensor_layout::sparsify::{Dense, DenseRef, StaticSizes};
use tensor_layout::types::Shape1;
use tensor_layout::{sparse_encoding, sparse_kernel, sparse_tensor};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Csc = (i, j) -> (j : dense, i : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
    type Bsr = (i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense);
    type Dia = (i, j) -> (j - i : compressed, i : range);
}

sparse_kernel! {
    fn csr(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn csc(a: Csc<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn coo(a: Coo<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn bsr(a: Bsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn dia(a: Dia<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    fn spmm(a: Csr<f64>[i, j], b: Dense<f64>[j, k]) -> c: Dense<f64>[i, k] { c[i, k] += a[i, j] * b[j, k] }
    fn times(a: Csr<f64>[i, k], b: Csc<f64>[k, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, k] * b[k, j] }
}

fn entries() -> Vec<([usize; 2], f64)> {
    let all = (0..9).flat_map(|i| (0..11).map(move |j| [i, j]));
    let some = all.filter(|[i, j]| (i * 7 + j * 5) % 3 == 0);
    some.map(|[i, j]| ([i, j], (i * 11 + j) as f64 + 1.0)).collect()
}

macro_rules! slices {
    ($($spmv:ident $Encoding:ty;)*) => { $(
        let tensor = SparseTensor::<$Encoding, f64>::from_coo([9, 11], &entries(), Duplicates::Error);
        let tensor = tensor.expect("a tensor");
        for offset in 0..3 {
            for size in 0..5 {
                for stride in 1..3 {
                    let rows = SliceRange { offset, size, stride };
                    let columns = SliceRange { offset: 2 - offset, size: size + 1, stride: 2 };
                    let slice = tensor.slice(&[rows, columns]).expect("a slice within the tensor");
                    let x: Vec<f64> = (0..=size).map(|j| (j + 2) as f64).collect();
                    let mut expected = vec![0.0; size];
                    for ([i, j], value) in entries() {
                        let (row, column) = (i.wrapping_sub(offset), j.wrapping_sub(2 - offset));
                        let inside = row % stride == 0 && row / stride < size;
                        if inside && column % 2 == 0 && column / 2 <= size {
                            expected[row / stride] += value * x[column / 2];
                        }
                    }
                    let found = $spmv(&slice, &x).expect("sizes that agree");
                    assert_eq!(found.values(), expected, "{rows:?} {columns:?}");
                }
            }
        }
    )* };
}

#[test]
fn slices_of_any_encoding_are_operands() {
    slices! { csr Csr; csc Csc; coo Coo; bsr Bsr; dia Dia; }
}

#[test]
fn a_slice_of_another_size_is_refused_as_a_tensor_is() {
    let tensor = SparseTensor::<Csr, f64>::from_coo([9, 11], &entries(), Duplicates::Error);
    let tensor = tensor.expect("a tensor");
    let range = |size| SliceRange { offset: 1, size, stride: 2 };
    let slice = tensor.slice(&[range(4), range(3)]).expect("a slice");
    let error = csr(&slice, &[1.0; 4]).expect_err("three columns").to_string();
    assert_eq!(error, "index `j` is 4 in `x`, but 3 in dimension 1 of `a`");
}

#[test]
fn sizes_in_the_type_may_be_known_of_some_operands_only() {
    type Known = sparse_tensor!(f64[9, 11] Csr);
    type Rows = sparse_tensor!(f64[9, ?] Csr);
    let known = Known::from_coo(&entries(), Duplicates::Error).expect("a tensor");
    let rows = Rows::with_shape([9, 11], &entries(), Duplicates::Error).expect("a tensor");
    let expected = csr(&*known, &[1.0; 11]).expect("sizes that agree");
    assert_eq!(csr(&known, &[1.0; 11]).as_ref(), Ok(&expected));
    assert_eq!(csr(&rows, &[1.0; 11]).as_ref(), Ok(&expected));
    assert_eq!(csr(&known, vec![1.0; 11].as_slice()).as_ref(), Ok(&expected));
    // Sizes that the type leaves open are checked at run time.
    assert!(csr(&rows, &[1.0; 12]).is_err());
    let mut given = [0.0; 9];
    csr_into(&known, &[1.0; 11], &mut given).expect("sizes that agree");
    assert_eq!(given, expected.values());
    let all = spmm(&known, &[[1.0; 2]; 11]).expect("sizes that agree");
    assert_eq!((all.shape(), all[[8, 1]]), ([9, 2], expected.values()[8]));
    type Narrow = sparse_tensor!(f64[11, 3] Csc);
    let narrow = Narrow::from_coo(&[([10, 2], 2.0)], Duplicates::Error).expect("a tensor");
    assert_eq!(times(&known, &narrow).expect("sizes that agree").shape(), [9, 3]);
}

#[test]
fn pointers_to_a_tensor_are_operands() {
    let tensor = SparseTensor::<Csr, f64>::from_coo([9, 11], &entries(), Duplicates::Error);
    let tensor = tensor.expect("a tensor");
    let expected = csr(&tensor, &[1.0; 11]).expect("sizes that agree");
    assert_eq!(csr(&&tensor, &[1.0; 11]).as_ref(), Ok(&expected));
    assert_eq!(csr(&Box::new(tensor.clone()), &[1.0; 11]).as_ref(), Ok(&expected));
    assert_eq!(csr(&std::rc::Rc::new(tensor.clone()), &[1.0; 11]).as_ref(), Ok(&expected));
    // The type of the parameter still determines the type of the argument.
    let made = csr(
        &SparseTensor::from_coo([1, 2], &[([0, 1], 2.0)], Duplicates::Error).expect("it fits"),
        &[1.0, 2.0],
    );
    assert_eq!(made.expect("sizes that agree").values(), [4.0]);
    type Borrowed<'a> = SparseTensorRef<'a, formats::Csr, f64>;
    let levels = [
        tensor_layout::sparse::LevelSlices::default(),
        tensor_layout::sparse::LevelSlices {
            positions: tensor.positions(1),
            coordinates: tensor.coordinates(1),
        },
    ];
    let borrowed = Borrowed::new([9, 11], &levels, tensor.values()).expect("a tensor");
    assert_eq!(csr(&borrowed, &[1.0; 11]).as_ref(), Ok(&expected));
}

/// A foreign array type, which knows its size.
struct Three([f64; 3]);

impl<'a> From<&'a Three> for DenseRef<'a, f64, 1> {
    fn from(three: &'a Three) -> Self {
        (&three.0).into()
    }
}

impl StaticSizes<1> for Three {
    type Sizes = Shape1<3>;
}

#[test]
fn arrays_of_other_types_are_operands() {
    type Matrix = sparse_tensor!(f64[2, 3] Csr);
    let matrix = Matrix::from_coo(&[([1, 2], 2.0)], Duplicates::Error).expect("a tensor");
    let y: Dense<f64, 1> = csr(&matrix, &Three([1.0, 2.0, 3.0])).expect("sizes that agree");
    assert_eq!(y.values(), [0.0, 6.0]);
}

/// Blocks in a tiled layout, with padding, whose elements are narrower than the sums.
#[test]
fn packed_blocks_are_operands() {
    use tensor_layout::half::bf16;
    use tensor_layout::sparse::BlockTensor;
    use tensor_layout::tiled;
    sparse_encoding! {
        type Blocks = (i, j) -> (i floordiv 3 : dense, j floordiv 5 : compressed, i mod 3 : dense, j mod 5 : dense);
    }
    sparse_kernel! {
        fn rows(a: Blocks<bf16>[i, j], b: Dense<f32>[j, k]) -> c: Dense<f32>[i, k] { c[i, k] = a[i, j] * b[j, k] }
    }
    type Block = tiled!(bf16[3,5]{1,0:T(4,4)(2,1)});
    let small = |[i, j]: [usize; 2]| ((i * 11 + j) % 17) as f32 - 8.0;
    let given: Vec<_> =
        entries().iter().map(|(index, _)| (*index, bf16::from_f32(small(*index)))).collect();
    let tensor = SparseTensor::<Blocks, bf16>::from_coo([9, 11], &given, Duplicates::Error);
    let tensor = tensor.expect("blocks");
    let blocks = BlockTensor::<Blocks, Block>::pack(&tensor).expect("memory");
    let b: Vec<[f32; 7]> =
        (0..11).map(|j| std::array::from_fn(|k| (j * 7 + k) as f32 - 30.0)).collect();
    let mut expected = vec![0.0; 9 * 7];
    for (index, value) in &given {
        let [i, j] = *index;
        (0..7).for_each(|k| expected[i * 7 + k] += value.to_f32() * b[j][k]);
    }
    assert_eq!(rows(&blocks, &b).expect("sizes agree").values(), expected);
    assert_eq!(rows(&tensor, &b).expect("sizes agree").values(), expected);
    let error = rows(&blocks, &b[..9]).expect_err("9 is not 11");
    assert_eq!(error.to_string(), "index `j` is 9 in `b`, but 11 in dimension 1 of `a`");
    let empty = SparseTensor::<Blocks, bf16>::from_coo([9, 11], &[], Duplicates::Error);
    let empty = BlockTensor::<Blocks, Block>::pack(&empty.expect("blocks")).expect("memory");
    assert_eq!(rows(&empty, &b).expect("sizes agree").values(), [0.0; 63]);
}
