tensor_layout::mesh! { Pod = [2, 4] }

fn main() {}
