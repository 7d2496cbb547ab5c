//! The sizes that models are compiled for: they are types, so each is a line here.

use crate::Result;
use crate::config::Config;
use crate::model::{Llama, Model};
use std::fmt::Write;
use tensor_layout::checkpoint::Checkpoint;

macro_rules! known {
    ($($name:literal: $($size:literal)+;)+) => {
        /// The model of a configuration, on the weights of a checkpoint, with room for `texts` texts.
        ///
        /// # Errors
        /// If no line of the table has its sizes, or the checkpoint has other weights.
        pub fn open<'a>(
            config: &Config,
            checkpoint: &'a Checkpoint,
            texts: usize,
        ) -> Result<Box<dyn Llama + 'a>> {
            $(
                if config.dims() == Model::<$($size),+>::DIMS {
                    return Ok(Box::new(Model::<$($size),+>::new(config, checkpoint, texts)?));
                }
            )+
            let mut known = String::new();
            $( let _ = write!(known, "\n  {:54} {}", Model::<$($size),+>::DIMS.to_string(), $name); )+
            Err(format!(
                "no model of these sizes is compiled in: {}\n\
                 known are (vocabulary, width, queries, keys, head, hidden):{known}\n\
                 help: add a line to the table in `src/known.rs`, with the length of the longest text as the last number",
                config.dims()
            )
            .into())
        }
    };
}

// The numbers: tokens of the vocabulary, width, all query heads, all key heads, one head, hidden width, and the longest
// text, in tokens.
known! {
    "the model of this example": 256 128 128 64 32 384 128;
    "random, for tests: two heads share their keys": 64 32 32 16 8 48 40;
    "random, for tests: all heads share their keys": 96 48 64 16 16 80 40;
    "random, for tests: each head has its keys": 130 64 64 64 32 96 40;
    "stories15M": 32000 288 288 288 48 768 256;
    "SmolLM 135M": 49152 576 576 192 64 1536 2048;
    "TinyLlama 1.1B": 32000 2048 2048 256 64 5632 2048;
    "Llama 3.2 1B": 128256 2048 2048 512 64 8192 4096;
    "Llama 3.2 3B": 128256 3072 3072 1024 128 8192 4096;
    "Llama 2 7B": 32000 4096 4096 4096 128 11008 4096;
    "Llama 3 8B": 128256 4096 4096 1024 128 14336 4096;
}
