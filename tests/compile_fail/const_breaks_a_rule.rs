use tensor_layout::tiled;

const TILE: usize = 0;

type Bad = tiled!(f32[3,5]{1,0:T(TILE,128)});

fn main() {
    println!("{}", Bad::LEN);
}
