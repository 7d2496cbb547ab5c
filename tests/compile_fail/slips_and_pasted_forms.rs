//! Slips in lists, and forms of Julia, PyTorch and StableHLO.
use tensor_layout::{mesh, propagate, sharded, sharding_rule, sparse_encoding, sparse_kernel};

mesh! { Pod = ["data" = 2, "model" = 4] }
mesh! { Trailing = ["x" = 2, "y" = 2,], device_ids=[0, 1, 1, 7] }
sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
sharding_rule! { Convolution = (b, h, c), (kh, c, o) -> (b, h, o) reduction={c} }

struct Axes(sharded!(f32[8,16] @ Pod [{data}, {"mdl"}]));
struct Padded(sharded!(f32[8,16] @ Pod [{"data"}, {}], pad));
struct Items(sharded!(f32[8,16] @ Pod [P("data"), P(None)]));

sparse_kernel! {
    fn julia(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y .= 0; y[i] += a[i, jj] * x[j] }
    fn dots(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j] .* b[i, j] }
    fn method(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = a[i, j].sqrt() }
}

propagate! {
    mesh Pod;
    fn forms(x: f32[8,16] [{"dat"}, {}] w: f32[16,32]) {
        let a = stablehlo.tanh(x);
        let b = x.matmul(w);
        let c = 2.0 * x;
        let d = "stablehlo.exponential"(x);
        return a, b, c, d;
    }
}
propagate! { mesh Pod; runs; fn f(x: f32[8]) { return x; } }

fn main() {}
