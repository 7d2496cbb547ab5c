//! The grammar of XLA's shapes: text or macro input to a checked [`TiledSpec`](super::TiledSpec).

mod array;
mod end;
mod foreign;
mod keywords;
mod layout;
mod lower;
mod parse;
mod shape;
mod wire;

#[cfg(feature = "sharding")]
pub(crate) use array::{ARRAY, array};
pub use array::{ArraySyntax, DimSyntax, PaddedSyntax, Size};
pub(crate) use array::{size, sizes};
pub use layout::{LayoutSyntax, SplitSyntax, TileSyntax};
pub use lower::lower;
pub(crate) use parse::unknown;
pub use shape::{ShapeSyntax, parse_shape};
