//! A Llama-style language model on packed arrays; see the README beside it.

mod attention;
mod config;
mod folder;
mod known;
mod model;
mod rotary;
mod sample;
mod tokenizer;
mod weights;

pub use config::{Config, Dims};
pub use folder::Folder;
pub use known::open;
pub use model::{Llama, Row};
pub use sample::Sampler;
pub use tokenizer::{Tokenizer, Writer};
pub use weights::Weights;

/// What can go wrong is told to the user.
pub type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;
