//! An array in parentheses, sizes in two brackets, and two arrays.
use tensor_layout::{tiled, tpu};

type Grouped = tpu!((bf16[128,256]));
type Nested = tiled!(f32[[8,128]]{1,0});
type Two = tpu!(bf16[128,256], bf16[256,64]);

fn main() {}
