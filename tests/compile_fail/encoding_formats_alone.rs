//! An encoding names its dimensions, and properties are in parentheses.
use tensor_layout::sparse_encoding;

type Taco = sparse_encoding!((dense, compressed));
type Tensor = sparse_encoding!((compressed, compressed, compressed));
type Coo = sparse_encoding!((i, j) -> (i : compressed nonunique, j : singleton soa));
type Loose = sparse_encoding!((i, j) -> (i : compressed nonunique nonordered, j : singleton));

fn main() {}
