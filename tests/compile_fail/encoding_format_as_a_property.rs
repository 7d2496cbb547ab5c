use tensor_layout::sparse_encoding;

type Coo = sparse_encoding!((i, j) -> (i : compressed, j : compressed(singleton)));
type Vector = sparse_encoding!((i) -> (i, compressed));

fn main() {}
