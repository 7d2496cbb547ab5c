tensor_layout::mesh! { Pod = ["data" = 2], device_ids=[-1, 0] }

fn main() {}
