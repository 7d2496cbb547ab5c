//! Syntax errors do not hide other mistakes: in dimensions, in the arrow, in levels, in entries.
use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Arrow = (i, j) (i : dense, j : compresed), posWidth = 31; }
type Levels = sparse_encoding!((i, 2, k) -> (i dense, j : compresed, k : singleton(nonuniq)), crdWidth = 7);
struct Tensor(sparse_tensor!(float64[4, x y] Levels));

fn main() {}
