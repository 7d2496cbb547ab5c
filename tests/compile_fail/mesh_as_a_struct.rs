//! A mesh is not declared as Rust declares a struct.
use tensor_layout::mesh;

mesh! { pub struct Pod { data: 2, model: 4 } }
mesh! { pub struct Ring = ["x" = 8] }

fn main() {}
