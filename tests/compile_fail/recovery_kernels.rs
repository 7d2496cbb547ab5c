//! Syntax errors do not hide other mistakes: in operands, in statements, in schedules, in other kernels.
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn operands(a: Csr<f64>[i, j] x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * z[j]; unrol(j, 4) }
    fn operator(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] x[j] }
    fn statements(a: Csr<f64>[i, j]) -> y: Dense<f64>[i] {
        let t[i] = a[i, j] *;
        let u[i] = 2 t[i];
        y[i] = t[i] + u[i] + v[i]
    }
    def output(a: Csr<f64>[i, j]) { s += a[i, j] ** 2 }
    fn right(x: Dense<f64>[i]) -> s: f64 { s += x[i] }
}

fn main() {
    // What could be read is there.
    let _ = right(&[1.0]);
}
