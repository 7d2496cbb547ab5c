use tensor_layout::{mesh, sharded};

mesh! { Pod = ["data" = 8] }

type Bad = sharded!(f64[?, 64] tensor_layout::sparse::formats::Csr @ Pod [{"data"}, {}]);

fn main() {}
