//! Semirings with names, and Boolean elements: the building blocks of graph algorithms.

use tensor_layout::sparse::formats::Csr;
use tensor_layout::sparse::{Duplicates, DynSparseTensor, SparseTensor};
use tensor_layout::sparsify::{Dense, DynOperand, Evaluate, SparseKernel};
use tensor_layout::sparse_kernel;

const CSR: &str = "{(i, j) -> (i : dense, j : compressed)}";

/// A kernel as a function of the macro, and its text.
macro_rules! kernels {
    ($($name:ident $text:ident { $($kernel:tt)* })*) => {
        $( sparse_kernel! { $($kernel)* } const $text: &str = stringify!($($kernel)*); )*
    };
}

kernels! {
    reach REACH { fn reach(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = lor.land(a[i, k], b[k, j]) } }
    shortest SHORTEST { fn shortest(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<f64>[k, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j] { c[i, j] = min.plus(a[i, k], b[k, j]) } }
    common COMMON { fn common(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, k], b: {(i, j) -> (i : dense, j : compressed)}<bool>[k, j], m: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<u32>[i, j] { c[i, j] = plus.pair(a[i, k], b[k, j]) if m[i, j] != 0 } }
    next NEXT { fn next(a: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j], q: Dense<bool>[i], seen: Dense<bool>[j]) -> n: Dense<bool>[j] { n[j] = any.pair(q[i], a[i, j]) if q[i] * (1 - seen[j]) != 0 } }
    above ABOVE { fn above(a: {(i, j) -> (i : dense, j : compressed)}<i32>[i, j]) -> c: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j] { c[i, j] = a[i, j] > 1 } }
    weighted WEIGHTED { fn weighted(m: {(i, j) -> (i : dense, j : compressed)}<bool>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] = m[i, j] * x[j] } }
    grown GROWN { fn grown(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] max= max.times(a[i, j], x[j]) } }
}

fn run<T: Evaluate>(text: &str, operands: &[tensor_layout::sparsify::WideOperand<T::Wide>]) -> DynOperand<T> {
    let kernel: SparseKernel = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    kernel.run_mixed(operands, &[]).unwrap_or_else(|e| panic!("{text}: {e}\n{kernel}"))
}

/// The same tensor for the macro and for run time.
fn matrix<T: Evaluate>(shape: [usize; 2], entries: &[([usize; 2], T)]) -> (SparseTensor<Csr, T>, DynOperand<T>) {
    let typed = SparseTensor::from_coo(shape, entries, Duplicates::Error).expect("a matrix");
    let encoding = CSR.trim_matches(['{', '}']).parse().expect("an encoding");
    let dynamic = DynSparseTensor::from_coo(encoding, &shape, entries, Duplicates::Error).expect("a matrix");
    (typed, dynamic.into())
}

fn vector<T: Evaluate>(values: &[T]) -> DynOperand<T> {
    DynOperand::dense(&[values.len()], values.to_vec()).expect("a vector")
}

fn same<T: Evaluate>(typed: &SparseTensor<Csr, T>, dynamic: &DynOperand<T>) {
    let DynOperand::Sparse(dynamic) = dynamic else { panic!("a sparse output") };
    let entries: Vec<_> = typed.to_coo().into_iter().map(|(at, value)| (at.to_vec(), value)).collect();
    assert_eq!(dynamic.to_coo(), entries);
}

fn edges(edges: &[[usize; 2]]) -> (SparseTensor<Csr, bool>, DynOperand<bool>) {
    let entries: Vec<_> = edges.iter().map(|edge| (*edge, true)).collect();
    matrix([4, 4], &entries)
}

#[test]
fn paths_of_two_edges_are_found() {
    // A stored `false` is an entry, although it connects nothing.
    let (a, dynamic) = matrix([4, 4], &[([0, 1], true), ([0, 2], true), ([1, 3], true), ([2, 3], true), ([3, 0], false)]);
    let c = reach(&a, &a).expect("a product");
    assert_eq!(c.to_coo(), [([0, 3], true), ([1, 0], false), ([2, 0], false), ([3, 1], false), ([3, 2], false)]);
    same(&c, &run(REACH, &[dynamic.clone().into(), dynamic.into()]));
}

#[test]
fn shortest_paths_are_a_product() {
    let (a, dynamic) = matrix([3, 3], &[([0, 1], 4.0), ([0, 2], 1.0), ([1, 0], -0.5), ([2, 1], 2.0)]);
    let c = shortest(&a, &a).expect("a product");
    assert_eq!(c.to_coo(), [([0, 0], 3.5), ([0, 1], 3.0), ([1, 1], 3.5), ([1, 2], 0.5), ([2, 0], 1.5)]);
    same(&c, &run(SHORTEST, &[dynamic.clone().into(), dynamic.into()]));
}

#[test]
fn neighbours_in_common_are_counted_where_a_mask_is_true() {
    let (a, dynamic) = edges(&[[0, 1], [0, 2], [1, 2], [2, 1], [2, 2], [3, 0]]);
    let (mask, dynamic_mask) = matrix([4, 4], &[([0, 2], true), ([2, 2], true), ([2, 1], false)]);
    let c = common(&a, &a, &mask).expect("a product");
    assert_eq!(c.to_coo(), [([0, 2], 2), ([2, 2], 2)]);
    same(&c, &run(COMMON, &[dynamic.clone().into(), dynamic.into(), dynamic_mask.into()]));
}

#[test]
fn a_search_visits_what_it_has_not_seen() {
    let (a, dynamic) = edges(&[[0, 1], [0, 2], [1, 2], [2, 3], [3, 0]]);
    let (q, seen) = ([false, true, true, false], [true, true, false, false]);
    let n = next(&a, &q, &seen).expect("a frontier");
    assert_eq!(n.values(), [false, false, true, true]);
    assert_eq!(run(NEXT, &[dynamic.into(), vector(&q).into(), vector(&seen).into()]), vector(n.values()));
    // A given output is overwritten.
    let mut n = Dense::filled([4], true).expect("memory");
    next_into(&a, &[false; 4], &seen, &mut n).expect("a frontier");
    assert_eq!(n.values(), [false; 4]);
}

#[test]
fn comparisons_make_masks_and_masks_make_numbers() {
    let (a, dynamic) = matrix([2, 3], &[([0, 0], 3), ([0, 2], -7), ([1, 1], 2)]);
    let c = above(&a).expect("a mask");
    assert_eq!(c.to_coo(), [([0, 0], true), ([0, 2], false), ([1, 1], true)]);
    same(&c, &run(ABOVE, &[dynamic.into()]));
    let (_, mask) = matrix([2, 3], &c.to_coo());
    let y = weighted(&c, &[0.5, 10.0, 100.0]).expect("sums");
    assert_eq!(y.values(), [0.5, 10.0]);
    assert_eq!(run(WEIGHTED, &[mask.into(), vector(&[0.5, 10.0, 100.0]).into()]), vector(&[0.5, 10.0]));
    assert_eq!((a.cast::<bool>().values(), c.cast::<u8>().values()), (&[true; 3][..], &[1, 0, 1][..]));
}

#[test]
fn the_operator_of_the_monoid_adds_to_what_an_output_holds() {
    let (a, dynamic) = matrix([2, 2], &[([0, 0], 3.0), ([0, 1], 4.0)]);
    let mut y = Dense::new([2], vec![50.0, -1.0]).expect("two values");
    grown_into(&a, &[2.0, 10.0], &mut y).expect("maxima");
    assert_eq!(y.values(), [50.0, -1.0]);
    assert_eq!(grown(&a, &[2.0, 10.0]).expect("maxima").values(), [40.0, f64::NEG_INFINITY]);
    assert_eq!(run(GROWN, &[dynamic.into(), vector(&[2.0, 10.0]).into()]), vector(&[40.0, f64::NEG_INFINITY]));
}

#[test]
fn mistakes_say_what_to_write() {
    let error = |output: &str, statement: &str| {
        let text = format!("fn f(a: Dense<f32>[i, k], b: Dense<f32>[k, j]) -> c: Dense<{output}>[i, j] {{ {statement} }}");
        let error = text.parse::<SparseKernel>().expect_err("a mistake").to_string();
        error.split_once(": ").expect("a location").1.to_string()
    };
    for (output, statement, message) in [
        ("f32", "c[i, j] = min.pluss(a[i, k], b[k, j])", "there is no multiplication `pluss` (help: did you mean `plus`?)"),
        ("f32", "c[i, j] = sum.times(a[i, k], b[k, j])", "there is no monoid `sum` (help: they are plus, times, min, max, any, lor, land)"),
        ("f32", "c[i, j] += min.plus(a[i, k], b[k, j])", "`min` and `+=` reduce in two ways (help: write `=`, or `min=` to add to what the output holds)"),
        ("f32", "c[i, j] = 2 * min.plus(a[i, k], b[k, j])", "a semiring must be everything after `=` (help: a semiring reduces the whole statement: `c[i, j] = min.plus(a[i, k], b[k, j])`)"),
        ("f32", "c[i, j] = min_plus(a[i, k], b[k, j])", "unknown function `min_plus` (help: write `min.plus`)"),
        ("f32", "c[i, j] = lor.land(a[i, k], b[k, j])", "`lor` reduces `bool`, but `c` has elements of type `f32` (help: give `c` elements of type `bool`, or use `max`)"),
        ("f32", "c[i, j] = min.plus(a[i, k])", "`min.plus` takes 2 values, but is given 1 (help: it is called as `min.plus(x, y)`; a mask is a condition: `if m[i, j] != 0`)"),
        ("bool", "c[i, j] *= 1", "`bool` has no product of numbers (help: to compute whether all are true, write `min=` or a semiring: `land.first(x, y)`)"),
        ("f32", "c[i, j] = a[i, k].abs()", "a function comes before its arguments (help: write `abs(a[i, k])`)"),
    ] {
        let found = error(output, statement);
        assert!(found.ends_with(message), "{statement}: {found}");
    }
}

#[test]
fn semirings_are_printed_as_they_are_written() {
    let kernel: SparseKernel = SHORTEST.parse().expect("a kernel");
    assert_eq!(kernel.kernel().statement, "c[i, j] = min.plus(a[i, k], b[k, j])");
    let kernel: SparseKernel = GROWN.parse().expect("a kernel");
    assert_eq!(kernel.kernel().statement, "y[i] max= max.times(a[i, j], x[j])");
}
