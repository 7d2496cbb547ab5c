//! The grammar of XLA's shape text, written once: for the macros, whose tokens carry rustc's spans, and for text that
//! is only known at run time, where a position is a byte offset.
//!
//! ```text
//! text   -> [lex] ----\
//!                      tokens -> [grammar] -> syntax tree -> [lower] -> Draft -> [check] -> TiledSpec
//! macros -> [flatten] -/                 each step adds diagnostics, each with its span
//! ```

mod array;
mod cursor;
mod layout;
mod lex;
mod lower;
mod parse;
mod shape;
pub mod sharding;
pub mod sparse;
pub mod sparse_kernel;
mod suggest;
mod wire;

pub use array::{ArraySyntax, DimSyntax, Number, PaddedSyntax, Size};
pub use cursor::{Cursor, Diagnostic, Diagnostics, Kind, Span, Token};
pub use layout::{LayoutSyntax, SplitSyntax, TileSyntax};
pub use lower::lower;
pub use parse::{Mistake, ParseError};
pub use shape::{ShapeSyntax, parse_shape};
pub(crate) use suggest::nearest;
