//! 2:4 sparsity is two levels.
use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dense, j : 2:4));

fn main() {}
