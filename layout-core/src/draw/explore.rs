//! The script of the page on which a reader explores a layout.

use super::{Draw, Picture};
use alloc::string::String;

/// The program of the page.
const PROGRAM: &str = include_str!("explore.js");
/// The placeholder in `PROGRAM` for the digits of a layout.
const DIGITS: &str = "null /* table */";

/// HTML that lets the reader explore the layout: which element a cell holds, where the element is stored and on which device, and,
/// step by step, how the tiles determine that position. Empty if there is nothing to explore.
pub(super) fn explorer(subject: &impl Draw, picture: &Picture) -> String {
    let digits = subject.digits();
    let is_linked = |picture: &Picture| {
        picture.panels.iter().any(|panel| panel.cells.iter().any(|cell| !cell.link.is_empty()))
    };
    if digits.is_none() && !is_linked(picture) {
        return String::new();
    }
    let mut script = String::from("<script>\n");
    // Comments and indentation serve readers of the source file, so the page omits them.
    for line in PROGRAM.lines().map(str::trim_start) {
        if line.is_empty() || line.starts_with("//") || line.starts_with("/**") {
            continue;
        }
        match line.split_once(DIGITS) {
            Some((before, after)) => {
                // Escapes `<`, so that no text of a layout can end the script.
                let digits = digits.as_deref().unwrap_or("null").replace('<', "\\u003c");
                script.extend([before, &digits, after]);
            }
            None => script += line,
        }
        script.push('\n');
    }
    script + "</script>"
}
