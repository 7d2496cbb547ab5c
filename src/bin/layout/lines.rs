//! Text in lines that fit the terminal.

use std::io::{self, IsTerminal};
use tensor_layout::draw::{Facts, printable};

/// The number of characters in a line of standard output, if that is a terminal.
pub(crate) fn width() -> Option<usize> {
    let size = console::Term::stdout().size_checked().filter(|_| io::stdout().is_terminal());
    size.map(|(_, columns)| columns.into())
}

/// The facts, one in a line. Those that are longer than a line continue below their values.
pub(crate) fn facts(facts: &Facts, width: Option<usize>) -> String {
    let indent = facts.iter().map(|fact| fact.name.len()).max().unwrap_or(0) + 2;
    let lines = facts.iter().map(|fact| {
        let line = format!("{:indent$}{}", fact.name, printable(&fact.text));
        wrapped(&line, width, indent) + "\n"
    });
    lines.collect()
}

/// A text in lines of at most `width` characters, if its words allow that. All lines but the first are indented.
pub(crate) fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let width = width.unwrap_or(usize::MAX);
    let (mut wrapped, mut len) = (String::new(), 0);
    for word in text.split_inclusive(' ') {
        let letters = word.trim_end().chars().count();
        if len > indent && len + letters > width {
            wrapped.truncate(wrapped.trim_end().len());
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            len = indent;
        }
        wrapped += word;
        len += word.chars().count();
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_are_indented() {
        assert_eq!(wrapped("name  a b c d", Some(9), 6), "name  a b\n      c d");
        assert_eq!(wrapped("one two three", Some(8), 0), "one two\nthree");
        assert_eq!(wrapped("a_long_word b", Some(4), 0), "a_long_word\nb");
        assert_eq!(wrapped("one two three", None, 0), "one two three");
    }
}
