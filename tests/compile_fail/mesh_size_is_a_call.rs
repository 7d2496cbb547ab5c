tensor_layout::mesh! { Pod = ["data" = devices(), "model" = num::DEVICES / 2, "x" = 0] }

fn main() {}
