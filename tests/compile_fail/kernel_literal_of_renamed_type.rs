use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
type Byte = u8;

sparse_kernel! {
    fn product(a: Csr<Byte>[i, j]) -> y: Dense<Byte>[i] { y[i] += a[i, j] * -1 }
}

fn main() {}
