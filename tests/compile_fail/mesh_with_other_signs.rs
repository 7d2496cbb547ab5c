//! Axes and sizes with other signs between them, in pairs, and with text behind them.
use tensor_layout::mesh;

mesh! { Semicolons = ["data"; 2, "model"; 4] }
mesh! { Commas = ["data", 2, "model", 4] }
mesh! { Pairs = [("data", 2), ("model", 4)] }
mesh! { Devices = ["data" = 2, "model" = 4] on "tpu" }

fn main() {}
