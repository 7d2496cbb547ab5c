//! The sizes for which models are compiled. Sizes are part of the type of a model, so each model has a line here.

use crate::Result;
use crate::config::{Config, Dims};
use crate::devices::{Device, keys_of};
use crate::model::{Llama, Model};
use crate::weights::{Activations, Bf16, Formats, Q4, Q8, S8, Sparse, Weights};
use std::fmt::Write;
use tensor_layout::checkpoint::Checkpoint;

macro_rules! model {
    (($config:ident, $checkpoint:ident, $texts:ident, $activations:ident, $device:ident), $format:ty, [$($size:tt)+]) => {
        Ok(Box::new(Model::<$format, $($size),+>::new(
            $config, $checkpoint, $texts, $activations, $device
        )?))
    };
}

/// A model in the requested format. Block-scaled formats require sizes that are multiples of 32.
macro_rules! in_format {
    ($weights:ident, $config:ident, $of:tt, $sizes:tt any) => {
        match $weights {
            Weights::Bf16 => model!($of, Bf16, $sizes),
            Weights::Q8 => model!($of, Q8, $sizes),
            Weights::S8 => model!($of, S8, $sizes),
            Weights::Q4 => model!($of, Q4, $sizes),
            Weights::TwoOfFour => model!($of, Sparse, $sizes),
        }
    };
    ($weights:ident, $config:ident, $of:tt, $sizes:tt no_blocks) => {
        match $weights {
            Weights::Bf16 => model!($of, Bf16, $sizes),
            Weights::TwoOfFour => model!($of, Sparse, $sizes),
            _ => Err(format!(
                "sizes of {} are not all multiples of 32, as blocks are",
                $config.dims()
            )
            .into()),
        }
    };
}

macro_rules! known {
    ($(
        $name:literal: $v:literal $d:literal $q:literal $k:literal $head:literal $h:literal $t:literal
        $([$($devices:literal)+])?, $formats:ident;
    )+) => {
        /// The model of a configuration, with the weights of a checkpoint in a format, and room for `texts` texts; or the part of
        /// the model that `device` has, with its part of the weights.
        ///
        /// # Errors
        /// If no line of the table has the sizes of the configuration and the number of devices, if the checkpoint has other
        /// weights, or if activations are quantized and weights have no blocks.
        pub fn open_part<'a>(
            config: &Config,
            checkpoint: &'a Checkpoint,
            formats: impl Into<Formats>,
            texts: usize,
            device: Option<Device>,
        ) -> Result<Box<dyn Llama + 'a>> {
            let Formats { weights, activations } = formats.into();
            let has_blocks = !matches!(weights, Weights::Bf16 | Weights::TwoOfFour);
            if activations == Activations::S8 && !has_blocks {
                return Err(
                    "activations are quantized for block-scaled weights\nhelp: add `--weights q8_0`".into()
                );
            }
            let (dims, devices) = (config.dims(), device.as_ref().map_or(1, Device::count));
            $(
                if dims == sizes([$v, $d, $q, $k, $head, $h]) {
                    match devices {
                        1 => return in_format!(
                            weights, config, (config, checkpoint, texts, activations, device), [$v $d $q $k $head $h $t] $formats
                        ),
                        $($(
                            $devices => return in_format!(
                                weights, config, (config, checkpoint, texts, activations, device), [
                                    { $v / $devices } $d { $q / $devices } { keys_of($k, $head, $devices) } $head
                                    { $h / $devices } $t
                                ] $formats
                            ),
                        )+)?
                        _ => {}
                    }
                }
            )+
            Err(not_compiled(dims, devices))
        }

        /// The sizes of each model, its name, and the numbers of devices that may share it.
        const KNOWN: &[(Dims, &str, &[usize])] = &[
            $( (sizes([$v, $d, $q, $k, $head, $h]), $name, &[1 $($(, $devices)+)?]), )+
        ];
    };
}

/// Whether [`open_part`] has a model of these sizes for this number of devices, which can be asked before the weights are packed.
///
/// # Errors
/// If it has none.
pub fn check(dims: Dims, devices: usize) -> Result<()> {
    let is_known =
        |(known, _, counts): &(Dims, &str, &[usize])| *known == dims && counts.contains(&devices);
    if KNOWN.iter().any(is_known) { Ok(()) } else { Err(not_compiled(dims, devices)) }
}

/// The sizes in a line of the table.
const fn sizes([vocabulary, width, queries, keys, head, hidden]: [usize; 6]) -> Dims {
    Dims { vocabulary, width, queries, keys, head, hidden }
}

fn not_compiled(dims: Dims, devices: usize) -> Box<dyn std::error::Error + Send + Sync> {
    if let Some((.., counts)) = KNOWN.iter().find(|(known, ..)| *known == dims) {
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        return format!(
            "no model of these sizes is compiled in for {devices} devices, only for {}\n\
             help: add the number to its line in the table in `src/known.rs`, in brackets",
            counts.join(" and "),
        )
        .into();
    }
    let mut known = String::new();
    for (dims, name, _) in KNOWN {
        let _ = write!(known, "\n  {:54} {name}", dims.to_string());
    }
    let Dims { width, queries, hidden, .. } = dims;
    let are_blocks = [width, queries, hidden].iter().all(|size| size.is_multiple_of(32));
    let formats = if are_blocks { "any" } else { "no_blocks" };
    format!(
        "no model of these sizes is compiled in: {dims}\n\
         known are (vocabulary, width, queries, keys, head, hidden):{known}\n\
         help: add a line to the table in `src/known.rs`, `\"NAME\": {dims} 2048, {formats};`, in which 2048 is the length of the \
         longest text",
    )
    .into()
}

/// [`open_part`] for a whole model.
///
/// # Errors
/// As for [`open_part`].
pub fn open<'a>(
    config: &Config,
    checkpoint: &'a Checkpoint,
    formats: impl Into<Formats>,
    texts: usize,
) -> Result<Box<dyn Llama + 'a>> {
    open_part(config, checkpoint, formats, texts, None)
}

// The numbers are: tokens in the vocabulary, width, features of all query heads, of all key heads and of one head, hidden width,
// and the longest text in tokens. If the width, the features of the query heads or the hidden width are not multiples of 32, the
// formats are `no_blocks` instead of `any`. The numbers in brackets are the numbers of devices that may share the model. Each
// device then has an equal share of the tokens, the query heads and the hidden width, for which the same rule holds, and of the key
// heads, or one key head if there are fewer than devices.
known! {
    "the model of this example": 256 128 128 64 32 384 128 [4], any;
    "random, for tests: two heads share their keys": 64 32 32 16 8 48 40 [4], no_blocks;
    "random, for tests: all heads share their keys": 96 48 64 16 16 80 40 [4], no_blocks;
    "random, for tests: each head has its keys": 130 64 64 64 32 96 40, any;
    "stories15M": 32000 288 288 288 48 768 256, any;
    "SmolLM 135M": 49152 576 576 192 64 1536 2048, any;
    "TinyLlama 1.1B": 32000 2048 2048 256 64 5632 2048 [4], any;
    "Llama 3.2 1B": 128256 2048 2048 512 64 8192 4096, any;
    "Llama 3.2 3B": 128256 3072 3072 1024 128 8192 4096, any;
    "Llama 2 7B": 32000 4096 4096 4096 128 11008 4096, any;
    "Llama 3 8B": 128256 4096 4096 1024 128 14336 4096 [4], any;
}
