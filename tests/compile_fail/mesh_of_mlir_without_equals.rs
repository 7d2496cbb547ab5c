//! The equals sign of a mesh of MLIR is missing: one error.
tensor_layout::mesh! { sdy.mesh @Pod <["data"=2]> }

fn main() {}
