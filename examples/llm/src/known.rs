//! The sizes that models are compiled for: they are types, so each is a line here.

use crate::Result;
use crate::config::Config;
use crate::model::{Llama, Model};
use crate::weights::{Bf16, Q4, Q8, Weights};
use std::fmt::Write;
use tensor_layout::checkpoint::Checkpoint;

macro_rules! model {
    ($config:ident, $checkpoint:ident, $texts:ident, $format:ty, [$($size:literal)+]) => {
        Ok(Box::new(Model::<$format, $($size),+>::new($config, $checkpoint, $texts)?))
    };
}

/// A model in the format that is asked for; sizes that are not whole blocks of 32 have `bf16` alone.
macro_rules! in_format {
    ($config:ident, $checkpoint:ident, $weights:ident, $texts:ident, $sizes:tt) => {
        match $weights {
            Weights::Bf16 => model!($config, $checkpoint, $texts, Bf16, $sizes),
            Weights::Q8 => model!($config, $checkpoint, $texts, Q8, $sizes),
            Weights::Q4 => model!($config, $checkpoint, $texts, Q4, $sizes),
        }
    };
    ($config:ident, $checkpoint:ident, $weights:ident, $texts:ident, $sizes:tt bf16) => {
        match $weights {
            Weights::Bf16 => model!($config, $checkpoint, $texts, Bf16, $sizes),
            _ => Err(format!(
                "sizes of {} are not all multiples of 32, as blocks are",
                $config.dims()
            )
            .into()),
        }
    };
}

macro_rules! known {
    ($($name:literal: $($size:literal)+ $(, $only:ident)?;)+) => {
        /// The model of a configuration, on the weights of a checkpoint in a format, with room for `texts` texts.
        ///
        /// # Errors
        /// If no line of the table has its sizes, or the checkpoint has other weights.
        pub fn open<'a>(
            config: &Config,
            checkpoint: &'a Checkpoint,
            weights: Weights,
            texts: usize,
        ) -> Result<Box<dyn Llama + 'a>> {
            $(
                if config.dims() == Model::<Bf16, $($size),+>::DIMS {
                    return in_format!(config, checkpoint, weights, texts, [$($size)+] $($only)?);
                }
            )+
            let mut known = String::new();
            $( let _ = write!(known, "\n  {:54} {}", Model::<Bf16, $($size),+>::DIMS.to_string(), $name); )+
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
// text, in tokens. Width, query heads and hidden width are multiples of 32, or weights are `bf16` only.
known! {
    "the model of this example": 256 128 128 64 32 384 128;
    "random, for tests: two heads share their keys": 64 32 32 16 8 48 40, bf16;
    "random, for tests: all heads share their keys": 96 48 64 16 16 80 40, bf16;
    "random, for tests: each head has its keys": 130 64 64 64 32 96 40;
    "stories15M": 32000 288 288 288 48 768 256;
    "SmolLM 135M": 49152 576 576 192 64 1536 2048;
    "TinyLlama 1.1B": 32000 2048 2048 256 64 5632 2048;
    "Llama 3.2 1B": 128256 2048 2048 512 64 8192 4096;
    "Llama 3.2 3B": 128256 3072 3072 1024 128 8192 4096;
    "Llama 2 7B": 32000 4096 4096 4096 128 11008 4096;
    "Llama 3 8B": 128256 4096 4096 1024 128 14336 4096;
}
