//! What an editor offers at a position.
//!
//! rust-analyzer expands a macro with a word of its own at the cursor, and offers what can stand where that word stands in the
//! expansion. Only the grammar knows what that is.

use crate::DType;
use crate::quantized::Preset;
#[cfg(feature = "sharding")]
use crate::sharding::ops;
#[cfg(feature = "sparse")]
use crate::sparse::{LevelFormat, Properties, syntax::KEYS};
use alloc::vec::Vec;

/// What can stand at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// An element type: `f32`.
    Element,
    /// An attribute of a layout: `T`.
    Attribute,
    /// A level format: `compressed`.
    Format,
    /// A level property: `nonunique`.
    Property,
    /// The key of an entry of an encoding: `posWidth`.
    Key,
    /// An operation of a program: `dot`.
    Operation,
    /// The format of a block-scaled array: `q8_0`, or an element type.
    Scaling,
    /// How the bytes of a block-scaled array are arranged: `blocks`.
    Arrangement,
    /// A mesh or an encoding, which are types where the macro is called.
    Type,
    /// A size, which is a constant where the macro is called.
    Size,
    /// An axis of the mesh of the array, between quotes.
    Axis,
}

impl Offer {
    /// Those of which the names are always the same, in the order of their numbers.
    pub const FIXED: [Self; 8] = [
        Self::Element,
        Self::Attribute,
        Self::Format,
        Self::Property,
        Self::Key,
        Self::Operation,
        Self::Scaling,
        Self::Arrangement,
    ];

    /// The names that can stand here, if they are always the same.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Element => DType::ALL.iter().map(|dtype| dtype.name()).collect(),
            Self::Scaling => {
                let types = DType::ALL.iter().map(|dtype| dtype.name());
                Preset::NAMES.into_iter().chain(types).collect()
            }
            Self::Arrangement => ["blocks", "planes"].into(),
            Self::Attribute => ["T", "L", "E", "S", "SC", "M"].into(),
            #[cfg(feature = "sparse")]
            Self::Format => LevelFormat::NAMES.into(),
            #[cfg(feature = "sparse")]
            Self::Property => Properties::NAMES.into(),
            #[cfg(feature = "sparse")]
            Self::Key => KEYS.into(),
            #[cfg(feature = "sharding")]
            Self::Operation => ops::names().collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether a word has the marker of rust-analyzer in it, behind what is already written: the present one, or that of older
/// versions.
pub fn is_asked_for(word: &str) -> bool {
    word.contains("raCompletionMarker") || word.contains("intellijRulezz")
}
