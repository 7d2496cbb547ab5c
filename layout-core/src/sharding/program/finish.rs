//! Propagates the shardings of a program, and checks the conditions that must hold afterwards.

use super::build::Built;
use super::nodes::in_order;
use super::plan::{plan, redirect};
use super::returns::Returns;
use super::shards::{check_group, sharded};
use super::tasks::Execution;
use super::traffic::traffic;
use super::{Call, Program, Shardings};
use crate::sharding::check::Padding;
use crate::sharding::propagation::{Round, Strategy, propagate, propagate_in_rounds};
use crate::sharding::syntax::{NameSyntax, ProgramSyntax};
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::format;
use alloc::vec::Vec;

/// The program with the shardings of all values. `None` if it has mistakes, which are reported.
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
    let mut values = Vec::with_capacity(unsharded.len());
    for (at, value) in unsharded.into_iter().enumerate() {
        // The values that follow from parameters with mistakes have the same ones.
        if at == parameters && diagnostics.len() > start {
            break;
        }
        values.extend(sharded(value, &graph, &meshes, padding, diagnostics));
    }
    if diagnostics.len() > start {
        return None;
    }
    groups.iter().for_each(|group| check_group(group, &values, diagnostics));
    let numbers = values.iter().enumerate().map(|(at, value)| (value.value, at)).collect();
    let (mut calls, spans): (Vec<Call>, Vec<S>) = calls.into_iter().unzip();
    for (call, span) in calls.iter_mut().zip(&spans) {
        redirect(call, &graph, &numbers);
        match plan(call, &graph, &values, &meshes, &numbers) {
            Ok((planned, sums)) => (call.planned, call.sums) = (planned, sums),
            Err((message, help)) => diagnostics.push(Diagnostic { span: *span, message, help }),
        }
    }
    // Values are numbered in the order in which they are computed.
    let is_early = |call: &Call| call.operands.iter().any(|operand| *operand > call.results[0]);
    let nodes = if calls.iter().any(is_early) { in_order(nodes, &calls) } else { nodes };
    let program = Returns { syntax, graph: &graph, meshes: &meshes, values: &values, padding };
    let returns = returns.into_iter().enumerate();
    let returns =
        returns.filter_map(|(number, value)| program.result(number, value, diagnostics)).collect();
    if diagnostics.len() > start {
        return None;
    }
    let constants = syntax.constants.iter().map(|(name, value)| (name.text.clone(), *value));
    let mut program = Program {
        name: syntax.function.name.text.clone(),
        meshes,
        constants: constants.collect(),
        values,
        calls,
        nodes,
        returns,
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
