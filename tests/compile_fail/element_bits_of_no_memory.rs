use tensor_layout::tiled;

type Bad = tiled!(s4[3,5]{1,0:E(5)});

fn main() {}
