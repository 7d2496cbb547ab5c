//! Normalizations are for floats.
use tensor_layout::{Packed, tpu};

fn main() {
    let _ = Packed::<tpu!(s8[8,4])>::filled(1).softmax(1);
    let _ = Packed::<tpu!(pred[8,4])>::filled(true).cumulative_sum(1);
}
