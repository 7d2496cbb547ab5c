//! The memory is an attribute.
use tensor_layout::tiled;

struct Colon(tiled!(bf16[8,128]{1,0:T(8,128)(2,1)}:HBM));
struct At(tiled!(bf16[8,128]{1,0:T(8,128)(2,1)} @ VMEM));

fn main() {}
