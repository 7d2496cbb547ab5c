//! Whether the errors that are kept in `compile_fail` say what to write instead.

use crate::library::root;

/// Files with an error that does not say what to write, and the reason why it cannot.
const WITHOUT_HELP: [(&str, &str); 20] = [
    ("bound_on_packing_not_met", "of rustc; `WithPacking` says more"),
    ("bound_on_rank_not_met", "of rustc; `WithRank` says more"),
    ("const_parameter_of_another_type", "of rustc, with both types"),
    ("encoding_bound_not_met", "of rustc"),
    ("encodings_mismatched", "of rustc, with both encodings"),
    ("kernel_call_of_another_type", "of rustc, about what the user wrote"),
    ("kernel_encoding_without_macro", "of rustc, about the name that is not in scope"),
    ("kernel_identity_function_of_another_type", "of rustc, with both types"),
    ("kernel_into_of_another_encoding", "of rustc, with both encodings"),
    ("kernel_least_of_complex_numbers", "it says why there is no least one"),
    ("kernel_literal_of_renamed_type", "only rustc knows the range of the type"),
    ("kernel_reduction_of_another_type", "of rustc, with both types"),
    ("kernel_reduction_of_one_argument", "of rustc, with both numbers of arguments"),
    ("layouts_listing_of_nothing", "the system's words"),
    ("layouts_mismatched", "of rustc, with both layouts"),
    ("memory_spaces_mismatched", "of rustc, with both layouts"),
    ("propagate_to_one_device", "it says why there is no plan"),
    ("sparse_tensor_of_another_rank", "the encoding or the shape may be the wrong one"),
    ("sparse_tensor_of_open_size", "it shows the call that gives the shape"),
    ("tiles_mismatched", "of rustc, with both layouts"),
];

/// Whether an error says what to write: in a help, in a note of the library, in its own words, or in a signature that rustc quotes.
fn has_help(error: &str) -> bool {
    let of_rustc = |said: &str, words: &[&str]| words.iter().any(|word| said.starts_with(word));
    let listed = ["the trait ", "the following", "for that trait", "trait `"];
    let noted = ["this error", "this note", "required", "expected ", "inside", "`#["];
    let said = |mark: &str, words: &[&str]| {
        error.split(mark).skip(1).any(|said| !of_rustc(said.trim_start(), words))
    };
    let shown = [" /* ", "; // "].iter().any(|comment| error.contains(comment));
    let words = ["; ", ": write", ": use", ": name", ": did you mean"];
    let title = error.lines().next().unwrap_or_default();
    let advised = words.iter().any(|word| title.contains(word)) || title.contains("expected a");
    advised || shown || said("help: ", &listed) || said("= note: ", &noted)
}

#[test]
fn every_error_says_what_to_write_or_why_it_cannot() {
    let mut without = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(root().join("tests/compile_fail")).expect("the directory") {
        let file = entry.expect("an entry").path();
        if file.extension() != Some("stderr".as_ref()) {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("a file in UTF-8");
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        let mut errors = text.split("\nerror").filter(|error| !error.trim().is_empty());
        if errors.any(|error| !has_help(error)) {
            without.insert(name);
        }
    }
    let known = WITHOUT_HELP.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(without, known, "left: found without help; right: those that are listed");
}
