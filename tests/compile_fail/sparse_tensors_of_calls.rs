//! Sparse tensors that calls of SciPy and PyTorch make.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! {
    type Csr = (i, j) -> (i : dense, j : compressed);
    type Coo = (i, j) -> (i : compressed(nonunique), j : singleton);
}

type Scipy = sparse_tensor!(csr_matrix((4, 6), dtype=float64));
type Torch = sparse_tensor!(torch.sparse_coo_tensor((4, 6), dtype=torch.float64));
type Values = sparse_tensor!(csr_matrix(([1, 2], ([0, 1], [0, 1])), shape=(4, 6), dtype=float64));
type Positions = sparse_tensor!(torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1, 2], dtype=torch.float64));

fn main() {}
