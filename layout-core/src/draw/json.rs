use core::fmt::{self, Write};

/// Text as a JSON string, in quotes.
///
/// ```
/// assert_eq!(tensor_layout::draw::Quoted("a \"b\"\n").to_string(), r#""a \"b\"\n""#);
/// ```
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for char in self.0.chars() {
            match char {
                '"' | '\\' => write!(f, "\\{char}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                char if char.is_control() => write!(f, "\\u{:04x}", char as u32)?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('"')
    }
}
