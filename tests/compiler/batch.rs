//! Many cases as modules of one crate: rustc takes longer to start, and to load the library, than to check a case.

use crate::library::rustc_for_cases;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The point of a compilation at which errors are found. All the errors of one stage are reported together; errors of an
/// earlier stage hide those of later ones.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Macros: what they say of notations.
    Expansion,
    /// The types of expressions.
    Types,
}

impl Stage {
    /// The stage at which all errors in the output of rustc were found, if it is one of these.
    pub(crate) fn of(output: &str) -> Option<Self> {
        let mut codes = output.match_indices("error[E").map(|(at, _)| &output[at + 7..at + 11]);
        let mut is_typed = false;
        codes
            .all(|code| {
                is_typed = true;
                // Constants are evaluated later, names resolved earlier.
                !["0080", "0425"].contains(&code)
            })
            .then_some(if is_typed { Self::Types } else { Self::Expansion })
    }
}

/// What rustc says about each of the cases, all of whose errors are found at one stage. It may miss cases that compile, and those
/// whose errors stand in other files.
pub(crate) fn said_of_each(cases: &[&PathBuf]) -> HashMap<PathBuf, String> {
    let mut crate_root = String::from("fn main() {}\n");
    for (number, case) in cases.iter().enumerate() {
        crate_root += &format!("#[path = {case:?}]\nmod case_{number};\n");
    }
    let mut rustc = rustc_for_cases("cases", "metadata");
    rustc.args(["--error-format=json", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut rustc = rustc.spawn().expect("rustc runs");
    let mut input = rustc.stdin.take().expect("a pipe");
    input.write_all(crate_root.as_bytes()).expect("rustc reads");
    drop(input);
    let output = rustc.wait_with_output().expect("rustc ends");
    let mut said = HashMap::<PathBuf, String>::new();
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        if let Some(case) = case_of(&message) {
            *said.entry(case).or_default() += message["rendered"].as_str().unwrap_or_default();
        }
    }
    said
}

/// The case in which a message underlines something, or in which the macro was called that wrote what is underlined.
fn case_of(message: &Value) -> Option<PathBuf> {
    let spans = message["spans"].as_array()?;
    let mut span = spans.iter().find(|span| span["is_primary"] == true)?;
    while span["expansion"].is_object() {
        span = &span["expansion"]["span"];
    }
    Some(Path::new(span["file_name"].as_str()?).to_owned())
}
