//! The errors state the numbers of the bounds.
use tensor_layout::{Packed, WithPacking, WithRank, tiled};

fn transpose<L: WithRank<2>>(_: &Packed<L>) {}

fn multiply<L: WithPacking<2>>(_: &Packed<L>) {}

fn main() {
    transpose(&Packed::<tiled!(f32[2,3,5])>::zeroed().unwrap());
    multiply(&Packed::<tiled!(f32[16,256]{1,0:T(8,128)})>::zeroed().unwrap());
}
