//! Packed arrays as operands and outputs of kernels: in every layout, the result equals that of the same kernel on row-major
//! arrays, and the contents of the padding have no effect.

use crate::random::entries;
use crate::rows::rows;
use tensor_layout::half::bf16;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, Encoding, SparseElement, SparseTensor};
use tensor_layout::sparsify::{
    Dense, DynOperand, Evaluate, KernelError, SparseKernel, WidenTo, WideOperand,
};
use tensor_layout::{
    Host, Layout, Packed, TiledSpec, layouts, sparse_encoding, sparse_kernel, tiled, tpu,
};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Bsr = (i, j) -> (i floordiv 3 : dense, j floordiv 2 : compressed, i mod 3 : dense, j mod 2 : dense);
    type TwoOfFour = (i, j) -> (i : dense, j floordiv 4 : dense, j mod 4 : structured[2, 4]);
}

const I: usize = 6;
const J: usize = 20;
const K: usize = 77;

/// A small number for each index, whose sums `bf16` represents exactly.
fn number(at: usize) -> i8 {
    (at * 7 % 11) as i8 - 5
}

fn matrix<E: Encoding<Index = [usize; 2]>, T: SparseElement>(of: fn(i8) -> T) -> SparseTensor<E, T> {
    let all = (0..I * J).filter(|at| at % 3 != 1 && at % 4 < 2);
    let entries: Vec<_> = all.map(|at| ([at / J, at % J], of(number(at)))).collect();
    SparseTensor::from_coo([I, J], &entries, Duplicates::Error).expect("sorted entries")
}

fn row_major<T>(len: usize, of: fn(i8) -> T) -> Vec<T> {
    (0..len).map(|at| of(number(at + 3))).collect()
}

/// Packs an array, and writes `garbage` wherever there is no element.
fn pack<L: Layout>(values: &[Host<L>], garbage: u8) -> Packed<L> {
    let clean = L::pack(values).expect("as many values");
    let mut packed = clean.clone();
    packed.as_bytes_mut().fill(garbage);
    let everything = L::DIMS;
    packed.as_mut().pack_window(L::Index::default(), everything, values).expect("the same sizes");
    assert!(packed == clean);
    packed
}

/// A product with a matrix in each of three encodings, of an operand and into an output in some layouts, compared with the same
/// product of row-major arrays.
macro_rules! products {
    ($($name:ident: $T:ty, $of:expr, $X:ty, $Y:ty;)*) => { $(
        mod $name {
            use super::*;

            sparse_kernel! {
                fn rows(a: Csr<$T>[i, j], x: Packed<$X>[j, k]) -> y: Packed<$Y>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn add(a: Csr<$T>[i, j], x: Packed<$X>[j, k]) -> y: Packed<$Y>[i, k] { y[i, k] += a[i, j] * x[j, k] }
                fn blocks(a: Bsr<$T>[i, j], x: Packed<$X>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn halves(a: TwoOfFour<$T>[i, j], x: Packed<$X>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn columns(a: Csr<$T>[i, j], x: Packed<$X>[j, k]) -> y: Dense<$T>[k, i] { y[k, i] = a[i, j] * x[j, k] }
                fn shifted(x: Packed<$X>[j, k]) -> y: Dense<$T>[k] { y[k] max= x[j + 1, k - 1] }
                fn cut(x: Packed<$X>[j, k]) -> y: Dense<$T>[k] { y[k] = x[j, k]; split(k, 12) }
                fn sampled(a: Csr<$T>[i, j], x: Packed<$X>[j, k], z: Packed<$Y>[i, k]) -> c: Csr<$T>[i, j] {
                    c[i, j] = a[i, j] * z[i, k] * x[j, k]
                }
            }
            sparse_kernel! {
                fn dense_rows(a: Csr<$T>[i, j], x: Dense<$T>[j, k]) -> y: Dense<$T>[i, k] { y[i, k] = a[i, j] * x[j, k] }
                fn dense_columns(a: Csr<$T>[i, j], x: Dense<$T>[j, k]) -> y: Dense<$T>[k, i] { y[k, i] = a[i, j] * x[j, k] }
                fn dense_shifted(x: Dense<$T>[j, k]) -> y: Dense<$T>[k] { y[k] max= x[j + 1, k - 1] }
                fn dense_cut(x: Dense<$T>[j, k]) -> y: Dense<$T>[k] { y[k] = x[j, k]; split(k, 12) }
                fn dense_sampled(a: Csr<$T>[i, j], x: Dense<$T>[j, k], z: Dense<$T>[i, k]) -> c: Csr<$T>[i, j] {
                    c[i, j] = a[i, j] * z[i, k] * x[j, k]
                }
            }

            #[test]
            fn $name() {
                let (a, values) = (matrix::<Csr, $T>($of), row_major(J * K, $of));
                let x = pack::<$X>(&values, 0x7F);
                let dense = Dense::new([J, K], values).expect("as many values");
                let expected = dense_rows(&a, &dense).expect("sizes that agree");
                let mut y = rows(&a, &x).expect("sizes that agree");
                assert_eq!(y.unpack(), expected.values());
                assert_eq!(rows(&a, &x.as_ref()).expect("a view").unpack(), expected.values());
                let twice: Vec<$T> = expected.values().iter().map(|y| *y + *y).collect();
                add_into(&a, &x, &mut y).expect("sizes that agree");
                assert_eq!(y.unpack(), twice);
                rows_into(&a, &&x, &mut y.as_mut()).expect("sizes that agree");
                assert_eq!(y.unpack(), expected.values());
                let b = blocks(&matrix::<Bsr, $T>($of), &x).expect("sizes that agree");
                assert_eq!(b.values(), expected.values());
                let h = halves(&matrix::<TwoOfFour, $T>($of), &x).expect("sizes that agree");
                assert_eq!(h.values(), expected.values());
                assert_eq!(columns(&a, &x), dense_columns(&a, &dense));
                assert_eq!(shifted(&x), dense_shifted(&dense));
                assert_eq!(cut(&x), dense_cut(&dense));
                let sample = sampled(&a, &x, &y).expect("sizes that agree");
                assert_eq!(sample.values(), dense_sampled(&a, &dense, &expected).expect("sizes").values());
            }
        }
    )* };
}

layouts! {
    pub type Weights = tiled!(bf16[20,77]{1,0:T(8,128)(2,1)});
    pub type Column = tiled!(f32[20,77]{0,1:T(8,128)});
}

products! {
    rows_of_tiles: f32, f32::from, tpu!(f32[J,K]), tpu!(f32[I,K]);
    pairs_of_rows: bf16, |n: i8| bf16::from_f32(n.into()), tpu!(bf16[20,77]), tpu!(bf16[I,K]);
    rows_without_tiles: f64, f64::from, tiled!(f64[20,77]), tiled!(f64[6,77]{0,1});
    names_of_layouts: f32, f32::from, Column, Column6;
    small_tiles: i32, i32::from, tiled!(s32[20,77]{1,0:T(2,2)}), tiled!(s32[6,77]{1,0:T(4,2)});
    short_runs: f32, f32::from, tiled!(f32[20,77]{1,0:T(2,16)}), tiled!(f32[I,K]{1,0:T(2,40)});
    runs_of_32: f32, f32::from, tiled!(f32[20,77]{1,0:T(4,32)}), tiled!(f32[I,K]{1,0:T(1,64)});
    tiles_of_rows: f32, f32::from, tiled!(f32[20,77]{1,0:T(*,128)}), tiled!(f32[I,K]{1,0:T(*,7)});
    whole_numbers: i8, |n| n % 3, tpu!(s8[20,77]), tiled!(s8[6,77]{1,0:T(8,128)(4,1)});
}

type Column6 = tiled!(f32[6,77]{0,1:T(8,128)});

sparse_kernel! {
    fn mixed(a: Csr<f32>[i, j], x: Packed<Weights>[j, k], s: Packed<tiled!(s4[77]{0:E(4)})>[k]) -> y: Packed<tpu!(bf16[I,K])>[i, k] {
        y[i, k] = a[i, j] * x[j, k] * s[k]
    }
    fn vector(a: Csr<bf16>[i, j], x: Packed<tpu!(f32[20])>[j]) -> y: Packed<tpu!(f32[6])>[i] { y[i] = a[i, j] * x[j] }
    fn tensor(a: Csr<f32>[i, j], x: Packed<tpu!(f32[3,J,K])>[b, j, k]) -> y: Packed<tpu!(f32[3,I,K])>[b, i, k] {
        y[b, i, k] = a[i, j] * x[b, j, k]
    }
    fn first(x: Packed<tpu!(f32[<=20,77])>[j, k]) -> y: Packed<tpu!(f32[77,<=20])>[k, j] { y[k, j] = 2 * x[j, k] }
    fn least(a: Csr<f32>[i, j], x: Packed<Column>[j, k]) -> y: Packed<tpu!(f32[I,K])>[i, k] { y[i, k] min= a[i, j] + x[j, k] }
}

fn float(n: i8) -> f32 {
    n.into()
}

fn brain(n: i8) -> bf16 {
    bf16::from_f32(n.into())
}

#[test]
fn elements_are_widened_and_the_output_is_rounded_once() {
    let a = matrix::<Csr, f32>(|n| f32::from(n) + 0.125);
    let x = row_major(J * K, brain);
    let s = row_major(K, |n| n);
    let y = mixed(&a, &pack::<Weights>(&x, 0xFF), &pack::<tiled!(s4[77]{0:E(4)})>(&s, 0xFF));
    let mut expected = vec![0.0; I * K];
    for ([i, j], a) in a.to_coo() {
        for k in 0..K {
            expected[i * K + k] += a * f32::from(x[j * K + k]) * f32::from(s[k]);
        }
    }
    let expected: Vec<bf16> = expected.into_iter().map(bf16::from_f32).collect();
    assert_eq!(y.expect("sizes that agree").unpack(), expected);
}

#[test]
fn vectors_and_arrays_of_three_dimensions_are_packed() {
    let x = row_major(J, float);
    let y = vector(&matrix::<Csr, bf16>(brain), &pack::<tpu!(f32[20])>(&x, 0xFF)).expect("sizes");
    let a = matrix::<Csr, f32>(float);
    let mut expected = vec![0.0; I];
    a.to_coo().iter().for_each(|([i, j], a)| expected[*i] += a * x[*j]);
    assert_eq!(y.unpack(), expected);

    let x = row_major(3 * J * K, float);
    let y = tensor(&a, &pack::<tpu!(f32[3,J,K])>(&x, 0xFF)).expect("sizes");
    let mut expected = vec![0.0; 3 * I * K];
    for ([i, j], a) in a.to_coo() {
        for at in 0..3 * K {
            let (b, k) = (at / K, at % K);
            expected[(b * I + i) * K + k] += a * x[(b * J + j) * K + k];
        }
    }
    assert_eq!(y.unpack(), expected);
}

#[test]
fn a_minimum_starts_from_infinity() {
    let a = matrix::<Csr, f32>(float);
    let x = row_major(J * K, float);
    let y = least(&a, &pack::<Column>(&x, 0xFF)).expect("sizes").unpack();
    let mut expected = vec![f32::INFINITY; I * K];
    for ([i, j], a) in a.to_coo() {
        for k in 0..K {
            expected[i * K + k] = expected[i * K + k].min(a + x[j * K + k]);
        }
    }
    assert_eq!(y, expected);
}

#[test]
fn bounded_dimensions_have_the_sizes_of_run_time() {
    let mut x = Packed::<tpu!(f32[<=20,77])>::zeroed().expect("memory");
    x.as_bytes_mut().fill(0xFF);
    x.set_len(0, 5).expect("less than the bound");
    let values = row_major(5 * K, float);
    x.as_mut().pack_window([0, 0], [5, K], &values).expect("the window");
    let y = first(&x).expect("sizes");
    assert_eq!(y.dims(), [K, 5]);
    let expected: Vec<f32> = (0..K * 5).map(|at| 2.0 * values[at % 5 * K + at / 5]).collect();
    assert_eq!(y.unpack(), expected);
}

#[test]
fn sizes_that_disagree_are_an_error() {
    let entries: [([usize; 2], f32); 1] = [([0, 0], 1.0)];
    let x = pack::<tpu!(f32[J,K])>(&row_major(J * K, float), 0);
    let narrow = SparseTensor::<Csr, f32>::from_coo([I, 19], &entries, Duplicates::Error);
    let error = rows_of_tiles_of(&narrow.expect("a matrix"), &x).err();
    let (operand, from) = ("x", "dimension 1 of `a`");
    assert_eq!(error, Some(KernelError::Size { index: "j", operand, size: J, expected: 19, from }));
    let tall = SparseTensor::<Csr, f32>::from_coo([7, J], &entries, Duplicates::Error);
    let tall = tall.expect("a matrix");
    let other = KernelError::Output { operand: "y", dim: 0, size: I, expected: 7 };
    assert_eq!(rows_of_tiles_of(&tall, &x).err(), Some(other.clone()));
    let mut y = Packed::<tpu!(f32[I,K])>::zeroed().expect("memory");
    assert_eq!(rows_of_tiles_of_into(&tall, &x, &mut y), Err(other));
}

sparse_kernel! {
    fn rows_of_tiles_of(a: Csr<f32>[i, j], x: Packed<tpu!(f32[J,K])>[j, k]) -> y: Packed<tpu!(f32[I,K])>[i, k] {
        y[i, k] = a[i, j] * x[j, k]
    }
    fn full(x: Packed<tiled!(u4[2,3]{1,0:E(4)})>[i, j]) -> y: Packed<tiled!(u4[2,3]{1,0:E(4)})>[i, j] { y[i, j] = 2 * x[i, j] }
}

#[test]
fn values_that_do_not_fit_the_layout_are_an_error() {
    let x = pack::<tiled!(u4[2,3]{1,0:E(4)})>(&[1, 2, 3, 4, 5, 6], 0xFF);
    assert_eq!(full(&x).expect("small values").unpack(), [2, 4, 6, 8, 10, 12]);
    assert!(matches!(full(&full(&x).expect("small values")), Err(KernelError::Pack(_))));
}

#[test]
fn kernels_of_run_time_take_packed_operands() {
    let text = "fn f(a: {(i, j) -> (i : dense, j : compressed)}<f32>[i, j], x: Packed<tpu!(bf16[20,77])>[j, k])
        -> y: Packed<tiled!(f32[6,77]{1,0:T(8,128)})>[i, k] { y[i, k] = a[i, j] * x[j, k] }";
    let kernel: SparseKernel = text.parse().expect("a kernel");
    let a = matrix::<Csr, f32>(float);
    let rows = pack::<tpu!(f32[J,K])>(&row_major(J * K, float), 0);
    let expected = rows_of_tiles_of(&a, &rows).expect("sizes").unpack();
    let csr = "(i, j) -> (i : dense, j : compressed)".parse().expect("an encoding");
    let coo: Vec<_> = a.to_coo().into_iter().map(|(at, value)| (at.to_vec(), value)).collect();
    let a = DynSparseTensor::from_coo(csr, &[I, J], &coo, Duplicates::Error).expect("a matrix");
    let layout: TiledSpec = <tpu!(bf16[20,77]) as Layout>::SPEC;
    let x = DynOperand::packed(layout, &row_major(J * K, brain)).expect("as many values");
    let wide: [WideOperand<f32>; 2] = [DynOperand::from(a).into(), x.into()];
    let y = kernel.run_mixed::<f32>(&wide, &[]).expect("sizes");
    assert!(matches!(&y, DynOperand::Tiled { layout, .. } if layout.tiles().len() == 1));
    let found: Vec<f32> = entries(&y).into_values().collect();
    assert_eq!(found, expected);
    assert!(kernel.to_string().contains("x[x.offset0(j) + x.offset1(lane0)..][..LANES]"), "{kernel}");
}

/// Runs a row of numbers that numpy has computed, in the types of its operands, and compares everything that is stored.
fn row<A, X, Y>(row: &serde_json::Value, of_a: fn(f64) -> A, of_x: fn(f64) -> X, of_y: fn(f64) -> Y)
where
    A: Evaluate + WidenTo<Y::Wide>,
    X: Evaluate + WidenTo<Y::Wide>,
    Y: Evaluate,
{
    let kernel: SparseKernel = crate::rows::text(row, "text").parse().expect("a kernel");
    let entries: Vec<_> =
        crate::tensors::entries(row).into_iter().map(|(at, value)| (at, of_a(value))).collect();
    let encoding = crate::rows::text(row, "encoding").parse().expect("an encoding");
    let shape = crate::rows::numbers(&row["shape"]);
    let a = DynSparseTensor::from_coo(encoding, &shape, &entries, Duplicates::Error);
    let array = |key: &str| {
        let mut values = Vec::new();
        crate::tensors::flat(&row[key], &mut values);
        values
    };
    let layout = |key: &str| -> Box<TiledSpec> {
        Box::new(crate::rows::text(row, key).parse().expect("a layout"))
    };
    let values = array("x").into_iter().map(of_x).collect();
    let x = DynOperand::Tiled { layout: layout("x_layout"), values };
    let operands: [WideOperand<Y::Wide>; 2] =
        [DynOperand::from(a.expect("a matrix")).into(), x.into()];
    let y = kernel.run_mixed::<Y>(&operands, &[]).expect("sizes that agree");
    let values = array("numpy").into_iter().map(of_y).collect();
    assert_eq!(y, DynOperand::Tiled { layout: layout("y_layout"), values }, "{kernel}");
}

#[test]
fn every_row_is_stored_as_numpy_stores_it() {
    for numbers in rows("sparse_packed", 24) {
        let types = (crate::rows::text(&numbers, "x_type"), crate::rows::text(&numbers, "y_type"));
        let (single, half) = (|x: f64| x as f32, bf16::from_f64);
        match types {
            ("f32", "f32") => row(&numbers, single, single, single),
            ("f32", "bf16") => row(&numbers, half, single, half),
            ("bf16", "f32") => row(&numbers, single, half, single),
            ("s8", "bf16") => row(&numbers, half, |x| x as i8, half),
            ("f64", "f64") => row(&numbers, |x| x, |x| x, |x| x),
            other => panic!("{other:?}"),
        }
    }
}
