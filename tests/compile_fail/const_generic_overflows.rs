use tensor_layout::tiled;

fn bytes<const N: usize>() -> usize {
    <tiled!(f32[N,128]{1,0:T(8,128)})>::BYTES
}

fn main() {
    println!("{}", bytes::<{ usize::MAX / 4 }>());
}
