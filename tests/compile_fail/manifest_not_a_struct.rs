use tensor_layout::checkpoint;

checkpoint! {
    pub struct Pair(tensor_layout::tpu!(f32[64,64]));
    pub enum Block { A }
}

fn main() {}
