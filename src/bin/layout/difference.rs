//! Two layouts side by side.

use crate::arguments::{Arguments, Diff};
use crate::report::Failure;
use crate::subject::{array_of_sizes, text};
use std::io::{self, Write};
use std::process::ExitCode;
use tensor_layout::parts::Agreement;
use tensor_layout::tiled::Split;
use tensor_layout::{Plan, TiledSpec};

/// The number of carries between dimensions and tiles over which two layouts are compared: a second or two. The help of the command
/// states it.
const MAX_CARRIES: usize = 1 << 22;

pub(crate) fn run(diff: &Diff, _: &Arguments) -> Result<ExitCode, Failure> {
    let (a, b) = (
        array_of_sizes("the first array", &text(&diff.a)?)?,
        array_of_sizes("the second array", &text(&diff.b)?)?,
    );
    let mut out = io::stdout().lock();
    writeln!(out, "a  {a}, {} bytes\nb  {b}, {} bytes", a.storage_bytes(), b.storage_bytes())?;
    let agreement = a.agreement(&b, MAX_CARRIES);
    let same_bytes = agreement == Agreement::All && a.same_contents(&b);
    if same_bytes && a.draft().bounded == b.draft().bounded {
        writeln!(
            out,
            "\nBoth store every element at the same offset: a buffer of one can be read as the other"
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
        ("bounded dimensions", bounded(&a), bounded(&b)),
        (
            "bytes in front of the elements",
            a.prefix_bytes().to_string(),
            b.prefix_bytes().to_string(),
        ),
        ("how memories share the array", memories(&a), memories(&b)),
    ];
    for (what, a, b) in &different {
        if a != b {
            writeln!(out, "They differ in {what}: {a} and {b}")?;
        }
    }
    if let Agreement::AtLeast(compared) = agreement {
        writeln!(
            out,
            "The first {compared} elements in row-major order have the same offsets; the others are not compared"
        )?;
    }
    if let Agreement::Before(element) = agreement {
        writeln!(
            out,
            "The first element with different offsets is number {element} in row-major order:"
        )?;
        for (name, spec) in [("a", &a), ("b", &b)] {
            if let Some(index) = spec.map().index_of(element) {
                let at: Vec<_> = index.iter().map(usize::to_string).collect();
                writeln!(out, "{name}  ({}) -> {}", at.join(","), spec.offset(&index))?;
            }
        }
    }
    if a.elements() == b.elements() && a.splits().is_empty() && b.splits().is_empty() {
        cost(&a, &b, &mut out)?;
    }
    Ok(ExitCode::FAILURE)
}

/// The dimensions that are written `<=n`.
fn bounded(spec: &TiledSpec) -> String {
    let dims = (0..spec.rank()).filter(|dim| spec.draft().bounded >> dim & 1 == 1);
    tuple(dims)
}

/// The parts of the array that are in different memories.
fn memories(spec: &TiledSpec) -> String {
    if spec.splits().is_empty() {
        return "all of it in one".into();
    }
    let split = |split: &Split| {
        let at = tuple(split.indices.as_slice().iter().copied());
        format!("dimension {} split at {at}", split.dimension)
    };
    let splits: Vec<_> = spec.splits().iter().map(split).collect();
    let sizes = tuple(spec.minor_to_major().iter().rev().map(|dim| spec.dims()[*dim]));
    format!("{} of the physical shape {sizes}", splits.join(", "))
}

/// `(2,3)`
fn tuple(numbers: impl Iterator<Item = usize>) -> String {
    format!("({})", numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(","))
}

/// The cost of converting one into the other.
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
