//! Files whose values or sizes are extreme end in a table or in an error, never in a panic.

use std::fs;
use std::process::{Command, Output};

fn run(name: &str, text: &str) -> Output {
    let file = std::env::temp_dir().join(format!("{name}-{}.mtx", std::process::id()));
    fs::write(&file, text).expect("a file");
    let mut program = Command::new(env!("CARGO_BIN_EXE_sparse_formats"));
    let output = program.args(["--repeat", "1"]).arg(&file).output().expect("the program");
    fs::remove_file(file).expect("the file is still there");
    output
}

#[test]
fn values_that_are_not_finite_are_multiplied() {
    let text = "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 nan\n2 2 inf\n3 1 2.5\n";
    let output = run("not-finite", text);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.ends_with("All products agree.\n"), "{printed}");
}

#[test]
fn more_rows_than_memory_holds_are_an_error() {
    let size = i64::MAX;
    let text = format!("%%MatrixMarket matrix coordinate real general\n{size} {size} 1\n1 1 2.5\n");
    let output = run("as-many-rows-as-can-be", &text);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("Error: ") && !error.contains("panicked"), "{error}");
}
