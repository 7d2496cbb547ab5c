//! A page about the memory of a program, in sections that readers can expand: memories, the arrays of each role, single arrays.

use crate::better::Better;
use crate::hlo::Role;
use crate::memory::{self, Memory};
use crate::table::{HOT_SPOTS, Row, share};
use std::fmt::Write;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Draw, Fact, escaped};

const STYLE: &str = include_str!("page.css");

/// The number of arrays whose pictures the page shows.
const PICTURES: usize = 20;

/// A self-contained HTML page. `rows` are sorted by the bytes that they waste; the first `top` of them are listed.
pub(crate) fn html(title: &str, rows: &[Row], memories: &[Memory], top: usize) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    let listed = &rows[..rows.len().min(top)];
    for memory in memories {
        part(&mut page, memory, listed);
    }
    if rows.len() > listed.len() {
        // Writing to a string does not fail.
        let _ = writeln!(page, "<p>{} more; <code>--top</code> lists them</p>", rows.len() - top);
    }
    page + "</html>\n"
}

/// A memory: its sums, then its arrays by their role.
fn part(page: &mut String, memory: &Memory, rows: &[Row]) {
    let Memory { arrays, wasted, bytes, arguments, outputs, .. } = memory;
    let Memory { constants, temporaries, peak, .. } = memory;
    let _ = writeln!(page, "<h2>{}</h2>\n<table>", escaped(&memory.name()));
    let peak = peak.as_ref().map(|peak| peak.bytes);
    let sums = [
        ("arguments", outputs.map(|_| *arguments)),
        ("outputs", *outputs),
        ("constants", outputs.map(|_| *constants).filter(|bytes| *bytes > 0)),
        ("temporaries", outputs.map(|_| *temporaries)),
        ("temporaries alive at once, at most", peak),
        ("all arrays", Some(*bytes)),
        ("padding", Some(*wasted)),
    ];
    for (name, sum) in sums.into_iter().filter_map(|(name, sum)| Some((name, sum?))) {
        let bar = bar(sum, *bytes);
        let sum = grouped(sum);
        let _ = writeln!(page, "<tr><th>{name}</th><td>{sum}</td><td>{bar}</td></tr>");
    }
    let _ = match arrays {
        1 => writeln!(page, "</table>\n<p>1 array.</p>"),
        _ => writeln!(page, "</table>\n<p>{arrays} arrays, those that waste the most first.</p>"),
    };
    let roles = [Role::Argument, Role::Output, Role::Constant, Role::Temporary];
    for role in roles.map(Some).into_iter().chain([None]) {
        let of_role =
            |(_, row): &(usize, &Row)| row.role == role && memory::name(row.space) == memory.name();
        let rows: Vec<_> = rows.iter().enumerate().filter(of_role).collect();
        if rows.is_empty() {
            continue;
        }
        let name = match (role, rows.len()) {
            (Some(role), 1) => role.name(),
            (Some(role), _) => role.plural(),
            (None, 1) => "array",
            (None, _) => "arrays",
        };
        let sum = in_bytes(rows.iter().map(|(_, row)| row.bytes as u128).sum());
        let _ = writeln!(page, "<details open><summary>{} {name}: {sum}</summary>", rows.len());
        let most = rows.iter().map(|(_, row)| row.bytes).max().unwrap_or(0);
        rows.iter().for_each(|(at, row)| array(page, *at, row, most));
        *page += "</details>\n";
    }
}

/// An array, with a section for its numbers and its picture.
fn array(page: &mut String, at: usize, row: &Row, most: usize) {
    let (name, layout) = (escaped(&row.name), escaped(&row.layout));
    let wasted = share(row.wasted as u128, row.bytes as u128);
    let _ = writeln!(
        page,
        "<details><summary>{} <b>{name}</b> <code>{layout}</code> {}, {wasted} of them padding</summary>",
        bar(row.bytes as u128, most as u128),
        in_bytes(row.bytes as u128)
    );
    if row.role.is_some() {
        let (start, end) = (row.alive.start(), row.alive.end());
        let end = if *end == usize::MAX { "the end".into() } else { end.to_string() };
        let _ = writeln!(page, "<p>Alive from instruction {start} to {end}.</p>");
    }
    let better = if at < HOT_SPOTS { row.better() } else { None };
    for (what, spec) in better
        .into_iter()
        .flat_map(|Better { layout, shape }| [("layout", layout), ("shape", shape)])
    {
        let Some(spec) = spec else { continue };
        let (text, bytes) = (escaped(&spec.to_string()), in_bytes(spec.storage_bytes() as u128));
        let _ = writeln!(page, "<p>The {what} <code>{text}</code> takes {bytes}.</p>");
    }
    if at < PICTURES
        && let Ok(spec) = row.layout.parse::<TiledSpec>()
    {
        let _ = writeln!(page, "<div>{}</div>", spec.picture().svg());
    }
    *page += "</details>\n";
}

/// A number of bytes as a reader expects it: `2,097,152 (2 MiB)`.
fn grouped(number: u128) -> String {
    let (text, number) = (number.to_string(), u64::try_from(number).ok());
    Fact { name: "bytes", text, number, is_code: false }.grouped()
}

/// `2,097,152 bytes (2 MiB)`
fn in_bytes(number: u128) -> String {
    let grouped = grouped(number);
    match grouped.split_once(' ') {
        Some((number, unit)) => format!("{number} bytes {unit}"),
        None => format!("{grouped} bytes"),
    }
}

/// A part of a whole as a bar.
fn bar(part: u128, whole: u128) -> String {
    let percent = (part * 100).checked_div(whole).unwrap_or(0).min(100);
    format!("<i style=\"--part:{percent}%\"></i>")
}
