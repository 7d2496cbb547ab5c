//! The text of a dump: comments, lines, the parts of an instruction.

/// The text with blanks in place of comments, and of the characters in strings that could be mistaken for structure. Every line
/// and every byte keeps its offset.
pub(crate) fn cleaned(text: String) -> String {
    let mut bytes = text.into_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'"', ..] => string(&mut bytes, at),
            [b'/', b'*', rest @ ..] => {
                let len = rest.windows(2).position(|end| end == b"*/").map(|len| len + 4);
                blank(&mut bytes, at, len)
            }
            [b'/', b'/', rest @ ..] => {
                let len = rest.iter().position(|byte| *byte == b'\n').map(|len| len + 2);
                blank(&mut bytes, at, len)
            }
            _ => at + 1,
        };
        at = end;
    }
    // Only whole characters were replaced, so the bytes are still valid UTF-8.
    String::from_utf8(bytes).unwrap_or_default()
}

/// Replaces a comment, up to the end of the text if it is not closed, and returns its end.
fn blank(bytes: &mut [u8], start: usize, len: Option<usize>) -> usize {
    let end = len.map_or(bytes.len(), |len| start + len);
    bytes[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    end
}

/// Replaces characters of a string that cannot be in a name, and returns its end. A string that is not closed ends with its
/// line.
fn string(bytes: &mut [u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' if bytes.get(at + 1).is_some_and(|next| *next == b'"' || *next == b'\\') => {
                bytes[at..at + 2].fill(b'_');
                at += 1;
            }
            byte if byte.is_ascii() && !byte.is_ascii_alphanumeric() => bytes[at] = b'_',
            _ => {}
        }
        at += 1;
    }
    at
}

/// The definition of a value: `%name = shape operation(operands), attributes`.
#[derive(Clone, Copy)]
pub(super) struct Instruction<'t> {
    pub(super) name: &'t str,
    pub(super) shape: &'t str,
    pub(super) operation: &'t str,
    /// Everything after the parenthesis that follows the operation.
    rest: &'t str,
    pub(super) is_root: bool,
}

impl<'t> Instruction<'t> {
    /// The instruction on a line, if there is one.
    pub(super) fn of(line: &'t str) -> Option<Self> {
        let (name, rest) = line.split_once(" = ")?;
        let name = name.trim();
        let (is_root, name) = match name.strip_prefix("ROOT ") {
            Some(name) => (true, name.trim()),
            None => (false, name),
        };
        // Attributes of the module look the same, but are not values.
        if name.is_empty() || name.contains([' ', ',', '"']) {
            return None;
        }
        let shape = shape(rest.trim_start())?;
        let operation = rest.trim_start()[shape.len()..].trim_start();
        let (operation, rest) = operation.split_once('(')?;
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (operation.starts_with(|c: char| c.is_ascii_lowercase()) && operation.chars().all(is_name))
            .then(|| Self { name: name.trim_start_matches('%'), shape, operation, rest, is_root })
    }

    /// The operands, and the attributes after them.
    fn split(&self) -> (&'t str, &'t str) {
        let end = balanced(self.rest, |c| c == ')').unwrap_or(self.rest.len());
        (&self.rest[..end], &self.rest[end..])
    }

    /// The names of the operands. In older dumps each follows its shape.
    pub(super) fn operands(&self) -> impl Iterator<Item = &'t str> {
        items(self.rest).map(|operand| {
            let name = operand.rsplit(char::is_whitespace).next().unwrap_or(operand);
            name.trim_start_matches('%')
        })
    }

    /// The number of a parameter, in parentheses.
    pub(super) fn number(&self) -> Option<usize> {
        self.split().0.trim().parse().ok()
    }

    /// The value of an attribute, without the braces around it.
    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        attribute(self.split().1.strip_prefix(')')?, name)
    }

    /// The names of computations in an attribute.
    pub(super) fn computations(&self, attribute: &str) -> impl Iterator<Item = &'t str> {
        let names = self.attribute(attribute).unwrap_or_default().split(',');
        names.map(|name| word(name.trim())).filter(|name| !name.is_empty())
    }
}

/// The items of a list, up to the parenthesis that closes it or the end of the text. They are read one by one, because some lists
/// have thousands of which only the first is needed.
pub(super) fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        if rest.is_empty() || rest.starts_with(')') {
            return None;
        }
        let end = balanced(rest, |c| c == ',' || c == ')').unwrap_or(rest.len());
        let item = rest[..end].trim();
        rest = rest[end..].strip_prefix(',').unwrap_or_default();
        Some(item)
    })
}

/// The value of an attribute in a list of them, without the braces around it.
fn attribute<'t>(list: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = list;
    while !rest.is_empty() {
        rest = rest.trim_start_matches([',', ' ']);
        let end = balanced(rest, |c| c == ',').unwrap_or(rest.len());
        let (key, value) = rest[..end].split_once('=').unwrap_or_default();
        if key.trim() == name {
            let value = value.trim();
            let inner = value.strip_prefix('{').and_then(|value| value.strip_suffix('}'));
            return Some(inner.unwrap_or(value));
        }
        rest = &rest[end..];
    }
    None
}

/// The value of an attribute of a module, without the braces around it.
pub(super) fn module_attribute<'t>(line: &'t str, name: &str) -> Option<&'t str> {
    attribute(line.split_once(',')?.1, name)
}

/// The shape of the value that a line of a dump defines.
pub(crate) fn shape_of(line: &str) -> Option<&str> {
    Instruction::of(line).map(|instruction| instruction.shape)
}

/// The computation that a line opens, `%fused (p: f32[3]) -> f32[3] {`, and whether it is the entry of the program.
pub(super) fn computation(line: &str) -> Option<(&str, bool)> {
    let opens = line.trim_end().ends_with('{') && !line.starts_with(' ') && !line.contains(" = ");
    let (is_entry, rest) = match line.strip_prefix("ENTRY ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    (opens && !is_module(line)).then(|| (word(rest), is_entry))
}

/// Whether a line is the first of a module.
pub(super) fn is_module(line: &str) -> bool {
    line.starts_with("HloModule")
}

/// Whether a line states that the instructions of its module are listed in the order in which they run.
pub(super) fn is_scheduled(line: &str) -> bool {
    is_module(line) && line.contains("is_scheduled=true")
}

/// A name without its `%`.
pub(super) fn word(text: &str) -> &str {
    let text = text.trim_start_matches('%');
    let end = text.find(|c: char| !c.is_alphanumeric() && !"_.-".contains(c)).unwrap_or(text.len());
    &text[..end]
}

/// The shape that a text starts with: up to the first space outside of parentheses.
fn shape(text: &str) -> Option<&str> {
    let end = balanced(text, |c| c == ' ')?;
    (end > 0).then(|| &text[..end])
}

/// The position of the first wanted character outside all parentheses; `None` if a parenthesis that was not opened is closed
/// before it.
fn balanced(text: &str, wanted: impl Fn(char) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    for (at, char) in text.char_indices() {
        if depth == 0 && wanted(char) {
            return Some(at);
        }
        match char {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_no_structure() {
        let text = "a /* %x = f32[3] add(\n */ b \"c{\\\"}, d\" // e\nf \"g\n(h /*";
        let clean = cleaned(text.into());
        assert_eq!(clean, "a                    \n    b \"c______d\"     \nf \"g\n(h   ");
        assert_eq!(clean.len(), text.len());
    }

    #[test]
    fn an_instruction_is_taken_apart() {
        let line = "  ROOT %f.1 = (f32[2]{0}, s32[]) fusion(f32[2]{0:T(128)} %a, (s32[], u8[]) %b, c), kind=kLoop, calls=%g.2, x={a={b, c}}, index=3\n";
        let instruction = Instruction::of(line).expect("an instruction");
        assert_eq!((instruction.name, instruction.is_root), ("f.1", true));
        assert_eq!(instruction.operation, "fusion");
        assert_eq!(instruction.shape, "(f32[2]{0}, s32[])");
        assert_eq!(instruction.operands().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(instruction.computations("calls").collect::<Vec<_>>(), ["g.2"]);
        assert_eq!(instruction.attribute("x"), Some("a={b, c}"));
        assert_eq!(instruction.attribute("index").map(str::trim), Some("3"));
        assert_eq!(instruction.attribute("b"), None);
    }
}
