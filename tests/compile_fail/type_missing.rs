use tensor_layout::tiled;

type Bad = tiled!([3,5]{1,0});

fn main() {}
