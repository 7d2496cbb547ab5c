use tensor_layout::mesh;

mesh! { Made = jax.make_mesh((2, 4), ("data", "model")) }
mesh! { Dictionary = {"data": 2, "model": 4} }

fn main() {}
