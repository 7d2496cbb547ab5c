tensor_layout::mesh! { Pod = ["data" = 0, "model" = 4] }

fn main() {}
