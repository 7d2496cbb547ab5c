use super::error::{FileError, FileErrorKind};
use super::market::Field;
use super::value::FileValue;
use std::io::{BufRead, ErrorKind};
use std::string::{String, ToString};
use std::vec::Vec;

/// The longest line that is read, because a file might have no line ends at all.
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
        // Comments can have any character encoding.
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

    /// Reads entries of a matrix directly from the buffer of the reader: two coordinates, which count from 1, and the rest of
    /// the line, which is at most one word. Stops before a line that has another form, that is not completely in the buffer, or
    /// that `read` rejects.
    pub(super) fn plain_entries(
        &mut self,
        mut read: impl FnMut([usize; 2], &str) -> bool,
    ) -> Result<(), FileError> {
        let buffer = match self.reader.fill_buf() {
            Ok(buffer) => buffer,
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            Err(error) => return Err(FileError::at(self.number + 1, error)),
        };
        let mut rest = buffer;
        while let Some((index, word, end)) = plain(&rest[..rest.len().min(MAX_LINE)])
            && core::str::from_utf8(word).is_ok_and(|word| read(index, word))
        {
            rest = &rest[end..];
            self.number += 1;
        }
        let consumed = buffer.len() - rest.len();
        self.reader.consume(consumed);
        Ok(())
    }

    /// The next line that is neither empty nor a comment, and its number.
    pub(super) fn next_data(&mut self) -> Result<Option<(usize, &str)>, FileError> {
        let comment = self.comment;
        loop {
            // Only the number is kept in the loop: the borrow checker would extend a borrow of the line beyond it.
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

/// A byte, repeated in all eight bytes of a word.
const fn bytes(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The number at the start of `text`, and the text after it; `None` if there are no digits, or so many that the number could
/// overflow.
#[inline(always)]
fn digits(text: &[u8]) -> Option<(usize, &[u8])> {
    if let Some(first) = text.first_chunk() {
        // The values of digits are less than 10. A carry from a byte only changes the bytes after it.
        let values = u64::from_le_bytes(*first) ^ bytes(b'0');
        let others = (values.wrapping_add(bytes(6)) | values) & bytes(0xF0);
        let len = others.trailing_zeros() / u8::BITS;
        if (1..8).contains(&len) {
            // Shifts in zeros before the digits, and then combines digits to pairs, pairs to fours, and these to the number:
            // 1234 is (1 * 10 + 2) * 100 + (3 * 10 + 4).
            let values = values << (u64::BITS - u8::BITS * len);
            let pairs = values.wrapping_mul(10 * 256 + 1) >> 8 & 0x00FF_00FF_00FF_00FF;
            let fours = pairs.wrapping_mul(100 * 65536 + 1) >> 16 & 0x0000_FFFF_0000_FFFF;
            let number = fours.wrapping_mul((10_000 << 32) + 1) >> 32;
            return Some((number as usize, &text[len as usize..]));
        }
    }
    let (mut number, mut len) = (0usize, 0);
    while let Some(digit) = text.get(len).map(|byte| byte.wrapping_sub(b'0')).filter(|d| *d < 10) {
        number = number.wrapping_mul(10).wrapping_add(digit.into());
        len += 1;
    }
    const MAX_DIGITS: usize = usize::MAX.ilog10() as usize;
    (1..=MAX_DIGITS).contains(&len).then(|| (number, &text[len..]))
}

/// The length of the word at the start of `text`; `None` if it extends to the end.
#[inline(always)]
fn word_length(text: &[u8]) -> Option<usize> {
    let mut len = 0;
    let mut rest = text;
    while let Some((first, after)) = rest.split_first_chunk() {
        let word = u64::from_le_bytes(*first);
        // The high bit of each byte that does not belong to a word: not ASCII, less than `!`, or DEL.
        let below = !((word | bytes(0x80)) - bytes(b'!'));
        let delete = (word & bytes(0x7F)) + bytes(1);
        let others = (word | below | delete) & bytes(0x80);
        if others != 0 {
            return Some(len + (others.trailing_zeros() / u8::BITS) as usize);
        }
        (len, rest) = (len + first.len(), after);
    }
    Some(len + rest.iter().position(|byte| !byte.is_ascii_graphic())?)
}

/// The two coordinates, the word after them and the length of a line such as `12 7 0.5`, with one blank before each word.
/// Without a blank after the second coordinate there is no word: the line `1 2.5` has the coordinate `2.5`, not the value `.5`.
#[inline(always)]
fn plain(text: &[u8]) -> Option<([usize; 2], &[u8], usize)> {
    let (i, rest) = digits(text)?;
    let (j, rest) = digits(rest.strip_prefix(b" ")?)?;
    let (word, end) = match rest.strip_prefix(b" ") {
        Some(rest) => rest.split_at(word_length(rest)?),
        None => rest.split_at(0),
    };
    let end = end.strip_prefix(b"\r").unwrap_or(end).strip_prefix(b"\n")?;
    Some(([i, j], word, text.len() - end.len()))
}

/// An integer; if there is none, the error has the text that was found.
pub(super) fn integer(
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

/// A coordinate. In files, coordinates count from 1.
pub(super) fn coordinate(
    line: usize,
    word: Option<&str>,
    dim: usize,
    size: usize,
) -> Result<usize, FileError> {
    let found = integer(line, word, "a coordinate")?;
    match found {
        1.. if found <= size => Ok(found - 1),
        _ => Err(FileError::at(line, FileErrorKind::Coordinate { dim, found, size })),
    }
}

/// The value of the remaining words. Nothing may follow it.
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
