//! Methods of checkpoints in other libraries.
use tensor_layout::checkpoint::{Checkpoint, Packer, Rules, Writer};

fn computed(checkpoint: Checkpoint, mut writer: Writer, packer: Packer<'_>) {
    let _ = Checkpoint::load("model.safetensors");
    let _ = checkpoint.tensors();
    let _ = checkpoint.get_tensor("w");
    let _ = checkpoint["w"];
    let _ = checkpoint.shape("w");
    let _ = checkpoint.contains("w");
    writer.add("w", &[0]);
    let _ = packer.run("model.safetensors");
    let _ = Rules::from_text("* = tpu!");
}

fn main() {}
