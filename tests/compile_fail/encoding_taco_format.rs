use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(Format({Dense, Sparse}));

fn main() {}
