use tensor_layout::{Packed, tiled};

fn pack<const TILE: usize>(row_major: &[f32]) -> Packed<tiled!(f32[3,5]{1,0:T(TILE,128)})> {
    <tiled!(f32[3,5]{1,0:T(TILE,128)})>::pack(row_major).unwrap()
}

fn main() {
    println!("{:?}", pack::<0>(&[1.0; 15]).unpack());
}
