use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 8] }

type Bad = sharded!(f64[16, 64, 2] tensor_layout::sparse::formats::Csr @ Pod [{"data"}, {}, {}]);

fn main() {
    let _ = Bad::shards();
}
