//! Explains the meaning of a text in sentences.

use crate::arguments::Explain as Arguments;
use crate::lines::{width, wrapped};
use crate::report::Failure;
use crate::subject::{Subject, fail, text};
use std::io::{self, Write};
use std::process::ExitCode;
use tensor_layout::draw::Explain;
use tensor_layout::sharding::{MeshRef, TensorSharding};

pub(crate) fn run(explain: &Arguments) -> Result<ExitCode, Failure> {
    let (text, mesh) = (text(&explain.layout)?, explain.mesh.as_deref());
    let mut out = io::stdout().lock();
    if is_sharding(&text) {
        write(&mut out, &sharding(&text, mesh)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let subjects = Subject::read_all(&text, mesh)?;
    if subjects.is_empty() {
        writeln!(out, "A tuple without arrays.")?;
    }
    for (at, subject) in subjects.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write(&mut out, subject)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut impl Write, subject: &impl Explain) -> io::Result<()> {
    for sentence in subject.sentences() {
        writeln!(out, "{}", wrapped(&sentence, width(), 0))?;
    }
    Ok(())
}

/// Whether a text is a sharding without its array: `<@mesh, [{"data"}, {}]>`, with or without `#sdy.sharding` before it.
fn is_sharding(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with('<') || text.starts_with("#sdy.sharding<")
}

/// The sharding, with the mesh that is given.
fn sharding(text: &str, mesh: Option<&str>) -> Result<TensorSharding, Failure> {
    let mut sharding: TensorSharding =
        text.parse().map_err(|error| fail("the sharding", text, error))?;
    if let Some(mesh) = mesh {
        sharding.mesh = MeshRef::Inline(crate::shard::mesh(mesh)?);
    }
    if let MeshRef::Inline(mesh) = &sharding.mesh {
        // The sizes of the array are not known, so every axis may divide them.
        let dims = vec![0; sharding.rank()];
        let problems = sharding.check(mesh, &dims);
        problems.map_err(|error| Failure::input(error.to_string(), ""))?;
    }
    Ok(sharding)
}
