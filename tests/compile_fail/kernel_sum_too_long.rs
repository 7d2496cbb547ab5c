use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
}

sparse_kernel! {
    fn f(
        a: Csr<f64>[i, j],
        b: Csr<f64>[i, j],
        c: Csr<f64>[i, j],
        d: Csr<f64>[i, j],
        e: Csr<f64>[i, j],
        f: Csr<f64>[i, j],
        g: Csr<f64>[i, j],
    ) -> y: Dense<f64>[i, j] {
        y[i, j] = a[i, j] + b[i, j] + c[i, j] + d[i, j] + e[i, j] + f[i, j] + g[i, j]
    }
}

fn main() {}
