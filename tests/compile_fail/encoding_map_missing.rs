use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(posWidth = 32);

fn main() {}
