//! Zero cost, demonstrated: the assembly of the index functions next to that of handwritten twins.
//!
//! Each function of `codegen/functions.rs` must take no more instructions than its twin, and no branch, call or division that
//! the twin does not take, optimized for speed and for size. A user's kernel without a twin must take no call, because every
//! panic is a call. The counts are kept in `codegen/counts.txt`, so that changes show; `BLESS=1` rewrites them. The same holds
//! for random layouts, whose twins `codegen/twins.rs` writes.

#[path = "../../layout-core/tests/layouts/random.rs"]
mod random;
#[path = "../codegen/twins.rs"]
mod twins;

use crate::library::{optimized_library, root, rustc, target_dir};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The cost of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cost {
    instructions: usize,
    /// Instructions that only copy a register to another.
    copies: usize,
    branches: usize,
    calls: usize,
    divisions: usize,
}

impl Cost {
    fn is_no_worse_than(&self, twin: &Self) -> bool {
        self.instructions <= twin.instructions
            && self.branches <= twin.branches
            && self.calls <= twin.calls
            && self.divisions <= twin.divisions
    }

    /// Like `is_no_worse_than`, but allows one more copy between registers. Of two equal formulas with as many divisions as an
    /// index needs, either may get the copy, depending on how registers are allocated.
    fn is_no_worse_but_for_a_copy(mut self, twin: &Self) -> bool {
        if self.copies > twin.copies {
            self.instructions -= 1;
        }
        self.is_no_worse_than(twin)
    }
}

/// The optimization levels that are checked.
const LEVELS: [&str; 2] = ["2", "s"];

/// The number of crates that random layouts are divided among.
const CRATES: usize = 2;

#[test]
fn index_functions_cost_no_more_than_by_hand() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: the counts are those of x86-64 Linux");
        return;
    }
    let mut counts = String::from(
        "# Instructions of each function and of its twin by hand, at -O2 and at -Os.\n",
    );
    let functions = root().join("tests/codegen/functions.rs");
    let functions = std::fs::read_to_string(functions).unwrap();
    let costs = costs_at_levels("functions", &[functions]);
    let mut worse = String::new();
    for ours in costs[0].keys().filter(|name| name.ends_with("_ours")) {
        let name = ours.trim_end_matches("_ours");
        write!(counts, "{name}").unwrap();
        for (level, costs) in LEVELS.iter().zip(&costs) {
            let cost = |name: &str| {
                *costs.get(name).unwrap_or_else(|| panic!("no assembly of {name} at {level}"))
            };
            let (ours, twin) = (cost(ours), cost(&format!("{name}_twin")));
            write!(counts, "  O{level}: {} of {}", ours.instructions, twin.instructions).unwrap();
            if !ours.is_no_worse_than(&twin) {
                writeln!(worse, "{name} at -O{level}: {ours:?}, by hand {twin:?}").unwrap();
            }
        }
        counts.push('\n');
    }
    for name in costs[0].keys().filter(|name| name.ends_with("_alone")) {
        write!(counts, "{}", name.trim_end_matches("_alone")).unwrap();
        for (level, costs) in LEVELS.iter().zip(&costs) {
            let cost =
                costs.get(name).unwrap_or_else(|| panic!("no assembly of {name} at {level}"));
            write!(counts, "  O{level}: {}", cost.instructions).unwrap();
            if cost.calls > 0 {
                writeln!(worse, "{name} at -O{level} can panic: {cost:?}").unwrap();
            }
        }
        counts.push('\n');
    }
    assert!(costs[0].len() >= 2 * 12, "only {} functions were found", costs[0].len());
    assert!(worse.is_empty(), "worse than by hand:\n{worse}");

    let golden = root().join("tests/codegen/counts.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&golden, &counts).unwrap();
    }
    let kept = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(
        kept == counts,
        "the counts have changed (BLESS=1 keeps the new ones):\n{counts}\nwere:\n{kept}"
    );
}

#[test]
fn random_layouts_cost_no_more_than_by_hand() {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        println!("skipped: the counts are those of x86-64 Linux");
        return;
    }
    let layouts = twins::layouts();
    let crates: Vec<_> =
        layouts.chunks(layouts.len().div_ceil(CRATES)).map(twins::functions).collect();
    let mut worse = String::new();
    for (level, costs) in LEVELS.iter().zip(costs_at_levels("random", &crates)) {
        for (name, spec) in &layouts {
            for (function, of) in [("offset", ""), ("index", "index_of_")] {
                let [ours, twin] =
                    ["ours", "twin"].map(|whose| costs[&format!("{of}{name}_{whose}")]);
                let holds = match function {
                    "index" => ours.is_no_worse_but_for_a_copy(&twin),
                    _ => ours.is_no_worse_than(&twin),
                };
                if !holds {
                    writeln!(
                        worse,
                        "{function} of {spec} at -O{level}: {ours:?}, by hand {twin:?}"
                    )
                    .unwrap();
                }
            }
        }
    }
    assert!(worse.is_empty(), "worse than by hand:\n{worse}");
}

/// The cost of each function of some crates at each level. All crates are compiled at the same time.
fn costs_at_levels(name: &str, crates: &[String]) -> [BTreeMap<String, Cost>; LEVELS.len()] {
    std::thread::scope(|scope| {
        let started = LEVELS.map(|level| {
            let mut threads = Vec::new();
            for (number, functions) in crates.iter().enumerate() {
                let name = format!("{name}{number}");
                threads.push(scope.spawn(move || costs(&assembly(&name, functions, level))));
            }
            threads
        });
        started.map(|threads| {
            threads.into_iter().flat_map(|thread| thread.join().expect("assembly")).collect()
        })
    })
}

/// Compiles the functions in a crate of their own, and returns the assembly. The crate has a name of its own, because rustc
/// names temporary files after it.
fn assembly(name: &str, functions: &str, level: &str) -> String {
    let name = format!("{name}_{level}");
    let dir = target_dir().join("codegen");
    std::fs::create_dir_all(&dir).unwrap();
    let [source, out] = ["rs", "s"].map(|end| dir.join(format!("{name}.{end}")));
    std::fs::write(&source, functions).unwrap();
    // As Cargo builds a library for release.
    let run = rustc(optimized_library())
        .args(["--crate-type=lib", "-Ccodegen-units=1", "--cap-lints=allow"])
        .args(["--crate-name", &name])
        .arg(format!("-Copt-level={level}"))
        .arg(format!("--emit=asm={}", out.display()))
        .arg(&source)
        .output()
        .expect("rustc runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read_to_string(&out).unwrap_or_else(|error| panic!("{}: {error}", out.display()))
}

/// The cost of each function in the assembly.
fn costs(assembly: &str) -> BTreeMap<String, Cost> {
    let mut costs = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in assembly.lines() {
        if let Some(label) =
            line.strip_suffix(':').filter(|label| !label.starts_with(['.', '\t', ' ']))
        {
            current = Some(label.to_owned()).filter(|label| {
                ["_ours", "_twin", "_alone"].iter().any(|end| label.ends_with(end))
            });
            continue;
        }
        // Two functions with the same code may be merged under two names.
        if let Some((alias, of)) = line.split_once(" = ")
            && let Some(&cost) = costs.get(of)
        {
            costs.insert(alias.to_owned(), cost);
        }
        let Some(name) = &current else { continue };
        if line.trim_start().starts_with(".cfi_endproc") {
            current = None;
            continue;
        }
        let Some(mnemonic) =
            line.strip_prefix('\t').and_then(|line| line.split_whitespace().next())
        else {
            continue;
        };
        if mnemonic.starts_with(['.', '#']) {
            continue;
        }
        let cost: &mut Cost = costs.entry(name.clone()).or_default();
        cost.instructions += 1;
        cost.copies += usize::from(mnemonic.starts_with("mov") && is_copy(line));
        cost.branches += usize::from(mnemonic.starts_with('j'));
        cost.calls += usize::from(mnemonic.starts_with("call"));
        cost.divisions += usize::from(mnemonic.starts_with("div") || mnemonic.starts_with("idiv"));
    }
    costs
}

/// Whether both operands are registers: `movl %esi, %r8d`.
fn is_copy(line: &str) -> bool {
    let operands = line.trim_start().split_once(['\t', ' ']).map_or("", |(_, operands)| operands);
    operands.split(", ").count() == 2
        && operands.split(", ").all(|operand| operand.trim().starts_with('%'))
}
