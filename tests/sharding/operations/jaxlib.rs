//! jaxlib's MLIR, if installed, reads and verifies exports; nothing is downloaded.

use super::{mesh, random};
use crate::rows;
use std::io::Write;
use std::process::{Command, Stdio};
use tensor_layout::sharding::program::Program;

/// jaxlib's complaint about each text: empty if there is none. If jaxlib is not installed, prints that and returns `None`.
fn mistakes(texts: &[String]) -> Option<Vec<String>> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let skipped = |why: &str| {
        // Printed directly, since the test harness captures what a test prints.
        let line = format!("skipped: MLIR is not read by jaxlib: {why}\n");
        let _ = std::io::stderr().write_all(line.as_bytes());
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sharding/operations/parse.py");
    let mut command = Command::new(&python);
    command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            skipped(&format!("{python}: {error}"));
            return None;
        }
    };
    let input = serde_json::to_string(texts).expect("texts");
    // A reader that stops early closes its end of the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("an exit");
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("jaxlib is not installed"), "{error}");
        skipped(error.trim());
        return None;
    }
    Some(serde_json::from_slice(&output.stdout).expect("a list of texts"))
}

#[test]
fn exports_are_read_by_jaxlib() {
    let one = mesh(r#"<["a"=2]>"#);
    let operations = rows::rows("sharding_operations", super::OPERATIONS);
    let mut texts: Vec<_> = operations
        .iter()
        .filter(|row| !row["results"].is_null())
        .map(|row| format!("mesh M; {}", rows::text(row, "function")))
        .map(|text| Program::new(&text, &one).unwrap_or_else(|error| panic!("{error}")).mlir())
        .collect();
    // `PROGRAMS=20000` reads more.
    let count = std::env::var("PROGRAMS").ok().and_then(|count| count.parse().ok());
    texts.extend((0..count.unwrap_or(400)).map(|seed| random::program(seed).mlir()));
    // Named computations, from the programs that can run unchanged.
    let before = texts.len();
    texts.extend(rows::rows("sharding_data_flow", 60).iter().filter_map(|row| {
        let mesh = mesh(rows::text(row, "mesh"));
        let program = Program::new(rows::text(row, "program"), &mesh);
        Some(program.ok()?.mlir())
    }));
    assert!(texts.len() > before + 5, "{}", texts.len() - before);
    let Some(mistakes) = mistakes(&texts) else { return };
    assert_eq!(mistakes.len(), texts.len());
    let wrong = mistakes.iter().zip(&texts).filter(|(mistake, _)| !mistake.is_empty());
    let wrong: Vec<_> = wrong.map(|(mistake, text)| format!("{mistake}\n{text}")).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), texts.len(), wrong[0]);
}
