//! Layouts of CuTe and of Mosaic, memories by name, and sizes as they are called elsewhere.
use tensor_layout::tiled;

struct Cute(tiled!((_8,_4):(_4,_1)));
struct Memory(tiled!(f32[8,128]{1,0:T(8,128)} in VMEM));
struct Mosaic(tiled!(memref<8x128xf32, #tpu.memory_space<vmem>>));
struct Eight(tiled!(f8[8,128]));
struct Order(tiled!(f32[8,3,32,32]{NCHW}));
struct Named(tiled!(f32[N=8,C=3]));
struct Bound(tiled!(f32[<4096,128]{1,0:T(8,128)}));
struct Path(tiled!(f32[sizes::ROWS,128]{1,0:T(8,128)}));
struct Sizes(tiled!((128, 256), float32));
struct Fortran(tiled!(f32[3,5] order=F));
struct Type(tiled!(cutlass::layout::RowMajor));
struct Call(tiled!(pl.BlockSpec((8,128), lambda i: (i, 0))));

fn main() {}
