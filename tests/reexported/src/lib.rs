//! The macros of a dependency that another library re-exports, and the items that this library defines with them.
#![cfg(test)]

use renamed::layouts::sparse::{Duplicates, SparseTensor};
use renamed::layouts::{layouts, mesh, propagate, sharded, sparse_encoding, sparse_kernel, tiled};
use renamed::{Csr, Elementwise, Pod};

type Rows = tiled!(f32[12,128]{1,0:T(8,128)});
type Split = sharded!(f32[32,8] @ Pod [{"data"}, {}]);

mesh! { Ring = ["x" = 8] }
sparse_encoding! { type Dcsc = (i, j) -> (j : compressed, i : compressed); }
sparse_kernel! {
    fn dot(a: Csr<f64>[i, j], b: Dcsc<f64>[i, j]) -> s: f64 { s += a[i, j] * b[i, j] }
    fn moved(a: renamed::Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = unary(a[i, j], present = move |x| x + 1.0) }
}
layouts! { type Local = sharded!(f32[8] @ Ring [{"x"}]); }
propagate! {
    mesh Pod;
    mesh Ring;
    #[allow(deprecated, reason = "nothing is split along one axis")]
    fn program(x: f32[32,8] [{"data"}, {}], r: f32[8] @Ring [{"x"}]) {
        let y = op(x) : Elementwise;
        return y, r;
    }
}

#[test]
fn a_dependency_that_is_passed_on_has_all_macros() {
    let _: fn(Rows) -> renamed::Rows = |same| same;
    let _: fn(renamed::rows!(12)) -> Rows = |same| same;
    let _: fn(Split) -> renamed::Emb = |same| same;
    let _: fn(program::r) -> Local = |same| same;
    let _: fn(renamed::program::y) -> program::y = |same| same;
    let entries = [([0, 1], 2.0), ([1, 2], 3.0)];
    let a = SparseTensor::<Csr, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    let b = SparseTensor::<Dcsc, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    assert_eq!(dot(&a, &b).unwrap(), 13.0);
    assert_eq!(moved(&a).unwrap().values(), [3.0, 4.0]);
    assert_eq!(renamed::spmv(&a, &[1.0; 3]).unwrap().values(), [2.0, 3.0]);
}
