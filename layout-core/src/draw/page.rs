//! How documentation and the terminal show a layout.

use super::svg::escaped;
use super::{Draw, Style};
use alloc::format;
use alloc::string::String;

/// The documentation of a layout in Markdown: its numbers, then its picture, and the picture as text for editors, which
/// show no SVG.
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
    // A box is raw HTML to Markdown, up to an empty line. It scrolls where the picture is wider than the page.
    let (svg, text) = (picture.svg(), picture.text(Style::PLAIN));
    format!(
        "{facts}\n<div style=\"overflow-x:auto\">{svg}</div>\n\n\
         <details><summary>The same as text</summary>\n\n```text\n{text}```\n\n</details>\n"
    )
}

/// A page of HTML that shows a layout and loads nothing else.
///
/// ```
/// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
/// assert!(tensor_layout::draw::html(&spec).contains("<td>f32[3,5]{1,0:T(2,2)}</td>"));
/// ```
pub fn html(subject: &impl Draw) -> String {
    let title = escaped(&subject.notation());
    let mut rows = String::new();
    for fact in subject.facts().iter() {
        rows += &format!("<tr><th>{}</th><td>{}</td></tr>\n", fact.name, escaped(&fact.text));
    }
    let svg = subject.picture().svg();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>:root {{ color-scheme: light dark; --main-background-color: Canvas }} \
         body {{ font: 16px/1.5 sans-serif; margin: 1em }} th {{ text-align: left; padding-right: 1em }} \
         td {{ font-family: monospace; overflow-wrap: anywhere }} div {{ overflow-x: auto }}</style>\n\
         <table>\n{rows}</table>\n<div>{svg}</div>\n</html>\n"
    )
}

/// What the terminal shows of a layout: its numbers, then its picture.
pub fn terminal(subject: &impl Draw, style: Style) -> String {
    format!("{}\n{}", subject.facts(), subject.picture().text(style))
}
