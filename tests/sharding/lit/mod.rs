//! Shardy's own tests of propagation: every function satisfies its `CHECK` lines, or is listed in a table with the reason.
//!
//! The variable `SHARDY_TESTS` names their folder, `shardy/dialect/sdy/transforms/propagation/test` in a checkout of Shardy.

mod check;

use check::{checks, compare, labels, normal};
use std::path::Path;
use tensor_layout::sharding::ops::Mode;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::propagation::Strategy;

/// The passes that the tests of a file run.
#[derive(Clone, Copy)]
enum Run {
    Pass(Strategy, Mode),
    Pipeline,
    /// The pipeline with `dedup-functions-fully`.
    Shared,
}

/// The files, and their numbers of functions.
const FILES: &[(&str, Run, usize)] = &[
    ("basic_propagation", Run::Pass(Strategy::Basic, Mode::Normal), 79),
    ("basic_propagation_conservative", Run::Pass(Strategy::Basic, Mode::Conservative), 5),
    ("basic_propagation_data_flow_edges", Run::Pass(Strategy::Basic, Mode::Normal), 32),
    ("basic_propagation_manual_computation", Run::Pass(Strategy::Basic, Mode::Normal), 27),
    ("basic_propagation_token", Run::Pass(Strategy::Basic, Mode::Normal), 3),
    ("sharding_group_propagation", Run::Pass(Strategy::Basic, Mode::Normal), 12),
    ("aggressive_propagation", Run::Pass(Strategy::Aggressive, Mode::Normal), 23),
    ("op_priority_propagation", Run::Pass(Strategy::OpPriority, Mode::Normal), 15),
    ("user_priority_propagation", Run::Pass(Strategy::UserPriority, Mode::Normal), 20),
    ("propagation_pipeline", Run::Pipeline, 58),
    ("propagation_pipeline_data_flow_edges", Run::Pipeline, 39),
    ("propagation_pipeline_dedup_functions_fully_true", Run::Shared, 21),
];

/// Functions that differ: the file, the label and the reason.
const DIFFERENT: &[(&str, &str, &str)] = &[(
    "sharding_group_propagation",
    "add_extra_sharding_constraint_for_incompatible_shardings_in_manual_computation",
    "it runs the pass alone on a manual computation without data-flow edges, which the pipeline always adds: with them, \
         Shardy visits the first argument first, as we do, and not the last one",
)];

/// Whether a line starts an operation, instead of continuing the one before.
fn begins(line: &str) -> bool {
    let word = line.split([' ', '(', '<']).next().unwrap_or("");
    let is_result = line.starts_with('%')
        && line.split_once(" = ").is_some_and(|(names, _)| !names.contains('('));
    is_result
        || line.starts_with(['"', '}', '^'])
        || matches!(word, "return" | "call" | "cond" | "module")
        || (word.contains('.') && word.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// A line without parentheses around a single type, which MLIR omits.
fn plain(line: &str) -> String {
    match line.rsplit_once(" -> (") {
        Some((before, types)) if !types.starts_with(')') && !types.contains([',', '{', '(']) => {
            format!("{before} -> {}", types.replacen(')', "", 1))
        }
        _ => line.to_owned(),
    }
}

/// A module with one operation in each line, as MLIR prints it.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().map(normal).filter(|line| !line.is_empty()) {
        match lines.last_mut() {
            Some(last) if !begins(&line) => *last += &format!(" {line}"),
            _ => lines.push(line),
        }
    }
    lines.iter().map(|line| plain(line)).collect()
}

#[test]
fn shardys_own_tests() {
    let Some(folder) = std::env::var_os("SHARDY_TESTS") else {
        println!("SHARDY_TESTS names no folder: Shardy's tests are skipped");
        return;
    };
    let (mut equal, mut wrong) = (0, Vec::new());
    let mut unmet: Vec<_> = DIFFERENT.iter().collect();
    for &(file, run, functions) in FILES {
        let path = Path::new(&folder).join(file).with_extension("mlir");
        let text = std::fs::read_to_string(&path).expect("a file of Shardy's tests");
        let found = text.lines().filter(|line| line.trim_start().starts_with("func.func")).count();
        assert_eq!(found, functions, "functions of {file}");
        for module in text.split("// -----") {
            let checks = checks(module);
            let printed = match run {
                Run::Pass(strategy, mode) => Program::propagate_mlir(module, strategy, mode),
                Run::Shared => Program::shared_mlir(module),
                Run::Pipeline => Program::from_mlir(module).map(|program| program.mlir()),
            };
            let results = match printed {
                Ok(text) => compare(&checks, &lines(&text)),
                Err(error) => {
                    labels(&checks).map(|label| (label, Err(error.to_string()))).collect()
                }
            };
            for (label, result) in results {
                let known =
                    unmet.iter().position(|(of, name, _)| *of == file && label.contains(name));
                match (result, known) {
                    (Ok(()), None) => equal += 1,
                    (Ok(()), Some(_)) => {
                        wrong.push(format!("{file}: {label} is in the table, but equal"))
                    }
                    (Err(_), Some(at)) => drop(unmet.remove(at)),
                    (Err(message), None) => wrong.push(format!("{file}: {label}: {message}")),
                }
            }
        }
    }
    println!("{equal} functions are equal, {} are in the table", DIFFERENT.len());
    assert!(unmet.is_empty(), "no test has the functions {unmet:?}");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
