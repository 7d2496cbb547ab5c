//! Facts and pictures of layouts, from one renderer for the documentation, the terminal and programs.
//!
//! [`Draw`] returns the [`Facts`] and the [`Picture`] of a tiled layout, a sparse encoding or a sharded array. A picture is drawn
//! as text, [`Picture::text`], or as SVG, [`Picture::svg`]; both show the same cells. The conventions are those of the figures of
//! XLA's document on tiled layouts: the colour identifies the tile, the number is the linear index, and red
//! lines divide a tile into those of the last level. Padding is hatched.

mod cell;
mod explore;
mod facts;
mod json;
mod page;
mod picture;
mod printable;
mod row;
mod svg;
mod text;

pub use cell::{Cell, Fill};
pub(crate) use facts::percent;
pub use facts::{Fact, Facts};
pub use json::Quoted;
pub use page::{docs, figure, hover, html, terminal};
pub(crate) use picture::{MOST, MOST_TILES};
pub use picture::{Panel, Picture};
pub use printable::printable;
pub use row::Row;
pub(crate) use svg::HUES;
pub use svg::escaped;
pub use text::Style;

/// What has facts and a picture: tiled layouts, sparse encodings and tensors, sharded arrays, and sharding rules, whose picture
/// is empty.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Draw, Style}};
///
/// fn first_line(subject: &impl Draw) -> String {
///     subject.picture().text(Style::PLAIN).lines().next().unwrap_or_default().into()
/// }
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// assert_eq!(first_line(&spec).trim(), "0   1    2   3    4   5");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub trait Draw {
    /// The compiler's notation, which is the title of the picture.
    fn notation(&self) -> alloc::string::String;
    /// The numbers.
    fn facts(&self) -> Facts;
    /// The picture. Its size is bounded, however large the array is: an ellipsis replaces the middle of a long row.
    fn picture(&self) -> Picture;
    /// The digits of the index functions as JSON, from which the page of a layout computes each element that it shows; `None` if
    /// the page has nothing to show besides the picture.
    fn digits(&self) -> Option<alloc::string::String> {
        None
    }
}

/// What can be described in sentences: the run-time types that parse a notation.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::Explain};
/// let spec: TiledSpec = "f32[3,5]{1,0}".parse()?;
/// assert_eq!(spec.sentences()[0], "An array of 3 x 5 elements of type f32.");
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub trait Explain {
    /// What the layout means, in sentences of plain English.
    ///
    /// ```
    /// use tensor_layout::{TiledSpec, draw::Explain};
    /// let spec: TiledSpec = "f32[3,5]{1,0}".parse().unwrap();
    /// assert_eq!(spec.sentences(), [
    ///     "An array of 3 x 5 elements of type f32.",
    ///     "Its most minor dimension, along which elements are contiguous, is j (dimension 1), followed by i (dimension 0).",
    ///     "Element (i,j) is stored at offset i*5 + j, in elements.",
    ///     "The array takes 60 bytes, without padding.",
    /// ]);
    /// ```
    fn sentences(&self) -> alloc::vec::Vec<alloc::string::String>;
}

/// `1 byte`, `2 bytes`
pub(crate) fn count(number: usize, noun: &str) -> alloc::string::String {
    alloc::format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The names of the dimensions in formulas.
pub(crate) const NAMES: [&str; crate::parts::MAX_RANK] =
    ["i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x"];

/// `(2,3)`
pub(crate) fn tuple(numbers: impl IntoIterator<Item = usize>) -> alloc::string::String {
    let numbers: alloc::vec::Vec<_> =
        numbers.into_iter().map(|number| alloc::format!("{number}")).collect();
    alloc::format!("({})", numbers.join(","))
}
