//! Programs whose numbers and names have been changed are errors, or run.

use std::fs;
use tensor_layout::sharding::program::{Overrides, Program};
use tensor_layout::sharding::run::program::{HostArray, Runner};

/// The texts of a folder in `tests/golden`.
fn texts(folder: &str) -> Vec<String> {
    let folder = format!("{}/tests/golden/{folder}", env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "mlir")).collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// A number below `end`, by xorshift.
fn below(state: &mut u64, end: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state % end.max(1) as u64) as usize
}

/// The ranges of the numbers of a text that are not part of names.
fn numbers(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes[at].is_ascii_digit();
    let starts = (1..bytes.len()).filter(|&at| {
        let before = bytes[at - 1];
        is_digit(at)
            && !before.is_ascii_digit()
            && !matches!(before, b'%' | b'_' | b'g' | b'f' | b'i' | b'.')
    });
    let end = |start: usize| (start..bytes.len()).find(|&at| !is_digit(at)).unwrap_or(bytes.len());
    starts.map(|start| start..end(start)).collect()
}

/// The text with one to three changes.
fn damaged(text: &str, state: &mut u64) -> String {
    let mut text = text.to_owned();
    for _ in 0..=below(state, 3) {
        let numbers = numbers(&text);
        let Some(range) = numbers.get(below(state, numbers.len())) else { break };
        let new = match below(state, 8) {
            0 => "-1".to_owned(),
            1 => String::new(),
            2 => text[numbers[below(state, numbers.len())].clone()].to_owned(),
            number => (number - 3).to_string(),
        };
        text.replace_range(range.clone(), &new);
    }
    text
}

/// Reads, checks and runs a program with zeros, if it is small.
fn try_out(text: &str) {
    let Ok(program) = Program::from_mlir(text) else { return };
    let _ = Program::local_mlir(text, &Overrides::default());
    let Ok(runner) = Runner::new(&program) else { return };
    let size = |value: &tensor_layout::sharding::program::NamedValue| {
        value.dims.iter().fold(1_usize, |count, size| count.saturating_mul(*size))
    };
    if program.values().iter().any(|value| size(value) > 1 << 14) {
        return;
    }
    let zeros = program.parameters().iter().map(|value| {
        let bytes = vec![0; size(value) * value.dtype.byte_width()];
        HostArray::from_bytes(value.dtype, &value.dims, bytes)
    });
    if let Ok(zeros) = zeros.collect::<Result<Vec<_>, _>>() {
        let _ = runner.run_on_threads(&zeros);
    }
}

#[test]
fn changed_programs_are_errors_or_run() {
    let cases = std::env::var("CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60);
    let texts = [texts("program_run"), texts("local"), texts("stablehlo")].concat();
    let texts: Vec<_> = texts.into_iter().filter(|text| text.len() < 20_000).collect();
    let mut state = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for _ in 0..cases {
        let text = damaged(&texts[below(&mut state, texts.len())], &mut state);
        let tried = std::panic::catch_unwind(|| try_out(&text));
        assert!(tried.is_ok(), "{text}");
    }
}
