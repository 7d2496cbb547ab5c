use tensor_layout::{Layout, Packed, tiled};
use tensor_layout::typenum::U2;

/// Reads pairs of rows out of 32-bit words.
fn multiply<L: Layout<Packing = U2>>(_: &Packed<L>) {}

fn main() {
    multiply(&Packed::<tiled!(f32[16,256]{1,0:T(8,128)})>::zeroed().unwrap());
}
