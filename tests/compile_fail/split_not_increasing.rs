use tensor_layout::tiled;

type Bad = tiled!(f32[123,456]{1,0:SC(1:130,40)});

fn main() {}
