//! Packed checkpoints: lists their tensors, verifies them, compares two of them, and writes one in other layouts.

use crate::arguments::Checkpoint as Command;
use crate::report::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use tensor_layout::checkpoint::{Checkpoint, CheckpointError, Packer, Rules, StoredSpec, Verify};
use tensor_layout::draw::printable;
use tensor_layout::{DynLayout, TiledSpec};

pub(crate) fn run(command: &Command) -> Result<ExitCode, Failure> {
    if let Some(target) = &command.to {
        return convert(command, target).map(|()| ExitCode::SUCCESS);
    }
    let checkpoint = open(&command.file)?;
    if let Some(other) = &command.diff {
        return differences(&checkpoint, &open(other)?);
    }
    list(&checkpoint)?;
    if command.verify {
        checkpoint.verify().map_err(failure)?;
        let said = match checkpoint.has_checksums() {
            true => "All bytes are as they were written",
            false => "The file has no checksums: only its header was checked",
        };
        writeln!(io::stdout(), "{said}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens a checkpoint without reading its tensors, which are read when they are needed.
fn open(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::options().verify(Verify::OnRequest).open(path).map_err(failure)
}

/// A line for each tensor, and the sum.
fn list(checkpoint: &Checkpoint) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let (mut bytes, mut used) = (0, 0);
    writeln!(out, "{:>15} {:>8}  tensor", "bytes", "padding")?;
    for name in checkpoint.names() {
        match checkpoint.stored_spec(name) {
            Ok(spec) => {
                let (all, elements) = (spec.bytes() as u64, content(spec));
                (bytes, used) = (bytes + all, used + elements);
                let padding = share(all, elements);
                writeln!(out, "{all:>15} {padding:>7.1}%  {}: {spec}", printable(name))?;
            }
            Err(error) => {
                let len = checkpoint.bytes(name).map_err(failure)?.len();
                writeln!(out, "{len:>15} {:>8}  {}", "", printable(&error.to_string()))?;
            }
        }
    }
    for name in checkpoint.sharded_names() {
        if let Some(sharding) = checkpoint.sharding(name).map_err(failure)? {
            let line = format!("{name}: {sharding}");
            writeln!(out, "{:>15} {:>8}  {}", "split", "", printable(&line))?;
        }
    }
    let tensors = checkpoint.names().len();
    writeln!(out, "{bytes:>15} {:>7.1}%  {tensors} tensors", share(bytes, used))?;
    Ok(())
}

/// The bytes of the elements and their scales, without padding.
fn content(spec: &StoredSpec) -> u64 {
    match spec {
        StoredSpec::Tiled(spec) => {
            (spec.elements() as u128 * spec.stored_bits() as u128).div_ceil(8) as u64
        }
        StoredSpec::Quantized(spec) => {
            let block = spec.block_element_bytes() + spec.scale().byte_width();
            let whole = if spec.has_tensor_scale() { size_of::<f32>() } else { 0 };
            (spec.blocks() * block + whole) as u64
        }
        StoredSpec::Sparse(spec) => {
            spec.arrays().map(|array| (spec.len(array) * spec.width(array)) as u64).sum()
        }
    }
}

fn share(all: u64, used: u64) -> f64 {
    if all == 0 { 0.0 } else { 100.0 * (all - used) as f64 / all as f64 }
}

/// Which tensors are only in one file, or differ in shape, type, sharding or an element.
fn differences(a: &Checkpoint, b: &Checkpoint) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let mut lines = Vec::new();
    let (in_a, in_b): (BTreeSet<_>, BTreeSet<_>) = (a.names().collect(), b.names().collect());
    for &name in &in_a {
        if !in_b.contains(name) {
            lines.push(format!("{name}: only in the first file"));
        } else if let Some(difference) = difference(a, b, name).map_err(failure)? {
            lines.push(format!("{name}: {difference}"));
        }
    }
    // Equal parts are parts of different arrays if they are arranged differently.
    for name in a.sharded_names() {
        if let (Ok(Some(x)), Ok(Some(y))) = (a.sharding(name), b.sharding(name))
            && x != y
        {
            lines.push(format!("{name}: split by `{x}` and by `{y}`"));
        }
    }
    lines.extend(in_b.difference(&in_a).map(|name| format!("{name}: only in the second file")));
    for line in &lines {
        writeln!(out, "{}", printable(line))?;
    }
    if lines.is_empty() {
        writeln!(out, "Both hold the same {} tensors, bit for bit", a.names().len())?;
        return Ok(ExitCode::SUCCESS);
    }
    Ok(ExitCode::FAILURE)
}

/// How a tensor differs between two files, whatever its layouts.
fn difference(
    a: &Checkpoint,
    b: &Checkpoint,
    name: &str,
) -> Result<Option<String>, CheckpointError> {
    let same_bytes = || Ok::<_, CheckpointError>(a.bytes(name)? == b.bytes(name)?);
    let (x, y) = match (a.stored_spec(name), b.stored_spec(name)) {
        (Ok(x), Ok(y)) => (x, y),
        // The errors name the type and the shape.
        (Err(x), Err(y)) if x.to_string() == y.to_string() => {
            return Ok((!same_bytes()?).then(|| "other bytes".into()));
        }
        _ => return Ok(Some("another type or shape".into())),
    };
    let (x, y) = match (x, y) {
        (StoredSpec::Tiled(x), StoredSpec::Tiled(y)) => (x, y),
        // Elements that are not stored are zero.
        (StoredSpec::Sparse(_), _) | (_, StoredSpec::Sparse(_))
            if x != y && x.dims() == y.dims() && x.quantized().or(y.quantized()).is_none() =>
        {
            if x.element() != y.element() {
                return Ok(Some(format!("`{x}` and `{y}`")));
            }
            let (one, other) = (a.dense_bytes(name)?, b.dense_bytes(name)?);
            let at = one.iter().zip(&other).position(|(a, b)| a != b);
            let width = x.element().byte_width();
            return Ok(at.map(|at| other_bits(vec![0; x.dims().len()], x.dims(), at / width)));
        }
        // Numbers that two types round differently are not compared.
        _ if x != y => return Ok(Some(format!("`{x}` and `{y}`"))),
        _ => return Ok((!same_bytes()?).then(|| "other bits".into())),
    };
    if x.dtype() != y.dtype() || x.dims() != y.dims() {
        return Ok(Some(format!("`{x}` and `{y}`")));
    }
    let (from, to) = (a.bytes(name)?, b.bytes(name)?);
    let error = |source| CheckpointError::Pack { name: name.into(), source };
    let width = x.dtype().byte_width();
    for piece in x.pieces(1 << 20) {
        let (origin, dims) = (piece.origin(), piece.spec().dims());
        let read = |spec: &TiledSpec, bytes| {
            let mut values = vec![0; piece.spec().elements() * width];
            spec.unpack_window_bytes(origin, dims, bytes, &mut values).map_err(error)?;
            Ok(values)
        };
        let (values, others) = (read(x, from)?, read(y, to)?);
        let Some(at) = values.iter().zip(&others).position(|(a, b)| a != b) else { continue };
        return Ok(Some(other_bits(origin.to_vec(), dims, at / width)));
    }
    Ok(None)
}

/// The line about the element that is number `at` of the window of size `dims` at `origin`.
fn other_bits(origin: Vec<usize>, dims: &[usize], at: usize) -> String {
    let (mut index, mut rest) = (origin, at);
    for (dim, size) in dims.iter().enumerate().rev() {
        index[dim] += rest % size;
        rest /= size;
    }
    let at: Vec<_> = index.iter().map(usize::to_string).collect();
    format!("its bits differ, first at ({})", at.join(","))
}

/// Writes the tensors in the layouts that the rules name.
fn convert(command: &Command, target: &Path) -> Result<(), Failure> {
    let rules: Rules = command.rules.join("\n").parse().map_err(failure)?;
    if let (Ok(from), Ok(to)) = (command.file.canonicalize(), target.canonicalize())
        && from == to
    {
        let message = format!("`{}` would replace the file that is read", target.display());
        return Err(Failure::input(message, "give `--to` another name"));
    }
    let bar = if io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
    let style = "{wide_bar} {binary_bytes}/{binary_total_bytes}, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).expect("it is a template"));
    let packer = Packer::new(rules).progress(|done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    let summary = packer.pack(&command.file, target).map_err(failure)?;
    bar.finish_and_clear();
    let (tensors, written) = (summary.tensors, summary.written);
    writeln!(io::stdout(), "{tensors} tensors, {written} bytes, each read back and compared")?;
    if summary.resumed > 0 {
        writeln!(io::stdout(), "{} of them had been written before", summary.resumed)?;
    }
    Ok(())
}

/// An error of a checkpoint, with its help.
fn failure(error: CheckpointError) -> Failure {
    let text = error.to_string();
    match text.split_once("\nhelp: ") {
        Some((message, help)) => Failure::input(message, help),
        None => Failure::input(text, ""),
    }
}
