//! Spellings from Python and MLIR, and typing errors, each with a help that compiles.
use tensor_layout::{mesh, propagate, sharded, sparse_encoding, sparse_kernel, tiled};

mesh! { Pod = ["data" = 2, "model" = 4] }
mesh! { Ordered = ["data" = 2], devices=[1,0] }
sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

struct Dot(tiled!(f32[3,5]{1.0}));
struct Dots(tiled!(f32[3,5,7]{2.1,0:T(2,2)}));
struct Mlir(sharded!(tensor<8x16xbf16> @ Pod [{"data"}, {}]));

propagate! {
    mesh Pod;
    fn transposed(x: f32[4,8,16]) { let y = x.T; let z = tanh(x.mT); return y, z; }
}
propagate! {
    mesh Pod;
    fn indexed(x: f32[8,16]) { let y = tanh(x[0]); return y; }
}
propagate! {
    mesh Pod;
    fn text(x: f32[8,16], w: f32[16,32]) { let y = einsum("ij,jk->ki", x, w); return y; }
}

sparse_kernel! {
    fn several(a: Csr f64[i, j], x: Dense f64[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

fn main() {}
