use tensor_layout::{Layout, Packed, tiled};
use tensor_layout::typenum::U2;

fn transpose<L: Layout<Rank = U2>>(_: &Packed<L>) {}

fn main() {
    transpose(&Packed::<tiled!(f32[2,3,5])>::zeroed().unwrap());
}
