use tensor_layout::tiled;

type Bad = tiled!(f32[8,128]{1,0:T(8,128)} add(%a, %b));

fn main() {}
