//! rustc quotes the line of the function, with the argument.
use tensor_layout::checkpoint::{Manifest, Packer, Writer};
use tensor_layout::{Packed, checkpoint, tpu};

type W = tpu!(f32[8,128]);

checkpoint! {
    struct Model {
        w: W,
    }
}

fn written(writer: &mut Writer, w: &Packed<W>) {
    let _ = Packer::new("* = tpu!").pack("model.safetensors", "packed.safetensors");
    let _ = writer.write("w", w);
    let _ = Model::load("model.safetensors");
}

fn main() {}
