use tensor_layout::{Packed, tiled};

// The mistake is reported here, and not once more where the function is used.
fn first<const N: usize>(_: &Packed<tiled!(f32[N,128]{1,1:T(8,128)})>) -> f32 {
    0.0
}

fn main() {
    let _ = first::<3>;
}
