use tensor_layout::{sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

type Bad = sparse_tensor!(tensor<4x6xi1, #CSR>);
type Unknown = sparse_tensor!(f65[4,6] Csr);

fn main() {}
