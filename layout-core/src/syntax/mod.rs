//! The parts that the grammars of all notations share: tokens and the cursor that reads them, lists, integers, arithmetic,
//! suggestions, and mistakes, each with its position.
//!
//! A grammar is written once, for the macros, whose tokens have spans of rustc, and for text that is only known at run time, in
//! which a position is a byte offset.
//!
//! ```text
//! text   -> [lex] ----\
//!                      tokens -> [grammar] -> syntax tree -> [lower] -> Draft -> [check] -> TiledSpec
//! macros -> [flatten] -/                 each step adds diagnostics, each with its span
//! ```

#[cfg(any(feature = "sparse", feature = "sharding"))]
mod arithmetic;
mod brackets;
mod call;
mod cursor;
mod error;
mod lex;
mod list;
mod offer;
mod read_text;
mod recover;
mod rust;
mod suggest;
mod written;

#[cfg(any(feature = "sparse", feature = "sharding"))]
pub(crate) use arithmetic::{Arithmetic, Operator};
pub(crate) use call::{Argument, between_commas, group_len};
pub use cursor::{Cursor, Diagnostic, Diagnostics, Kind, Span, Token};
pub(crate) use cursor::{Parsed, Stop};
pub use error::{Mistake, ParseError};
pub(crate) use lex::{lex, string};
pub use list::Number;
pub(crate) use list::{LastComma, items, list, number, separated};
pub use offer::{Offer, is_asked_for};
pub(crate) use read_text::{failed, read_text};
pub(crate) use rust::HEAD;
pub use rust::{Head, ReadRust, RustMistake, TypeParts};
pub use suggest::nearest;
pub(crate) use suggest::{element_type, is_type_parameter, known_element_type};
#[cfg(any(feature = "sparse", feature = "sharding"))]
pub(crate) use written::with_words;
pub(crate) use written::written;
