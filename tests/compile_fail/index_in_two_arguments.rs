//! An index is one argument, with a number for each dimension.
use tensor_layout::{Packed, tiled};

fn main() {
    let mut x = Packed::<tiled!(f32[<=8,128])>::with_sizes(3, 128).unwrap();
    x.set(0, 1, 5.0).unwrap();
    println!("{}", x.get(3, 4));
}
