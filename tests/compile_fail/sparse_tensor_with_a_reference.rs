use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

fn rows(_: sparse_tensor!(&f64[4,6] Csr)) {}

fn main() {}
