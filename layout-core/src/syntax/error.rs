//! All mistakes in a text, with line and column.

use super::cursor::{Diagnostic, Diagnostics};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One mistake in a text, with its line and column: an item of [`ParseError::mistakes`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// let error = "f32[3,5]{1,1}".parse::<TiledSpec>().unwrap_err();
/// let mistake = &error.mistakes()[0];
/// assert_eq!((mistake.line, mistake.column), (1, 12));
/// assert_eq!(mistake.help, "did you mean `{1,0}`?");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead; empty if the message already says it.
    pub help: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, " (help: {})", self.help) }
    }
}

/// The reasons why a text is not valid in its notation: all mistakes in it, in the order of the text. Displays one per line.
///
/// ```
/// let error = "f32[3,5]{1,1:T(0,2)}".parse::<tensor_layout::TiledSpec>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "1:12: dimension 1 is listed twice in minor_to_major (help: did you mean `{1,0}`?)\n\
///      1:16: a tile size must be positive, but this one is 0 \
///      (help: write 1 where a dimension is not tiled)",
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    mistakes: Vec<Mistake>,
}

impl ParseError {
    /// The mistakes; there is at least one.
    pub fn mistakes(&self) -> &[Mistake] {
        &self.mistakes
    }

    pub(crate) fn new(text: &str, mut diagnostics: Diagnostics<usize>) -> Self {
        diagnostics.sort_by_key(|diagnostic| diagnostic.span);
        diagnostics.dedup();
        // Counts from one mistake to the next, so that the text is read only once.
        let (mut line, mut column, mut at) = (1, 1, 0);
        let mistake = |Diagnostic { span, message, help }| {
            for char in text[at..span].chars() {
                (line, column) = if char == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            at = span;
            Mistake { line, column, message, help }
        };
        Self { mistakes: diagnostics.into_iter().map(mistake).collect() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mistake) in self.mistakes.iter().enumerate() {
            f.write_str(if i > 0 { "\n" } else { "" })?;
            mistake.fmt(f)?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseError {}
