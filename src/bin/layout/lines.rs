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

/// A text in lines of at most `width` characters. Lines break between words, and within those that are longer than a line. All
/// lines but the first are indented.
pub(crate) fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let width = width.unwrap_or(usize::MAX);
    let (mut wrapped, mut len) = (String::new(), 0);
    for word in text.split_inclusive(' ') {
        for part in parts(word, width.saturating_sub(indent)) {
            let letters = part.trim_end().chars().count();
            if len > indent && len + letters > width {
                wrapped.truncate(wrapped.trim_end().len());
                wrapped.push('\n');
                wrapped.extend(std::iter::repeat_n(' ', indent));
                len = indent;
            }
            wrapped += part;
            len += part.chars().count();
        }
    }
    wrapped
}

/// The fewest characters of a line in which a word is broken.
const FEWEST: usize = 8;

/// The parts of a word, of at most `width` characters each, each ending after a bracket, a colon or a comma if there is one.
fn parts(mut word: &str, width: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    while width >= FEWEST && word.trim_end().chars().count() > width {
        let most = word.char_indices().nth(width).map_or(word.len(), |(at, _)| at);
        let line = &word[..most];
        let end = line.rfind([')', ']', '}', ':']).or(line.rfind(',')).map_or(most, |at| at + 1);
        let (part, rest) = word.split_at(end);
        parts.push(part);
        word = rest;
    }
    parts.push(word);
    parts
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
        let layout = "layout  f32[16,128]{1,0:T(8,128)}";
        assert_eq!(wrapped(layout, Some(25), 8), "layout  f32[16,128]{1,0:\n        T(8,128)}");
        assert_eq!(wrapped("ab_cd_ef_gh", Some(8), 0), "ab_cd_ef\n_gh");
    }
}
