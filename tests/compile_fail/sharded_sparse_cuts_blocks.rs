use tensor_layout::{mesh, sharded, sparse_encoding};

sparse_encoding! {
    type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense);
}
mesh! { Pod = ["data" = 8] }

type Rows = sharded!(f64[48, 64] Bsr @ Pod [{"data"}, {}]);

fn main() {
    let _ = Rows::SHARDING;
}
