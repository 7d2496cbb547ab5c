//! Each file of `compile_fail` holds one mistake and is named after it; what rustc says of it stands beside it.

/// The mistakes that rustc finds only when it builds a program: they depend on const generic parameters. All others are
/// errors when it checks one, which is faster, and trybuild checks all files in one call of Cargo.
const FOUND_WHEN_BUILT: [&str; 14] = [
    "block_layout_of_another_shape",
    "const_breaks_a_rule",
    "const_generic_breaks_a_rule",
    "const_generic_overflows",
    "elements_narrower_than_a_byte",
    "encoding_by_hand_breaks_a_rule",
    "encoding_pruned_without_structure",
    "kernel_sizes_disagree",
    "physical_index_of_another_rank",
    "sharded_const_generic_not_divisible",
    "sharded_const_not_divisible",
    "sparse_tensor_of_open_size",
    "tiles_of_another_length",
    "tiles_reached_across",
];

#[test]
fn every_mistake_is_an_error_under_its_own_token() {
    let cases = trybuild::TestCases::new();
    for entry in std::fs::read_dir("tests/compile_fail").expect("the directory") {
        let file = entry.expect("an entry").path();
        let built = FOUND_WHEN_BUILT.iter().any(|name| file.file_stem() == Some(name.as_ref()));
        if file.extension() == Some("rs".as_ref()) && !built {
            cases.compile_fail(file);
        }
    }
}

#[test]
fn every_mistake_that_a_build_finds_is_an_error_too() {
    let cases = trybuild::TestCases::new();
    for name in FOUND_WHEN_BUILT {
        cases.compile_fail(format!("tests/compile_fail/{name}.rs"));
    }
    // With a case that passes, trybuild builds all of them.
    cases.pass("tests/compile_pass/*.rs");
}

#[test]
fn no_message_quotes_the_sources_of_the_standard_library() {
    for entry in std::fs::read_dir("tests/compile_fail").expect("the directory") {
        let file = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&file).expect("a file in UTF-8");
        // Which of its lines are shown depends on what is installed.
        assert!(!text.contains("$RUST"), "{}: let the panic stand in this crate", file.display());
    }
}
