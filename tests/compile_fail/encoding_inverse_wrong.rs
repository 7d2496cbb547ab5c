use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!({ib, ii}(i = ib * 3 + ii) -> (ib = i floordiv 2 : compressed, ii = i mod 2 : dense));

fn main() {}
