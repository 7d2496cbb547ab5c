//! Statements over operands in any encodings have the results of plain loops, and any other text is a kernel or an error.
#![no_main]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sparse_kernels/case.rs"]
mod case;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/tiled/properties/damage.rs"]
mod damage;
#[allow(dead_code, reason = "other targets use more of it")]
mod draw;
#[path = "../../tests/sparse_kernels/fill.rs"]
mod fill;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sparse_kernels/number.rs"]
mod number;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sparse_kernels/random.rs"]
mod random;
#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../tests/sparse_kernels/reference.rs"]
mod reference;
#[path = "../../tests/sparse_kernels/tape.rs"]
mod tape;

use case::Case;
use damage::{change, changed};
use draw::draw;
use libfuzzer_sys::fuzz_target;
use number::Number;
use tape::Tape;
use tensor_layout::sparsify::SparseKernel;

/// Any text is a kernel or an error.
fn read(text: &str) -> Option<SparseKernel> {
    match text.parse::<SparseKernel>() {
        Ok(kernel) => {
            // A statement that is zero whatever its operands are has no loops to print.
            let _ = kernel.to_string();
            Some(kernel)
        }
        Err(error) => {
            assert!(!error.mistakes().is_empty() && !error.to_string().is_empty(), "{text}");
            None
        }
    }
}

/// Whether a text names a number of five digits or more: `size(k, 4294967296)` is an output that is too large for any memory.
fn is_large(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 4)
}

/// A modified statement; if it is still valid, it runs on the operands for which it was made, or refuses them. Large statements are
/// only read.
fn damaged(bytes: &[u8]) {
    let (of_case, of_changes) = bytes.split_at(bytes.len() / 2);
    let case = Case::new(&mut Tape::new(of_case));
    let changes = proptest::collection::vec(change(), 1..4);
    let Some(changes) = draw(changes, of_changes) else { return };
    let text = changes.iter().fold(case.text(), |text, change| changed(&text, change));
    if let Some(kernel) = read(&text).filter(|_| !is_large(&text)) {
        let operands = random::operands::<i64>(&case);
        if let Err(error) = kernel.run_with(&operands, &i64::functions()) {
            assert!(!error.to_string().is_empty());
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => random::check::<i64>(bytes).unwrap_or_else(|error| panic!("{error}")),
        1 => random::check::<f64>(bytes).unwrap_or_else(|error| panic!("{error}")),
        2 => damaged(bytes),
        _ => drop(core::str::from_utf8(bytes).ok().and_then(read)),
    }
});
