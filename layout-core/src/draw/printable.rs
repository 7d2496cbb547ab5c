use alloc::string::String;

/// Text from a file, safe to print on one line of a terminal: control characters, and invisible characters that change
/// how others are shown, become escapes.
///
/// ```
/// assert_eq!(tensor_layout::draw::printable("a\x1b[31m é\n"), r"a\u{1b}[31m é\n");
/// ```
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            // Direction marks, invisible operators, line separators, and the byte order mark.
            '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}' => {
                printable.extend(char.escape_unicode());
            }
            char if char.is_control() => printable.extend(char.escape_default()),
            char => printable.push(char),
        }
    }
    printable
}
