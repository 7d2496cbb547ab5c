//! Sparse tensors with named parts, and sizes in other brackets.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

type Named = sparse_tensor!(size=(4, 6), dtype=torch.float64, layout=Csr);
type Apart = sparse_tensor!(f64[4][6] Csr);
type Tuple = sparse_tensor!(f64[(4, 6)] Csr);
type Memory = sparse_tensor!(memref<4x6xf64, #CSR>);

fn main() {}
