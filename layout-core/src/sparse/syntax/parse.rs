use super::{lower_encoding, parse_encoding};
use crate::sparse::SparseEncoding;
use crate::syntax::{ParseError, read_text};
use core::str::FromStr;

impl FromStr for SparseEncoding {
    type Err = ParseError;

    /// Reads an encoding: MLIR's whole text, the contents of its braces, or a map and the entries after it. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read_text(text, "the encoding", parse_encoding, lower_encoding)
    }
}
