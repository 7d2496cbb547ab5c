//! NumPy writes an element type with its byte order and the number of its bytes.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

type A = sparse_tensor!(tensor<4x6x"<f4", #CSR>);

fn main() {}
