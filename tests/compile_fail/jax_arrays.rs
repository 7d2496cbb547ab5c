//! Arrays as JAX prints and declares them.
use tensor_layout::{tiled, tpu};

struct Declared(tiled!(ShapeDtypeStruct((8, 128), jnp.bfloat16)));
struct Printed(tpu!(ShapedArray(float32[8,128])));

fn main() {}
