use tensor_layout::tiled;

type Bad = tiled!(bf17[3,-5]{1,1:T(0,128)(2,*)S(300)});

fn main() {}
