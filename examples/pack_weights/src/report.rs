//! The table on standard output.

use crate::Result;
use crate::convert::{Outcome, Row};
use crate::header::Tensor;
use crate::layouts::Placement;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The widest that a column grows for its texts; a longer text shifts the rest of its row.
const MAX_WIDTH: usize = 48;

/// Prints one row for each tensor, and one for their sum.
pub(crate) struct Report {
    widths: [usize; 3],
    rows: usize,
    bytes: u64,
    packed: u64,
    /// Bytes of the tensors that were packed, and how long that took.
    timed: u64,
    time: Duration,
}

impl Report {
    /// Fits the columns to the texts, and prints their titles.
    pub(crate) fn start(file: &Path, tensors: &[Tensor]) -> Result<Self> {
        let titles = ["name", "shape", "layout"];
        let mut widths = titles.map(str::len);
        for tensor in tensors {
            let (name, layout) = (printable(&tensor.name), Placement::of(&tensor.info).layout());
            let (shape, layout) = split(&layout);
            for (width, text) in widths.iter_mut().zip([&name, shape, layout]) {
                *width = (*width).max(text.chars().count().min(MAX_WIDTH));
            }
        }
        writeln!(io::stdout(), "{}", file.display())?;
        line(titles, widths, ["bytes", "packed", "waste", "GB/s"].map(String::from), "round trip")?;
        Ok(Self { widths, rows: 0, bytes: 0, packed: 0, timed: 0, time: Duration::ZERO })
    }

    /// Prints the row of a tensor, and adds it to the sum.
    pub(crate) fn row(&mut self, tensor: &Tensor, row: &Row) -> Result<()> {
        self.rows += 1;
        self.bytes += row.bytes;
        self.packed += row.packed;
        let note = match row.outcome {
            Outcome::Same => "ok".into(),
            Outcome::Different => "DIFFERENT".into(),
            Outcome::Kept(reason) => format!("kept row-major: {reason}"),
        };
        if !matches!(row.outcome, Outcome::Kept(_)) {
            self.timed += row.bytes;
            self.time += row.time;
        }
        let (shape, layout) = split(&row.layout);
        let numbers = numbers(row.bytes, row.packed, row.bytes, row.time);
        line([&printable(&tensor.name), shape, layout], self.widths, numbers, &note)
    }

    /// Prints the sum, and on Linux the most memory that the process ever had.
    pub(crate) fn finish(&self) -> Result<()> {
        let numbers = numbers(self.bytes, self.packed, self.timed, self.time);
        line([&format!("{} tensors", self.rows), "", ""], self.widths, numbers, "")?;
        if let Some(peak) = peak_memory() {
            writeln!(io::stdout(), "peak memory {:.1} MiB", peak as f64 / 1024.0)?;
        }
        Ok(())
    }
}

fn line(texts: [&str; 3], widths: [usize; 3], numbers: [String; 4], note: &str) -> Result<()> {
    let mut row = String::new();
    for (text, width) in texts.iter().zip(widths) {
        row += &format!("{text:width$}  ");
    }
    for (number, width) in numbers.iter().zip([14, 14, 7, 6]) {
        row += &format!("{number:>width$}  ");
    }
    Ok(writeln!(io::stdout(), "{}", (row + note).trim_end())?)
}

fn numbers(bytes: u64, packed: u64, timed: u64, time: Duration) -> [String; 4] {
    let waste = packed.saturating_sub(bytes) as f64 / packed.max(1) as f64;
    let speed = timed as f64 / time.as_secs_f64() / 1e9;
    let speed = if time.is_zero() { "-".into() } else { format!("{speed:.2}") };
    [bytes.to_string(), packed.to_string(), format!("{:.1} %", waste * 100.0), speed]
}

/// The most memory that was resident so far, mapped pages included, in KiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?
        .trim()
        .strip_suffix(" kB")?
        .parse()
        .ok()
}

/// Text that stays on its line and does nothing to a terminal, whatever a file has put into it.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '"' | '\'' | '\\' => printable.push(char),
            _ => printable.extend(char.escape_debug()),
        }
    }
    printable
}

/// A shape with layout as its shape and its layout.
fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find('{').unwrap_or(text.len()))
}
