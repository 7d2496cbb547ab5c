//! Errors, shown with the line of input and a caret.

use crate::arguments::Arguments;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::io::{self, Write};
use std::ops::Range;
use std::process::ExitCode;
use tensor_layout::ParseError;
use tensor_layout::draw::printable;

/// The number of mistakes in one text that are shown.
pub(crate) const MISTAKES: usize = 8;

/// The longest line that is shown whole, in bytes.
const MAX_LINE: usize = 240;

/// The number of characters that are shown on each side of a mistake in a longer line.
const AROUND: usize = 100;

/// The reason why a command failed.
pub(crate) enum Failure {
    /// A text that cannot be read.
    Text {
        origin: String,
        text: String,
        error: ParseError,
    },
    /// A mistake in the value of an option, and what to write instead.
    Value {
        option: &'static str,
        text: String,
        part: Range<usize>,
        message: String,
        help: String,
    },
    /// Any other mistake in the input, and what to write instead.
    Input(String, String),
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(message.into(), help.into())
    }

    /// Writes the failure to standard error.
    pub(crate) fn report(&self, arguments: &Arguments) -> ExitCode {
        let text = match self {
            // The reader closed the output, which is not a failure.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return ExitCode::SUCCESS;
            }
            Self::Text { origin, text, error } => annotated(origin, text, error, arguments),
            Self::Value { option, text, part, message, help } => {
                underlined((option, text, part.clone()), message, help, arguments)
            }
            Self::Input(message, help) => plain(message, help, arguments),
            Self::Io(error) => plain(&error.to_string(), "", arguments),
        };
        // If this fails too, it cannot be reported anywhere.
        let _ = writeln!(io::stderr(), "{text}");
        ExitCode::FAILURE
    }
}

fn renderer(arguments: &Arguments) -> Renderer {
    if arguments.color_errors() { Renderer::styled() } else { Renderer::plain() }
}

fn plain(message: &str, help: &str, arguments: &Arguments) -> String {
    let (message, help) = (clean(message), clean(help));
    let mut report = Group::with_title(Level::ERROR.primary_title(message));
    if !help.is_empty() {
        report = report.element(Level::HELP.message(help));
    }
    renderer(arguments).render(&[report])
}

/// One report for each of the first mistakes.
pub(crate) fn annotated(
    origin: &str,
    text: &str,
    error: &ParseError,
    arguments: &Arguments,
) -> String {
    let report = |mistake: &tensor_layout::syntax::Mistake| {
        let span = span(text, mistake.line, mistake.column);
        underlined((origin, text, span), &mistake.message, &mistake.help, arguments)
    };
    let mut reports: Vec<_> = error.mistakes().iter().take(MISTAKES).map(report).collect();
    if let Some(more @ 1..) = error.mistakes().len().checked_sub(MISTAKES) {
        reports.push(format!("{more} more mistakes in {}", clean(origin)));
    }
    reports.join("\n\n")
}

/// A report with the line of a text, and carets under a part of it.
fn underlined(
    (origin, text, part): (&str, &str, Range<usize>),
    message: &str,
    help: &str,
    arguments: &Arguments,
) -> String {
    let (origin, message, help) = (clean(origin), clean(message), clean(help));
    let [before, at, after] = around(text, part).map(|text| clean(&text));
    let part = before.len()..before.len() + at.len();
    let snippet = Snippet::source(before + &at + &after)
        .path(origin)
        .annotation(AnnotationKind::Primary.span(part));
    let mut group = Level::ERROR.primary_title(message).element(snippet);
    if !help.is_empty() {
        group = group.element(Level::HELP.message(help));
    }
    renderer(arguments).render(&[group])
}

/// The text before a part, the part and the text after it, without what is far from it in a long line.
fn around(text: &str, part: Range<usize>) -> [String; 3] {
    let start = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[part.end..].find('\n').map_or(text.len(), |at| part.end + at);
    let [before, at, after] = [start..part.start, part.clone(), part.end..end];
    let (lines, rest) = (&text[..start], &text[end..]);
    if end - start <= MAX_LINE {
        return [
            lines.to_string() + &text[before],
            text[at].into(),
            text[after].to_string() + rest,
        ];
    }
    let skipped = text[before.clone()].char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    let dots = if skipped > 0 { "..." } else { "" };
    let before = format!("{lines}{dots}{}", &text[before][skipped..]);
    [before, first(&text[at]), first(&text[after]) + rest]
}

/// The first characters of a text.
fn first(text: &str) -> String {
    match text.char_indices().nth(AROUND) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into(),
    }
}

/// The text without characters that would control a terminal.
fn clean(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// The bytes of the word, or of the name in quotes, at a line and column, both counted from 1.
fn span(text: &str, line: usize, column: usize) -> Range<usize> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = &text[start..];
    let start = start + rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at);
    let rest = &text[start..];
    let end = match rest.strip_prefix('"') {
        Some(name) => name.find('"').map(|end| end + 2),
        None => rest.find(|c: char| !c.is_alphanumeric() && c != '_'),
    };
    let one = rest.chars().next().map_or(0, char::len_utf8);
    start..start + end.unwrap_or(rest.len()).max(one)
}
