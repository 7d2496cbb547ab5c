//! The arrays of an HLO text dump.

use std::collections::HashSet;
use tensor_layout::{ParseError, Shape};

/// One value of a program.
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) shape: Result<Shape, (String, ParseError)>,
    /// The line, from 1, and where in the text it starts, in bytes.
    pub(crate) line: usize,
    pub(crate) start: usize,
}

/// Operations whose result is storage of their operands.
const VIEWS: [&str; 6] =
    ["tuple", "get-tuple-element", "bitcast", "after-all", "opt-barrier", "add-dependency"];

/// The values of all computations that have storage: those that a fusion, a reduction or a sort applies to single
/// elements have none, and neither have views of other values.
pub(crate) fn values(text: &str) -> impl Iterator<Item = Value> {
    let applied = applied(text);
    let mut skip = false;
    let mut start = 0;
    text.split_inclusive('\n').enumerate().filter_map(move |(at, line)| {
        start += line.len();
        if let Some(name) = computation(line) {
            skip = applied.contains(name);
            return None;
        }
        let (name, shape) = value(line).filter(|_| !skip)?;
        let parsed = shape.parse().map_err(|error| (shape.to_string(), error));
        Some(Value { name: name.into(), shape: parsed, line: at + 1, start: start - line.len() })
    })
}

/// The name and the shape of a value that a line defines, if it has storage.
fn value(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(" = ")?;
    let name = name.trim().trim_start_matches("ROOT ").trim();
    // Attributes of the module are written alike, but are no values.
    if name.is_empty() || name.contains([' ', ',', '"']) {
        return None;
    }
    let shape = shape(rest)?;
    let operation = rest[shape.len()..].trim_start();
    let is_view = VIEWS
        .iter()
        .any(|view| operation.strip_prefix(view).is_some_and(|rest| rest.starts_with('(')));
    let is_operation = operation.starts_with(|c: char| c.is_ascii_lowercase());
    (is_operation && !is_view).then(|| (name.trim_start_matches('%'), shape))
}

/// Names of computations that are applied within one operation.
fn applied(text: &str) -> HashSet<&str> {
    let names = ["calls=", "to_apply=", "comparator=", "select=", "scatter="].into_iter();
    names
        .flat_map(|key| text.match_indices(key).map(move |(at, key)| &text[at + key.len()..]))
        .map(word)
        .collect()
}

/// The computation that a line opens: `%fused_computation (p: f32[3]) -> f32[3] {`, `ENTRY main {`.
fn computation(line: &str) -> Option<&str> {
    let opens = line.trim_end().ends_with('{') && !line.starts_with(' ') && !line.contains(" = ");
    let line = line.trim_start_matches("ENTRY ");
    (opens && !line.starts_with("HloModule")).then(|| word(line))
}

/// A name without its `%`.
fn word(text: &str) -> &str {
    let text = text.trim_start_matches('%');
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).unwrap_or(text.len());
    &text[..end]
}

/// The shape that a text starts with: up to the first space outside of parentheses.
fn shape(text: &str) -> Option<&str> {
    let mut depth = 0usize;
    for (at, char) in text.char_indices() {
        match char {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            ' ' if depth == 0 => return (at > 0).then(|| &text[..at]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_have_storage_are_found() {
        let text = "\
HloModule m, entry_computation_layout={(f32[3,5]{1,0:T(8,128)})->f32[]}

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %s = f32[] add(%a, %b)
}

ENTRY %main (p: f32[3,5]) -> f32[] {
  %p = f32[3,5]{1,0:T(8,128)} parameter(0)
  %t = (f32[3,5]{1,0}, s32[]) tuple(%p, %c)
  %w = (f32[3,5]{1,0}, /*index=1*/s32[]) while(%t), body=%b
  %bad = f32[3,5]{1,1} copy(%p)
  ROOT %r = f32[]{:T(128)} reduce(%p, %c), dimensions={0,1}, to_apply=%add
}
";
        let values: Vec<_> = values(text).collect();
        let names: Vec<_> = values.iter().map(|value| (value.name.as_str(), value.line)).collect();
        assert_eq!(names, [("p", 9), ("w", 11), ("bad", 12), ("r", 13)]);
        let shape = |at: usize| values[at].shape.as_ref().map(Shape::to_string).ok();
        assert_eq!(shape(1).as_deref(), Some("(f32[3,5]{1,0}, s32[])"));
        assert_eq!(shape(2), None);
        assert!(text[values[2].start..].starts_with("  %bad"));
    }
}
