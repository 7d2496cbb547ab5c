//! The sharding of a StableHLO program: its values, the data that devices exchange, and the operands that disagree.

mod json;
mod memory;
mod tables;

use crate::arguments::{Arguments, Shard};
use crate::report::Failure;
use crate::subject::fail;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tensor_layout::checkpoint::matches_pattern;
use tensor_layout::draw::printable;
use tensor_layout::sharding::program::{Found, NamedValue, Overrides, Program, Search};
use tensor_layout::sharding::{DimSharding, Mesh, TensorSharding};

pub(crate) fn run(shard: &Shard, _: &Arguments) -> Result<ExitCode, Failure> {
    let (name, text) = match shard.file.as_os_str() == "-" {
        true => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text)?;
            ("standard input".to_string(), text)
        }
        false => (shard.file.display().to_string(), file(&shard.file)?),
    };
    if let Some(bandwidth) = shard.bandwidth.filter(|it| !(it.is_finite() && *it > 0.0)) {
        let message = format!("a bandwidth is a positive number of GB/s, not {bandwidth}");
        return Err(Failure::input(message, "write `--bandwidth 450`"));
    }
    let mesh = shard.mesh.as_deref().map(mesh).transpose()?;
    let rules = match &shard.rules {
        Some(path) => rules(&path.display().to_string(), &file(path)?)?,
        None => Vec::new(),
    };
    if !text.contains("func") {
        let message = format!("{name} has no function of a module of MLIR");
        return Err(Failure::input(message, "write one with `jax.jit(f).lower(..).as_text()`"));
    }
    let used = RefCell::new(BTreeSet::new());
    let split = |argument: &str, _: &[usize]| {
        let at = rules.iter().position(|rule| matches_pattern(&rule.pattern, argument))?;
        used.borrow_mut().insert(at);
        Some(rules[at].dims.clone())
    };
    let given = Overrides { mesh: mesh.clone(), arguments: Some(&split), values: None };
    let found = match shard.search {
        true => {
            let (weight, memory) = (shard.weight.into(), shard.memory.map(u128::from));
            let search = Search { weight, memory, ..Search::default() };
            let found = Program::search(&text, &given, &search);
            Some(found.map_err(|error| fail(&name, &text, error))?)
        }
        false => None,
    };
    let proposed = found.as_ref().and_then(|found| found.best.first());
    let split = |argument: &str, dims: &[usize]| match proposed {
        Some(proposal) => {
            let mut arguments = proposal.arguments.iter();
            let (_, sharding) = arguments.find(|(name, _)| name == argument)?;
            Some(sharding.dims.to_vec())
        }
        None => split(argument, dims),
    };
    let overrides = Overrides { mesh, arguments: Some(&split), values: None };
    let program = Program::from_mlir_with(&text, &overrides);
    let program = program.map_err(|error| fail(&name, &text, error))?;
    let local = shard.local.as_ref().map(|path| (path, Program::local_mlir(&text, &overrides)));
    let local = match local {
        Some((path, local)) => Some((path, local.map_err(|error| fail(&name, &text, error))?)),
        None => None,
    };
    drop(text);
    check_patterns(&rules, &used.borrow(), &program)?;
    let written = shard.out.as_ref().map(|path| (path, program.mlir()));
    write(shard, &program, found.as_ref(), written.or(local))
}

/// Checks that the pattern of each rule matches an argument. `used` are the rules that set a sharding.
fn check_patterns(
    rules: &[Rule],
    used: &BTreeSet<usize>,
    program: &Program,
) -> Result<(), Failure> {
    for (at, Rule { pattern, .. }) in rules.iter().enumerate() {
        // The pattern of a rule that an earlier rule overrides matches nevertheless.
        let parameters = program.parameters();
        let matches = |value: &NamedValue| matches_pattern(pattern, &value.name);
        if !used.contains(&at) && !parameters.iter().any(matches) {
            let names = parameters.iter().map(|value| format!("`{}`", value.name));
            let names: Vec<_> = names.take(20).collect();
            let message = format!("no argument has a name like `{pattern}`");
            return Err(Failure::input(message, format!("the arguments are {}", names.join(", "))));
        }
    }
    Ok(())
}

/// Prints the tables, or their JSON, and writes the module to its file. A module for `-` is printed instead of the tables.
fn write(
    shard: &Shard,
    program: &Program,
    found: Option<&Found>,
    written: Option<(&PathBuf, String)>,
) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    match &written {
        Some((path, text)) if path.as_os_str() == "-" => out.write_all(text.as_bytes())?,
        written => {
            match shard.json {
                true => json::write(program, shard.bandwidth, found, &mut out)?,
                false => {
                    if let Some(found) = found {
                        writeln!(out, "{}", printable_lines(&found.to_string()))?;
                    }
                    tables::write(program, shard.bandwidth, &mut out)?;
                }
            }
            if let Some((path, text)) = written {
                fs::write(path, text)
                    .map_err(|error| Failure::input(format!("{}: {error}", path.display()), ""))?;
            }
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn file(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("{}: {error}", path.display()), ""))
}

/// The lines, without characters that would control a terminal.
fn printable_lines(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", printable(line))).collect()
}

/// `data=2,model=4`, or Shardy's text.
pub(crate) fn mesh(text: &str) -> Result<Mesh, Failure> {
    if text.starts_with(['[', '<']) {
        return text.parse().map_err(|error| fail("the mesh", text, error));
    }
    let mut axes = Vec::new();
    let mut start = 0;
    for entry in text.split(',') {
        let part = start..start + entry.len();
        start = part.end + 1;
        let axis = entry.split_once('=').map(|(name, size)| (name.trim(), size.trim()));
        let is_size = |size: &str| size.parse::<usize>().is_ok_and(|size| size > 0);
        match axis {
            Some((name, size)) if !name.is_empty() && is_size(size) => {
                let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                axes.push(format!("\"{name}\"={size}"));
            }
            _ => {
                let message = "an axis of a mesh has a name and a positive size".into();
                let help = "write `--mesh data=2,model=4`".into();
                let text = text.into();
                return Err(Failure::Value { option: "--mesh", text, part, message, help });
            }
        }
    }
    let text = format!("<[{}]>", axes.join(", "));
    text.parse().map_err(|error| fail("the mesh", &text, error))
}

/// The sharding of the arguments whose names match a pattern.
struct Rule {
    pattern: String,
    dims: Vec<DimSharding>,
}

/// Reads a rule from each line, `PATTERN = [{"data"}, {}]`. The rest of a line after a `#` is a comment.
fn rules(name: &str, text: &str) -> Result<Vec<Rule>, Failure> {
    let mut rules = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split_once('#').map_or(line, |(rule, _)| rule).trim();
        if line.is_empty() {
            continue;
        }
        let origin = format!("{name}, line {}", number + 1);
        let Some((pattern, dims)) = line.split_once('=') else {
            let message = format!("{origin}: expected a pattern and how it is split");
            return Err(Failure::input(message, "write `arg0 = [{\"data\"}, {}]`"));
        };
        // The mesh is the program's.
        let whole = format!("<@mesh, {}>", dims.trim());
        let sharding: TensorSharding =
            whole.parse().map_err(|error| fail(&origin, &whole, error))?;
        rules.push(Rule { pattern: pattern.trim().into(), dims: sharding.dims.into_owned() });
    }
    Ok(rules)
}
