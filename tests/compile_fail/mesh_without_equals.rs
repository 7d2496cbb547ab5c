//! A mesh needs a name, an equals sign and brackets.
use tensor_layout::mesh;

mesh! { "data" = 2, "model" = 4 }
mesh! { pub Rows { data: 8, } }
mesh! { let pod = ["data" = 2] }

fn main() {
    let _mesh = mesh!(["x" = 3]);
}
