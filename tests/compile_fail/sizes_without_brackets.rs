//! Sizes without brackets, without an element type, and without a number.
use tensor_layout::{tiled, tpu};

type Behind = tiled!(f32{1,0}[64,128]);
type Bare = tpu!(bf16, 1000, 384);
type Size = tiled!(torch.Size([3, 5]));
type Alone = tiled!((3, 5));
type Unknown = tiled!(f32[dyn,5]);
type Sparse = tiled!(tensor<64x128xf32, #CSR>);
type Pointer = tiled!(tl.make_block_ptr(base=x, shape=(128, 64), order=(1, 0)));

type Named = tiled!(Float32[Array, "8 128"]);

fn main() {}
