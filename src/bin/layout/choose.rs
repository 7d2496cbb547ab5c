//! The layout that the TPU compiler picks, and the alternatives.

use crate::arguments::{Arguments, Default};
use crate::report::Failure;
use crate::subject::{array_of_sizes, text};
use std::io::{self, Write};
use std::process::ExitCode;
use tensor_layout::TiledSpec;
use tensor_layout::draw::terminal;

pub(crate) fn run(default: &Default, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let given = array_of_sizes("the shape", &text(&default.shape)?)?;
    if given.draft().bounded != 0 {
        let message = format!("the layout of an array of changing size, `{given}`, is not known");
        return Err(Failure::input(message, "leave out `<=` for an array as large as its bounds"));
    }
    let (dtype, dims) = (given.dtype(), given.dims());
    let Some(picked) = TiledSpec::tpu_default(dtype, dims) else {
        let message = format!("the TPU compiler has no default layout for `{given}`");
        return Err(Failure::input(message, ""));
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{picked}\n")?;
    let candidates = TiledSpec::tpu_candidates(dtype, dims);
    if let [_, _, ..] = candidates.as_slice() {
        writeln!(
            out,
            "The layouts for each pair of minor dimensions; the first that takes the fewest bytes is picked:"
        )?;
        for candidate in &candidates {
            let mark = if *candidate == picked { '*' } else { ' ' };
            let padding = candidate.padding_bytes();
            writeln!(
                out,
                "{mark} {:>14} bytes, {padding:>14} of padding  {}",
                candidate.bytes(),
                candidate.layout()
            )?;
        }
    } else {
        writeln!(
            out,
            "There is no other candidate: the array has one dimension at most, or no elements."
        )?;
    }
    writeln!(out)?;
    write!(out, "{}", terminal(&picked, arguments.style()))?;
    Ok(ExitCode::SUCCESS)
}
