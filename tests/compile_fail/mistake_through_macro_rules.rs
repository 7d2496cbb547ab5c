use tensor_layout::tiled;

macro_rules! weights {
    ($rows:literal, $($tile:tt)*) => { tiled!(bf16[$rows,384]{1,0:T $($tile)*}) };
}

type Good = weights!(1000, (8,128)(2,1));
type Bad = weights!(1000, (8,128)(2,0));

fn main() {}
