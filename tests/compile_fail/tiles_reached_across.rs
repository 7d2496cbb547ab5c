//! `(2,1)` interleaves two tiles of 128, which are then not contiguous.
use tensor_layout::{Packed, tiled};

type Acts = tiled!(bf16[1000]{0:T(128)(2,1)});

fn main() {
    let acts = Packed::<Acts>::zeroed().unwrap();
    acts.tiles::<128>();
}
