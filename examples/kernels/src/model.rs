//! Weights and activations, in the layouts that the TPU compiler picks, and how they are split over a pod.

use tensor_layout::{layouts, mesh};

/// The number of examples in a batch.
pub const BATCH: usize = 24;
/// The number of features of an example.
pub const WIDTH: usize = 512;
/// The number of hidden features of an example.
pub const HIDDEN: usize = 2048;

mesh! {
    /// Two hosts with four chips each.
    pub Pod = ["data" = 2, "model" = 4]
}

layouts! {
    /// Activations; the size of the batch is a constant that only rustc evaluates.
    pub type Acts = tpu!(bf16[BATCH, 512]);
    /// Weights of the first layer.
    pub type W1 = tpu!(bf16[512,2048]);
    /// Weights of the second layer.
    pub type W2 = tpu!(bf16[2048,512]);
    /// Quantized weights, eight in a word.
    pub type W1Nibbles = tpu!(s4[512,2048]);
    /// A bias.
    pub type Bias = tpu!(f32[2048]);
    /// The table of embeddings, rows over the hosts and columns over the chips of each.
    pub type Embeddings = sharded!(bf16[32000,4096] @ Pod [{"data"}, {"model"}]);
    /// Weights of the second layer, of which every host has a copy.
    pub type W2Sharded = sharded!(bf16[2048,512] @ Pod [{"model"}, {}], replicated={"data"});
}
