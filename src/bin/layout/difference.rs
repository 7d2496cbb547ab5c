//! Two layouts side by side.

use crate::arguments::{Arguments, Diff};
use crate::report::Failure;
use crate::subject::{array, text};
use std::io::{self, Write};
use std::process::ExitCode;
use tensor_layout::{Plan, TiledSpec};

pub(crate) fn run(diff: &Diff, _: &Arguments) -> Result<ExitCode, Failure> {
    let (a, b) =
        (array("the first array", &text(&diff.a)?)?, array("the second array", &text(&diff.b)?)?);
    let mut out = io::stdout().lock();
    writeln!(out, "a  {a}, {} bytes\nb  {b}, {} bytes", a.storage_bytes(), b.storage_bytes())?;
    if a.same_bytes(&b) {
        writeln!(
            out,
            "\nBoth place every element alike: a buffer of one can be read as the other"
        )?;
        if a.storage_bytes() != b.storage_bytes() {
            writeln!(out, "where it is large enough: they differ in padding at the end")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out)?;
    let different = [
        ("element type", a.dtype().to_string(), b.dtype().to_string()),
        ("stored bits", a.stored_bits().to_string(), b.stored_bits().to_string()),
        ("number of elements", a.elements().to_string(), b.elements().to_string()),
    ];
    for (what, a, b) in &different {
        if a != b {
            writeln!(out, "They differ in {what}: {a} and {b}")?;
        }
    }
    if let Some(element) = a.first_difference(&b) {
        writeln!(
            out,
            "The first element that lies elsewhere is number {element} in row-major order:"
        )?;
        for (name, spec) in [("a", &a), ("b", &b)] {
            if let Some(index) = spec.map().index_of(element) {
                let at: Vec<_> = index.iter().map(usize::to_string).collect();
                writeln!(out, "{name}  ({}) -> {}", at.join(","), spec.offset(&index))?;
            }
        }
    }
    if a.elements() == b.elements() {
        cost(&a, &b, &mut out)?;
    }
    Ok(ExitCode::FAILURE)
}

/// What it takes to make one of the other.
fn cost(a: &TiledSpec, b: &TiledSpec, out: &mut impl Write) -> io::Result<()> {
    let (read, written) = (a.storage_bytes(), b.storage_bytes());
    writeln!(out, "\nA relayout reads {read} bytes and writes {written}")?;
    if a.dims() == b.dims()
        && let Some(plan) = Plan::new(a.map(), b.map())
    {
        let plan = plan.with_bits(a.stored_bits(), b.stored_bits());
        write!(out, "{plan}")?;
    }
    Ok(())
}
