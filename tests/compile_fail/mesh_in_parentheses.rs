//! Axes in parentheses, and in single quotes as Python writes them.
use tensor_layout::mesh;

mesh! { Pod = (data = 2, model = 4) }

mesh! { Slice = jax.make_mesh((4, 2), ('x', 'y')) }

fn main() {}
