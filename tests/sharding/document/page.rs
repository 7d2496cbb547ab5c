//! The code prints the tables of the guide's page on propagation. `BLESS=1` rewrites them.

use super::strategies::{BIAS, OUTER, STEP, by_priority, last, of, rounds};
use super::tables;
use tensor_layout::sharding::program::Shardings;
use tensor_layout::sharding::propagation::Strategy;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/propagation.md");

/// A table of values with a column for each stage.
fn table(stages: &[(String, Shardings)]) -> String {
    let heads: Vec<_> = stages.iter().map(|(name, _)| name.as_str()).collect();
    let mut text =
        format!("| value | {} |\n|---|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for (name, _) in stages[0].1.iter().filter(|(name, _)| !name.starts_with("ret")) {
        let cells = stages.iter().map(|(_, shardings)| match &of(shardings, name)[..] {
            "" => "-".to_string(),
            sharding => format!("`{sharding}`"),
        });
        text += &format!("| `{name}` | {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// The text that the page shows under a name.
fn printed(name: &str) -> String {
    let stages = |names: &[&str], shardings: Vec<Shardings>| {
        let names = names.iter().map(ToString::to_string);
        table(&names.zip(shardings).collect::<Vec<_>>())
    };
    match name {
        "before" => tables::steps()[0].to_string(),
        "after" => tables::steps()[1].to_string(),
        "dot" => tables::dot().to_string(),
        "user priorities" => stages(&["0: batch", "1: Megatron", "2: ZeRO"], by_priority(STEP)),
        "operation priorities" => {
            let rounds = rounds(BIAS, Strategy::OpPriority).into_iter();
            let stage = |(at, (_, shardings))| (format!("phase {at}"), shardings);
            table(&rounds.enumerate().map(stage).collect::<Vec<_>>())
        }
        "aggressive" | "chain" => {
            let program = if name == "chain" { STEP } else { OUTER };
            let all = [
                ("basic", Strategy::Basic),
                ("aggressive", Strategy::Aggressive),
                ("operation priorities", Strategy::OpPriority),
                ("user priorities", Strategy::UserPriority),
            ];
            let shown = if name == "chain" { &all[..] } else { &all[..2] };
            let stage = |(name, strategy): &(&str, Strategy)| {
                // The written priorities are left out here.
                let shardings = last(program, *strategy).into_iter().map(|(name, sharding)| {
                    let sharding = sharding.map(|mut sharding| {
                        sharding.dims.to_mut().iter_mut().for_each(|dim| dim.priority = None);
                        sharding
                    });
                    (name, sharding)
                });
                (name.to_string(), shardings.collect())
            };
            table(&shown.iter().map(stage).collect::<Vec<_>>())
        }
        other => panic!("the page asks for {other}"),
    }
}

#[test]
fn tables_of_the_page_are_printed_by_the_code() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let mut parts = page.split("<!-- printed: ");
    let mut expected = parts.next().expect("a beginning").to_string();
    let mut tables = 0;
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").expect("the name of a table");
        let (_, rest) = rest.split_once("<!-- end -->").expect("the end of a table");
        expected += &format!("<!-- printed: {name} -->\n\n{}\n<!-- end -->{rest}", printed(name));
        tables += 1;
    }
    assert_eq!(tables, 7);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(PAGE, expected).expect("the page");
    } else {
        assert_eq!(
            page, expected,
            "`BLESS=1 cargo test --test sharding document::` prints them anew"
        );
    }
}

#[test]
fn programs_of_the_page_are_those_that_the_tables_are_about() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    for program in [STEP, BIAS, OUTER] {
        let (_, function) = program.split_once("mesh Pod;\n").expect("a mesh");
        assert!(page.contains(function.trim_end()), "not in the page:\n{function}");
    }
}

/// The page names a test for each sentence, and every test is named by it.
#[test]
fn the_tests_that_the_page_names_exist() {
    let page = std::fs::read_to_string(PAGE).expect("the page");
    let files = ["data_flow.rs", "rules.rs", "strategies.rs", "tables.rs"];
    let tests: Vec<String> = files
        .iter()
        .flat_map(|file| {
            let path = format!("{}/tests/sharding/document/{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("the tests");
            let tests = text.split("#[test]\nfn ").skip(1);
            tests
                .map(|test| test.split('(').next().expect("a name").to_string())
                .collect::<Vec<_>>()
        })
        .collect();
    let (_, table) = page.split_once("| sentence | test |").expect("the table");
    for test in &tests {
        assert!(table.contains(&format!("`{test}`")), "the page does not name {test}");
    }
    let named = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("|---"));
    for line in named {
        let name = line.rsplit('`').nth(1).unwrap_or_else(|| panic!("no test: {line}"));
        assert!(tests.iter().any(|test| test == name), "{name}");
    }
}
