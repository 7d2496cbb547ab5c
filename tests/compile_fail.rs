//! Each file of `compile_fail` holds one mistake and is named after it; what rustc says of it stands beside it.

#[test]
fn every_mistake_is_an_error_under_its_own_token() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*.rs");
    // With a case that passes all are built, not just checked: errors of const generic parameters show then only.
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
