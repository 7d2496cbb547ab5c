//! What an editor offers at a position.
//!
//! rust-analyzer expands a macro with a word of its own at the cursor, and offers what can stand where that word stands in the
//! expansion. Only the grammar knows what that is.

use crate::DType;
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
    /// A mesh or an encoding, which are types where the macro is called.
    Type,
    /// A size, which is a constant where the macro is called.
    Size,
}

impl Offer {
    /// Those of which the names are always the same, in the order of their numbers.
    pub const FIXED: [Self; 6] =
        [Self::Element, Self::Attribute, Self::Format, Self::Property, Self::Key, Self::Operation];

    /// The names that can stand here, if they are always the same.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Element => DType::ALL.iter().map(|dtype| dtype.name()).collect(),
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
