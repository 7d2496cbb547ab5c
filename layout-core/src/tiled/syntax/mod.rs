//! The grammar of XLA's shape text.

mod array;
mod layout;
mod lower;
mod parse;
mod shape;
mod wire;

pub(crate) use array::array;
pub use array::{ArraySyntax, DimSyntax, PaddedSyntax, Size};
pub use layout::{LayoutSyntax, SplitSyntax, TileSyntax};
pub use lower::lower;
pub use shape::{ShapeSyntax, parse_shape};
