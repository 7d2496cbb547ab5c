tensor_layout::mesh! { Pod = ["data" = 2, "data" = 4] }

fn main() {}
