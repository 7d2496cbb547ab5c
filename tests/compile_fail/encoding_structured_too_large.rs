use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!((i) -> (i : structured[300, 400]));

fn main() {}
