//! Propagation, and what must hold after it.

use super::build::Built;
use super::{Call, NamedValue, Program, Traffic, braces, report};
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::{ConflictKind, Graph, Strategy, propagate};
use crate::sharding::reshard::{self, Collective};
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::{DimSharding, MeshRef, TensorSharding};
use crate::syntax::sharding::ProgramSyntax;
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

pub(super) fn finish<S: Span>(
    built: Built<S>,
    syntax: &ProgramSyntax<S>,
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Program> {
    let start = diagnostics.len();
    let Built { values: unsharded, calls, returns, parameters, mut graph, .. } = built;
    let before = calls.iter().map(|(call, _)| graph.factor_table(call.op)).collect();
    propagate(&mut graph, Strategy::UserPriority);
    let padding = if syntax.padded { Padding::Allowed } else { Padding::Forbidden };
    let name = MeshRef::Name(syntax.mesh.text.clone().into());
    let mut values = Vec::new();
    for value in unsharded {
        let replicated = || {
            let dims = vec![DimSharding::default(); value.dims.len()];
            TensorSharding::new(name.clone(), dims)
        };
        let sharding = graph.sharding(value.value).unwrap_or_else(replicated);
        match Shards::new(&sharding, mesh, &value.dims, padding) {
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
    let mut finished: Vec<Call> = Vec::new();
    for (mut call, span) in calls {
        match plan(&call, &graph, &values, mesh) {
            Ok(planned) => call.planned = planned,
            Err((message, help)) => diagnostics.push(Diagnostic { span, message, help }),
        }
        finished.push(call);
    }
    let mut returned = Vec::new();
    for (number, (at, span)) in returns.into_iter().enumerate() {
        let own = &values[at];
        let sharding = graph.return_sharding(number).unwrap_or_else(|| own.sharding.clone());
        if let Err(error) = Shards::new(&sharding, mesh, &own.dims, padding) {
            error.problems().iter().for_each(|problem| report(diagnostics, span, problem.clone()));
        }
        returned.push((at, sharding));
    }
    if diagnostics.len() > start {
        return None;
    }
    let mut program = Program {
        name: syntax.name.text.clone(),
        mesh_name: syntax.mesh.text.clone(),
        mesh: mesh.clone(),
        values,
        calls: finished,
        returns: returned,
        parameters,
        graph,
        collectives: Vec::new(),
        before,
    };
    program.collectives = traffic(&program);
    Some(program)
}

type Planned = Vec<(usize, TensorSharding, Vec<reshard::Step>)>;

/// The reshards of operands that an operation needs and may have, or its conflict in words.
fn plan(
    call: &Call,
    graph: &Graph,
    values: &[NamedValue],
    mesh: &Mesh,
) -> Result<Planned, (String, String)> {
    let Some(first) = graph.conflict(call.op) else { return Ok(Vec::new()) };
    let names: Vec<_> =
        call.operands.iter().chain([&call.result]).map(|&at| values[at].name.as_str()).collect();
    let explain = |conflict: &crate::sharding::propagation::Conflict| {
        let message = format!("conflict in `{}`: {}", call.name, conflict.message(&names));
        let at =
            if conflict.other < call.operands.len() { conflict.other } else { conflict.tensor };
        let fix = match call.operands.get(at) {
            Some(&operand) => {
                format!(", or allow a reshard with reshard({})", values[operand].name)
            }
            None => String::new(),
        };
        let help = match conflict.kind {
            ConflictKind::Different => format!(
                "constrain `{}` to {{{}}} there{fix}",
                names.get(conflict.other).copied().unwrap_or("?"),
                conflict.axes
            ),
            _ => format!(
                "constrain `{}` to be whole there{fix}",
                names.get(at).copied().unwrap_or("?")
            ),
        };
        (message, help)
    };
    if call.reshards.is_empty() {
        return Err(explain(&first));
    }
    let wanted = graph.reshards(call.op, &call.reshards).map_err(|conflict| explain(&conflict))?;
    let mut planned = Vec::new();
    for (operand, to) in wanted {
        let value = &values[call.operands[operand]];
        let steps = reshard::plan(mesh, &value.sharding, &to, &value.dims, value.dtype.bits())
            .map_err(|error| (error.to_string(), String::new()))?;
        if !steps.is_empty() {
            planned.push((operand, to, steps));
        }
    }
    Ok(planned)
}

/// What devices send each other, in the order of the program.
fn traffic(program: &Program) -> Vec<Traffic> {
    let mut traffic = Vec::new();
    let mut add = |value: &str, collective: String, bytes| {
        traffic.push(Traffic { value: value.to_string(), collective, bytes });
    };
    let steps_of =
        |steps: &[reshard::Step], name: &str, add: &mut dyn FnMut(&str, String, u128)| {
            for step in steps {
                let collective = format!("{} {}", step.collective.name(), step.collective);
                add(name, collective.trim_end().to_string(), step.bytes);
            }
        };
    for call in &program.calls {
        for (operand, _, steps) in &call.planned {
            steps_of(steps, &program.values[call.operands[*operand]].name, &mut add);
        }
        let rule = program.graph.rule(call.op);
        let table = program.graph.factor_table(call.op);
        let result = &program.values[call.result];
        for factor in 0..rule.factor_count() {
            let axes = table
                .iter()
                .take(call.operands.len())
                .find_map(|row| row[factor].as_deref())
                .filter(|axes| !axes.is_empty());
            let Some(axes) = axes else { continue };
            let text = format!("{{{axes}}}");
            match rule.factor_kind(factor) {
                FactorKind::Reduction => {
                    let group = group(program, axes);
                    let bytes = 2 * result.local_bytes() * (group - 1) / group;
                    add(&result.name, format!("all_reduce {text}"), bytes);
                }
                FactorKind::Permutation => {
                    let operand = &program.values[call.operands[0]];
                    let name = format!("{} {text}", Collective::CollectivePermute.name());
                    add(&result.name, name, operand.local_bytes());
                }
                FactorKind::PassThrough | FactorKind::NeedReplication => {}
            }
        }
    }
    for (at, sharding) in &program.returns {
        let value = &program.values[*at];
        let bits = value.dtype.bits();
        let steps = reshard::plan(&program.mesh, &value.sharding, sharding, &value.dims, bits);
        steps_of(&steps.unwrap_or_default(), &value.name, &mut add);
    }
    traffic
}

/// How many devices there are along axes in Shardy's text.
fn group(program: &Program, axes: &str) -> u128 {
    let text = format!("<@m, [{{{axes}}}]>");
    let sharding = text.parse::<TensorSharding>().ok();
    let axes = sharding.iter().flat_map(|sharding| sharding.dims[0].axes.iter());
    axes.filter_map(|axis| program.mesh.resolve(axis)).map(|axis| axis.size() as u128).product()
}

impl Program {
    /// Where the axes of a value came from, in words; empty for what was written.
    pub(super) fn origins(&self, at: usize) -> Vec<String> {
        let own = self.values[at].value;
        let name = |value| {
            let found = self.values.iter().find(|other| other.value == value);
            found.map_or("?", |found| found.name.as_str())
        };
        let origins = self.graph.origins();
        let mut texts = Vec::new();
        for origin in origins.iter().filter(|origin| origin.value == own) {
            let through = origin.op.and_then(|op| self.calls.iter().find(|call| call.op == op));
            let through = through.map_or("?", |call| call.name.as_str());
            let mut text = format!(
                "{} of dim {} from `{}` through `{through}`",
                braces(core::slice::from_ref(&origin.axis)),
                origin.dim,
                name(origin.from)
            );
            // Back to where it was written.
            let mut from = origin.from;
            for _ in 0..origins.len() {
                let before = origins
                    .iter()
                    .find(|other| other.value == from && other.axis.name == origin.axis.name);
                match before {
                    Some(before) => from = before.from,
                    None => break,
                }
            }
            if from != origin.from {
                text += &format!(", written at `{}`", name(from));
            }
            texts.push(text);
        }
        texts
    }
}
