//! The macros of a renamed dependency, which `reexported` uses as well.

pub use layouts;

use layouts::{mesh, propagate, sharding_rule, sparse_encoding, sparse_kernel, tiled, tpu};

/// What the TPU compiler picks.
pub type Acts = tpu!(bf16[1000, 384]);
/// The same, written.
pub type Weights = tiled!(bf16[1000,384]{1,0:T(8,128)(2,1)});

mesh! {
    /// Two hosts with four chips each.
    pub Pod = ["data" = 2, "model" = 4]
}
sharding_rule! {
    /// On each element.
    pub Elementwise = (i, j)->(i, j)
}
sparse_encoding! {
    /// Sorted rows.
    pub type Csr = (i, j) -> (i : dense, j : compressed);
}
sparse_kernel! {
    /// A product.
    pub fn spmv(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}
layouts::layouts! {
    /// Split over the hosts.
    pub type Emb = sharded!(f32[32,8] @ Pod [{"data"}, {}]);
    /// Rows of 128.
    pub type Rows = tiled!(f32[12,128]{1,0:T(8,128)});
}
propagate! {
    mesh Pod;
    /// One operation.
    #[allow(deprecated, reason = "nothing is split along one axis")]
    pub fn program(x: f32[32,8] [{"data"}, {}]) {
        let y = op(x) : Elementwise;
        return y;
    }
}

/// For the macros of others.
#[macro_export]
macro_rules! rows {
    ($count:literal) => { $crate::layouts::tiled!(f32[$count, 128]{1,0:T(8,128)}) };
}

#[cfg(test)]
mod tests {
    use super::*;
    use layouts::sharded;
    use layouts::sparse::{Duplicates, SparseTensor};

    #[test]
    fn a_renamed_dependency_has_all_macros() {
        let _: fn(Acts) -> Weights = |same| same;
        type Written = sharded!(f32[32,8] @ Pod [{"data"}, {}]);
        let _: fn(Emb) -> Written = |same| same;
        let _: fn(program::x) -> Emb = |same| same;
        assert_eq!(program::y::slice(7).unwrap(), [16..32, 0..8]);
        let entries = [([0, 1], 2.0), ([1, 2], 3.0)];
        let a = SparseTensor::<Csr, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
        assert_eq!(spmv(&a, &[1.0, 10.0, 100.0]).unwrap().values(), [20.0, 300.0]);
        assert_eq!(layouts::layouts_listing!().rows().len(), 2);
        assert!(layouts::layouts_index!().contains("Emb"));
    }
}
