//! A manifest of the same macro call needs no lifetime where it is named.
use tensor_layout::checkpoint::Manifest;
use tensor_layout::{PackedRef, checkpoint, tiled};

type Square = tiled!(f32[8,8]);

checkpoint! {
    pub struct Model {
        #[name = "layers.{}"]
        layers: [Block; 2],
        heads: Vec<Head<8>>,
        last: Option<Block>,
    }
    pub struct Block { wq: Square }
    pub struct Head<const N: usize> { w: tiled!(f32[N,8]) }
}

fn of_first<'a>(model: &Model<'a>) -> PackedRef<'a, Square> {
    model.layers[0].wq
}

fn loads<'a, M: Manifest<'a>>() {}

fn main() {
    loads::<Model>();
    let _ = of_first;
}
