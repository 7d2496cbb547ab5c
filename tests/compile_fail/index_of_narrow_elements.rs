//! Elements narrower than a byte cannot be borrowed.
use tensor_layout::{Packed, tpu};

fn main() {
    let x = Packed::<tpu!(s4[8,128])>::filled(1);
    println!("{}", x[[0, 3]]);
}
