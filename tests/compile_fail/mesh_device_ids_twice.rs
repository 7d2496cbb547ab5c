tensor_layout::mesh! { Pod = ["data" = 4], device_ids=[0, 1, 1, 2] }

fn main() {}
