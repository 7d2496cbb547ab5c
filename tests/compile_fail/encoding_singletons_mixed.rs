use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton(soa)));

fn main() {}
