//! An index is an array of numbers, one for each dimension.
use tensor_layout::{Packed, tpu};

fn main() {
    let x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    x.get((0, 1));
    x.get([0, 1, 2]);
    let _ = x[0];
    let _: Packed<tpu!(f32[4,128])> = x.slice([0..4, 0..128]);
}
