//! Layouts as CuTe, NumPy and PyTorch describe them.
use tensor_layout::{layouts, tiled};

struct Shape(tiled!((3,5):(1,3)));
struct Strides(tiled!(f32[3,5]:(5,1)));
struct Order(tiled!(f32[3,5], order=C));
struct Major(tiled!(f32[3,5]{row_major}));
struct Quoted(tiled!(f32[3,5]{"1,0"}));
struct Twice(tiled!(f32[3,5]{1,0}{0,1}));
struct Behind(tiled!(f32[3,5]{0,1}:T(2,2)));
struct Keywords(tiled!(shape=[3,5], dtype=f32));
struct Unknown(tiled!(f32[None,5]{1,0}));
struct Product(tiled!(f32[3*2,5]{1,0}));
struct Dense(tiled!(f32[3,5]{1,0:T(2,2)D(D,D)}));

// Each definition is read, whatever is wrong with the others.
layouts! {
    pub type A = tiled!(f32[3,5]{1,0})
    pub type B = tiled!(f32[3,5]{1,0});
    pub struct C = tiled!(f32[3]);
    type D: tiled!(f32[3,5]);
}

fn main() {}
