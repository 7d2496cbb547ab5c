use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : dence, k : compressed(nonuniqe)));

fn main() {}
