use tensor_layout::tiled;

fn last<const TILE: usize>() -> usize {
    <tiled!(f32[3,5]{1,0:T(TILE,128)})>::offset([2, 4])
}

fn main() {
    println!("{}", last::<8>());
    println!("{}", last::<0>());
}
