//! A program in a file that is not there.
use tensor_layout::propagate;

propagate!(file "models/none.mlir");

fn main() {}
