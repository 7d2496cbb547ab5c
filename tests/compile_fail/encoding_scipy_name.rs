use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(csc_matrix);

fn main() {}
