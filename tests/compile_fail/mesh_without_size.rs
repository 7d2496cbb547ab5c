tensor_layout::mesh! { Pod = ["data", "model" = 2] }

fn main() {}
