use tensor_layout::tiled;

type Bad = tiled!(bf17[3,,5]{1,0:T(8,x y)S(VMEM)Z(3)} padded to [?,8] with nothing);

fn main() {}
