//! The length of a tile is written out so that loops over it need no checks.
use tensor_layout::{Packed, tiled};

type Acts = tiled!(f32[1000,300]{1,0:T(8,128)});

fn main() {
    let acts = Packed::<Acts>::zeroed().unwrap();
    for tile in acts.tiles::<512>() {
        tile.elements();
    }
}
