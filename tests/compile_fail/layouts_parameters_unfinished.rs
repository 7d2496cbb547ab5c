tensor_layout::layouts! {
    pub type Rows<const N: usize = tiled!(f32[N,128]);
}

fn main() {}
