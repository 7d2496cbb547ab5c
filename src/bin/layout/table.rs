//! The arrays of a program by memory, those that waste the most first.

use crate::arguments::{Arguments, Hlo};
use crate::better::Better;
use crate::hlo::{Array, Cut, Dump, Role, assignment};
use crate::memory::{self, Interface, Memory, Peak};
use crate::page;
use crate::report::{Failure, MISTAKES, annotated};
use crate::safetensors::Tensors;
use crate::show::write;
use crate::{hlo, safetensors};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;
use tensor_layout::TiledSpec;
use tensor_layout::draw::{Quoted, printable};
use tensor_layout::proto::{BufferAssignmentProto, HloModuleProto};
use tensor_layout::tiled::{Draft, Tile};

/// The longest HLO dump that is read, in bytes.
const MAX_TEXT: u64 = 4 << 30;

/// The number of arrays for which less wasteful layouts are searched.
pub(crate) const HOT_SPOTS: usize = 10;

/// How to get a dump.
const DUMP: &str = "dump text: `XLA_FLAGS=--xla_dump_hlo_as_text`";

/// One array. There may be millions of rows, so only the text of the layout is kept.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) layout: String,
    /// Its role in the program; `None` without a program.
    pub(crate) role: Option<Role>,
    /// The time during which it is alive, in numbers of instructions that have begun; unlimited without a program.
    pub(crate) alive: RangeInclusive<usize>,
    /// The memory space that it is in.
    pub(crate) space: usize,
    pub(crate) wasted: usize,
    pub(crate) bytes: usize,
    /// The bytes with the other first tile; `None` if that is not a layout of the array.
    pub(crate) other: Option<usize>,
}

impl Row {
    fn new(name: String, spec: &TiledSpec, array: Option<&Array>, tile: Tile) -> Self {
        let (wasted, bytes) = (spec.padding_bytes(), spec.storage_bytes());
        let (layout, space) = (spec.to_string(), spec.memory_space());
        let alive = array.map_or(0..=usize::MAX, |array| array.alive.clone());
        let (role, other) = (array.map(|array| array.role), with_tile(spec, tile));
        Self { name, layout, role, alive, space, wasted, bytes, other }
    }
}

impl Row {
    /// A layout or shape in which the array would waste less.
    pub(crate) fn better(&self) -> Option<Better> {
        (self.wasted > 0).then(|| Better::of(&self.layout.parse().ok()?)).flatten()
    }
}

/// The contents of a file.
#[derive(Default)]
struct Content {
    rows: Vec<Row>,
    /// The arguments and results of a program; `None` without a program.
    interface: Option<Interface>,
    /// The largest number of bytes that the temporaries in each memory take at once.
    peaks: BTreeMap<usize, Peak>,
    /// The memory that the compiler assigned to temporaries, if there is a buffer assignment in the dump or next to it.
    assigned: Option<BTreeMap<usize, u128>>,
    /// Whether the instructions run in the order of the text, as far as is known.
    is_scheduled: bool,
    /// The parts that could not be read, for standard error.
    problems: Vec<String>,
}

pub(crate) fn run(hlo: &Hlo, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Some(tile) = Tile::of(&hlo.tile).filter(|tile| !tile.is_empty() && !hlo.tile.contains(&0))
    else {
        return Err(Failure::input("a tile has 1 to 8 positive sizes", "write `--tile 8,128`"));
    };
    let mut content = read(hlo, tile, arguments)?;
    content.rows.sort_by_key(|row| std::cmp::Reverse((row.wasted, row.bytes)));
    let assigned = content.assigned.as_ref();
    let memories =
        Memory::of(&content.rows, content.interface.as_ref(), (&content.peaks, assigned));
    let mut out = io::stdout().lock();
    if let Some(file) = &hlo.html {
        let title = hlo.file.display().to_string();
        write(file, &page::html(&title, &content.rows, &memories, hlo.top))?;
    }
    if hlo.json {
        json(&content.rows, &memories, hlo, &mut out)?
    } else if hlo.html.is_none() {
        table(&content.rows, &memories, content.is_scheduled, hlo, &mut out)?
    }
    out.flush()?;
    for problem in &content.problems {
        writeln!(io::stderr(), "{problem}")?;
    }
    Ok(if content.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The bytes of an array with another first tile, and its own later tiles.
fn with_tile(spec: &TiledSpec, tile: Tile) -> Option<usize> {
    let mut draft: Draft = *spec.draft();
    let mut tiles = tensor_layout::tiled::List::new(Tile::new(0)).push(tile).ok()?;
    for later in spec.tiles().iter().skip(1) {
        tiles = tiles.push(*later).ok()?;
    }
    draft.tiles = tiles;
    draft.validate().ok().map(|spec| spec.storage_bytes())
}

fn read(hlo: &Hlo, tile: Tile, arguments: &Arguments) -> Result<Content, Failure> {
    let name = hlo.file.display().to_string();
    let failed = |error: io::Error| Failure::input(format!("{name}: {error}"), "");
    if hlo.file.as_os_str() == "-" {
        let source = contents(&mut io::stdin().lock(), None).map_err(failed)?;
        return content(source, "standard input", tile, arguments);
    }
    let file = File::open(&hlo.file).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let bar = progress("reading", metadata.len());
    let len = metadata.is_file().then_some(metadata.len());
    let source = contents(&mut bar.wrap_read(file), len).map_err(failed);
    bar.finish_and_clear();
    let mut content = content(source?, &name, tile, arguments)?;
    if content.assigned.is_none() {
        let beside = assignment::beside(&hlo.file).and_then(|file| fs::read_to_string(file).ok());
        content.assigned = beside.and_then(|text| assignment::temporaries(&text));
    }
    Ok(content)
}

/// A progress bar, which draws nothing without a terminal.
fn progress(what: &'static str, bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new(bytes).with_message(what);
    match ProgressStyle::with_template("{msg} {wide_bar} {bytes} of {total_bytes}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// A whole dump, or the header of a safetensors file and the number of bytes after it.
struct Source {
    bytes: Vec<u8>,
    data: u64,
}

/// Reads the needed part of a file, whose length is known unless it is a stream.
fn contents(source: &mut impl Read, len: Option<u64>) -> io::Result<Source> {
    let mut bytes = Vec::new();
    source.take(9).read_to_end(&mut bytes)?;
    let Some(header) = safetensors::header_len(&bytes).filter(|_| safetensors::is_header(&bytes))
    else {
        source.take(MAX_TEXT).read_to_end(&mut bytes)?;
        if bytes.len() as u64 >= MAX_TEXT {
            let message = format!("it has more than the {MAX_TEXT} bytes that are read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        return Ok(Source { bytes, data: 0 });
    };
    source.take(header.saturating_sub(9)).read_to_end(&mut bytes)?;
    let data = match len {
        Some(len) => len.saturating_sub(header),
        None => io::copy(source, &mut io::sink())?,
    };
    Ok(Source { bytes, data })
}

fn content(
    source: Source,
    name: &str,
    tile: Tile,
    arguments: &Arguments,
) -> Result<Content, Failure> {
    if safetensors::is_header(&source.bytes) {
        return tensors(&source, name, tile);
    }
    let Source { bytes, .. } = source;
    let assigned = is_proto(&bytes).then(|| BufferAssignmentProto::read(&bytes)).flatten();
    let text = program_text(bytes, name)?;
    if assignment::is_assignment(&text) {
        let message = format!("{name} is a buffer assignment, not a program");
        let help = "give the dump of the program next to it, without `-buffer-assignment`";
        return Err(Failure::input(message, help));
    }
    let bar = progress("laying out", text.len() as u64);
    let mut content = Content::default();
    let text = hlo::cleaned(text);
    let dump = Dump::read(&text);
    for value in dump.values() {
        bar.set_position(value.start as u64);
        content.add(value, name, tile, arguments);
    }
    bar.finish_and_clear();
    let lines = || text.lines().count();
    if dump.is_empty() {
        let message = format!("{name} has no array of an HLO program in its {} lines", lines());
        return Err(Failure::input(message, DUMP));
    }
    if let Some(cut) = dump.cut() {
        let within = match cut {
            Cut::Computation(within) => format!("within the computation `{}`", printable(within)),
            Cut::Entry => "before the computation that the program begins with".into(),
        };
        let message = format!("{name} ends in line {}, {within}", lines());
        return Err(Failure::input(message, "the file was cut off: write the dump again"));
    }
    content.interface = Some(Interface::of(&dump));
    content.peaks = Peak::of(&content.rows, &dump);
    content.is_scheduled = dump.is_scheduled;
    content.assigned = assigned.map(|assigned| assigned.temporaries());
    Ok(content)
}

/// The tensors of a safetensors file.
fn tensors(source: &Source, name: &str, tile: Tile) -> Result<Content, Failure> {
    let Source { bytes, data } = source;
    let header = safetensors::header_len(bytes).unwrap_or(0);
    if (bytes.len() as u64) < header {
        let message = format!("{name} ends in its header, after {} of {header} bytes", bytes.len());
        return Err(Failure::input(message, "the file was cut off: copy it again"));
    }
    let Tensors { tensors, unknown } = safetensors::tensors(&bytes[8..], *data)?;
    let row = |(name, spec): (String, TiledSpec)| Row::new(name, &spec, None, tile);
    let rows = tensors.into_iter().map(row).collect();
    let problem = |name: String| format!("`{}` has no layout", printable(&name));
    let problems = unknown.into_iter().map(problem).collect();
    Ok(Content { rows, problems, ..Content::default() })
}

/// The text of a program: the bytes themselves, or printed from the proto that they hold.
fn program_text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    if !is_proto(&bytes) {
        return String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!(
                "{name} is neither an HLO text dump nor a safetensors file: byte {at}, in line {line}, is not text"
            );
            Failure::input(message, DUMP)
        });
    }
    let failed = |location: String, error: &dyn std::fmt::Display| {
        let message = format!(
            "{name} starts like a proto, but is not the proto of a program{location}: {error}"
        );
        Failure::input(message, DUMP)
    };
    let module = HloModuleProto::read(&bytes).map_err(|error| {
        let field = wrong_field(&bytes);
        failed(format!(", in the field at byte {field} of {}", bytes.len()), &error)
    })?;
    module.text().map_err(|error| failed(String::new(), &error))
}

/// Whether bytes start with the first field of a proto, whose numbers do not occur in a text.
fn is_proto(bytes: &[u8]) -> bool {
    let control = |byte: &u8| *byte < b' ' && !b"\t\n\r".contains(byte);
    bytes.first() == Some(&0x0A) && bytes.iter().any(control)
}

/// The offset of the first field of a proto that cannot be read.
fn wrong_field(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let end = field_len(&bytes[at..]).map(|len| at + len);
        match end.and_then(|end| bytes.get(at..end)) {
            Some(field) if HloModuleProto::read(field).is_ok() => at += field.len(),
            _ => break,
        }
    }
    at
}

/// The bytes of the first field of a proto: a key, and a value whose kind the key determines.
fn field_len(bytes: &[u8]) -> Option<usize> {
    let varint = |bytes: &[u8]| {
        let len = bytes.iter().take(10).position(|byte| *byte < 0x80)? + 1;
        let bits = bytes[..len].iter().rev();
        Some((bits.fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7F)), len))
    };
    let (key, key_len) = varint(bytes)?;
    let value = &bytes[key_len..];
    let len = match key & 7 {
        0 => varint(value)?.1,
        1 => 8,
        2 => {
            let (len, prefix) = varint(value)?;
            prefix.checked_add(usize::try_from(len).ok()?)?
        }
        5 => 4,
        _ => return None,
    };
    key_len.checked_add(len)
}

impl Content {
    /// Adds the arrays of a value.
    fn add(&mut self, value: hlo::Value, file: &str, tile: Tile, arguments: &Arguments) {
        let origin = format!("{file}, line {}", value.line);
        let unread = value.unread.iter().take(MISTAKES);
        let problems = unread.map(|array| annotated(&origin, &array.text, &array.error, arguments));
        self.problems.extend(problems);
        if let Some(more @ 1..) = value.unread.len().checked_sub(MISTAKES) {
            self.problems.push(format!("{origin}: {more} more arrays cannot be read"));
        }
        for (at, (spec, array)) in value.shape.arrays().zip(&value.arrays).enumerate() {
            if array.is_none() {
                continue;
            }
            let name = match value.arrays.len() {
                1 => value.name.clone(),
                _ => format!("{}[{at}]", value.name),
            };
            self.rows.push(Row::new(name, spec, array.as_ref(), tile));
        }
    }
}

fn table(
    rows: &[Row],
    memories: &[Memory],
    is_scheduled: bool,
    hlo: &Hlo,
    out: &mut impl Write,
) -> io::Result<()> {
    let tile: Vec<_> = hlo.tile.iter().map(usize::to_string).collect();
    let other = format!("in T({})", tile.join(","));
    writeln!(out, "{:>14}  {:>7}  {:>14}  {other:>14}  array", "wasted bytes", "", "bytes")?;
    for row in rows.iter().take(hlo.top) {
        let Row { layout, wasted, bytes, .. } = row;
        let other = row.other.map_or("-".into(), |bytes| bytes.to_string());
        let share = share(*wasted as u128, *bytes as u128);
        let role = row.role.map_or("", Role::name);
        let space = if role.is_empty() { "" } else { " " };
        let name = printable(&row.name);
        writeln!(
            out,
            "{wasted:>14}  {share:>7}  {bytes:>14}  {other:>14}  {role}{space}{name}  {layout}"
        )?;
    }
    if rows.len() > hlo.top {
        writeln!(out, "{} more; `--top` lists them", rows.len() - hlo.top)?;
    }
    for memory in memories {
        let Memory { wasted, bytes, other, arrays, .. } = memory;
        let (share, name) = (share(*wasted, *bytes), memory.name());
        writeln!(
            out,
            "{wasted:>14}  {share:>7}  {bytes:>14}  {other:>14}  {arrays} arrays in {name}"
        )?;
    }
    hot_spots(rows, out)?;
    for memory in memories {
        let Memory { arguments, outputs, aliased, constants, temporaries, .. } = memory;
        let Memory { peak, assigned, .. } = memory;
        let Some(outputs) = outputs else { continue };
        let name = memory.name();
        write!(out, "{name}: {arguments} bytes of arguments, {outputs} of outputs")?;
        if *aliased > 0 {
            write!(out, ", {aliased} of them in the arguments' memory")?;
        }
        write!(out, "; ")?;
        if *constants > 0 {
            write!(out, "{constants} of constants, ")?;
        }
        write!(out, "{temporaries} of temporaries")?;
        if let Some(Peak { bytes, running: Some((name, line)) }) = peak {
            let order = if is_scheduled { "" } else { ", in the order of the text" };
            let name = printable(name);
            write!(
                out,
                ", at most {bytes} of them alive at once: at {name} in line {line}{order}"
            )?;
        }
        if let Some(bytes) = assigned {
            write!(out, "; the compiler assigned {bytes} bytes to them")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The arrays that waste the most, with layouts in which they would waste less.
fn hot_spots(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let mut title = "What would waste less:\n";
    for (row, better) in rows.iter().take(HOT_SPOTS).filter_map(|row| Some((row, row.better()?))) {
        let (name, bytes) = (printable(&row.name), row.bytes);
        write!(out, "{title}  {name}, {bytes} bytes:")?;
        let mut and = "";
        for (what, spec) in [("layout", better.layout), ("shape", better.shape)] {
            let Some(spec) = spec else { continue };
            write!(out, "{and} the {what} {spec} takes {}", spec.storage_bytes())?;
            and = ";";
        }
        writeln!(out)?;
        title = "";
    }
    Ok(())
}

fn json(rows: &[Row], memories: &[Memory], hlo: &Hlo, out: &mut impl Write) -> io::Result<()> {
    let main = memories.first().cloned().unwrap_or_default();
    writeln!(out, "{{\n  {},\n  \"spaces\": [", main.sums())?;
    for (at, memory) in memories.iter().enumerate() {
        let comma = if at + 1 < memories.len() { "," } else { "" };
        let name = memory.name();
        writeln!(
            out,
            "    {{\"space\": {}, \"memory\": {}, \"count\": {}, {}}}{comma}",
            memory.space(),
            Quoted(&name),
            memory.arrays,
            memory.sums()
        )?;
    }
    writeln!(out, "  ],\n  \"arrays\": [")?;
    let shown = &rows[..rows.len().min(hlo.top)];
    for (at, row) in shown.iter().enumerate() {
        let other = row.other.map_or("null".into(), |bytes| bytes.to_string());
        let role = row.role.map_or("null".into(), |role| Quoted(role.name()).to_string());
        write!(
            out,
            "    {{\"name\": {}, \"layout\": {}, \"role\": {role}, \"memory\": {}, \"wasted\": {}, \"bytes\": {}, \"other\": {other}",
            Quoted(&row.name),
            Quoted(&row.layout),
            Quoted(&memory::name(row.space)),
            row.wasted,
            row.bytes,
        )?;
        if row.role.is_some() {
            write!(out, ", \"alive\": [{}, {}]", row.alive.start(), row.alive.end())?;
        }
        let better = if at < HOT_SPOTS { row.better() } else { None };
        let better = better.into_iter().flat_map(|Better { layout, shape }| {
            [("better_layout", layout), ("better_shape", shape)]
        });
        for (key, spec) in better {
            let Some(spec) = spec else { continue };
            let (text, bytes) = (spec.to_string(), spec.storage_bytes());
            write!(out, ", \"{key}\": {{\"layout\": {}, \"bytes\": {bytes}}}", Quoted(&text))?;
        }
        writeln!(out, "}}{}", if at + 1 < shown.len() { "," } else { "" })?;
    }
    writeln!(out, "  ]\n}}")
}

pub(crate) fn share(part: u128, whole: u128) -> String {
    match whole {
        0 => "0.0 %".into(),
        whole => format!("{:.1} %", part as f64 / whole as f64 * 100.0),
    }
}
