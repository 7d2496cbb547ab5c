//! How a program of StableHLO is sharded: its values, what devices send each other, and where operands disagree.

use crate::arguments::{Arguments, Shard};
use crate::report::Failure;
use crate::subject::fail;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use tensor_layout::checkpoint::matches_pattern;
use tensor_layout::draw::printable;
use tensor_layout::sharding::program::{NamedValue, Overrides, Program};
use tensor_layout::sharding::{DimSharding, Mesh, Padding, Shards, TensorSharding};
use tensor_layout::{DType, TiledSpec};

pub(crate) fn run(shard: &Shard, _: &Arguments) -> Result<ExitCode, Failure> {
    let (name, text) = match shard.file.as_os_str() == "-" {
        true => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text)?;
            ("standard input".to_string(), text)
        }
        false => (shard.file.display().to_string(), file(&shard.file)?),
    };
    let mesh = shard.mesh.as_deref().map(mesh).transpose()?;
    let rules = match &shard.rules {
        Some(path) => rules(&path.display().to_string(), &file(path)?)?,
        None => Vec::new(),
    };
    let used = RefCell::new(BTreeSet::new());
    let split = |argument: &str, _: &[usize]| {
        let at = rules.iter().position(|rule| matches_pattern(&rule.pattern, argument))?;
        used.borrow_mut().insert(at);
        Some(rules[at].dims.clone())
    };
    let overrides = Overrides { mesh, arguments: Some(&split), values: None };
    let program = Program::from_mlir_with(&text, &overrides);
    let program = program.map_err(|error| fail(&name, &text, error))?;
    drop(text);
    for (at, Rule { pattern, .. }) in rules.iter().enumerate() {
        // A rule that an earlier one hides has a pattern that matches nevertheless.
        let parameters = program.parameters();
        let matches = |value: &NamedValue| matches_pattern(pattern, &value.name);
        if !used.borrow().contains(&at) && !parameters.iter().any(matches) {
            let names = parameters.iter().map(|value| format!("`{}`", value.name));
            let names: Vec<_> = names.take(20).collect();
            let message = format!("no argument has a name like `{pattern}`");
            return Err(Failure::input(message, format!("the arguments are {}", names.join(", "))));
        }
    }
    let mut out = io::stdout().lock();
    match &shard.out {
        Some(path) if path.as_os_str() == "-" => out.write_all(program.mlir().as_bytes())?,
        path => {
            table(&program, &mut out)?;
            if let Some(path) = path {
                fs::write(path, program.mlir())
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

/// `data=2,model=4`, or Shardy's text.
fn mesh(text: &str) -> Result<Mesh, Failure> {
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

/// How the arguments are split whose names match a pattern.
struct Rule {
    pattern: String,
    dims: Vec<DimSharding>,
}

/// Reads a rule from each line, `PATTERN = [{"data"}, {}]`. Lines that begin with `#` are comments.
fn rules(name: &str, text: &str) -> Result<Vec<Rule>, Failure> {
    let mut rules = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let origin = format!("{name}, line {}", number + 1);
        let Some((pattern, dims)) = line.split_once('=') else {
            let message = format!("{origin}: expected a pattern and how it is split");
            return Err(Failure::input(message, "write `arg0 = [{\"data\"}, {}]`"));
        };
        // The mesh is that of the program.
        let whole = format!("<@mesh, {}>", dims.trim());
        let sharding: TensorSharding =
            whole.parse().map_err(|error| fail(&origin, &whole, error))?;
        rules.push(Rule { pattern: pattern.trim().into(), dims: sharding.dims.into_owned() });
    }
    Ok(rules)
}

/// The bytes of an array in the layout that the TPU compiler picks.
fn on_tpu(dtype: DType, dims: &[usize]) -> u128 {
    if let Some(spec) = TiledSpec::tpu_default(dtype, dims) {
        return spec.storage_bytes() as u128;
    }
    let elements: u128 = dims.iter().map(|size| *size as u128).product();
    (elements * dtype.bits() as u128).div_ceil(8)
}

/// `f32[64,512]`
fn array(dtype: DType, dims: &[usize]) -> String {
    let dims: Vec<_> = dims.iter().map(usize::to_string).collect();
    format!("{dtype}[{}]", dims.join(","))
}

fn table(program: &Program, out: &mut impl Write) -> io::Result<()> {
    for (name, mesh) in program.meshes() {
        writeln!(out, "{} = {}", printable(name), printable(&mesh.to_string()))?;
    }
    writeln!(out, "\n{:>14}  {:>14}  value on each device", "bytes", "in TPU layout")?;
    for (value, origins) in program.values().iter().zip(program.origins()) {
        let NamedValue { name, dtype, dims, sharding, .. } = value;
        let (bytes, on_tpu) = (value.local_bytes(), on_tpu(*dtype, value.local_dims()));
        let (whole, local) = (array(*dtype, dims), array(*dtype, value.local_dims()));
        let line = format!("{name}: {whole} -> {local}  {sharding}");
        writeln!(out, "{bytes:>14}  {on_tpu:>14}  {}", printable(&line))?;
        for origin in origins {
            writeln!(out, "{:>32}  {}", "", printable(&origin))?;
        }
    }
    memory(program, out)?;
    let mut sum = 0;
    writeln!(out, "\n{:>14}  collective", "bytes received")?;
    for traffic in program.collectives() {
        sum += traffic.bytes;
        let line = format!("{} for {}", traffic.collective, traffic.value);
        writeln!(out, "{:>14}  {}", traffic.bytes, printable(&line))?;
    }
    writeln!(out, "{sum:>14}  {} collectives", program.collectives().len())?;
    let conflicts = program.conflicts();
    if !conflicts.is_empty() {
        writeln!(
            out,
            "\nOperands that are resharded because the tensors of an operation disagree:"
        )?;
    }
    for conflict in conflicts {
        writeln!(out, "{}", printable(&conflict.to_string()))?;
    }
    Ok(())
}

/// What arguments, results and other values take on each device.
fn memory(program: &Program, out: &mut impl Write) -> io::Result<()> {
    let mut arguments = 0;
    let mut others = 0;
    for (at, value) in program.values().iter().enumerate() {
        match at < program.parameters().len() {
            true => arguments += on_tpu(value.dtype, value.local_dims()),
            false => others += on_tpu(value.dtype, value.local_dims()),
        }
    }
    let results: u128 = program
        .results()
        .map(|(value, sharding)| {
            // A result may be sharded in another way than its value.
            let named =
                |(name, _): &&(String, Mesh)| sharding.mesh.to_string() == format!("@{name}");
            let mesh = program.meshes().iter().find(named);
            let shards = mesh.and_then(|(_, mesh)| {
                Shards::new(sharding, mesh, &value.dims, Padding::Allowed).ok()
            });
            let dims = shards.as_ref().map_or(value.local_dims(), Shards::local_dims);
            on_tpu(value.dtype, dims)
        })
        .sum();
    writeln!(
        out,
        "A device holds {arguments} bytes of arguments and {results} of results in TPU layouts; all values that operations make take {others}, if none shares room"
    )
}
