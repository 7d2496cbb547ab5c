//! Meshes with constants as sizes, with other signs, and as MLIR names them.
use tensor_layout::mesh;

const N: usize = 4;

mesh! { Constant = ["data" = N, "data" = 0] }
mesh! { pub(crate) Colon: ["x" = 2, "y" = 2] }
mesh! { @Named = <["x"=2]> }

fn main() {}
