//! Where the memory of a program went: its arrays, those that waste the most first.

use crate::arguments::{Arguments, Hlo};
use crate::report::{Failure, annotated};
use crate::safetensors::Tensors;
use crate::{hlo, safetensors};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use tensor_layout::TiledSpec;
use tensor_layout::draw::Quoted;
use tensor_layout::tiled::{Draft, Tile};

/// The longest HLO dump that is read.
const MAX_TEXT: u64 = 4 << 30;

/// One array.
struct Row {
    name: String,
    spec: TiledSpec,
    /// Bytes that it would take with the other first tile; `None` where that is no layout of the array.
    other: Option<usize>,
}

/// What a file holds.
struct Content {
    rows: Vec<(String, TiledSpec)>,
    /// What could not be read, for standard error.
    problems: Vec<String>,
}

pub(crate) fn run(hlo: &Hlo, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(tile) = Tile::of(&hlo.tile).filter(|tile| !tile.is_empty() && !hlo.tile.contains(&0))
    else {
        return Err(Failure::input("a tile has 1 to 8 positive sizes", "write `--tile 8,128`"));
    };
    let content = read(hlo, arguments)?;
    let mut rows: Vec<_> = content
        .rows
        .into_iter()
        .map(|(name, spec)| Row { other: with_tile(&spec, tile), name, spec })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.spec.padding_bytes(), row.spec.storage_bytes())));
    let mut out = io::stdout().lock();
    if hlo.json {
        json(&rows, hlo, &mut out)?
    } else {
        table(&rows, hlo, &mut out)?
    }
    out.flush()?;
    for problem in &content.problems {
        writeln!(io::stderr(), "{problem}")?;
    }
    Ok(if content.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The bytes of an array with another first tile, and the later tiles of its own.
fn with_tile(spec: &TiledSpec, tile: Tile) -> Option<usize> {
    let mut draft: Draft = *spec.draft();
    let mut tiles = tensor_layout::tiled::List::new(Tile::new(0)).push(tile).ok()?;
    for later in spec.tiles().iter().skip(1) {
        tiles = tiles.push(*later).ok()?;
    }
    draft.tiles = tiles;
    draft.validate().ok().map(|spec| spec.storage_bytes())
}

fn read(hlo: &Hlo, arguments: &Arguments) -> Result<Content, Failure> {
    let name = hlo.file.display().to_string();
    let failed = |error: io::Error| Failure::input(format!("{name}: {error}"), "");
    if hlo.file.as_os_str() == "-" {
        return content(&mut io::stdin().lock(), "standard input", &failed, arguments);
    }
    let file = File::open(&hlo.file).map_err(failed)?;
    let bar = ProgressBar::new(file.metadata().map_err(failed)?.len());
    // Without a terminal nothing is drawn.
    if let Ok(style) = ProgressStyle::with_template("reading {wide_bar} {bytes} of {total_bytes}") {
        bar.set_style(style);
    }
    let content = content(&mut bar.wrap_read(file), &name, &failed, arguments);
    bar.finish_and_clear();
    content
}

fn content(
    source: &mut impl Read,
    name: &str,
    failed: &impl Fn(io::Error) -> Failure,
    arguments: &Arguments,
) -> Result<Content, Failure> {
    let mut bytes = Vec::new();
    source.take(9).read_to_end(&mut bytes).map_err(failed)?;
    if let (true, Some(len)) = (safetensors::is_header(&bytes), safetensors::header_len(&bytes)) {
        source.take(len.saturating_sub(9)).read_to_end(&mut bytes).map_err(failed)?;
        let Tensors { tensors: rows, unknown } = safetensors::tensors(&bytes[8..])?;
        let problem = |name: String| format!("`{}` has no layout", printable(&name));
        return Ok(Content { rows, problems: unknown.into_iter().map(problem).collect() });
    }
    source.take(MAX_TEXT).read_to_end(&mut bytes).map_err(failed)?;
    let Ok(text) = String::from_utf8(bytes) else {
        let message = format!("{name} is neither an HLO text dump nor a safetensors file");
        return Err(Failure::input(message, "dump text: `XLA_FLAGS=--xla_dump_hlo_as_text`"));
    };
    let (mut rows, mut problems) = (Vec::new(), Vec::new());
    for value in hlo::values(&text) {
        let shape = match value.shape {
            Ok(shape) => shape,
            Err((text, error)) => {
                let origin = format!("{name}, line {}", value.line);
                problems.push(annotated(&origin, &text, &error, arguments));
                continue;
            }
        };
        let arrays: Vec<_> = shape.arrays().collect();
        for (at, spec) in arrays.iter().enumerate() {
            let name = match arrays.len() {
                1 => value.name.clone(),
                _ => format!("{}[{at}]", value.name),
            };
            rows.push((name, **spec));
        }
    }
    Ok(Content { rows, problems })
}

fn table(rows: &[Row], hlo: &Hlo, out: &mut impl Write) -> io::Result<()> {
    let tile: Vec<_> = hlo.tile.iter().map(usize::to_string).collect();
    let other = format!("in T({})", tile.join(","));
    writeln!(out, "{:>14}  {:>7}  {:>14}  {other:>14}  array", "wasted bytes", "", "bytes")?;
    for row in rows.iter().take(hlo.top) {
        let (bytes, wasted) = (row.spec.storage_bytes(), row.spec.padding_bytes());
        let other = row.other.map_or("-".into(), |bytes| bytes.to_string());
        let share = share(wasted as u128, bytes as u128);
        let name = printable(&row.name);
        writeln!(out, "{wasted:>14}  {share:>7}  {bytes:>14}  {other:>14}  {name}  {}", row.spec)?;
    }
    if rows.len() > hlo.top {
        writeln!(out, "{} more; `--top` lists them", rows.len() - hlo.top)?;
    }
    let total = Total::of(rows);
    writeln!(
        out,
        "{:>14}  {:>7}  {:>14}  {:>14}  {} arrays",
        total.wasted,
        share(total.wasted, total.bytes),
        total.bytes,
        total.other,
        rows.len()
    )
}

fn json(rows: &[Row], hlo: &Hlo, out: &mut impl Write) -> io::Result<()> {
    let total = Total::of(rows);
    writeln!(out, "{{\n  \"wasted\": {}, \"bytes\": {}, \"arrays\": [", total.wasted, total.bytes)?;
    let shown = &rows[..rows.len().min(hlo.top)];
    for (at, row) in shown.iter().enumerate() {
        let other = row.other.map_or("null".into(), |bytes| bytes.to_string());
        writeln!(
            out,
            "    {{\"name\": {}, \"layout\": {}, \"wasted\": {}, \"bytes\": {}, \"other\": {other}}}{}",
            Quoted(&row.name),
            Quoted(&row.spec.to_string()),
            row.spec.padding_bytes(),
            row.spec.storage_bytes(),
            if at + 1 < shown.len() { "," } else { "" }
        )?;
    }
    writeln!(out, "  ]\n}}")
}

/// Sums over all arrays.
struct Total {
    wasted: u128,
    bytes: u128,
    other: u128,
}

impl Total {
    fn of(rows: &[Row]) -> Self {
        let sum = |of: &dyn Fn(&Row) -> usize| rows.iter().map(|row| of(row) as u128).sum();
        Self {
            wasted: sum(&|row| row.spec.padding_bytes()),
            bytes: sum(&|row| row.spec.storage_bytes()),
            // What cannot be in the other tile stays as it is.
            other: sum(&|row| row.other.unwrap_or(row.spec.storage_bytes())),
        }
    }
}

fn share(part: u128, whole: u128) -> String {
    match whole {
        0 => "0.0 %".into(),
        whole => format!("{:.1} %", part as f64 / whole as f64 * 100.0),
    }
}

/// Text that stays on its line and does nothing to a terminal, whatever a file has put into it.
fn printable(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect()
}
