tensor_layout::propagate! { "tests/models/mlp.mlir" }

fn main() {}
