use super::{lower_encoding, parse_encoding};
use crate::sparse::SparseEncoding;
use crate::syntax::{Cursor, ParseError, lex};
use core::str::FromStr;

impl FromStr for SparseEncoding {
    type Err = ParseError;

    /// Reads an encoding: MLIR's whole text, what stands in its braces, or a map and the entries after it. Linear in the
    /// text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let tokens = lex(text);
        let mut cursor = Cursor::new(&tokens, text.len());
        let syntax = parse_encoding(&mut cursor);
        if syntax.is_some() {
            cursor.expect_end_of("the encoding");
        }
        let mut diagnostics = cursor.diagnostics;
        let encoding = syntax.and_then(|syntax| lower_encoding(&syntax, &mut diagnostics));
        match encoding {
            Some(encoding) if diagnostics.is_empty() => Ok(encoding),
            _ => Err(ParseError::new(text, diagnostics)),
        }
    }
}
