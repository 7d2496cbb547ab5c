use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i, j, k) -> (i : compressed(nonunique), j : singleton, k : dense));

fn main() {}
