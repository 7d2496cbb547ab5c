//! Elements are combined with those at the same index.
use tensor_layout::{Packed, tiled};

fn main() {
    let rows = Packed::<tiled!(f32[1000,300]{1,0:T(8,128)})>::zeroed().unwrap();
    let more = Packed::<tiled!(f32[1000,301]{1,0:T(8,128)})>::zeroed().unwrap();
    rows.zip(&more, |a, b| a + b);
}
