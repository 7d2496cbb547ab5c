use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j) -> (i : compressed(nonunique, soa), j : singleton(soa)));

fn main() {}
