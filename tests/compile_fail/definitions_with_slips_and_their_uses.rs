//! Slips in definitions, which are reported there and not again at every use.
use tensor_layout::{mesh, quantized, sharded, sparse_encoding, sparse_kernel, sparse_tensor};

sparse_encoding! { pbu type Csr = (i, j) -> (i : dense, j : compressed); }
sparse_encoding! { pub tpye Csc = (i, j) -> (j : dense, i : compressed); }
sparse_encoding! { pub type Dcsr = (i, j) -> (i : compresed, j : compressed); }
mesh! { pub = ["x" = 2] }
mesh! { pub Ring ["x" = 2] }

sparse_kernel! {
    pub fn by_rows(a: Csr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    pub fn by_columns(a: Csc<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    pub fn by_stored_rows(a: Dcsr<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
    pub fn in_braces(a: Dense<f64>{i, j}, x: Dense<f64>[j]) -> y: Dense<f64>[i] { y[i] += a[i, j] * x[j] }
}

struct Local(sharded!(f32[8,16] @ Ring [{"x"}, {}]));
struct Comma(quantized!(s8[64 64,128] by f16[1,32]));
struct Block(quantized!(s8[64,128] by f16[1,,32]));
struct Size(sparse_tensor!(tensor<4xyxf64, #sparse_tensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>));
struct Name(sparse_tensor!(tensor<4x6xf64, #sparsetensor.encoding<{ map = (i, j) -> (i : dense, j : compressed) }>>));

fn main() {}
