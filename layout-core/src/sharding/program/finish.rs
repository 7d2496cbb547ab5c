//! Propagates the shardings of a program, and checks the conditions that must hold afterwards.

use super::build::Built;
use super::moves::{Move, moves};
use super::nodes::in_order;
use super::sums::{Sums, sums};
use super::tasks::Execution;
use super::traffic::traffic;
use super::{Call, NamedValue, Program, Shardings, array_text, mesh_of, report};
use crate::sharding::axis::AxisRef;
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::{
    Conflict, ConflictKind, Graph, Round, Strategy, Value, propagate, propagate_in_rounds,
};
use crate::sharding::reshard;
use crate::sharding::syntax::{NameSyntax, ProgramSyntax};
use crate::sharding::tensor::{MeshRef, Split, TensorSharding};
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(super) fn finish<S: Span>(
    built: Built<S>,
    syntax: &ProgramSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Program> {
    let start = diagnostics.len();
    let Built {
        meshes,
        values: unsharded,
        calls,
        nodes,
        returns,
        groups,
        parameters,
        mut graph,
        vague,
    } = built;
    let before = calls.iter().map(|(call, _)| graph.factor_table(call.op)).collect();
    propagate(&mut graph, Strategy::UserPriority);
    let padding = if syntax.padded { Padding::Allowed } else { Padding::Forbidden };
    let mut values = Vec::new();
    for value in unsharded {
        let replicated = || {
            let (name, mesh) = &meshes[graph.default_mesh()];
            let rank = if mesh.is_maximal() { 0 } else { value.dims.len() };
            TensorSharding::closed(MeshRef::Name(name.clone().into()), rank)
        };
        let sharding = graph.sharding(value.value).unwrap_or_else(replicated);
        let known = known_part(&sharding, value.unbounded);
        match Shards::new(&known, mesh_of(&meshes, &sharding), &value.dims, padding) {
            Ok(shards) => values.push(NamedValue {
                name: value.name,
                dtype: value.dtype,
                dims: value.dims,
                sharding,
                shards,
                unbounded: value.unbounded,
                value: value.value,
            }),
            Err(error) => {
                for problem in error.problems() {
                    let message = format!("`{}`: {}", value.name, problem.message);
                    let help = "choose a size that the axes divide, or write `padded` after the mesh: `mesh Pod padded;`";
                    diagnostics.push(Diagnostic { span: value.span, message, help: help.into() });
                }
            }
        }
    }
    if diagnostics.len() > start {
        return None;
    }
    for group in groups {
        let Some((first, _)) = group.first() else { continue };
        let differs = |at: &usize| values[*at].sharding != values[*first].sharding;
        for (other, span) in group.iter().filter(|(at, _)| differs(at)) {
            let message = format!(
                "the values of a group are sharded differently: `{}` is {}, `{}` is {}",
                values[*first].name,
                values[*first].sharding,
                values[*other].name,
                values[*other].sharding
            );
            let help = "shard one of them only, or all of them alike".to_string();
            diagnostics.push(Diagnostic { span: *span, message, help });
        }
    }
    let numbers = values.iter().enumerate().map(|(at, value)| (value.value, at)).collect();
    let (mut finished, mut spans): (Vec<Call>, _) = (Vec::new(), Vec::new());
    for (mut call, span) in calls {
        redirect(&mut call, &graph, &numbers);
        match plan(&call, &graph, &values, &meshes, &numbers) {
            Ok((planned, sums)) => (call.planned, call.sums) = (planned, sums),
            Err((message, help)) => diagnostics.push(Diagnostic { span, message, help }),
        }
        finished.push(call);
        spans.push(span);
    }
    // Values are numbered in the order in which they are computed.
    let is_early = |call: &Call| call.operands.iter().any(|operand| *operand > call.results[0]);
    let nodes = match finished.iter().any(is_early) {
        true => in_order(nodes, &finished),
        false => nodes,
    };
    let mut returned = Vec::new();
    for (number, (at, span)) in returns.into_iter().enumerate() {
        let own = &values[at];
        let mut sharding = graph.return_sharding(number).unwrap_or_else(|| own.sharding.clone());
        let written =
            syntax.function.body.returns.get(number).is_some_and(|(_, split)| split.is_some());
        // Propagation ignores partial sums, so a result without a written sharding keeps its own.
        let axes = |sharding: &TensorSharding| -> Vec<_> {
            sharding.dims.iter().map(|dim| dim.axes.clone()).collect()
        };
        if !written && axes(&sharding) == axes(&own.sharding) {
            sharding.reduction = own.sharding.reduction;
            sharding.unreduced = own.sharding.unreduced.clone();
        }
        let known = known_part(&sharding, own.unbounded);
        if let Err(error) = Shards::new(&known, mesh_of(&meshes, &sharding), &own.dims, padding) {
            error.problems().iter().for_each(|problem| report(diagnostics, span, problem.clone()));
            continue;
        }
        let over = (mesh_of(&meshes, &own.sharding), mesh_of(&meshes, &sharding));
        let is_resharded = over.0 != over.1 || axes(&own.sharding) != axes(&sharding);
        if own.unbounded != 0 && !is_resharded {
            returned.push((at, sharding, Vec::new()));
            continue;
        }
        if own.unbounded != 0 {
            let message = format!(
                "`{}` is {}: a value of unknown size cannot be resharded from {} to {}",
                own.name,
                array_text(own.dtype, &own.dims, own.unbounded),
                Split(&own.sharding),
                Split(&sharding)
            );
            let help = "give the size a bound, `<=128`, or return the value as it is sharded";
            diagnostics.push(Diagnostic { span, message, help: help.into() });
            continue;
        }
        match moves(
            (over.0, &own.sharding),
            (over.1, &sharding),
            &own.dims,
            own.dtype.stored_bits(),
        ) {
            Ok(moves) => returned.push((at, sharding, moves)),
            Err(message) => {
                diagnostics.push(Diagnostic { span, message, help: String::new() });
            }
        }
    }
    if diagnostics.len() > start {
        return None;
    }
    let constants = syntax.constants.iter().map(|(name, value)| (name.text.clone(), *value));
    let mut program = Program {
        name: syntax.function.name.text.clone(),
        meshes,
        constants: constants.collect(),
        values,
        calls: finished,
        nodes,
        returns: returned,
        parameters,
        graph,
        collectives: Vec::new(),
        before,
        imported: None,
        execution: Execution::default(),
    };
    program.collectives = traffic(&program);
    if syntax.run.is_some() {
        check_runs(&program, syntax, &spans, &vague, diagnostics);
    }
    (diagnostics.len() == start).then_some(program)
}

/// Reports every operation that devices cannot run.
fn check_runs<S: Span>(
    program: &Program,
    syntax: &ProgramSyntax<S>,
    spans: &[S],
    vague: &[NameSyntax<S>],
    diagnostics: &mut Diagnostics<S>,
) {
    let mut report = |span, name: &str, message: &str| {
        let (message, help) = message.split_once("; ").unwrap_or((message, ""));
        let message = format!("`{name}` cannot run: {message}");
        diagnostics.push(Diagnostic { span, message, help: help.into() });
    };
    if let Err(refused) = program.tasks() {
        let vague = vague.iter().find(|keyword| keyword.text == refused.operation);
        let span = vague.map_or(syntax.function.name.span, |keyword| keyword.span);
        report(span, &refused.operation, &refused.message);
    }
    for (number, message) in program.refused() {
        report(spans[number], program.instruction(number).name(), &message);
    }
}

/// The sharding with the unbounded dimensions unsplit, because the parts of them on devices are unknown.
fn known_part(sharding: &TensorSharding, unbounded: u16) -> Cow<'_, TensorSharding> {
    if unbounded == 0 {
        return Cow::Borrowed(sharding);
    }
    let mut known = sharding.clone();
    for (dim, sharding) in known.dims.to_mut().iter_mut().enumerate() {
        if unbounded >> dim & 1 == 1 {
            sharding.axes = Cow::Borrowed(&[]);
        }
    }
    Cow::Owned(known)
}

/// The shardings after each round of propagation, by name.
pub(super) fn rounds<S>(built: Built<S>, strategy: Strategy) -> Vec<(Round, Shardings)> {
    let Built { values, returns, mut graph, .. } = built;
    let mut rounds = Vec::new();
    propagate_in_rounds(&mut graph, strategy, |round, graph| {
        let values = values.iter().map(|value| (value.name.clone(), graph.sharding(value.value)));
        let returned = (0..returns.len()).map(|at| (format!("ret{at}"), graph.return_sharding(at)));
        rounds.push((round, values.chain(returned).collect()));
    });
    rounds
}

/// Makes an operation read the constraints that propagation put in place of its operands.
pub(super) fn redirect(call: &mut Call, graph: &Graph, numbers: &BTreeMap<Value, usize>) {
    for (operand, value) in call.operands.iter_mut().zip(graph.operands(call.op)) {
        if let Some(&at) = numbers.get(value) {
            *operand = at;
        }
    }
}

pub(super) type Planned = Vec<(usize, TensorSharding, Vec<Move>)>;

/// The reshards of operands that an operation needs and is allowed, and its partial sums; if it cannot run, a description of
/// the conflict, with help.
pub(super) fn plan(
    call: &Call,
    graph: &Graph,
    values: &[NamedValue],
    meshes: &[(String, Mesh)],
    numbers: &BTreeMap<Value, usize>,
) -> Result<(Planned, Sums), (String, String)> {
    // A constraint that a manual computation needs can replace an operand; it has no name in the program.
    let own = graph.operands(call.op).iter().enumerate();
    let unnamed = own.filter(|(_, value)| !numbers.contains_key(value));
    let taken: BTreeMap<usize, TensorSharding> =
        unnamed.filter_map(|(at, value)| Some((at, graph.sharding(*value)?))).collect();
    let names: Vec<_> =
        call.operands.iter().chain(&call.results).map(|&at| values[at].name.as_str()).collect();
    let explain = |conflict: &Conflict| {
        let message = format!("conflict in `{}`: {}", call.name, conflict.message(&names));
        let at =
            if conflict.other < call.operands.len() { conflict.other } else { conflict.tensor };
        let fix = match call.operands.get(at) {
            Some(&operand) => {
                format!(", or allow a reshard with reshard({})", values[operand].name)
            }
            None => String::new(),
        };
        let name = |tensor: usize| names.get(tensor).copied().unwrap_or("?");
        if conflict.kind == ConflictKind::Meshes {
            let operand = conflict.tensor;
            let help = format!("allow `{0}` to move with reshard({0})", name(operand));
            return (message, help);
        }
        if conflict.kind == ConflictKind::Padded {
            let help = format!(
                "split `{}` there along axes that divide the factor, or leave the dimension whole",
                name(conflict.other)
            );
            return (message, help);
        }
        let (tensor, to) = match (conflict.kind, &conflict.axes[..]) {
            (ConflictKind::Different, "") => (conflict.other, "be whole".to_string()),
            (ConflictKind::Different, axes) => (conflict.other, format!("{{{axes}}}")),
            _ => (at, "be whole".to_string()),
        };
        let help = format!("constrain `{}` to {to} there{fix}", name(tensor));
        (message, help)
    };
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
    let mut planned = Vec::new();
    for (operand, to) in &mut wanted {
        let value = &values[call.operands[*operand]];
        // A reshard also adds up the partial sums.
        if let Some(at) = sums.before.iter().position(|(summed, _)| summed == operand) {
            let (_, axes) = sums.before.remove(at);
            let rest = rest(mesh_of(meshes, to), &to.unreduced, &axes);
            *to = to.clone().with_unreduced(rest);
        }
        let (from, over) = (mesh_of(meshes, &value.sharding), mesh_of(meshes, to));
        let bits = value.dtype.stored_bits();
        let moves = moves((from, &value.sharding), (over, to), &value.dims, bits);
        let moves = moves.map_err(|message| (message, String::new()))?;
        if !moves.is_empty() && !call.reshards.contains(operand) {
            let (name, own, needed) = (&value.name, Split(&value.sharding), Split(to));
            let message = format!(
                "conflict in `{}`: `{name}` is sharded {own}, but all its users take it as {needed}",
                call.name
            );
            return Err((message, format!("allow a reshard with reshard({name})")));
        }
        if !moves.is_empty() || from != over {
            planned.push((*operand, to.clone(), moves));
        }
    }
    Ok((planned, sums))
}

/// The parts of `axes` that `others`, which are parts of them, do not cover.
fn rest(mesh: &Mesh, axes: &[AxisRef], others: &[AxisRef]) -> Cow<'static, [AxisRef]> {
    let resolve = |axes: &[AxisRef]| -> Vec<_> {
        axes.iter().filter_map(|axis| mesh.resolve(axis)).collect()
    };
    let left = reshard::without(mesh, resolve(axes), &resolve(others));
    left.into_iter().map(|axis| mesh.name(axis)).collect::<Vec<_>>().into()
}
