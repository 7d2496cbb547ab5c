//! Colons, commas and sizes of blocks that are missing or differ.
use tensor_layout::sparse_encoding;

type Colon = sparse_encoding!((i, j) -> (j dense, i : compressed));
type Comma = sparse_encoding!((i, j) -> (i : dense, j : compressed), posWidth = 32 crdWidth = 16);
type Percent = sparse_encoding!((i, j) -> (i / 2 : dense, j : compressed, i % 2));
type Part = sparse_encoding!((i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense));
type Sizes = sparse_encoding!((i, j) -> (i floordiv 4 : dense, j : compressed, i mod 8 : dense));
type Twice = sparse_encoding!((row, col) -> (row : compressed, col : dense, row : dense));
type Name = sparse_encoding!((row, col) -> (row : dense, column : compressed));
type Other = sparse_encoding!((i, j) -> (i : dense, j : compressed, k : compressed));

fn main() {}
