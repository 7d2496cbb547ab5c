//! A condition on a definition applies to everything that it expands to, including mistakes.

use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::{layouts, mesh, propagate, sharding_rule, sparse_encoding, sparse_kernel};

mesh! { #[cfg(any())] Pod = ["data" = 3] }
mesh! { #[cfg_attr(all(), cfg(any()))] Pod = ["data" = 4, "data" = 4] }
mesh! { #[cfg(all())] #[cfg_attr(any(), cfg(any()))] Pod = ["data" = 2] }

sparse_encoding! {
    #[cfg(any())]
    type Csr = (i, j) -> (i : nonsense, j : dense);
    #[cfg(all())]
    type Csr = (i, j) -> (i : dense, j : compressed);
}

sharding_rule! { #[cfg(any())] Same = nonsense }
sharding_rule! { #[cfg(not(any()))] Same = (i, j)->(i, j) }

layouts! {
    #[cfg(any())]
    type Tiled = nonsense;
    #[cfg(any())]
    type Tiled = tpu!(f32[1], nonsense);
    #[cfg(not(any()))]
    type Tiled = tiled!(f32[2]);
    #[cfg(any())]
    type Coo<const N: usize> = sparse_encoding!((i, j) -> (i : dense, j : dense));
    #[cfg_attr(all(), cfg(all()))]
    type Coo = sparse_encoding!((i, j) -> (i : compressed(nonunique), j : singleton));
    #[cfg(any())]
    type Split = sharded!(f32[8] @ Missing [{"data"}]);
    #[cfg(all())]
    type Split = sharded!(f32[8] @ Pod [{"data"}]);
}

sparse_kernel! {
    #[cfg(any())]
    fn sum(a: Missing<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    #[cfg(any())]
    fn sum(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += a[j, k] }
    /// Of the rows.
    #[cfg(all())]
    #[must_use]
    fn sum(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] { y[i] += a[i, j] }
}

propagate! {
    mesh Missing;
    #[cfg(any())]
    fn program(x: f32[8,16] [{"data"}, {}]) { let y = tanh(x); return y; }
}
propagate! {
    mesh Pod;
    #[cfg(any())]
    fn program(x: f32[8,16] [{"nonsense"}, {}]) { let y = tanh(x); return y; }
}
propagate! {
    mesh Pod;
    #[cfg(all())]
    fn program(x: f32[8,16] [{"data"}, {}]) { let y = op(x) : Same; return y; }
}

fn main() {
    assert_eq!(Pod::MESH.to_string(), r#"<["data"=2]>"#);
    assert!(Csr!([stringify]).contains("compressed"));
    assert!(Coo!([stringify]).contains("singleton"));
    assert_eq!(Tiled::LEN, 2);
    assert_eq!(<Split as ShardedLayout>::Local::DIMS, [4]);
    let entries = [([0, 1], 2.0), ([1, 2], 3.0)];
    let a = SparseTensor::<Csr, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    assert_eq!(sum(&a).unwrap().values(), [2.0, 3.0]);
    assert_eq!(program::y::slice(1).unwrap(), [4..8, 0..16]);
}
