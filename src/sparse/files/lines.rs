use super::error::{FileError, FileErrorKind};
use super::market::Field;
use super::value::FileValue;
use std::io::BufRead;
use std::string::{String, ToString};
use std::vec::Vec;

/// The longest line that is read, since a file may have no line ends at all.
const MAX_LINE: usize = 1 << 16;

/// The bytes that some programs write before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Lines with their numbers.
pub(super) struct Lines<R> {
    reader: R,
    /// The character that starts a comment.
    comment: char,
    pub(super) number: usize,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, comment: char) -> Self {
        Self { reader, comment, number: 0, bytes: Vec::new() }
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<&str>, FileError> {
        self.bytes.clear();
        self.number += 1;
        let mut limited = std::io::Read::take(&mut self.reader, MAX_LINE as u64 + 1);
        let read = limited.read_until(b'\n', &mut self.bytes);
        let read = read.map_err(|error| FileError::at(self.number, error))?;
        if read > MAX_LINE {
            return Err(FileError::at(self.number, FileErrorKind::LongLine(MAX_LINE)));
        }
        if read == 0 {
            return Ok(None);
        }
        if self.number == 1 && self.bytes.starts_with(BYTE_ORDER_MARK) {
            self.bytes.drain(..BYTE_ORDER_MARK.len());
        }
        // Comments may be in any encoding.
        if core::str::from_utf8(&self.bytes).is_err()
            && self.bytes.trim_ascii_start().starts_with(&[self.comment as u8])
        {
            self.bytes = String::from_utf8_lossy(&self.bytes).into_owned().into_bytes();
        }
        match core::str::from_utf8(&self.bytes) {
            Ok(line) => Ok(Some(line.trim())),
            Err(_) => {
                let found = String::from_utf8_lossy(&self.bytes).trim().to_string();
                Err(FileError::at(self.number, FileErrorKind::Expected { expected: "text", found }))
            }
        }
    }

    /// The next line that is neither empty nor a comment, and its number.
    pub(super) fn next_data(&mut self) -> Result<Option<(usize, &str)>, FileError> {
        let comment = self.comment;
        loop {
            // Only the number is kept in the loop: a borrow of the line would last too long for the borrow checker.
            match self.next()? {
                None => return Ok(None),
                Some(line) if line.is_empty() || line.starts_with(comment) => {}
                Some(_) => break,
            }
        }
        let line = core::str::from_utf8(&self.bytes).unwrap_or_default();
        Ok(Some((self.number, line.trim())))
    }
}

/// An integer, or the text that is there instead.
pub(super) fn whole(
    line: usize,
    word: Option<&str>,
    expected: &'static str,
) -> Result<usize, FileError> {
    let Some(word) = word else {
        let found = "the end of the line".to_string();
        return Err(FileError::at(line, FileErrorKind::Expected { expected, found }));
    };
    word.parse().map_err(|_| {
        let found = word.to_string();
        FileError::at(line, FileErrorKind::Expected { expected, found })
    })
}

/// Checks that nothing follows.
pub(super) fn end(line: usize, word: Option<&str>) -> Result<(), FileError> {
    match word {
        None => Ok(()),
        Some(word) => {
            let (expected, found) = ("the end of the line", word.to_string());
            Err(FileError::at(line, FileErrorKind::Expected { expected, found }))
        }
    }
}

/// A coordinate. In files they count from 1.
pub(super) fn coordinate(
    line: usize,
    word: Option<&str>,
    dim: usize,
    size: usize,
) -> Result<usize, FileError> {
    let found = whole(line, word, "a coordinate")?;
    match found {
        1.. if found <= size => Ok(found - 1),
        _ => Err(FileError::at(line, FileErrorKind::Coordinate { dim, found, size })),
    }
}

/// The value of the words that are left. Nothing may follow it.
pub(super) fn value<'a, T: FileValue>(
    line: usize,
    words: &mut impl Iterator<Item = &'a str>,
    field: Field,
) -> Result<T, FileError> {
    let mut word = || words.next().unwrap_or("the end of the line");
    let found = match field {
        Field::Pattern => [""; 2],
        Field::Complex => [word(), word()],
        _ => [word(), ""],
    };
    if (field == Field::Integer && !is_integer(found[0], &['+', '-']))
        || (field == Field::UnsignedInteger && !is_integer(found[0], &['+']))
    {
        let (expected, found) = (field.expected(), found[0].to_string());
        return Err(FileError::at(line, FileErrorKind::Expected { expected, found }));
    }
    let value = if field == Field::Pattern { Some(T::ONE) } else { T::read(field, found) };
    let value = value.ok_or_else(|| {
        let found = found.join(" ").trim_end().to_string();
        FileError::at(line, FileErrorKind::Value { found, ty: T::NAME })
    })?;
    end(line, words.next())?;
    Ok(value)
}

/// Whether a word is an integer: digits with or without a sign.
fn is_integer(word: &str, signs: &[char]) -> bool {
    let digits = word.strip_prefix(signs).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
