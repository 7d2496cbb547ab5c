//! A product can only be rounded to a type that matrices can have.
use tensor_layout::{Packed, matmul, tiled};

fn main() {
    let a = Packed::<tiled!(bf16[20,30])>::zeroed().unwrap();
    let b = Packed::<tiled!(bf16[30,40])>::zeroed().unwrap();
    let _ = matmul::<_, _, tiled!(s64[20,40])>(&a, &b);
}
