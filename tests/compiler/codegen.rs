//! Zero cost, shown: the assembly of the index functions beside that of twins written by hand.
//!
//! Each function of `codegen/functions.rs` must take no more instructions than its twin, and no branch, call or
//! division that the twin does not take, optimized for speed and for size. A kernel of a user that stands alone must
//! take no call: what panics is called. The counts are kept in `codegen/counts.txt`, so that a change shows; `BLESS=1`
//! rewrites them. The same holds for random layouts, whose twins `codegen/twins.rs` writes.

#[path = "../../layout-core/tests/random/mod.rs"]
mod random;
#[path = "../codegen/twins.rs"]
mod twins;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// What a function costs.
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

    /// The same where one more copy between registers is not counted: which of two equal formulas takes it, of as many
    /// divisions as those of an index, is up to how registers are allotted.
    fn is_no_worse_but_for_a_copy(mut self, twin: &Self) -> bool {
        if self.copies > twin.copies {
            self.instructions -= 1;
        }
        self.is_no_worse_than(twin)
    }
}

/// The optimization levels that are looked at.
const LEVELS: [&str; 2] = ["2", "s"];

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
    let costs = LEVELS.map(|level| costs(&assembly("functions", &functions, level)));
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
    let functions = twins::functions(&layouts);
    let mut worse = String::new();
    for level in LEVELS {
        let costs = costs(&assembly("random", &functions, level));
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

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compiles the functions in a crate of their own, and gives the assembly.
fn assembly(name: &str, functions: &str, level: &str) -> String {
    let library = library();
    let dir = target_dir().join("codegen");
    let (source, out) = (dir.join(format!("{name}.rs")), dir.join(format!("{name}-{level}.s")));
    std::fs::write(&source, functions).unwrap();
    // As Cargo builds a library for release.
    let run = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .current_dir(root())
        .args(["--edition=2024", "--crate-type=lib", "-Ccodegen-units=1", "--cap-lints=allow"])
        .args(["--crate-name", name])
        .arg(format!("-Copt-level={level}"))
        .arg(format!("--extern=tensor_layout={}", library.display()))
        .arg(format!("-Ldependency={}", library.with_file_name("deps").display()))
        .arg(format!("--emit=asm={}", out.display()))
        .arg(&source)
        .output()
        .expect("rustc runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read_to_string(&out).unwrap_or_else(|error| panic!("{}: {error}", out.display()))
}

/// The library, built once for all functions and levels.
///
/// The functions are compiled from its metadata: from the MIR of generic and inline functions, which is optimized at
/// every level but 0 alike. Nothing runs the machine code, so LLVM does not optimize it.
fn library() -> &'static Path {
    static LIBRARY: LazyLock<PathBuf> = LazyLock::new(|| {
        let run = Command::new(env!("CARGO"))
            .current_dir(root())
            .args(["build", "--release", "--package=tensor-layout", "--lib", "--offline"])
            .args(["--config=profile.release.opt-level=1", "--config=profile.release.lto='off'"])
            .args(["--message-format=json", "--target-dir"])
            .arg(target_dir().join("codegen/target"))
            .env("RUSTFLAGS", "-Cno-prepopulate-passes")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .output()
            .expect("cargo runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let messages = String::from_utf8(run.stdout).expect("messages in UTF-8");
        let library = messages
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .filter(|message| message["target"]["name"] == "tensor_layout")
            .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
            .find_map(|file| {
                file.as_str().filter(|file| file.ends_with(".rlib")).map(PathBuf::from)
            });
        library.expect("the library among the files that were built")
    });
    &LIBRARY
}

/// The directory that this test was built in.
fn target_dir() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    test.ancestors().nth(3).expect("target/profile/deps/test").to_path_buf()
}

/// What each function in the assembly costs.
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
        // Two functions that came out the same may be one, under two names.
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
