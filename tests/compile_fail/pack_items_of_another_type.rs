//! Row-major items have the type that the element type names: `bf16` for `bf16[..]`, and one list for nested ones.
use tensor_layout::{Packed, tiled};

type Narrow = tiled!(bf16[2,3]);
type Rows = tiled!(f32[<=64,128]);

fn main() {
    let _ = Narrow::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let mut rows = Packed::<Rows>::with_sizes([0, 128]).unwrap();
    rows.push_rows(&vec![vec![0.0; 128]; 2]).unwrap();
}
