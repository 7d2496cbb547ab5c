//! The tables of a program for people.

use super::memory::{Memory, on_tpu, seconds};
use std::io::{self, Write};
use tensor_layout::DType;
use tensor_layout::draw::printable;
use tensor_layout::sharding::program::{NamedValue, Program};

/// `f32[64,512]`
fn array(dtype: DType, dims: &[usize]) -> String {
    let dims: Vec<_> = dims.iter().map(usize::to_string).collect();
    format!("{dtype}[{}]", dims.join(","))
}

pub(super) fn write(
    program: &Program,
    bandwidth: Option<f64>,
    out: &mut impl Write,
) -> io::Result<()> {
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
    let memory = Memory::of(program);
    let Memory { arguments, results, others } = &memory;
    writeln!(
        out,
        "A device holds {arguments} bytes of arguments and {results} of results in TPU layouts, {} in total; the results \
         of all operations take {others} if they do not share memory",
        memory.sum()
    )?;
    collectives(program, bandwidth, out)?;
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

/// The data that devices exchange, and the time that this takes on links of a bandwidth.
fn collectives(program: &Program, bandwidth: Option<f64>, out: &mut impl Write) -> io::Result<()> {
    let time = |bytes: u128| {
        let time = bandwidth.map(|bandwidth| seconds(bytes, bandwidth) * 1e6);
        time.map_or_else(String::new, |time| format!("{time:>14.3}  "))
    };
    let title = if bandwidth.is_some() { "  microseconds  " } else { "" };
    writeln!(out, "\n{:>14}  {title}collective", "bytes received")?;
    let mut sum = 0;
    for traffic in program.collectives() {
        sum += traffic.bytes;
        let line = format!("{} for {}", traffic.collective, traffic.value);
        writeln!(out, "{:>14}  {}{}", traffic.bytes, time(traffic.bytes), printable(&line))?;
    }
    writeln!(out, "{sum:>14}  {}{} collectives", time(sum), program.collectives().len())
}
