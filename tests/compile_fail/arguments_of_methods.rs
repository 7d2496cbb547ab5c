//! rustc quotes the line of the method, with a call.
use tensor_layout::{Packed, tpu};

type X = tpu!(f32[8,128]);

fn main() {
    let mut x = Packed::<X>::filled(1.0);
    let _ = x.get(3, 4);
    let _ = x.set(3, 4, 1.0);
    let _ = x.len();
    let _ = x.sum();
    let _ = x.max();
    let _ = X::offset(3, 4);
    let _ = x.concatenate(&x, 1);
    let _ = x.reshape([1024]);
}
