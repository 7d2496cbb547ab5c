//! Levels without dimensions, and levels in parentheses.
use tensor_layout::sparse_encoding;

type Alone = sparse_encoding!((i : dense, j : compressed));
type Grouped = sparse_encoding!((i, j) -> ((i : dense), (j : compresed)));

fn main() {}
