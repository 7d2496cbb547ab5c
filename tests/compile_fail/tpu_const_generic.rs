use tensor_layout::tpu;

fn bytes<const N: usize>() -> usize {
    <tpu!(f32[N,128])>::BYTES
}

fn main() {
    println!("{}", bytes::<8>());
}
