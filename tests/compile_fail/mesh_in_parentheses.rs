use tensor_layout::mesh;

mesh! { Pod = (data = 2, model = 4) }

fn main() {}
