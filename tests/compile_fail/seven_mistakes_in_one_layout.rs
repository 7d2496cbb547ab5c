use tensor_layout::tiled;

type Bad = tiled!(f32[3,5]{1,1:T(0,2)(3,*)L(0)E(4)S(300)Q(3)});

fn main() {}
