//! The output of rustc, without the parts that differ between machines and between versions of the library.

use crate::library::root;
use std::path::Path;

/// The lines of rustc's errors and warnings that are kept.
///
/// In files other than the case, numbers of lines are left out, and paths begin with the package or crate:
///
/// ```text
///    --> /home/me/tensor-layout/src/typed/layout.rs:120:5        --> src/typed/layout.rs
///     |                                                           |
/// 120 |     const LEN: usize = ..                  becomes        |     const LEN: usize = ..
/// ```
pub(crate) fn said_of(stderr: &str, case: &Path) -> String {
    let mut kept: Vec<String> = Vec::new();
    let mut is_elsewhere = false;
    for line in stderr.lines() {
        if is_summary(line) {
            continue;
        }
        let text = line.trim_start();
        if let Some(path) = text.strip_prefix("--> ").or(text.strip_prefix("::: ")) {
            is_elsewhere = !path.starts_with(&*case.to_string_lossy());
            if is_elsewhere {
                let before = &line[..line.len() - path.len()];
                kept.push(format!("{before}{}", portable(path)));
                continue;
            }
        } else if is_elsewhere {
            is_elsewhere =
                text.starts_with(|first: char| first.is_ascii_digit() || "|.".contains(first));
            if is_elsewhere {
                let number = line.bytes().take_while(|byte| *byte == b' ' || byte.is_ascii_digit());
                let number = number.count();
                kept.push(
                    format!("{}{}", " ".repeat(number), &line[number..]).trim_end().to_owned(),
                );
                continue;
            }
        }
        kept.push(without_count(line.trim_end()).replace(&*root().to_string_lossy(), "$DIR"));
    }
    let mut text = String::new();
    let mut rest = kept.as_slice();
    while !rest.is_empty() {
        let is_heading = |line: &String| {
            ["error", "warning", "note: "].iter().any(|word| line.starts_with(word))
        };
        let end = rest.iter().skip(1).position(is_heading).map_or(rest.len(), |next| next + 1);
        let (diagnostic, after) = rest.split_at(end);
        text += &with_narrow_margin(diagnostic);
        rest = after;
    }
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    format!("{}\n", text.trim())
}

/// Whether a line counts errors, or refers to further documentation.
fn is_summary(line: &str) -> bool {
    let starts = [
        "error: aborting due to ",
        "Some errors have detailed explanations: ",
        "For more information about ",
    ];
    let long_names = [
        "the full type name has been written to",
        "the full name for the type has been written to",
    ];
    let note = line.trim_start().trim_start_matches("= note: ");
    starts.iter().any(|start| line.starts_with(start))
        || long_names.iter().any(|start| note.starts_with(start))
        || line.trim_start().starts_with("= note: consider using `--verbose`")
        || line.starts_with("warning: ") && line.ends_with(" emitted")
}

/// A path relative to the package, a crate or the standard library, without the position in the file.
fn portable(path: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let file = path.trim_end_matches(is_digit).trim_end_matches(':');
    let file = file.trim_end_matches(is_digit).trim_end_matches(':');
    let package = format!("{}/", root().display());
    if let Some(file) = file.strip_prefix(&package) {
        return file.to_owned();
    }
    if let Some((_, file)) = file.split_once("/rustlib/src/rust/library/") {
        return format!("$RUST/{file}");
    }
    // .../registry/src/index-0123456789abcdef/typenum-1.20.0/src/uint.rs
    if let Some((krate, file)) = file
        .split_once("/registry/src/")
        .and_then(|(_, path)| path.split_once('/'))
        .and_then(|(_, path)| path.split_once('/'))
    {
        let name = krate.rsplit_once('-').map_or(krate, |(name, _version)| name);
        return format!("$CARGO/{name}-$VERSION/{file}");
    }
    file.to_owned()
}

/// `and 12 others`, without the number.
fn without_count(line: &str) -> String {
    let text = line.trim_start();
    let count = text.strip_prefix("and ").and_then(|text| text.strip_suffix(" others"));
    match count {
        Some(count) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{}and $N others", &line[..line.len() - text.len()])
        }
        _ => line.to_owned(),
    }
}

/// The number of spaces, beyond the usual one, around the number in the margin of a line that has one: ` --> `, ` ::: `, `3 |
/// `, ` = `, `... |`.
fn spare_spaces(line: &str) -> Option<usize> {
    if let Some(elided) = line.strip_prefix("...") {
        return elided.strip_suffix('|').map(|spaces| spaces.len().saturating_sub(1));
    }
    let number = line.trim_start();
    let after_number = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = after_number.trim_start();
    let has_number = after_number.len() < number.len();
    let spaces = line.len() - number.len() + after_number.len() - text.len();
    let marks: &[&str] =
        if has_number { &["|", "~", "+", "-"] } else { &["|", "--> ", "::: ", "= "] };
    let is_margin = marks.iter().any(|mark| text.starts_with(mark));
    (is_margin && spaces > 0).then(|| spaces - 1)
}

/// A diagnostic with a margin as wide as its remaining line numbers.
fn with_narrow_margin(diagnostic: &[String]) -> String {
    let spare = diagnostic.iter().filter_map(|line| spare_spaces(line)).min().unwrap_or(0);
    let (mut text, mut is_below_a_margin) = (String::new(), false);
    for line in diagnostic {
        let start = line.bytes().take_while(|byte| *byte == b'.' || byte.is_ascii_digit()).count();
        let has_margin = spare_spaces(line).is_some();
        is_below_a_margin |= has_margin;
        // Lines that continue `= note: ` are aligned below it. Those of the message itself are not aligned with the margin.
        if has_margin || is_below_a_margin && line.starts_with("          ") {
            text += &line[..start];
            text += &line[start + spare..];
        } else {
            text += line;
        }
        text.push('\n');
    }
    text
}
