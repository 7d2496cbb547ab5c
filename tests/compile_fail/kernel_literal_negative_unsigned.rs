use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

sparse_kernel! {
    fn product(a: Csr<u8>[i, j]) -> y: Dense<u8>[i] { y[i] += a[i, j] * -1 }
    fn compared(a: Csr<u64>[i, j]) -> y: Dense<u64>[i] { y[i] += 1 if a[i, j] < - 2 }
    fn sign(a: Csr<u16>[i, j]) -> y: Dense<u16>[i] { y[i] += -a[i, j] }
    fn narrow(a: Csr<i8>[i, j]) -> y: Dense<i8>[i] { y[i] += a[i, j] - -128 * -129 }
}

fn main() {}
