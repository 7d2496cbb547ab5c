//! A field twice, attributes that are almost `name`, and a list of a negative length.
use tensor_layout::checkpoint;

checkpoint! {
    pub struct Model {
        w: tpu!(bf16[8,128]),
        w: tpu!(bf16[8,64]),
        #[nmae = "a.weight"] a: tpu!(bf16[8,128]),
        #[Name = "b.weight"] b: tpu!(bf16[8,128]),
        #[name("c.weight")] c: tpu!(bf16[8,128]),
        #[serde(rename = "d.weight")] d: tpu!(bf16[8,128]),
        #[name = "layers.{}.{}.w"] layers: Vec<tpu!(bf16[8,128])>,
        others: [tpu!(bf16[8,128]); -2],
    }
}

fn main() {}
