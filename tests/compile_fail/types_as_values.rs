//! Encodings, sparse tensors and sharded arrays are types, and have no values.
use tensor_layout::{mesh, sharded, sparse_encoding, sparse_tensor};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
mesh! { Pod = ["data" = 2] }

fn main() {
    let _encoding = sparse_encoding!((i, j) -> (i : dense, j : compressed));
    let _tensor = sparse_tensor!(tensor<4x6xf64, #CSR>);
    let _array = sharded!(f32[8,8] @ Pod [{"data"}, {}]);
    let _sparse = sharded!(f64[8,8] Csr @ Pod [{"data"}, {}]);
}
