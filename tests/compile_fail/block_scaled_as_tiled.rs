//! Block-scaled formats have a macro of their own.
use tensor_layout::tiled;

type Known = tiled!(q8_0[64,64]);
type Unknown = tiled!(q4_k[64,64]);

fn main() {}
