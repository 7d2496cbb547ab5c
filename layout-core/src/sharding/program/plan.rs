//! Plans the reshards that an operation needs.

use super::moves::{Move, moves};
use super::sums::{Sums, sums};
use super::{Call, NamedValue, mesh_of};
use crate::sharding::axis::AxisRef;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::{Conflict, ConflictKind, Graph, Value};
use crate::sharding::reshard;
use crate::sharding::tensor::{Split, TensorSharding};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Makes an operation read the constraints with which propagation replaced its operands.
pub(super) fn redirect(call: &mut Call, graph: &Graph, numbers: &BTreeMap<Value, usize>) {
    for (operand, value) in call.operands.iter_mut().zip(graph.operands(call.op)) {
        if let Some(&at) = numbers.get(value) {
            *operand = at;
        }
    }
}

pub(super) type Planned = Vec<(usize, TensorSharding, Vec<Move>)>;

/// The reshards of operands that an operation needs and is allowed, and its partial sums; if the operation cannot run, a
/// description of the conflict, with help.
pub(super) fn plan(
    call: &Call,
    graph: &Graph,
    values: &[NamedValue],
    meshes: &[(String, Mesh)],
    numbers: &BTreeMap<Value, usize>,
) -> Result<(Planned, Sums), (String, String)> {
    // The constraint of a manual computation can replace an operand, but it has no name in the program.
    let own = graph.operands(call.op).iter().enumerate();
    let unnamed = own.filter(|(_, value)| !numbers.contains_key(value));
    let taken: BTreeMap<usize, TensorSharding> =
        unnamed.filter_map(|(at, value)| Some((at, graph.sharding(*value)?))).collect();
    let explain = |conflict: &Conflict| explain(conflict, call, values);
    let mut wanted = match graph.conflict_or_padded(call.op) {
        Some(first) if call.reshards.is_empty() => return Err(explain(&first)),
        Some(_) => {
            let wanted = graph.reshards(call.op, &call.reshards);
            wanted.map_err(|conflict| explain(&conflict))?
        }
        None => {
            let own = |&at: &usize| (at, values[call.operands[at]].sharding.clone());
            call.reshards.iter().filter(|at| !taken.contains_key(at)).map(own).collect()
        }
    };
    for (at, sharding) in taken {
        if !wanted.iter().any(|(operand, _)| *operand == at) {
            wanted.push((at, sharding));
        }
    }
    let mut sums = sums(call, graph, values, meshes, &wanted)?;
    let planned = reshards(call, values, meshes, (wanted, &mut sums))?;
    Ok((planned, sums))
}

/// The reshards of operands to the shardings in which the operation reads them, `wanted`. They also add up the partial sums of
/// these operands, which are therefore removed from `sums`.
fn reshards(
    call: &Call,
    values: &[NamedValue],
    meshes: &[(String, Mesh)],
    (wanted, sums): (Vec<(usize, TensorSharding)>, &mut Sums),
) -> Result<Planned, (String, String)> {
    let mut planned = Vec::new();
    for (operand, mut to) in wanted {
        let value = &values[call.operands[operand]];
        if let Some(at) = sums.before.iter().position(|(summed, _)| *summed == operand) {
            let (_, axes) = sums.before.remove(at);
            let rest = rest(mesh_of(meshes, &to), &to.unreduced, &axes);
            to = to.with_unreduced(rest);
        }
        let (from, over) = (mesh_of(meshes, &value.sharding), mesh_of(meshes, &to));
        let bits = value.dtype.stored_bits();
        let moves = moves((from, &value.sharding), (over, &to), &value.dims, bits);
        let moves = moves.map_err(|message| (message, String::new()))?;
        if !moves.is_empty() && !call.reshards.contains(&operand) {
            let (name, own, needed) = (&value.name, Split(&value.sharding), Split(&to));
            let message = format!(
                "conflict in `{}`: `{name}` is sharded {own}, but all its users take it as {needed}",
                call.name
            );
            return Err((message, format!("allow a reshard with reshard({name})")));
        }
        if !moves.is_empty() || from != over {
            planned.push((operand, to, moves));
        }
    }
    Ok(planned)
}

/// A conflict as a message, with help.
fn explain(conflict: &Conflict, call: &Call, values: &[NamedValue]) -> (String, String) {
    let tensors = call.operands.iter().chain(&call.results);
    let names: Vec<_> = tensors.map(|&at| values[at].name.as_str()).collect();
    let message = format!("conflict in `{}`: {}", call.name, conflict.message(&names));
    let name = |tensor: usize| names.get(tensor).copied().unwrap_or("?");
    let at = if conflict.other < call.operands.len() { conflict.other } else { conflict.tensor };
    let (tensor, to) = match (conflict.kind, &conflict.axes[..]) {
        (ConflictKind::Meshes, _) => {
            return (
                message,
                format!("allow `{0}` to move with reshard({0})", name(conflict.tensor)),
            );
        }
        (ConflictKind::Padded, _) => {
            let help = format!(
                "split `{}` there along axes that divide the factor, or leave the dimension whole",
                name(conflict.other)
            );
            return (message, help);
        }
        (ConflictKind::Different, "") => (conflict.other, "be whole".to_string()),
        (ConflictKind::Different, axes) => (conflict.other, format!("{{{axes}}}")),
        _ => (at, "be whole".to_string()),
    };
    let fix = match call.operands.get(at) {
        Some(&operand) => format!(", or allow a reshard with reshard({})", values[operand].name),
        None => String::new(),
    };
    (message, format!("constrain `{}` to {to} there{fix}", name(tensor)))
}

/// The parts of `axes` that `others` do not cover.
pub(super) fn rest(mesh: &Mesh, axes: &[AxisRef], others: &[AxisRef]) -> Cow<'static, [AxisRef]> {
    let resolve = |axes: &[AxisRef]| -> Vec<_> {
        axes.iter().filter_map(|axis| mesh.resolve(axis)).collect()
    };
    let left = reshard::without(mesh, resolve(axes), &resolve(others));
    left.into_iter().map(|axis| mesh.name(axis)).collect::<Vec<_>>().into()
}
