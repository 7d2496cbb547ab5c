//! The names that an editor offers at a position.
//!
//! rust-analyzer expands a macro with a marker at the cursor, and offers the names that are possible at the position of the marker
//! in the expansion. Only the grammar can determine these names.

/// The kind of name that can be at a position.
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
    /// The arrangement of the bytes of a block-scaled array: `blocks`.
    Arrangement,
    /// A function of a statement in index notation: `exp`.
    Function,
    /// A list of factors of a sharding rule: `reduction`.
    FactorList,
    /// A property of a mesh: `device_ids`.
    MeshProperty,
    /// A mesh or an encoding, which is a type in the scope of the macro call.
    Type,
    /// A size, which is a constant in the scope of the macro call.
    Size,
    /// An axis of the mesh of the array, in quotes.
    Axis,
}

impl Offer {
    /// The kinds whose names are always the same, in the order of their numbers.
    pub const FIXED: [Self; 11] = [
        Self::Element,
        Self::Attribute,
        Self::Format,
        Self::Property,
        Self::Key,
        Self::Operation,
        Self::Scaling,
        Self::Arrangement,
        Self::Function,
        Self::FactorList,
        Self::MeshProperty,
    ];
}

/// Whether a word ends with the marker of rust-analyzer: the current one, or the marker of older versions.
pub fn is_asked_for(word: &str) -> bool {
    word.contains("raCompletionMarker") || word.contains("intellijRulezz")
}
