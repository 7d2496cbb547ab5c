//! The traffic of a program: the data that devices send to one another.

use super::moves::moves;
use super::tasks::Task;
use super::{Call, Instruction, NamedValue, Program, Traffic, array_bytes, braces};
use crate::sharding::axis::{AxisRef, product};
use crate::sharding::reshard::Collective;
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::{Axes, TensorSharding};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The data that devices send to one another, in the order of the program.
pub(super) fn traffic(program: &Program) -> Vec<Traffic> {
    let mut traffic = Vec::new();
    let mut is_counted = vec![false; program.calls.len()];
    of_tasks(program, &program.execution.tasks, &mut is_counted, &mut traffic);
    // A program in the library's own text consists only of its operations.
    let rest = program.calls.iter().zip(is_counted).filter(|(_, is_counted)| !is_counted);
    rest.for_each(|(call, _)| of_call(program, call, &mut traffic));
    for (at, _, moves) in &program.returns {
        let value = &program.values[*at];
        traffic.extend(moves.iter().map(|step| one(value, step.collective.clone(), step.bytes)));
    }
    traffic
}

/// The traffic of the tasks of an imported program; bodies of loops and branches count once.
fn of_tasks(
    program: &Program,
    tasks: &[Task],
    is_counted: &mut [bool],
    traffic: &mut Vec<Traffic>,
) {
    let becomes = |from: &[usize], to: &[usize], traffic: &mut Vec<Traffic>| {
        from.iter().zip(to).for_each(|(from, to)| of_value(program, *from, *to, traffic));
    };
    for task in tasks {
        match task {
            Task::Operation(number) => {
                is_counted.get_mut(*number).into_iter().for_each(|counted| *counted = true);
                of_operation(program, *number, traffic);
            }
            Task::Assign { from, to } => of_value(program, *from, *to, traffic),
            Task::While { inputs, condition, body, results } => {
                becomes(inputs, results, traffic);
                becomes(results, &condition.arguments, traffic);
                of_tasks(program, &condition.tasks, is_counted, traffic);
                becomes(results, &body.arguments, traffic);
                of_tasks(program, &body.tasks, is_counted, traffic);
                becomes(&body.returned, results, traffic);
            }
            Task::Manual { inputs, body, results, .. } => {
                for (value, to) in inputs {
                    let value = &program.values[*value];
                    resharded(program, value, (&value.sharding, to), traffic);
                }
                of_tasks(program, &body.tasks, is_counted, traffic);
                for (value, from) in results {
                    let value = &program.values[*value];
                    resharded(program, value, (from, &value.sharding), traffic);
                }
            }
            Task::Case { branches, results, .. } => {
                for branch in branches {
                    of_tasks(program, &branch.tasks, is_counted, traffic);
                    becomes(&branch.returned, results, traffic);
                }
            }
        }
    }
}

/// The traffic of a value that is assigned to another one, which can have another sharding.
fn of_value(program: &Program, from: usize, to: usize, traffic: &mut Vec<Traffic>) {
    let value = &program.values[from];
    resharded(program, value, (&value.sharding, &program.values[to].sharding), traffic);
}

/// The traffic of resharding a value from one sharding to another.
fn resharded(
    program: &Program,
    value: &NamedValue,
    (from, to): (&TensorSharding, &TensorSharding),
    traffic: &mut Vec<Traffic>,
) {
    if from == to {
        return;
    }
    let (from, to) = ((program.mesh_of(from), from), (program.mesh_of(to), to));
    let moves = moves(from, to, &value.dims, value.dtype.stored_bits()).unwrap_or_default();
    traffic.extend(moves.into_iter().map(|step| one(value, step.collective, step.bytes)));
}

/// The traffic of an operation of an imported program. An operation that is not the same on shards reads whole operands.
fn of_operation(program: &Program, number: usize, traffic: &mut Vec<Traffic>) {
    let instruction = program.instruction(number);
    let is_replicated = instruction.not_local().is_some();
    if is_replicated {
        for &operand in instruction.operands() {
            let value = &program.values[operand];
            let own = &value.sharding;
            let whole = TensorSharding::closed(own.mesh.clone(), own.rank());
            resharded(program, value, (own, &whole), traffic);
        }
    } else if let Some(call) = program.calls.get(number) {
        of_call(program, call, traffic);
    }
    exchanged(program, &instruction, is_replicated, traffic);
}

/// The traffic of a collective in a manual computation: devices receive the same number of bytes as in the collectives of a
/// reshard.
fn exchanged(
    program: &Program,
    instruction: &Instruction<'_>,
    is_replicated: bool,
    traffic: &mut Vec<Traffic>,
) {
    let name = instruction.name();
    let (Some(listed), Some(&first)) =
        (instruction.attributes().named_number("of"), instruction.operands().first())
    else {
        return;
    };
    // The groups are not known.
    if listed == usize::MAX {
        return;
    }
    let all = program.mesh_of(&program.values[first].sharding).devices();
    let group = if listed == 0 { all as u128 } else { listed as u128 };
    for (&operand, &result) in instruction.operands().iter().zip(instruction.results()) {
        let value = &program.values[operand];
        let dims = if is_replicated { &value.dims[..] } else { value.local_dims() };
        let local = array_bytes(dims, value.dtype.stored_bits());
        let of_others = local.saturating_mul(group - 1);
        let (bytes, collective) = match name {
            "collective_permute" => (local, name.into()),
            "all_gather" => (of_others, format!("{name} of {group} devices")),
            "all_reduce" => (reduced(local, group), format!("{name} of {group} devices")),
            _ => (of_others.div_ceil(group), format!("{name} of {group} devices")),
        };
        traffic.push(one(&program.values[result], collective, bytes));
    }
}

/// The traffic of an operation.
fn of_call(program: &Program, call: &Call, traffic: &mut Vec<Traffic>) {
    for (operand, _, moves) in &call.planned {
        let value = &program.values[call.operands[*operand]];
        traffic.extend(moves.iter().map(|step| one(value, step.collective.clone(), step.bytes)));
    }
    for (operand, axes) in &call.sums.before {
        let value = &program.values[call.operands[*operand]];
        let mesh = program.mesh_of(&value.sharding);
        let axes_of = |axis| mesh.resolve(axis);
        let devices = product(&axes.iter().filter_map(axes_of).collect::<Vec<_>>());
        traffic.push(all_reduce(value, axes, devices as u128));
    }
    let results = || call.results.iter().map(|&at| &program.values[at]);
    if !call.sums.after.is_empty() {
        let (axes, devices) = (&call.sums.after, call.sums.devices);
        traffic.extend(results().map(|result| all_reduce(result, axes, devices)));
    }
    permutes(program, call, traffic);
    if !call.sums.made.is_empty() {
        let collective = format!("replicated_to_unreduced {}", braces(&call.sums.made));
        traffic.extend(results().map(|result| one(result, collective.clone(), 0)));
    }
}

fn one(value: &NamedValue, collective: String, bytes: u128) -> Traffic {
    Traffic { value: value.name.clone(), collective, bytes }
}

fn all_reduce(value: &NamedValue, axes: &[AxisRef], devices: u128) -> Traffic {
    let bytes = reduced(value.local_bytes(), devices);
    one(value, format!("all_reduce {}", braces(axes)), bytes)
}

/// The bytes that a device receives when devices combine arrays of this size.
const fn reduced(bytes: u128, devices: u128) -> u128 {
    bytes.saturating_mul(2 * (devices - 1)).div_ceil(devices)
}

/// The data that devices send to one another to exchange the edges of their parts.
fn permutes(program: &Program, call: &Call, traffic: &mut Vec<Traffic>) {
    let rule = program.graph.rule(call.op);
    let mut kinds = (0..rule.factor_count()).map(|factor| rule.factor_kind(factor));
    if kinds.all(|kind| kind != FactorKind::Permutation) {
        return;
    }
    let resharded: Vec<_> = call.planned.iter().map(|(at, to, _)| (*at, to.clone())).collect();
    let Some((mesh, factors)) = program.graph.factor_axes(call.op, &resharded) else { return };
    for (factor, axes) in factors.iter().enumerate() {
        if rule.factor_kind(factor) != FactorKind::Permutation || axes.is_empty() {
            continue;
        }
        let names: Vec<_> = axes.iter().map(|axis| mesh.name(*axis)).collect();
        let name = format!("{} {{{}}}", Collective::CollectivePermute.name(), Axes(&names));
        let results = call.results.iter().map(|&at| &program.values[at]);
        for (at, (&operand, result)) in call.operands.iter().zip(results).enumerate() {
            let operand = &program.values[operand];
            let anew = resharded.iter().find(|(other, _)| *other == at);
            let sharding = anew.map_or(&operand.sharding, |(_, sharding)| sharding);
            let parts = sharding.parts(program.mesh_of(sharding));
            let sizes = operand.dims.iter().zip(&parts).map(|(size, parts)| size.div_ceil(*parts));
            let bytes = array_bytes(&sizes.collect::<Vec<_>>(), operand.dtype.stored_bits());
            traffic.push(one(result, name.clone(), bytes));
        }
    }
}
