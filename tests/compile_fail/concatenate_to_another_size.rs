use tensor_layout::{Packed, tiled};

type Rows = tiled!(f32[3,64]);

fn main() {
    let x = Packed::<Rows>::filled(0.0);
    let _ = x.concatenate::<0, Rows, tiled!(f32[5,64])>(&x);
}
