//! The part of LLVM's FileCheck that Shardy's tests need: `CHECK`, `-LABEL`, `-NEXT`, `-SAME` and `-NOT`, with `[[NAME:.*]]`
//! and `[[NAME]]`.

use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Anywhere,
    Label,
    Next,
    Same,
    Not,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// Matches any text of the line.
    Capture(String),
    /// Matches the captured text.
    Captured(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Check {
    kind: Kind,
    text: String,
    pattern: Vec<Piece>,
}

/// The text with single spaces, and with no spaces where the source and MLIR's output differ.
pub(crate) fn normal(line: &str) -> String {
    let text = line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace(" :", ":")
        .replace("group_id = ", "group_id=")
        .replace("<0.0>", "<0.000000e+00>")
        .replace("<1.0>", "<1.000000e+00>")
}

/// The checks of a text.
pub(crate) fn checks(text: &str) -> Vec<Check> {
    let lines = text.lines().filter_map(|line| line.split_once("CHECK"));
    let checks = lines.filter_map(|(before, rest)| {
        let (suffix, text) = rest.split_once(':')?;
        let (suffix, literal) = match suffix.split_once('{') {
            Some((suffix, option)) => (suffix, option == "LITERAL}"),
            None => (suffix, false),
        };
        let kind = match suffix {
            "" => Kind::Anywhere,
            "-LABEL" => Kind::Label,
            "-NEXT" => Kind::Next,
            "-SAME" => Kind::Same,
            "-NOT" => Kind::Not,
            _ => return None,
        };
        let text = normal(text);
        let pattern = if literal { vec![Piece::Text(text.clone())] } else { pieces(&text) };
        before.trim_end().ends_with("//").then_some(Check { kind, text, pattern })
    });
    checks.collect()
}

fn pieces(text: &str) -> Vec<Piece> {
    let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
    while let Some(c) = rest.chars().next() {
        let name = rest.strip_prefix("[[").and_then(|inner| {
            let (name, _) = inner.split_once("]]")?;
            name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(name)
        });
        let Some(name) = name else {
            plain.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        pieces.push(Piece::Text(std::mem::take(&mut plain)));
        pieces.push(match name.split_once(':') {
            Some((name, pattern)) => {
                assert_eq!(pattern, ".*", "a regular expression that this reader does not know");
                Piece::Capture(name.to_owned())
            }
            None => Piece::Captured(name.to_owned()),
        });
        rest = &rest[name.len() + 4..];
    }
    pieces.push(Piece::Text(plain));
    pieces
}

type Captures = BTreeMap<String, String>;

/// Where a match of `pieces` that starts at byte `at` of a line ends, and its captures.
fn matches(
    pieces: &[Piece],
    line: &str,
    at: usize,
    captures: &Captures,
) -> Option<(usize, Captures)> {
    let Some((first, rest)) = pieces.split_first() else { return Some((at, captures.clone())) };
    let text = match first {
        Piece::Text(text) => text,
        Piece::Captured(name) => captures.get(name)?,
        Piece::Capture(name) => {
            return (at..=line.len()).rev().find_map(|end| {
                let mut captures = captures.clone();
                captures.insert(name.clone(), line[at..end].to_owned());
                matches(rest, line, end, &captures)
            });
        }
    };
    line[at..].starts_with(text.as_str()).then_some(())?;
    matches(rest, line, at + text.len(), captures)
}

/// The first match in a line, starting at byte `from`.
fn find(
    check: &Check,
    line: &str,
    from: usize,
    captures: &Captures,
) -> Option<(usize, usize, Captures)> {
    (from..=line.len()).find_map(|at| {
        let (end, captures) = matches(&check.pattern, line, at, captures)?;
        Some((at, end, captures))
    })
}

/// The labels of checks.
pub(crate) fn labels(checks: &[Check]) -> impl Iterator<Item = String> {
    checks.iter().filter(|check| check.kind == Kind::Label).map(|check| check.text.clone())
}

/// The name of each label, with the first check after it that fails, if any.
pub(crate) fn compare(checks: &[Check], output: &[String]) -> Vec<(String, Result<(), String>)> {
    let labels: Vec<_> =
        checks.iter().enumerate().filter(|(_, check)| check.kind == Kind::Label).collect();
    let (mut captures, mut results) = (Captures::new(), Vec::new());
    let mut starts = Vec::new();
    let mut from = 0;
    for (_, label) in &labels {
        let found = (from..output.len()).find_map(|line| {
            let (_, end, _) = find(label, &output[line], 0, &captures)?;
            Some((line, end))
        });
        if let Some((line, _)) = found {
            // Several labels may match one line.
            from = line;
        }
        starts.push(found);
    }
    for (number, (at, label)) in labels.iter().enumerate() {
        let last = labels.get(number + 1).map_or(checks.len(), |(next, _)| *next);
        let Some(start) = starts[number] else {
            results.push((label.text.clone(), Err(format!("no line has `{}`", label.text))));
            continue;
        };
        let end = starts[number + 1..].iter().flatten().map(|(line, _)| *line).next();
        let end = end.filter(|end| *end > start.0).unwrap_or(output.len());
        let result = section(&checks[at + 1..last], &output[..end], start, &mut captures);
        results.push((label.text.clone(), result));
    }
    results
}

/// Compares the checks after a label, which was found in a line up to a byte of it.
fn section(
    checks: &[Check],
    output: &[String],
    (mut line, mut at): (usize, usize),
    captures: &mut Captures,
) -> Result<(), String> {
    let mut absent: Vec<&Check> = Vec::new();
    for check in checks {
        let lines = match check.kind {
            Kind::Not => {
                absent.push(check);
                continue;
            }
            Kind::Same => line..line + 1,
            Kind::Next => line + 1..(line + 2).min(output.len()),
            Kind::Anywhere | Kind::Label => line..output.len(),
        };
        let found = lines.clone().find_map(|number| {
            let from = if number == line { at } else { 0 };
            let (start, end, captures) = find(check, &output[number], from, captures)?;
            Some((number, start, end, captures))
        });
        let Some((number, start, end, new)) = found else {
            let near = output[lines.start.min(output.len() - 1)..].iter().take(3);
            let near: Vec<_> = near.map(String::as_str).collect();
            return Err(format!("expected `{}` in\n    {}", check.text, near.join("\n    ")));
        };
        let skipped = between(output, (line, at), (number, start));
        absent.drain(..).try_for_each(|not| is_absent(not, &skipped, captures))?;
        (line, at, *captures) = (number, end, new);
    }
    let rest = between(output, (line, at), (output.len(), 0));
    absent.into_iter().try_for_each(|not| is_absent(not, &rest, captures))
}

/// The text between two positions: lines, with the range of bytes in each.
fn between(
    output: &[String],
    (line, at): (usize, usize),
    (last, end): (usize, usize),
) -> Vec<&str> {
    let lines = output.iter().enumerate().skip(line).take(last + 1 - line);
    let parts = lines.map(|(number, text)| {
        let from = if number == line { at } else { 0 };
        let to = if number == last { end } else { text.len() };
        text.get(from..to).unwrap_or("")
    });
    parts.collect()
}

fn is_absent(not: &Check, parts: &[&str], captures: &Captures) -> Result<(), String> {
    match parts.iter().find(|part| find(not, part, 0, captures).is_some()) {
        Some(part) => Err(format!("`{}` is in `{part}`", not.text)),
        None => Ok(()),
    }
}
