//! Our own grammars read back the meshes, shardings and rules that a program exports.

use proptest::prelude::*;
use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Mesh, OpShardingRule, TensorSharding};

/// The text from `<` to the matching `>`, ignoring quoted text and the `>` of arrows.
fn bracketed(text: &str) -> &str {
    let (mut depth, mut quoted, mut last) = (0, false, ' ');
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '<' if !quoted => depth += 1,
            '>' if !quoted && last != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[..=at];
        }
        last = c;
    }
    panic!("nothing closes {text}")
}

/// The text in angle brackets after each `marker`.
fn all<'a>(text: &'a str, marker: &str) -> Vec<&'a str> {
    text.match_indices(marker).map(|(at, found)| bracketed(&text[at + found.len() - 1..])).collect()
}

/// Reads back the export of a program.
pub(crate) fn check(program: &Program) -> Result<(), TestCaseError> {
    let text = program.mlir();
    let meshes: Vec<&(String, Mesh)> = program.meshes().iter().collect();
    let lines: Vec<_> = text.lines().filter(|line| line.starts_with("sdy.mesh ")).collect();
    prop_assert_eq!(lines.len(), meshes.len());
    for (line, (name, mesh)) in lines.iter().zip(&meshes) {
        let (_, written) = line.split_once(" = ").expect("a mesh");
        prop_assert!(line.contains(name.as_str()));
        prop_assert_eq!(&written.parse::<Mesh>().expect(written), mesh);
    }
    let shardings: Vec<_> =
        text.match_indices("<@").map(|(at, _)| bracketed(&text[at..])).collect();
    for written in shardings {
        let sharding: TensorSharding = written.parse().expect(written);
        prop_assert_eq!(sharding.to_string(), written);
    }
    for written in all(&text, "#sdy.op_sharding_rule<") {
        let rule: OpShardingRule =
            written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
        prop_assert_eq!(rule.to_string(), written);
    }
    // Parameters and results have their shardings, in order.
    let head = text.lines().find(|line| line.starts_with("func.func ")).expect("a function");
    let said = all(head, "#sdy.sharding<");
    for (value, said) in program.parameters().iter().zip(&said) {
        prop_assert_eq!(said, &value.sharding.to_string());
    }
    let of_results = text.lines().filter_map(|line| {
        let (names, rest) =
            line.trim().split_once(" = ").filter(|(names, _)| names.starts_with('%'))?;
        if names.contains(".all:") {
            // The results of an operation with bodies get their names in the lines after it.
            return None;
        }
        let (_, list) = rest.split_once("sdy.sharding_per_value<[")?;
        Some((names, list))
    });
    for (names, list) in of_results {
        let said = list.match_indices("<@").map(|(at, _)| bracketed(&list[at..]));
        for (name, said) in names.split(", ").zip(said) {
            let value = program.value(name.trim_start_matches('%')).expect(name);
            prop_assert_eq!(said, &value.sharding.to_string());
        }
    }
    prop_assert!(!text.contains(": >"), "an empty list: {}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_are_read_back(seed in any::<u64>()) {
        check(&super::random::program(seed))?;
    }
}

#[test]
fn a_function_and_a_mesh_of_one_name_are_told_apart() {
    let mesh: Mesh = r#"<["a"=2]>"#.parse().expect("a mesh");
    let text =
        Program::new("mesh f; fn f(x: f32[8]) { return x; }", &mesh).expect("a program").mlir();
    assert!(text.starts_with("sdy.mesh @f = <[\"a\"=2]>\nfunc.func @f_0(%x"), "{text}");
}
