use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(CSR);

fn main() {}
