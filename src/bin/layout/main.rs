//! Explains layouts in the terminal: numbers, pictures, single elements, whole programs.
//!
//! ```sh
//! cargo run --release --features cli --bin layout -- show 'f32[3,5]{1,0:T(2,2)}' --at 2,3
//! cargo install tensor-layout --features cli     # installs `layout`
//! ```

mod arguments;
mod better;
mod checkpoint;
mod choose;
mod difference;
mod explain;
mod hlo;
mod lines;
mod memory;
mod page;
mod report;
mod safetensors;
mod shard;
mod show;
mod stablehlo;
mod subject;
mod table;

use arguments::{Arguments, Command};
use clap::{CommandFactory, Parser};
use report::Failure;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.command {
        Command::Show(show) => show::run(show, &arguments),
        Command::Explain(explain) => explain::run(explain),
        Command::Hlo(hlo) => table::run(hlo, &arguments),
        Command::Diff(diff) => difference::run(diff, &arguments),
        Command::Default(default) => choose::run(default, &arguments),
        Command::Checkpoint(checkpoint) => checkpoint::run(checkpoint),
        Command::Shard(shard) => shard::run(shard, &arguments),
        Command::Completions { shell } => {
            // To memory first: the crate panics if it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "layout", &mut script);
            io::stdout().write_all(&script).map_err(Failure::from).map(|()| ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|failure| failure.report(&arguments))
}
