//! Attributes go in the braces of the layout, tiles follow a `T`, and no comma comes last.
use tensor_layout::tiled;

type Behind = tiled!(s32[4,4]{0,1}:T(2,2));
type Without = tiled!(f32[16,128]T(8,128));
type Unnamed = tiled!(f32[16,256]{1,0:(4,128)});
type Semicolon = tiled!(f32[16,256]{0,1;T(4,128)S(1)});
type Trailing = tiled!(f32[16,256]{1,0:T(8,128,)});
type Second = tiled!(u8[8,128]{1,0:T(8,128)}(4,1));
type Memory = tiled!(f32[16,256]{1,0:T(8,128)M(VMEM)});

fn main() {}
