//! Shapes and strides as CuTe writes them, and swizzles.
use tensor_layout::tiled;

struct Called(tiled!(f32((3,5),(5,1))));
struct Typed(tiled!(Layout<Shape<_8,_128>, Stride<_1,_8>>));
struct Padded(tiled!(f32((3,5),(8,1))));
struct Brackets(tiled!(f32[3,5]:[5,1]));
struct Major(tiled!(f32[3,5]{ColumnMajor}));
struct Swizzled(tiled!(f32[64,64]{1,0:Swizzle(3,4,3)}));

fn main() {}
