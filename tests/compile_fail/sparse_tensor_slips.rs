//! Several mistakes in the type of a tensor.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

type Element = sparse_tensor!(tensor<4x6xf46, #CSR>);
type Word = sparse_tensor!(Tensor<4x6xf64, CSR>);

fn main() {}
