//! The tables of a program for scripts.

use super::memory::{Memory, on_tpu, seconds};
use serde_json::{Value, json};
use std::io::{self, Write};
use tensor_layout::sharding::program::{Cost, Found, Program};

/// A number of bytes, as a floating-point number if it does not fit in 64 bits.
fn number(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| Value::from(count as f64), Value::from)
}

pub(super) fn write(
    program: &Program,
    bandwidth: Option<f64>,
    found: Option<&Found>,
    out: &mut impl Write,
) -> io::Result<()> {
    let meshes = program.meshes().iter();
    let meshes = meshes.map(|(name, mesh)| json!({"name": name, "mesh": mesh.to_string()}));
    let results = program.results();
    let results = results
        .map(|(value, sharding)| json!({"value": value.name, "sharding": sharding.to_string()}));
    let time = |bytes: u128| bandwidth.map(|bandwidth| seconds(bytes, bandwidth));
    let conflicts = program.conflicts().into_iter().map(|conflict| {
        json!({
            "operation": conflict.operation,
            "result": conflict.result,
            "line": conflict.line,
            "message": conflict.message,
        })
    });
    let memory = Memory::of(program);
    let received = program.collectives().iter().map(|traffic| traffic.bytes);
    let received = received.fold(0, u128::saturating_add);
    let mut all = json!({
        "name": program.name(),
        "meshes": meshes.collect::<Vec<_>>(),
        "values": values(program),
        "results": results.collect::<Vec<_>>(),
        "collectives": collectives(program, time),
        "bytes_received": number(received),
        "tpu_memory": {
            "arguments": number(memory.arguments),
            "results": number(memory.results),
            "sum": number(memory.sum()),
            "others": number(memory.others),
        },
        "conflicts": conflicts.collect::<Vec<_>>(),
    });
    if let Some(time) = time(received) {
        all["seconds"] = time.into();
    }
    if let Some(found) = found {
        all["search"] = search(found);
    }
    writeln!(out, "{all:#}")
}

/// The values of the program, with their shardings.
fn values(program: &Program) -> Vec<Value> {
    let values = program.values().iter().zip(program.origins()).enumerate();
    let values = values.map(|(at, (value, origins))| {
        json!({
            "name": value.name,
            "is_argument": at < program.parameters().len(),
            "type": value.dtype.to_string(),
            "dims": value.dims,
            "sharding": value.sharding.to_string(),
            "local_dims": value.local_dims(),
            "bytes": number(value.local_bytes()),
            "tpu_bytes": number(on_tpu(value.dtype, value.local_dims())),
            "origins": origins.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    });
    values.collect()
}

/// The collectives that the program needs; `time` gives the seconds for a number of bytes, if the bandwidth is known.
fn collectives(program: &Program, time: impl Fn(u128) -> Option<f64>) -> Vec<Value> {
    let collectives = program.collectives().iter().map(|traffic| {
        let mut entry = json!({
            "value": traffic.value,
            "collective": traffic.collective,
            "bytes": number(traffic.bytes),
        });
        if let Some(time) = time(traffic.bytes) {
            entry["seconds"] = time.into();
        }
        entry
    });
    collectives.collect()
}

/// The outcome of a search.
fn search(found: &Found) -> Value {
    let cost = |cost: &Cost| {
        let Cost { sum, moved, memory } = cost;
        json!({"sum": number(*sum), "bytes_received": number(*moved), "bytes_held": number(*memory)})
    };
    let best = found.best.iter().map(|proposal| {
        let arguments = proposal.arguments.iter();
        let arguments = arguments.map(|(name, to)| (name.clone(), to.to_string().into()));
        let arguments: serde_json::Map<String, Value> = arguments.collect();
        json!({"arguments": arguments, "cost": cost(&proposal.cost)})
    });
    let without = found.without.iter().map(|(name, whole)| (name.clone(), cost(whole)));
    json!({
        "best": best.collect::<Vec<_>>(),
        "if_whole": without.collect::<serde_json::Map<String, Value>>(),
        "tried": found.tried,
        "is_exhaustive": found.is_exhaustive,
    })
}
