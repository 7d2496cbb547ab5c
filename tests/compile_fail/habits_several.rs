//! Several mistakes in one signature and in one program: each is an error.
use tensor_layout::{mesh, propagate, sparse_encoding, sparse_kernel};

mesh! { Pod = ["data" = 2, "model" = 4] }
sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

propagate! {
    mesh Pod;
    fn computed(x: f32[8,16]) {
        let y = tanh(x);
        let z = tanh(y[2]);
        let mean = y.mean();
        return einsum("ij", x);
    }
}

sparse_kernel! {
    fn several(a: Csr<f64>(i, j), x: &Dense<f64>[j], z: Csr<f64, u32>[i, j], w Dense<f64>[j]) -> y Dense<f64>[i] {
        y[i] += a[i, j] * x[j]
    }
}

fn main() {}
