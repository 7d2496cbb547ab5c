//! Packs the tensors of safetensors files by rules into a checkpoint that programs map, and opens it as they would.
//!
//! ```sh
//! cargo run --release -p pack_weights -- model.safetensors --out model.packed.safetensors
//! cargo run --release -p pack_weights -- model.safetensors.index.json --out model.packed.safetensors \
//!     --rule '*norm* = row-major' --rule '*.w1 = tpu! @ ["model"=4] [{}, {"model"}]' --rule '*.w2 = 2:4 pruned' --rule '* = q8_0'
//! ```
//!
//! Processes that `mpirun` has started, or that `--process` numbers, share the work: each packs some of the tensors, or some parts
//! of those that are split over a mesh. `--device` maps the parts of one device.
//!
//! ```sh
//! mpirun -np 4 target/release/pack_weights model.safetensors --out model.packed.safetensors --rule '* = tpu! @ ["model"=4] [{"model"}, {}]'
//! cargo run --release -p pack_weights -- model.packed.safetensors --device 3
//! ```
//!
//! Without a file it packs `examples/digits/digits.safetensors`, a small trained classifier. Without `--out` the checkpoint is a
//! temporary file, and only the table remains. Without a rule, each tensor gets the layout that the TPU compiler picks. The library
//! compares every bit while it packs ([`Packer`]), and resumes a run that was interrupted.
//!
//! The table has, for each tensor of the checkpoint, its layout, its bytes, and the share of them that is padding.

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;
use tensor_layout::checkpoint::{Checkpoint, Packer, Rules, StoredSpec, Verify};
use tensor_layout::draw::printable;

/// The file that is packed if none is named.
const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../digits/digits.safetensors");

/// Packs the tensors of safetensors files by rules into a checkpoint that programs map, and checks every bit
#[derive(Parser)]
struct Arguments {
    /// The file to pack, or the index of several; without it, a small trained classifier
    #[arg(value_name = "FILE", default_value = DIGITS, hide_default_value = true)]
    file: PathBuf,
    /// The checkpoint to write; without it, a temporary file that is removed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// `PATTERN = LAYOUT`; the first rule whose pattern matches a tensor counts, and `tpu!` if none does
    #[arg(long = "rule", value_name = "RULE")]
    rules: Vec<String>,
    /// The number of this process, from 0, among those that pack one checkpoint; without it, the number from `mpirun`
    #[arg(long, value_name = "NUMBER/COUNT", requires = "out")]
    process: Option<Process>,
    /// Packs nothing: maps the parts of a device in the checkpoint FILE, and lists them
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["out", "rules"])]
    device: Option<usize>,
}

/// One of several processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Process {
    number: usize,
    count: usize,
}

impl FromStr for Process {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, count) = text.split_once('/').unzip();
        let parse = |text: Option<&str>| text.and_then(|text| text.parse::<usize>().ok());
        match (parse(number), parse(count)) {
            (Some(number), Some(count)) if number < count => Ok(Self { number, count }),
            _ => Err("expected a number below the number of processes: `0/4`".into()),
        }
    }
}

impl Process {
    /// What Open MPI and MPICH tell each process. No message is sent, so the program needs neither of them to build.
    fn started() -> Option<Self> {
        let variable = |name| std::env::var(name).ok()?.parse::<usize>().ok();
        [("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE")]
            .into_iter()
            .find_map(|(number, count)| {
                Some(Self { number: variable(number)?, count: variable(count)? })
            })
            .filter(|process| process.number < process.count && process.count > 1)
    }
}

/// A temporary file that is removed when it is dropped.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // If this fails, there is nothing left to do.
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(self.0.with_added_extension("partial"));
    }
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The message quotes names from files, and its last line may be a help.
            let text = error.to_string();
            let lines: Vec<_> = text.lines().map(printable).collect();
            eprintln!("error: {}", lines.join("\n"));
            ExitCode::FAILURE
        }
    }
}

fn run(Arguments { file, out, rules, process, device }: &Arguments) -> Result<(), Box<dyn Error>> {
    if device.is_some() {
        return list(file, *device);
    }
    let rules: Rules = rules.join("\n").parse()?;
    // Without a file that all write, each process packs into a temporary one.
    let process = process.or_else(|| out.as_ref().and_then(|_| Process::started()));
    let (_temporary, target) = match out {
        Some(out) => (None, out.clone()),
        None => {
            let name = format!("pack_weights-{}.safetensors", std::process::id());
            let path = std::env::temp_dir().join(name);
            (Some(Temporary(path.clone())), path)
        }
    };
    let template =
        "{bar:40} {decimal_bytes}/{decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left";
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(template)?);
    let start = Instant::now();
    let mut packer = Packer::new(rules).progress(|done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    if let Some(Process { number, count }) = process {
        packer = packer.share(number, count);
    }
    let summary = packer.pack(file, &target)?;
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();

    // Of several processes, the last one has the file.
    if summary.is_complete {
        list(&target, None)?;
    }
    let mut text = io::stdout().lock();
    if let Some(Process { number, count }) = process {
        write!(text, "process {number} of {count}: ")?;
    }
    writeln!(
        text,
        "{} tensors: {} bytes packed into {} in {seconds:.2} s, {:.2} GB/s, every bit compared",
        summary.tensors,
        summary.read,
        summary.written,
        summary.read as f64 / seconds / 1e9,
    )?;
    if summary.resumed > 0 {
        writeln!(text, "{} of them had been packed before", summary.resumed)?;
    }
    if out.is_none() {
        writeln!(
            text,
            "\nNext: keep the checkpoint, `--out packed.safetensors`; choose layouts, `--rule '* = row-major'`; list and verify it,\n\
             `layout checkpoint packed.safetensors`; run a model on one, `cargo run --release -p llm`."
        )?;
    }
    Ok(())
}

/// Prints a line for each tensor of a checkpoint, or for each tensor of which a device has a part. Opening the checkpoint reads
/// only its header.
fn list(path: &Path, device: Option<usize>) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let options = Checkpoint::options().verify(Verify::OnRequest);
    let options = device.map_or(options, |device| options.device(device));
    let checkpoint = options.open(path)?;
    let opened = start.elapsed();
    let mut text = io::stdout().lock();
    writeln!(text, "{:>15} {:>8}  tensor", "bytes", "padding")?;
    for name in checkpoint.names() {
        let spec = checkpoint.stored_spec(name)?;
        let padding = match spec {
            StoredSpec::Tiled(spec) if spec.storage_bytes() > 0 => {
                let used = (spec.elements() * spec.stored_bits()).div_ceil(8);
                format!("{:.1}%", 100.0 - 100.0 * used as f64 / spec.storage_bytes() as f64)
            }
            _ => String::new(),
        };
        writeln!(text, "{:>15} {padding:>8}  {}: {spec}", spec.bytes(), printable(name))?;
    }
    for name in checkpoint.sharded_names() {
        if let Some(sharding) = checkpoint.sharding(name)? {
            writeln!(text, "{:>15} {:>8}  {}: {sharding}", "split", "", printable(name))?;
        }
    }
    writeln!(text, "opened in {opened:.1?}, mapped")?;
    Ok(())
}
