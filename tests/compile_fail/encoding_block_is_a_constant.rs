//! The size of a block as a constant, and braces around a map.
use tensor_layout::sparse_encoding;

const B: usize = 4;
type Blocks = sparse_encoding!((i, j) -> (i floordiv B : dense, j : compressed, i mod 4 : dense));
type Braced = sparse_encoding!((i, j) -> (i floordiv {B} : dense, j : compressed, i mod 4 : dense));
type Around = sparse_encoding!({ (i, j) -> (i : dense, j : compressed) });

fn main() {}
