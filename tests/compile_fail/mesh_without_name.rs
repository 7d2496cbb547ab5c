tensor_layout::mesh! { ["data" = 2] }

fn main() {}
