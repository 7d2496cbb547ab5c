use tensor_layout::{Packed, tiled};

fn main() {
    let table = Packed::<tiled!(f32[50,64])>::filled(0.0);
    let _ = table.gather_rows::<tiled!(f32[3,32])>(&[1, 2, 3]);
}
