use tensor_layout::{Packed, tiled};

fn load() -> Packed<tiled!(bf16[16,256]{0,1:T(8,128)(2,1)})> {
    loop {}
}

fn multiply(_: &Packed<tiled!(bf16[16,256]{1,0:T(8,128)(2,1)})>) {}

fn main() {
    multiply(&load());
}
