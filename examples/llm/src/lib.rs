//! A Llama-style language model on packed arrays; see the README next to it.

mod attention;
mod config;
mod devices;
mod folder;
mod known;
mod model;
mod parallel;
mod rotary;
mod sample;
mod threads;
mod tokenizer;
mod weights;

pub use config::{Config, Dims};
pub use devices::{Device, Split};
pub use folder::Folder;
pub use known::{check, open, open_part};
pub use model::{Llama, Row};
pub use sample::Sampler;
pub use threads::Shared;
pub use tokenizer::{Tokenizer, Writer};
pub use weights::{Activations, Formats, Weights};

/// A result whose error is printed for the user.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;
