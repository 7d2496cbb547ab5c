//! A modified program of JAX, and any text, as MLIR: it is propagated or an error, and the printed program can be read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tensor_layout::sharding::program::Program;

/// Programs that reach all of the importer.
const PROGRAMS: [&str; 8] = [
    include_str!("../../tests/golden/stablehlo/calls.mlir"),
    include_str!("../../tests/golden/stablehlo/control.mlir"),
    include_str!("../../tests/golden/stablehlo/generic.mlir"),
    include_str!("../../tests/golden/stablehlo/gspmd.mlir"),
    include_str!("../../tests/golden/stablehlo/inline_meshes.mlir"),
    include_str!("../../tests/golden/stablehlo/moe_grad.mlir"),
    include_str!("../../tests/golden/stablehlo/shard_map2.mlir"),
    include_str!("../../tests/golden/stablehlo/tokens.mlir"),
];

/// Reads a text, prints it, and reads the printed text.
fn read(text: &str) {
    match Program::from_mlir(text) {
        Ok(program) => {
            assert_eq!(program.origins().len(), program.values().len());
            let conflicts = program.conflicts();
            assert!(conflicts.iter().all(|conflict| !conflict.to_string().is_empty()));
            if let Err(error) = Program::from_mlir(&program.mlir()) {
                assert!(!error.mistakes().is_empty());
            }
        }
        Err(error) => assert!(!error.mistakes().is_empty() && !error.to_string().is_empty()),
    }
}

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        read(text);
    }
    // Each change has a position, a number of bytes to remove, and a byte or a piece of the program to insert.
    let Some((&first, changes)) = data.split_first() else { return };
    let whole = PROGRAMS[usize::from(first) % PROGRAMS.len()].as_bytes();
    let mut text = whole.to_vec();
    for change in changes.chunks_exact(6).take(16) {
        let position = |at: usize| usize::from(u16::from_le_bytes([change[at], change[at + 1]]));
        let start = position(0) % (text.len() + 1);
        let end = (start + usize::from(change[2] % 32)).min(text.len());
        let source = position(3) % whole.len();
        let taken = source..(source + usize::from(change[5] % 64)).min(whole.len());
        match change[2] < 128 {
            true => drop(text.splice(start..end, [change[5]])),
            false => drop(text.splice(start..end, whole[taken].iter().copied())),
        }
    }
    if let Ok(text) = String::from_utf8(text) {
        read(&text);
    }
});
