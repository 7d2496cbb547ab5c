use tensor_layout::half::bf16;
use tensor_layout::{Packed, tpu};

fn main() {
    let x = Packed::<tpu!(f32[8,128])>::filled(1.0);
    let _ = x.map(|x| bf16::from_f32(x));
}
