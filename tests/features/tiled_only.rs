//! The error of a macro whose feature is off.
use tensor_layout::{
    layouts, mesh, propagate, sharded, sharding_rule, sparse_encoding, sparse_kernel, sparse_tensor, tiled,
};

pub type Rows = tiled!(f32[16,128]{1,0:T(8,128)});
pub type Csr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
pub type Sparse = sparse_tensor!(f64[4,6] Csr);
pub type Split = sharded!(f32[16,128] @ Pod [{"data"}, {}]);
mesh! { pub Pod = ["data" = 2, "model" = 4] }
sharding_rule! { pub Elementwise = (i, j)->(i, j) }
sparse_kernel! {
    pub fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}
propagate! {
    mesh Pod;
    pub fn program(x: f32[16,128] [{"data"}, {}]) { return x; }
}
layouts! {
    pub type Listed = tiled!(f32[16,128]{1,0:T(8,128)});
    pub type ListedCsr = sparse_encoding!((i, j) -> (i : dense, j : compressed));
    pub type ListedSparse = sparse_tensor!(f64[4,6] (i, j) -> (i : dense, j : compressed));
    pub type ListedSplit = sharded!(f32[16,128] @ Pod [{"data"}, {}]);
}
const _: () = assert!(Rows::LEN == Listed::LEN);
