//! Each file of `compile_fail` holds one mistake and is named after it; what rustc says of it stands beside it.

use std::path::PathBuf;
use std::process::Command;

/// The mistakes that rustc finds only when it builds a program: they depend on const generic parameters. All others are
/// errors when it checks one.
const FOUND_WHEN_BUILT: [&str; 14] = [
    "block_layout_of_another_shape",
    "const_breaks_a_rule",
    "const_generic_breaks_a_rule",
    "const_generic_overflows",
    "elements_narrower_than_a_byte",
    "encoding_by_hand_breaks_a_rule",
    "encoding_pruned_without_structure",
    "matmul_batches_differ",
    "physical_index_of_another_rank",
    "sharded_const_generic_not_divisible",
    "sharded_const_not_divisible",
    "sparse_tensor_of_open_size",
    "tiles_of_another_length",
    "tiles_reached_across",
];

/// The flags that trybuild has Cargo pass to rustc when it compiles the cases.
const FLAGS: [&str; 5] =
    ["--cfg", "trybuild", "--verbose", "-Adead_code", "--diagnostic-width=140"];

/// Runs the cases of a test in a process of its own, whose environment fixes the flags.
///
/// trybuild builds the dependencies without `--diagnostic-width`, then compiles the cases with it, and runs those that pass
/// without it. Cargo takes other flags for another build: it would build the library and its dependencies twice.
fn compile(test: &str, add_cases: impl FnOnce(&trybuild::TestCases)) {
    const INSIDE: &str = "COMPILE_FAIL_INSIDE";
    if std::env::var_os(INSIDE).is_some() {
        return add_cases(&trybuild::TestCases::new());
    }
    let filters = std::env::args().filter(|arg| arg.starts_with("trybuild="));
    let status = Command::new(std::env::current_exe().expect("the path of the test"))
        .args([&format!("compile_fail::{test}"), "--exact", "--nocapture"])
        .args(filters)
        .env(INSIDE, "")
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .status()
        .expect("the test runs");
    assert!(status.success(), "{test}: see above");
}

#[test]
fn every_mistake_is_an_error_under_its_own_token() {
    compile("every_mistake_is_an_error_under_its_own_token", |cases| {
        // Without a case that passes, trybuild checks all of them in one call of Cargo, on all cores.
        for file in cases_of("tests/compile_fail") {
            if !FOUND_WHEN_BUILT.iter().any(|name| file.file_stem() == Some(name.as_ref())) {
                cases.compile_fail(file);
            }
        }
    });
}

/// The cases in a folder, but for those about a macro of a feature that the test was built without.
fn cases_of(folder: &str) -> impl Iterator<Item = PathBuf> {
    let files = std::fs::read_dir(folder).expect("the directory");
    files.map(|entry| entry.expect("an entry").path()).filter(|file| {
        let name = file.file_stem().map(|name| name.to_string_lossy().into_owned());
        let is_absent = cfg!(not(feature = "checkpoint"))
            && name.is_some_and(|name| name.starts_with("manifest"));
        file.extension() == Some("rs".as_ref()) && !is_absent
    })
}

#[test]
fn every_mistake_that_a_build_finds_is_an_error_too() {
    compile("every_mistake_that_a_build_finds_is_an_error_too", |cases| {
        for name in FOUND_WHEN_BUILT {
            cases.compile_fail(format!("tests/compile_fail/{name}.rs"));
        }
        // With a case that passes, trybuild builds all of them.
        cases_of("tests/compile_pass").for_each(|file| cases.pass(file));
    });
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

/// Files in which an error underlines more than its suggestion replaces, or less.
const UNDERLINED_OTHERWISE: [&str; 4] = [
    "encoding_structured_sizes_missing",
    "encoding_taco_format",
    "kernel_operand_of_two_types",
    "propagate_attribute_unknown",
];

/// What to write in place of the underlined words, if the help is a suggestion that a program can apply.
fn suggestion(help: &str) -> Option<&str> {
    if let Some(rest) = help.strip_prefix("leave the `") {
        return rest.strip_suffix("` out").map(|_| "");
    }
    let (said, rest) = help.split_once('`')?;
    let said = said.trim().trim_end_matches(':');
    let alone = ["did you mean", "write", "write the shape alone", "write it without quotes"];
    let is_alone = alone.contains(&said);
    let written = rest.strip_suffix("`?").or(rest.strip_suffix('`'))?;
    // An example elides parts with `..`, or is a whole item.
    let is_example = written.contains("..") || written.starts_with("pub ");
    (is_alone && !is_example && !written.contains('`')).then_some(written)
}

/// A line and the columns to replace in it, counted from 0, and the text to write there.
type Change = (usize, std::ops::Range<usize>, String);

/// The changes that the errors of a file suggest; `None` unless each error suggests one.
fn changes(stderr: &str) -> Option<Vec<Change>> {
    let mut changes = Vec::new();
    for error in stderr.split("\nerror").filter(|error| !error.trim().is_empty()) {
        let mut lines = error.lines();
        let help = lines.by_ref().find_map(|line| line.trim().strip_prefix("help: "))?;
        let new = suggestion(help)?.to_owned();
        let place = lines.by_ref().find_map(|line| line.trim().strip_prefix("--> "))?;
        let mut numbers = place.rsplitn(3, ':');
        let column: usize = numbers.next()?.parse().ok()?;
        let line: usize = numbers.next()?.parse().ok()?;
        let carets = lines.find(|line| line.trim_start_matches([' ', '|']).starts_with('^'))?;
        let len = carets.chars().filter(|c| *c == '^').count();
        changes.push((line - 1, column - 1..column - 1 + len, new));
    }
    (!changes.is_empty()).then_some(changes)
}

/// The source with all changes applied. An order of dimensions is suggested as a whole, under one of its entries.
fn changed(source: &str, changes: &[Change]) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    let mut later = changes.to_vec();
    later.sort_by_key(|(line, columns, _)| std::cmp::Reverse((*line, columns.start)));
    for (line, mut columns, mut new) in later {
        let text = &lines[line];
        if let Some(order) = new.strip_prefix('{').and_then(|new| new.strip_suffix('}'))
            && (columns.len() == 1 || !text[columns.clone()].starts_with('{'))
            && order.bytes().all(|byte| byte == b',' || byte.is_ascii_digit())
        {
            let start = text[..=columns.start].rfind(['{', '<']).map_or(0, |open| open + 1);
            let end =
                text[columns.start..].find([':', '}', '>']).map_or(0, |end| end + columns.start);
            (columns, new) = (start..end, order.to_owned());
        }
        lines[line].replace_range(columns, &new);
    }
    lines.join("\n")
}

#[test]
fn what_the_errors_suggest_compiles() {
    let mut modules = String::from("#![allow(dead_code, unused)]\n");
    let mut count = 0;
    let mut files: Vec<_> = std::fs::read_dir("tests/compile_fail")
        .expect("the directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|file| file.extension() == Some("stderr".as_ref()))
        .filter(|file| {
            !UNDERLINED_OTHERWISE.iter().any(|name| file.file_stem() == Some(name.as_ref()))
        })
        .collect();
    files.sort();
    for file in files {
        let stderr = std::fs::read_to_string(&file).expect("a file in UTF-8");
        let Some(changes) = changes(&stderr) else { continue };
        let source = std::fs::read_to_string(file.with_extension("rs")).expect("a file in UTF-8");
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        modules += &format!("mod {name} {{\n{}\n}}\n", changed(&source, &changes));
        count += 1;
    }
    assert!(count >= 35, "only {count} files have suggestions that were found");
    let all = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("suggestions.rs");
    std::fs::write(&all, modules + "fn main() {}\n").expect("a file");
    compile("what_the_errors_suggest_compiles", |cases| cases.pass(all));
}
