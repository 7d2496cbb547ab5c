use tensor_layout::tiled;

fn twice<const N: usize>() -> usize {
    <tiled!(f32[{N * 2},128])>::LEN
}

fn main() {
    println!("{}", twice::<4>());
}
