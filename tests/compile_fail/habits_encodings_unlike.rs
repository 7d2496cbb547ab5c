//! Parts of encodings that other libraries have, but MLIR does not.
use tensor_layout::sparse_encoding;

type List = sparse_encoding!(lil);
type Formats = sparse_encoding!((i, j) -> (dense, compressed));
type Sizes = sparse_encoding!((i: 4, j: 5) -> (i : dense, j : compressed));
type Bare = sparse_encoding!(i, j -> i : dense, j : compressed);
type Block = sparse_encoding!((i, j) -> (i : dense, j : block[2,4]));
type Added = sparse_encoding!((i, j) -> (i : dense, j : compressed + nonunique));
type Comma = sparse_encoding!((i, j) -> (i : dense, j : compressed) posWidth = 32);

fn main() {}
