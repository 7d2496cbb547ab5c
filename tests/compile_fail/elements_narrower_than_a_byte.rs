//! Two 4-bit elements share a byte: storage is not a slice of host values.
use tensor_layout::{Packed, tiled};

type Weights = tiled!(s4[64,256]{1,0:T(8,128)(8,1)E(4)});

fn main() {
    Packed::<Weights>::zeroed().unwrap().as_elements();
}
