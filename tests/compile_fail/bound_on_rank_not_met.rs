use tensor_layout::kernel::Packed;
use tensor_layout::{Layout, tiled};
use typenum::U2;

fn transpose<L: Layout<Rank = U2>>(_: &Packed<L>) {}

fn main() {
    transpose(&Packed::<tiled!(f32[2,3,5])>::zeroed().unwrap());
}
