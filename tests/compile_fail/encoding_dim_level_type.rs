use tensor_layout::sparse_encoding;

type Bad = sparse_encoding!(dimLevelType = ["dense", "compressed"]);

fn main() {}
