use tensor_layout::tiled;

type Bad = tiled!(b(f32[8,16]{1,0}));

fn main() {}
