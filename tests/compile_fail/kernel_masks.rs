//! Masks and semirings as other libraries write them.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn unseen(a: Csr<bool>[i, j], f: Dense<bool>[j], seen: Dense<bool>[i]) -> n: Dense<bool>[i] { n[i] = lor.land(a[i, j], f[j]) if !seen[i] }
    fn complement(m: Csr<f64>[i, j], a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] if ~m[i, j] }
    fn parity(a: Csr<bool>[i, j], x: Dense<bool>[j]) -> y: Dense<bool>[i] { y[i] = lxor.land(a[i, j], x[j]) }
}

fn main() {}
