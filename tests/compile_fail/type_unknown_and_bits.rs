use tensor_layout::tiled;

type Bad = tiled!(f33[3,5]{1,0:E(3)});

fn main() {}
