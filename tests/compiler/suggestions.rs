//! The programs that the errors of `compile_fail` suggest.

use crate::library::root;

/// Files in which an error underlines more or less than its suggestion replaces.
const UNDERLINED_OTHERWISE: [&str; 3] = [
    "encoding_structured_sizes_missing",
    "kernel_operand_of_two_types",
    "propagate_attribute_unknown",
];

/// The replacement for the underlined words, if the help is a suggestion that a program can apply.
fn suggestion(help: &str) -> Option<&str> {
    if let Some(rest) = help.strip_prefix("leave the `") {
        return rest.strip_suffix("` out").map(|_| "");
    }
    let (said, rest) = help.split_once('`')?;
    let said = said.trim().trim_end_matches(':');
    let alone = ["did you mean", "write", "write the shape alone", "write it without quotes"];
    let is_alone = alone.contains(&said);
    let written = rest.strip_suffix("`?").or(rest.strip_suffix('`'))?;
    // An example leaves out parts with `..`, or is a whole item.
    let is_example = written.contains("..") || written.starts_with("pub ");
    (is_alone && !is_example && !written.contains('`')).then_some(written)
}

/// A line and the columns to replace in it, counted from 0, and the text to write there.
type Change = (usize, std::ops::Range<usize>, String);

/// The changes that the errors of a file suggest; `None` unless each error suggests one.
fn changes(stderr: &str) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    for error in stderr.split("\nerror").filter(|error| !error.trim().is_empty()) {
        let mut lines = error.lines();
        let help = lines.by_ref().find_map(|line| line.trim().strip_prefix("help: "))?;
        let new = suggestion(help)?.to_owned();
        let location = lines.by_ref().find_map(|line| line.trim().strip_prefix("--> "))?;
        let mut numbers = location.rsplitn(3, ':');
        let column: usize = numbers.next()?.parse().ok()?;
        let line: usize = numbers.next()?.parse().ok()?;
        let carets = lines.find(|line| line.trim_start_matches([' ', '|']).starts_with('^'))?;
        let len = carets.chars().filter(|c| *c == '^').count();
        changes.push((line - 1, column - 1..column - 1 + len, new));
    }
    (!changes.is_empty()).then_some(changes)
}

/// The source with all changes applied. An order of dimensions is suggested as a whole, below one of its entries.
fn changed(source: &str, changes: &[Change]) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut later = changes.to_vec();
    later.sort_by_key(|(line, columns, _)| std::cmp::Reverse((*line, columns.start)));
    for (line, mut columns, mut new) in later {
        let text = &lines[line];
        if let Some(order) = new.strip_prefix('{').and_then(|new| new.strip_suffix('}'))
            && (columns.len() == 1 || !text[columns.clone()].starts_with(['{', '[', '(']))
            && order.bytes().all(|byte| byte == b',' || byte.is_ascii_digit())
        {
            let start = text[..=columns.start].rfind(['{', '<']).map_or(0, |open| open + 1);
            let end =
                text[columns.start..].find([':', '}', '>']).map_or(0, |end| end + columns.start);
            (columns, new) = (start..end, order.to_owned());
        }
        lines[line].replace_range(columns, &new);
    }
    lines.join("\n")
}

/// All files whose errors suggest a replacement, changed accordingly, as modules of one program; and their number.
pub(crate) fn program() -> (String, usize) {
    let mut program = String::from("#![allow(dead_code, unused)]\n");
    let mut count = 0;
    let mut files: Vec<_> = std::fs::read_dir(root().join("tests/compile_fail"))
        .expect("the directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|file| file.extension() == Some("stderr".as_ref()))
        .filter(|file| {
            !UNDERLINED_OTHERWISE.iter().any(|name| file.file_stem() == Some(name.as_ref()))
        })
        .collect();
    files.sort();
    for file in files {
        let stderr = std::fs::read_to_string(&file).expect("a file in UTF-8");
        let Some(changes) = changes(&stderr) else { continue };
        let source = std::fs::read_to_string(file.with_extension("rs")).expect("a file in UTF-8");
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        program += &format!("mod {name} {{\n{}\n}}\n", changed(&source, &changes));
        count += 1;
    }
    (program + "fn main() {}\n", count)
}
