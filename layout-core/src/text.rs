//! Text that a `const fn` can build, so that a macro, const evaluation and run time report an error in the same words.

/// A short text, long enough for one message.
pub type Text = TextOf<320>;

/// A text in a fixed buffer of `N` bytes. A longer text is cut at a character boundary.
///
/// ```
/// use tensor_layout::text::TextOf;
/// const MESSAGE: TextOf<32> = TextOf::new().str("a tile has ").num(1024).str(" elements");
/// assert_eq!(MESSAGE.as_str(), "a tile has 1024 elements");
/// ```
#[derive(Clone, Copy)]
pub struct TextOf<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> TextOf<N> {
    /// The capacity in bytes.
    pub const CAPACITY: usize = N;

    /// The empty text.
    pub const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// Appends `text`.
    #[must_use]
    pub const fn str(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut end = bytes.len();
        if end > Self::CAPACITY - self.len {
            end = Self::CAPACITY - self.len;
            // A continuation byte starts with the bits 10: step back to the start of its character.
            while end > 0 && bytes[end] & 0xC0 == 0x80 {
                end -= 1;
            }
        }
        let mut i = 0;
        while i < end {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Appends a number in decimal.
    #[must_use]
    pub const fn num(self, value: usize) -> Self {
        self.int(value as i128)
    }

    /// Appends a number in decimal, with its sign if it is negative.
    #[must_use]
    pub const fn int(mut self, value: i128) -> Self {
        let mut digits = [0; 40];
        let mut rest = value.unsigned_abs();
        let mut n = 0;
        loop {
            digits[n] = b'0' + (rest % 10) as u8;
            n += 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            self = self.str("-");
        }
        while n > 0 && self.len < Self::CAPACITY {
            n -= 1;
            self.bytes[self.len] = digits[n];
            self.len += 1;
        }
        self
    }

    /// Appends numbers with commas between them.
    #[must_use]
    pub const fn list(mut self, values: &[usize]) -> Self {
        let mut i = 0;
        while i < values.len() {
            if i > 0 {
                self = self.str(",");
            }
            self = self.num(values[i]);
            i += 1;
        }
        self
    }

    /// Appends numbers as alternatives: `32, 64 or 128`.
    #[must_use]
    pub const fn choice(mut self, values: &[usize]) -> Self {
        let mut i = 0;
        while i < values.len() {
            self = self.str(separator(i, values.len())).num(values[i]);
            i += 1;
        }
        self
    }

    /// Appends names as alternatives, in backticks.
    #[must_use]
    pub const fn choice_of_names(mut self, names: &[&str]) -> Self {
        let mut i = 0;
        while i < names.len() {
            self = self.str(separator(i, names.len())).str("`").str(names[i]).str("`");
            i += 1;
        }
        self
    }

    /// Appends a number and a noun, in the plural unless the number is 1: `1 dimension`, `2 dimensions`.
    #[must_use]
    pub const fn count(self, n: usize, thing: &str) -> Self {
        self.num(n).str(" ").str(thing).str(if n == 1 { "" } else { "s" })
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }

    /// Whether nothing has been appended.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The separator before item `i` of a choice of `n`.
const fn separator(i: usize, n: usize) -> &'static str {
    match i {
        0 => "",
        _ if i + 1 == n => " or ",
        _ => ", ",
    }
}

impl<const N: usize> Default for TextOf<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> core::fmt::Display for TextOf<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<const N: usize> core::fmt::Debug for TextOf<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_in_const() {
        const TEXT: Text =
            Text::new().str("dimension ").num(12).str(" of {").list(&[1, 0]).str("}, ").int(-3);
        assert_eq!(TEXT.as_str(), "dimension 12 of {1,0}, -3");
        assert_eq!(Text::new().choice(&[32, 64, 128]).as_str(), "32, 64 or 128");
        assert_eq!(Text::new().choice_of_names(&["zero", "one"]).as_str(), "`zero` or `one`");
        assert_eq!(Text::new().count(1, "bit").str(", ").count(0, "bit").as_str(), "1 bit, 0 bits");
        assert_eq!(Text::new().int(i128::MIN).as_str(), i128::MIN.to_string());
        assert_eq!(Text::new().num(usize::MAX).as_str(), usize::MAX.to_string());
    }

    #[test]
    fn cuts_at_a_character() {
        let long = Text::new().str(&"x".repeat(Text::CAPACITY - 1)).str("é").str("z").num(9);
        assert_eq!(long.as_str().len(), Text::CAPACITY);
        assert!(long.as_str().ends_with("xz"));
    }
}
