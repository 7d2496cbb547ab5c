//! The error of `sharded!` for a sparse tensor if only the feature `sharding` is on.
use tensor_layout::{mesh, sharded};

mesh! { pub Pod = ["data" = 2, "model" = 4] }
pub type Array = sharded!(f64[4,6] @ Pod [{"data"}, {}]);
pub type Tensor = sharded!(f64[4,6] Csr @ Pod [{"data"}, {}]);
