//! Packs every tensor of a safetensors file into the layout that the TPU compiler would pick, and checks every bit.
//!
//! ```sh
//! cargo run --release -p pack_weights -- model.safetensors --out packed
//! ```
//!
//! Without a file it packs `examples/digits/digits.safetensors`, a small trained classifier. The file is mapped a
//! window at a time and packed in slabs, so memory stays below 256 MiB whatever its size. It must not be written
//! while it is read.
//!
//! The table has, for each tensor: the bytes in the file and in the layout, the share of the latter that is padding,
//! and how fast it was read and packed. `ok` means that unpacking gave every bit of the file again. What has no tiled
//! layout is kept row-major, and the table says why.
//!
//! `--out` writes two files. `packed.bin` holds the packed tensors, each from a multiple of 4096 bytes on.
//! `index.json` says where:
//!
//! ```json
//! {"format": "tensor-layout packed", "version": 1, "source": "model.safetensors", "file": "packed.bin",
//!  "alignment": 4096, "bytes": 61440, "tensors": [
//!   {"name": "fc1.weight", "dtype": "F32", "shape": [64, 128], "layout": "f32[64,128]{1,0:T(8,128)}",
//!    "offset": 0, "bytes": 32768}]}
//! ```
//!
//! `layout` parses as a `TiledSpec`; the element at `index` is at byte
//! `offset + spec.offset(index) * spec.stored_bits() / 8` of `packed.bin`. A tensor that is kept row-major has the
//! reason as `"kept"`, and its bytes as they are in the source. Both files appear when all is written and checked; a
//! failure leaves neither.
//!
//! `--mesh data=2,model=4 --rules FILE` splits the tensors over a mesh of devices first, and writes such a pair of files
//! for each device, in `device-0` and so on: each tensor's entry then also has its `sharding`, where its part begins,
//! `origin`, and the `local_shape`. Under `mpirun` every process writes those of its own device.

mod convert;
mod header;
mod layouts;
mod output;
mod report;
mod shards;
mod source;

use clap::Parser;
use convert::{Converter, Outcome};
use indicatif::{ProgressBar, ProgressStyle};
use output::Output;
use report::{Report, printable};
use shards::Split;
use source::Source;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What is packed if no file is named.
const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../digits/digits.safetensors");

/// Files above this size get a progress bar.
const LARGE: u64 = 64 << 20;

/// Packs the tensors of a safetensors file into the layouts that the TPU compiler would pick, and checks every bit
#[derive(Parser)]
struct Arguments {
    /// The file to pack; without it, a small trained classifier
    #[arg(value_name = "FILE", default_value = DIGITS, hide_default_value = true)]
    file: PathBuf,
    /// Directory to write `packed.bin` and `index.json` to; made if there is none
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// A mesh of devices, `data=2,model=4`: one packed file for each, in a directory `device-N`
    #[arg(long, value_name = "AXES", requires = "rules")]
    mesh: Option<String>,
    /// How tensors are split over the mesh: `pattern [{"data"}, {"model"}]` on each line
    #[arg(long, value_name = "FILE", requires = "mesh")]
    rules: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", printable(&error.to_string()));
            ExitCode::FAILURE
        }
    }
}

fn run(Arguments { file, out, mesh, rules }: &Arguments) -> Result<()> {
    let (Some(mesh), Some(rules)) = (mesh, rules) else { return pack(file, out.as_deref(), None) };
    let split = Split::read(mesh, rules)?;
    if let Some(out) = out.as_ref().filter(|out| !out.is_dir()) {
        // Several processes may try.
        match std::fs::create_dir(out) {
            Err(error) if !out.is_dir() => {
                return Err(format!("`{}`: {error}", out.display()).into());
            }
            _ => {}
        }
    }
    for device in split.devices()? {
        println!("device {device}:");
        let out = out.as_ref().map(|out| out.join(format!("device-{device}")));
        pack(file, out.as_deref(), Some((&split, device)))?;
    }
    Ok(())
}

/// Packs all tensors, or the parts of them that a device holds.
fn pack(file: &Path, out: Option<&Path>, device: Option<(&Split, usize)>) -> Result<()> {
    let about = |error| format!("`{}`: {error}", file.display());
    let mut source = Source::open(file).map_err(about)?;
    let tensors = header::read(&mut source).map_err(about)?;
    let output = out.map(|out| Output::create(out, file)).transpose()?;
    let bar = progress_bar(source.len());
    let mut converter = Converter::new(source, output, |bytes| bar.inc(bytes));
    let mut report = Report::start(file, &tensors)?;
    let mut different = 0;
    for tensor in &tensors {
        let about = |error| format!("tensor `{}`: {error}", tensor.name);
        let part = device.map(|(split, device)| split.part(tensor, device)).transpose();
        let part = part.map_err(about)?;
        let row = converter.convert(tensor, part.as_ref()).map_err(about)?;
        different += usize::from(matches!(row.outcome, Outcome::Different));
        bar.suspend(|| report.row(tensor, &row))?;
    }
    bar.finish_and_clear();
    report.finish()?;
    if different > 0 {
        return Err(format!("{different} tensors have other bits after unpacking").into());
    }
    converter.finish()
}

/// A bar on standard error, if that is a terminal and the file is large.
fn progress_bar(bytes: u64) -> ProgressBar {
    if bytes <= LARGE {
        return ProgressBar::hidden();
    }
    let template =
        "{bar:40} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
    ProgressBar::new(bytes).with_style(ProgressStyle::with_template(template).expect("a template"))
}
