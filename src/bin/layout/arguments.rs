use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use tensor_layout::draw::Style;

/// Explains the layouts of tensors: the offset of each element, the padding, and what it costs.
#[derive(Parser)]
#[command(
    name = "layout",
    version,
    after_help = "\
Exit codes: 0 for success, 1 if the input is invalid or `diff` finds a difference, 2 if the command line is invalid.
`-` as the name of a file, or as a layout, means standard input."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colours.
    #[arg(long, global = true, default_value = "auto", value_name = "WHEN")]
    color: Color,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Show the numbers and the picture of a layout.
    Show(Show),
    /// Explain a layout in sentences.
    Explain(Explain),
    /// List the arrays of an HLO dump (text or `.pb`), or the tensors of a safetensors file, those that waste most bytes first.
    Hlo(Hlo),
    /// Show whether two layouts store the same bytes, and where they first differ.
    Diff(Diff),
    /// Show which layout the TPU compiler picks for an array, and why.
    Default(Default),
    /// List the tensors of a packed checkpoint, verify it, compare it with another one, or write it in other layouts.
    Checkpoint(Checkpoint),
    /// Propagate the shardings of a StableHLO program, and show the origin of each and the data that devices exchange.
    Shard(Shard),
    /// Print a script that completes commands in a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
}

#[derive(Args)]
#[command(after_help = r#"Examples:
  layout show 'bf16[1000,384]{1,0:T(8,128)(2,1)}'
  layout show 'f32[3,5]{1,0:T(2,2)}' --at 2,3
  layout show 'f32[3,5]{1,0:T(2,2)}' --offset 17
  layout show 'f32[3,5]{1,0:T(2,2)}' --steps
  layout show '(i, j) -> (i : dense, j : compressed)' --svg csr.svg
  layout show 'bf16[32000,4096] @ Pod [{"data"}, {"model"}]' --mesh '["data"=2, "model"=4]'
  layout show '(i,k),(k,j)->(i,j) reduction={k}'"#)]
pub(crate) struct Show {
    /// An array, a sparse encoding or tensor, a sharded array or a sharding rule; `-` for standard input.
    pub(crate) layout: String,
    /// The mesh of a sharded array.
    #[arg(long)]
    pub(crate) mesh: Option<String>,
    /// Compute the offset of one element, in elements.
    #[arg(long, value_name = "INDEX", value_delimiter = ',', conflicts_with = "offset")]
    pub(crate) at: Option<Vec<usize>>,
    /// Find the element at an offset, in elements.
    #[arg(long)]
    pub(crate) offset: Option<usize>,
    /// Show how the tiles pad, reshape and transpose the array; with `--at`, show where one element moves.
    #[arg(long, conflicts_with = "offset")]
    pub(crate) steps: bool,
    /// Name the dimensions with the letters of XLA's documents: `y` and `x`, preceded by `z` in three dimensions and by `p` in
    /// four.
    #[arg(long, conflicts_with_all = ["steps", "at", "offset"])]
    pub(crate) names: bool,
    /// Write the picture to a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the numbers and the picture to a file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print JSON, and no picture.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = r#"Examples:
  layout explain 'bf16[1000,384]{1,0:T(8,128)(2,1)}'
  layout explain '(i, j) -> (i : dense, j : compressed)'
  layout explain 'f32[8,16] @ Pod [{"data"}, {}]' --mesh '["data"=2, "model"=4]'
  layout explain '#sdy.sharding<@mesh, [{"data"}, {}]>'"#)]
pub(crate) struct Explain {
    /// An array, a sparse encoding or tensor, a sharded array, a sharding rule, or a sharding without its array; `-` for standard
    /// input.
    pub(crate) layout: String,
    /// The mesh of a sharded array, or of a sharding.
    #[arg(long)]
    pub(crate) mesh: Option<String>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  layout hlo module_0001.after_optimizations.txt
  layout hlo model.safetensors --top 20 --tile 16,128
Tensors of a safetensors file are listed in the layout that the TPU compiler picks for each.")]
pub(crate) struct Hlo {
    /// The file; `-` for standard input.
    pub(crate) file: PathBuf,
    /// The number of arrays to list; the total includes all arrays.
    #[arg(long, default_value_t = 50)]
    pub(crate) top: usize,
    /// Also show the bytes that each array would take if this were its first tile.
    #[arg(long, value_name = "TILE", value_delimiter = ',', default_value = "8,128")]
    pub(crate) tile: Vec<usize>,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Write a page to a file: the memories, the arrays in each, and the details of an array.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  layout diff 'f32[16,256]{1,0}' 'f32[16,256]{1,0:T(8,128)}'
  layout diff 'bf16[100,4,8,128]{3,2,1,0:T(8,128)(2,1)}' 'bf16[409600]{0:T(1024)(128)(2,1)}'

Arrays of any size are compared at once, unless their tiles combine dimensions and cut them unevenly, as in
`f32[1000003,1000003]{0,1:T(*,7)(3)}`: such an array is compared with another one up to 4,194,304 carries between dimensions
and tiles, and the output says if elements remain.")]
pub(crate) struct Diff {
    /// An array.
    pub(crate) a: String,
    /// Another array.
    pub(crate) b: String,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  layout default 'bf16[1000,384]'
  layout default 's8[64,3,128]'")]
pub(crate) struct Default {
    /// The shape; a layout after it is ignored. `-` for standard input.
    pub(crate) shape: String,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  layout checkpoint model.packed.safetensors --verify
  layout checkpoint model.packed.safetensors --diff model.safetensors
  layout checkpoint model.safetensors --to model.packed.safetensors --rule '*norm* = row-major' --rule '* = tpu!'
  layout checkpoint model.packed.safetensors --to model.safetensors --rule '* = row-major'
  layout checkpoint model.safetensors --to model.q8.safetensors --rule '*norm* = row-major' --rule '*.weight = q8_0'
The first rule whose pattern matches the name of a tensor applies, or `tpu!` if none does. The text after `@` splits a tensor
over a mesh, `*.w1 = tpu! @ [\"model\"=4] [{}, {\"model\"}]`: the file then has the part of each device. `q8_0` and similar
formats quantize `f32`, `bf16` and `f16`; a rule with another layout restores `f32`. `2:4 pruned` keeps the two elements of
largest magnitude of every four of a row, and `row-major as bf16` rounds. A tensor that is split can be packed in other parts,
or whole. A run that was interrupted continues where it stopped.")]
pub(crate) struct Checkpoint {
    /// A safetensors file, packed or not; with `--to`, also the index of several.
    pub(crate) file: PathBuf,
    /// Compare the bytes of every tensor with its checksum; only packed files have checksums.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Compare with another checkpoint, element by element, whatever their layouts.
    #[arg(long, value_name = "FILE", conflicts_with = "to")]
    pub(crate) diff: Option<PathBuf>,
    /// Write the tensors to a new file.
    #[arg(long, value_name = "FILE")]
    pub(crate) to: Option<PathBuf>,
    /// The layout in the new file of the tensors whose names match a pattern: `PATTERN = tpu!`, `row-major`, `{1,0:T(8,128)}` or
    /// `q8_0`.
    #[arg(long = "rule", value_name = "RULE", requires = "to")]
    pub(crate) rules: Vec<String>,
}

#[derive(Args)]
#[command(after_help = r#"Examples:
  layout shard train_step.mlir
  layout shard train_step.mlir --out sharded.mlir
  layout shard plain.mlir --mesh data=2,model=4 --rules rules.txt
  layout shard train_step.mlir --json
  layout shard train_step.mlir --bandwidth 450
  layout shard train_step.mlir --local local.mlir
  layout shard plain.mlir --mesh data=2,model=4 --search
The local program is what each device runs: operations on shards, and communication between devices. An operation whose effect
each device would repeat, such as drawing random numbers, is an error at its line.
A file of rules has lines such as `arg0 = [{"data"}, {}]`. A star matches any text, and the first rule whose pattern matches
the name of an argument applies. A comment starts with `#`.
A search tries all shardings of the arguments. If there are too many, it decides the arguments one after another, and keeps the
best few combinations. Its result is a file of rules. It does not change arguments that rules split."#)]
pub(crate) struct Shard {
    /// The program, as JAX's `lower(..).as_text()` prints it; `-` for standard input.
    pub(crate) file: PathBuf,
    /// The mesh, which replaces the first one of the program, if there is one.
    #[arg(long)]
    pub(crate) mesh: Option<String>,
    /// The shardings of arguments, which replace those of the program.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Write the program with the sharding of every value; `-` prints it instead of the tables.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the local program, which each device runs; `-` prints it instead of the tables.
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    pub(crate) local: Option<PathBuf>,
    /// Propose how to split the arguments so that devices hold and receive few bytes, and show the result.
    #[arg(long)]
    pub(crate) search: bool,
    /// In the search, one byte that a device receives counts as much as this many bytes in its memory.
    #[arg(long, value_name = "BYTES", default_value_t = 8, requires = "search")]
    pub(crate) weight: u32,
    /// In the search, the largest number of bytes that all values on a device may take.
    #[arg(long, value_name = "BYTES", requires = "search")]
    pub(crate) memory: Option<u64>,
    /// Show how long each collective takes if a device receives at this bandwidth, in GB/s (1e9 bytes per second).
    #[arg(long, value_name = "GB/S")]
    pub(crate) bandwidth: Option<f64>,
    /// Print the tables as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

impl Arguments {
    /// Whether the output to a stream is coloured.
    fn colors(&self, is_terminal: bool) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        }
    }

    pub(crate) fn style(&self) -> Style {
        // The number of characters in a line, if standard output is a terminal.
        let width = console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
        let width = width.unwrap_or(Style::PLAIN.width);
        Style { color: self.colors(io::stdout().is_terminal()), width }
    }

    /// Whether errors are coloured.
    pub(crate) fn color_errors(&self) -> bool {
        self.colors(io::stderr().is_terminal())
    }
}
