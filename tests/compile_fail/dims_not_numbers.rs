//! Dimensions are numbers, or lists of them.
use tensor_layout::{Packed, tpu};

fn main() {
    let x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    x.sum(None);
    x.max(0..2);
    x.softmax("rows");
}
