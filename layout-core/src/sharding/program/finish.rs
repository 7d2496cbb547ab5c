//! Propagation, and what must hold after it.

use super::build::Built;
use super::traffic::traffic;
use super::{Call, NamedValue, Program, mesh_of, report};
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::{Conflict, ConflictKind, Graph, Strategy, propagate};
use crate::sharding::reshard;
use crate::sharding::tensor::{DimSharding, MeshRef, TensorSharding};
use crate::syntax::sharding::ProgramSyntax;
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

pub(super) fn finish<S: Span>(
    built: Built<S>,
    syntax: &ProgramSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Program> {
    let start = diagnostics.len();
    let Built { meshes, values: unsharded, calls, nodes, returns, groups, parameters, mut graph } =
        built;
    let before = calls.iter().map(|(call, _)| graph.factor_table(call.op)).collect();
    propagate(&mut graph, Strategy::UserPriority);
    let padding = if syntax.padded { Padding::Allowed } else { Padding::Forbidden };
    let mut values = Vec::new();
    for value in unsharded {
        let replicated = || {
            let dims = vec![DimSharding::default(); value.dims.len()];
            TensorSharding::new(MeshRef::Name(meshes[0].0.clone().into()), dims)
        };
        let sharding = graph.sharding(value.value).unwrap_or_else(replicated);
        match Shards::new(&sharding, mesh_of(&meshes, &sharding), &value.dims, padding) {
            Ok(shards) => values.push(NamedValue {
                name: value.name,
                dtype: value.dtype,
                dims: value.dims,
                sharding,
                shards,
                value: value.value,
            }),
            Err(error) => {
                for problem in error.problems() {
                    let message = format!("`{}`: {}", value.name, problem.message);
                    let help = "choose a size that the axes divide, or write `padded` behind the mesh: `mesh Pod padded;`";
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
    let mut finished: Vec<Call> = Vec::new();
    for (mut call, span) in calls {
        redirect(&mut call, &graph, &numbers);
        match plan(&call, &graph, &values, &meshes) {
            Ok(planned) => call.planned = planned,
            Err((message, help)) => diagnostics.push(Diagnostic { span, message, help }),
        }
        finished.push(call);
    }
    let mut returned = Vec::new();
    for (number, (at, span)) in returns.into_iter().enumerate() {
        let own = &values[at];
        let sharding = graph.return_sharding(number).unwrap_or_else(|| own.sharding.clone());
        if let Err(error) = Shards::new(&sharding, mesh_of(&meshes, &sharding), &own.dims, padding)
        {
            error.problems().iter().for_each(|problem| report(diagnostics, span, problem.clone()));
        }
        returned.push((at, sharding));
    }
    if diagnostics.len() > start {
        return None;
    }
    let constants = syntax.constants.iter().map(|(name, value)| (name.text.clone(), *value));
    let mut program = Program {
        name: syntax.name.text.clone(),
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
    };
    program.collectives = traffic(&program);
    Some(program)
}

/// The shardings that propagation finds, by name.
pub(super) fn shardings<S>(
    built: Built<S>,
    strategy: Strategy,
) -> Vec<(String, Option<TensorSharding>)> {
    let Built { values, returns, mut graph, .. } = built;
    propagate(&mut graph, strategy);
    let values = values.into_iter().map(|value| {
        let sharding = graph.sharding(value.value);
        (value.name, sharding)
    });
    let returned = (0..returns.len()).map(|at| (format!("ret{at}"), graph.return_sharding(at)));
    values.chain(returned).collect()
}

/// What constraints have an operation take in place of what is written.
fn redirect(
    call: &mut Call,
    graph: &Graph,
    numbers: &BTreeMap<crate::sharding::propagation::Value, usize>,
) {
    for (operand, value) in call.operands.iter_mut().zip(graph.operands(call.op)) {
        if let Some(&at) = numbers.get(value) {
            *operand = at;
        }
    }
}

type Planned = Vec<(usize, TensorSharding, Vec<reshard::Step>)>;

/// The reshards of operands that an operation needs and may have, or its conflict in words.
fn plan(
    call: &Call,
    graph: &Graph,
    values: &[NamedValue],
    meshes: &[(String, Mesh)],
) -> Result<Planned, (String, String)> {
    let Some(first) = graph.conflict_or_padded(call.op) else { return Ok(Vec::new()) };
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
    if call.reshards.is_empty() {
        return Err(explain(&first));
    }
    let wanted = graph.reshards(call.op, &call.reshards).map_err(|conflict| explain(&conflict))?;
    let mut planned = Vec::new();
    for (operand, to) in wanted {
        let value = &values[call.operands[operand]];
        let mesh = mesh_of(meshes, &to);
        let steps = reshard::plan(mesh, &value.sharding, &to, &value.dims, value.dtype.bits())
            .map_err(|error| (error.to_string(), String::new()))?;
        if !steps.is_empty() {
            planned.push((operand, to, steps));
        }
    }
    Ok(planned)
}
