//! Explains the meaning of a text in sentences.

use crate::arguments::Explain;
use crate::lines::{width, wrapped};
use crate::report::Failure;
use crate::subject::{Subject, text};
use std::io::{self, Write};
use std::process::ExitCode;
use tensor_layout::draw::Explain as _;

pub(crate) fn run(explain: &Explain) -> Result<ExitCode, Failure> {
    let subjects = Subject::read_all(&text(&explain.layout)?, explain.mesh.as_deref())?;
    let mut out = io::stdout().lock();
    if subjects.is_empty() {
        writeln!(out, "A tuple without arrays.")?;
    }
    for (at, subject) in subjects.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        for sentence in subject.sentences() {
            writeln!(out, "{}", wrapped(&sentence, width(), 0))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
