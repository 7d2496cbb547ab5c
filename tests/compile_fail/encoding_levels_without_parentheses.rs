//! Levels go in parentheses: one error.
use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> i : dense, j : compressed);

fn main() {}
