//! Keywords of Python behind a layout, and the annotation of an array in JAX.
use tensor_layout::{tiled, tpu};

struct Keyword(tiled!(bf16[8,128]{1,0:T(8,128)(2,1)}, donate=True));
struct Annotation(tpu!(jax.Array[bf16, 8, 128]));

fn main() {}
