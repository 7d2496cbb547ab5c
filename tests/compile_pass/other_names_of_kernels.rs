//! Kernels work with every path by which they can be called. Unlike the other macros, they need the prelude of attributes, in which
//! rustc finds `diagnostic`.

extern crate tensor_layout as renamed;

/// Not the crate.
mod tensor_layout {
    pub(crate) use renamed::sparse_encoding;
}

tensor_layout::sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
renamed::sparse_kernel! {
    fn sum(a: Csr<f64>[i, j]) -> s: f64 { s += a[i, j] }
}

fn main() {
    let entries = [([1, 1], 2.0)];
    let a = renamed::SparseTensor::<Csr, f64>::from_coo(
        [2, 2],
        &entries,
        renamed::sparse::Duplicates::Error,
    );
    assert_eq!(sum(&a.unwrap()).unwrap(), 2.0);
}
