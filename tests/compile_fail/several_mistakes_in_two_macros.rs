use tensor_layout::tiled;

type Good = tiled!(f32[3,5]{1,0:T(2,2)});
type Bad = tiled!(f32[3,5]{1,1:T(2,0)});

fn worse(_: tiled!(s4[3,5]{0,2:T(8,128)E(5)}), _: Good) {}

fn main() {}
