tensor_layout::mesh! { Pod = ["data" = -2] }

fn main() {}
