use super::error::{FileError, FileErrorKind};
use super::market::Field;
use super::value::FileValue;
use std::io::{BufRead, ErrorKind};
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

    /// Reads entries of a matrix straight from the buffer of the reader: two coordinates, which count from 1, and the rest of the
    /// line, which is one word at most. Stops before a line that is not as plain as that, does not lie in the buffer as a whole,
    /// or that `read` refuses.
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

/// A byte of a word, eight times.
const fn bytes(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The digits that `text` starts with as a number, and what follows; `None` if there are none, or so many that the number may
/// overflow.
#[inline(always)]
fn digits(text: &[u8]) -> Option<(usize, &[u8])> {
    if let Some(first) = text.first_chunk() {
        // Less than 10 in each byte of a digit. A carry from a byte changes those after it only.
        let values = u64::from_le_bytes(*first) ^ bytes(b'0');
        let others = (values.wrapping_add(bytes(6)) | values) & bytes(0xF0);
        let len = others.trailing_zeros() / u8::BITS;
        if (1..8).contains(&len) {
            // Zeros before the digits; then pairs of digits, of pairs, and of these.
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
    const MOST: usize = usize::MAX.ilog10() as usize;
    (1..=MOST).contains(&len).then(|| (number, &text[len..]))
}

/// The length of the word that `text` starts with; `None` if it goes on to the end.
#[inline(always)]
fn word_length(text: &[u8]) -> Option<usize> {
    let mut len = 0;
    let mut rest = text;
    while let Some((first, after)) = rest.split_first_chunk() {
        let word = u64::from_le_bytes(*first);
        // The high bit of each byte that is not of a word: not ASCII, below `!`, or DEL.
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

/// The two coordinates, the word behind them and the length of a line such as `12 7 0.5`, with one blank before each word.
#[inline(always)]
fn plain(text: &[u8]) -> Option<([usize; 2], &[u8], usize)> {
    let (i, rest) = digits(text)?;
    let (j, rest) = digits(rest.strip_prefix(b" ")?)?;
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let (word, end) = rest.split_at(word_length(rest)?);
    let end = end.strip_prefix(b"\r").unwrap_or(end).strip_prefix(b"\n")?;
    Some(([i, j], word, text.len() - end.len()))
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
