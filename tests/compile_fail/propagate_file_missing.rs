//! A program in a file that does not exist.
use tensor_layout::propagate;

propagate!(file "models/none.mlir");

fn main() {}
