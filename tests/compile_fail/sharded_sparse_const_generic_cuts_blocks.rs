use tensor_layout::{mesh, sharded, sparse_encoding};

sparse_encoding! {
    type Bsr = (i, j) -> (i floordiv 4 : dense, j floordiv 4 : compressed, i mod 4 : dense, j mod 4 : dense);
}
mesh! { Pod = ["data" = 8] }

fn shards<const N: usize>() -> usize {
    <sharded!(f64[N, 64] Bsr @ Pod [{"data"}, {}])>::shards().local_dims()[0]
}

fn main() {
    assert_eq!(shards::<64>(), 8);
    shards::<48>();
}
