//! How documentation and the terminal show a layout.

use super::explore::explorer;
use super::svg::escaped;
use super::{Draw, Style};
use alloc::format;
use alloc::string::String;

/// The documentation of a layout in Markdown: its numbers, then its picture, and the picture as text for editors, which do not show
/// SVG.
///
/// ```
/// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let docs = tensor_layout::draw::docs(&spec);
/// assert!(docs.starts_with("- layout: `f32[3,5]{1,0:T(2,2)}`\n- logical shape: `(3,5)`\n"));
/// ```
pub fn docs(subject: &impl Draw) -> String {
    let (facts, picture) = (subject.facts().markdown(), subject.picture());
    if picture.panels.is_empty() {
        return facts;
    }
    let (figure, text) = (figure(subject), picture.text(Style::PLAIN));
    format!(
        "{facts}\n{figure}\n<details><summary>The same as text</summary>\n\n```text\n{text}```\n\n</details>\n"
    )
}

/// The picture of a layout in Markdown, which the reader can explore.
///
/// ```
/// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let figure = tensor_layout::draw::figure(&spec);
/// assert!(figure.starts_with("<div style=\"overflow-x:auto;margin:1em 0\"><svg ") && figure.ends_with("</script>\n"));
/// ```
pub fn figure(subject: &impl Draw) -> String {
    let picture = subject.picture();
    let (svg, explorer) = (picture.svg(), explorer(subject, &picture));
    // Markdown passes a `div` through as raw HTML, up to an empty line. The `div` scrolls if the picture is wider than the page.
    format!("<div style=\"overflow-x:auto;margin:1em 0\">{svg}</div>\n\n{explorer}\n")
}

/// The documentation of a layout for editors, which do not show HTML: its numbers and its picture as text.
///
/// ```
/// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// let docs = tensor_layout::draw::hover(&spec);
/// assert!(docs.contains("\n```text\n     0   1    2   3    4   5\n") && !docs.contains('<'));
/// ```
pub fn hover(subject: &impl Draw) -> String {
    let (facts, picture) = (subject.facts().markdown(), subject.picture());
    match picture.text(Style::PLAIN) {
        text if text.is_empty() => facts,
        text => format!("{facts}\n```text\n{text}```\n"),
    }
}

/// The style sheet of a page.
const STYLE: &str = include_str!("page.css");

/// A page of HTML that shows a layout and lets the reader explore it, without loading any other file.
///
/// ```
/// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// assert!(tensor_layout::draw::html(&spec).contains("<td>f32[3,5]{1,0:T(2,2)}</td>"));
/// ```
pub fn html(subject: &impl Draw) -> String {
    let title = escaped(&subject.notation());
    let mut rows = String::new();
    for fact in subject.facts().iter() {
        let text = escaped(&fact.grouped());
        rows += &format!("<tr><th>{}</th><td>{text}</td></tr>\n", fact.name);
    }
    let picture = subject.picture();
    let (svg, explorer) = (picture.svg(), explorer(subject, &picture));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<h1>{title}</h1>\n<div>{svg}</div>\n{explorer}\n\
         <table>\n{rows}</table>\n</html>\n"
    )
}

/// The text that the terminal shows for a layout: its numbers, then its picture.
///
/// ```
/// use tensor_layout::{TiledSpec, draw::{Style, terminal}};
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let text = terminal(&spec, Style::PLAIN);
/// assert!(text.contains("f32[3,5]{1,0:T(2,2)}") && text.contains("96"));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
pub fn terminal(subject: &impl Draw, style: Style) -> String {
    format!("{}\n{}", subject.facts(), subject.picture().text(style))
}
