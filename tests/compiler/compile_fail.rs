//! Each file in `compile_fail` contains one mistake and is named after it; rustc's output is kept next to it. Each file in
//! `compile_pass` compiles and runs. `CASE=NAME` checks only the files whose name contains `NAME`, and `BLESS=1` keeps rustc's
//! current output.

use crate::batch::{self, Stage};
use crate::library::{root, rustc_for_cases, target_dir};
use crate::said::said_of;
use crate::suggestions;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The Rust files in a folder, sorted by name.
fn cases_of(folder: &str) -> Vec<PathBuf> {
    let wanted = std::env::var("CASE").unwrap_or_default();
    let files = std::fs::read_dir(root().join(folder)).expect("the directory");
    let mut cases: Vec<_> = files
        .map(|entry| Path::new(folder).join(entry.expect("an entry").file_name()))
        .filter(|file| file.extension() == Some("rs".as_ref()))
        .filter(|file| {
            let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
            name.contains(&wanted)
        })
        .collect();
    cases.sort();
    cases
}

/// Compiles a file as Cargo would, down to machine code: some mistakes show only when constants are evaluated.
fn compile(file: &Path, emit: &str) -> Output {
    let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
    rustc_for_cases(&name, emit).arg(file).output().expect("rustc runs")
}

/// The problems that `check` finds in each case, on all cores.
fn problems(cases: &[PathBuf], check: impl Fn(&Path) -> Result<(), String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(problem) = check(case) {
                found.push(format!("{}: {problem}", case.display()));
            }
        }
        found
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    })
}

#[test]
fn every_mistake_is_an_error_under_its_own_token() {
    let cases = cases_of("tests/compile_fail");
    let is_blessed = std::env::var_os("BLESS").is_some();
    // What differs from what was kept is compiled once more, alone.
    let differing = if is_blessed { cases.clone() } else { differing_in_batches(&cases) };
    let problems = problems(&differing, |case| {
        let output = compile(case, "obj");
        if output.status.success() {
            return Err("compiles".to_owned());
        }
        let said = said_of(&String::from_utf8_lossy(&output.stderr), case);
        if is_blessed {
            std::fs::write(kept_file_of(case), &said).expect("a file");
        }
        let kept = kept_of(case);
        if said == kept { Ok(()) } else { Err(format!("says\n{said}and was to say\n{kept}")) }
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    println!("{} mistakes, {} of them compiled alone", cases.len(), differing.len());
}

/// Where the output of rustc for a case is kept.
fn kept_file_of(case: &Path) -> PathBuf {
    root().join(case).with_extension("stderr")
}

/// The output that is kept for a case, which may be new.
fn kept_of(case: &Path) -> String {
    std::fs::read_to_string(kept_file_of(case)).unwrap_or_default()
}

/// The cases for which rustc does not say what was kept where it compiles many of them at once, and those that it cannot compile
/// so.
fn differing_in_batches(cases: &[PathBuf]) -> Vec<PathBuf> {
    let mut said = HashMap::new();
    for stage in [Stage::Expansion, Stage::Types] {
        let of_stage = cases.iter().filter(|case| Stage::of(&kept_of(case)) == Some(stage));
        said.extend(batch::said_of_each(&of_stage.collect::<Vec<_>>()));
    }
    let differs =
        |case: &&PathBuf| said.get(*case).is_none_or(|said| said_of(said, case) != kept_of(case));
    cases.iter().filter(differs).cloned().collect()
}

/// Builds and runs a program.
fn passes(case: &Path) -> Result<(), String> {
    let output = compile(case, "link");
    if !output.status.success() {
        return Err(format!("does not compile\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let program = target_dir().join("cases").join(case.file_stem().expect("a name"));
    let run = Command::new(program).current_dir(root()).output().expect("the program runs");
    if run.status.success() {
        Ok(())
    } else {
        Err(format!("fails\n{}", String::from_utf8_lossy(&run.stderr)))
    }
}

#[test]
fn what_is_right_compiles_and_runs() {
    let problems = problems(&cases_of("tests/compile_pass"), passes);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_the_errors_suggest_compiles() {
    let (program, count) = suggestions::program();
    assert!(count >= 110, "only {count} files have suggestions that were found");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suggestions.rs");
    std::fs::write(&file, program).expect("a file");
    let problems = problems(&[file], passes);
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_message_quotes_the_sources_of_the_standard_library() {
    for case in cases_of("tests/compile_fail") {
        let text = std::fs::read_to_string(root().join(&case).with_extension("stderr"));
        // Which of its lines are shown depends on what is installed.
        assert!(
            !text.expect("a file in UTF-8").contains("$RUST"),
            "{}: let the panic stand in this crate",
            case.display()
        );
    }
}
