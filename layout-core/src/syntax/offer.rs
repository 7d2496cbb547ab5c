//! What an editor offers at a position.
//!
//! rust-analyzer expands a macro with a word of its own at the cursor, and offers what can stand where that word stands in the
//! expansion. Only the grammar knows what that is.

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
}

/// Whether a word has the marker of rust-analyzer in it, behind what is already written: the present one, or that of older
/// versions.
pub fn is_asked_for(word: &str) -> bool {
    word.contains("raCompletionMarker") || word.contains("intellijRulezz")
}
