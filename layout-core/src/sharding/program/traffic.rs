//! What devices send each other for a program.

use super::{Program, Traffic};
use crate::sharding::mesh::Mesh;
use crate::sharding::reshard::{self, Collective};
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::TensorSharding;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// What devices send each other, in the order of the program.
pub(super) fn traffic(program: &Program) -> Vec<Traffic> {
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
        let resharded: Vec<_> = call.planned.iter().map(|(at, to, _)| (*at, to)).collect();
        let table = program.graph.factor_table_with(call.op, &resharded);
        let results = || call.results.iter().map(|&at| &program.values[at]);
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
                    for result in results() {
                        let group = group(program.mesh_of(&result.sharding), axes);
                        let bytes = 2 * result.local_bytes() * (group - 1) / group;
                        add(&result.name, format!("all_reduce {text}"), bytes);
                    }
                }
                FactorKind::Permutation => {
                    let operands = call.operands.iter().map(|&at| &program.values[at]);
                    for (operand, result) in operands.zip(results()) {
                        let name = format!("{} {text}", Collective::CollectivePermute.name());
                        add(&result.name, name, operand.local_bytes());
                    }
                }
                FactorKind::PassThrough | FactorKind::NeedReplication => {}
            }
        }
    }
    for (at, sharding) in &program.returns {
        let value = &program.values[*at];
        let bits = value.dtype.bits();
        let steps =
            reshard::plan(program.mesh_of(sharding), &value.sharding, sharding, &value.dims, bits);
        steps_of(&steps.unwrap_or_default(), &value.name, &mut add);
    }
    traffic
}

/// How many devices there are along axes in Shardy's text.
fn group(mesh: &Mesh, axes: &str) -> u128 {
    let text = format!("<@m, [{{{axes}}}]>");
    let sharding = text.parse::<TensorSharding>().ok();
    let axes = sharding.iter().flat_map(|sharding| sharding.dims[0].axes.iter());
    axes.filter_map(|axis| mesh.resolve(axis)).map(|axis| axis.size() as u128).product()
}
