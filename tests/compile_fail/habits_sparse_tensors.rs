//! Sparse tensors in other orders, and with words and layouts between sizes and encoding.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

type First = sparse_tensor!(Csr[4,6]);
type Word = sparse_tensor!(f64[4,6] as Csr);
type Layout = sparse_tensor!(f64[4,6]{1,0} Csr);
type Crosses = sparse_tensor!(f64[4x6] Csr);
type Negative = sparse_tensor!(f64[-1,6] Csr);
type Element = sparse_tensor!(tensor<4x6xfloat, #CSR>);
type Commas = sparse_tensor!(tensor<4,6,f64, #CSR>);

fn main() {}
