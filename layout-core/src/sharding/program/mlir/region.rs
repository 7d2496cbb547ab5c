//! Loops, branches, barriers, manual computations and other operations with bodies as MLIR.

use super::super::nodes::{Body, Custom, Region, RegionKind};
use super::super::{Call, Program};
use super::{list_of, tensor};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Program {
    pub(super) fn region(&self, region: &Region) -> String {
        match &region.kind {
            RegionKind::While => self.repeat(region),
            RegionKind::Case => self.case(region),
            RegionKind::OptimizationBarrier => self.optimization_barrier(region),
            RegionKind::Custom(custom) => self.custom(region, custom),
            RegionKind::Manual { axes, operands, results } => {
                self.manual(region, axes, &list_of(operands), &list_of(results))
            }
        }
    }

    /// The values that flow into operand `operand` of the edges, resharded where that is planned.
    fn taken(&self, edges: &[usize], operand: usize, text: &mut String) -> String {
        let names = edges.iter().map(|&edge| {
            let call: &Call = &self.calls[edge];
            self.reshards(call, Some(operand), text).swap_remove(operand)
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// The results under their names, each with the sharding of its edge.
    fn named_results(&self, region: &Region) -> String {
        let name = |at: usize| &self.values[at].name;
        let Some(&first) = region.results.first() else { return String::new() };
        let results = region.results.iter().enumerate();
        let lines = results.map(|(at, &result)| {
            let value = &self.values[result];
            let own = format!("%{}.all#{at}", name(first));
            // Propagation adds these constraints, so a reader without edges still finds them.
            format!(
                "  %{} = sdy.sharding_constraint {own} {} : {}\n",
                value.name,
                value.sharding,
                tensor(value)
            )
        });
        lines.collect()
    }

    /// The shardings of the results, as an attribute of the operation.
    fn sharded(&self, region: &Region) -> String {
        let shardings = region.results.iter().map(|&at| self.values[at].sharding.to_string());
        let shardings = shardings.collect::<Vec<_>>().join(", ");
        format!("{{sdy.sharding = #sdy.sharding_per_value<[{shardings}]>}}")
    }

    /// `%y.all:2`
    fn all(&self, region: &Region) -> String {
        let first = region.results.first().map_or("", |&first| &self.values[first].name);
        format!("%{first}.all:{}", region.results.len())
    }

    fn arguments(&self, region: &Region, suffix: &str) -> String {
        let arguments = region.arguments.iter().map(|&at| &self.values[at]);
        let arguments: Vec<_> =
            arguments.map(|value| format!("%{}{suffix}: {}", value.name, tensor(value))).collect();
        arguments.join(", ")
    }

    /// The statements of a body, and the values that it returns to operand `operand` of the edges.
    fn returning(&self, region: &Region, body: &Body, operand: usize, dialect: &str) -> String {
        let mut text = self.body(&body.nodes);
        let names = self.taken(&region.edges, operand, &mut text);
        let types = self.types(&body.returned);
        text + &format!("  {dialect}.return {names} : {types}\n")
    }

    fn repeat(&self, region: &Region) -> String {
        let mut text = String::new();
        let inputs = self.taken(&region.edges, 0, &mut text);
        let types = self.types(&region.inputs);
        let body: String =
            region.bodies.iter().map(|body| self.returning(region, body, 1, "stablehlo")).collect();
        let first = region.results.first().map_or("", |&first| &self.values[first].name);
        text += &format!("  {} = \"stablehlo.while\"({inputs}) ({{\n", self.all(region));
        // The condition takes no part in propagation, and a program does not have one.
        text += &format!("  ^bb0({}):\n", self.arguments(region, ".cond"));
        text += &format!("  %{first}.go = stablehlo.constant dense<false> : tensor<i1>\n");
        text += &format!("  stablehlo.return %{first}.go : tensor<i1>\n  }}, {{\n");
        text += &format!(
            "  ^bb0({}):\n{body}  }}) {} : ({types}) -> ({types})\n",
            self.arguments(region, ""),
            self.sharded(region)
        );
        text + &self.named_results(region)
    }

    fn case(&self, region: &Region) -> String {
        let bodies = region.bodies.iter().enumerate();
        let bodies: Vec<_> =
            bodies.map(|(at, body)| self.returning(region, body, at, "stablehlo")).collect();
        let first = region.results.first().map_or("", |&first| &self.values[first].name);
        let mut text = format!("  %{first}.index = stablehlo.constant dense<0> : tensor<i32>\n");
        text += &format!("  {} = \"stablehlo.case\"(%{first}.index) ({{\n", self.all(region));
        text += &format!(
            "{}  }}) {} : (tensor<i32>) -> ({})\n",
            bodies.join("  }, {\n"),
            self.sharded(region),
            self.types(&region.results)
        );
        text + &self.named_results(region)
    }

    fn optimization_barrier(&self, region: &Region) -> String {
        let mut text = String::new();
        let inputs = self.taken(&region.edges, 0, &mut text);
        let types = self.types(&region.inputs);
        text += &format!(
            "  {} = \"stablehlo.optimization_barrier\"({inputs}) {} : ({types}) -> ({types})\n",
            self.all(region),
            self.sharded(region)
        );
        text + &self.named_results(region)
    }

    fn manual(&self, region: &Region, axes: &[String], operands: &str, results: &str) -> String {
        let mut text = String::new();
        let inputs = self.taken(&region.entries, 0, &mut text);
        let body: String =
            region.bodies.iter().map(|body| self.returning(region, body, 0, "sdy")).collect();
        text += &format!(
            "  {} = sdy.manual_computation({inputs}) in_shardings=[{operands}] out_shardings=[{results}] manual_axes={{{}}} ({}) {{\n{body}  }} : ({}) -> ({})\n",
            self.all(region),
            axes.join(", "),
            self.arguments(region, ""),
            self.types(&region.inputs),
            self.types(&region.results)
        );
        text + &self.named_results(region)
    }

    /// The values that flow into an operation or out of its body, resharded where that is planned for their edge.
    fn sources(
        &self,
        values: &[usize],
        edges: &[Option<(usize, usize)>],
        text: &mut String,
    ) -> String {
        let names = values.iter().zip(edges).map(|(&value, edge)| match edge {
            Some((call, source)) => {
                self.reshards(&self.calls[*call], Some(*source), text).swap_remove(*source)
            }
            None => format!("%{}", self.values[value].name),
        });
        names.collect::<Vec<_>>().join(", ")
    }

    /// `sdy.named_computation` if it has the same edges, and the body takes nothing from outside; or else the operation
    /// under its own name, which MLIR reads if it may be unregistered.
    fn custom(&self, region: &Region, custom: &Custom) -> String {
        let mut text = String::new();
        let inputs = self.sources(&region.inputs, &custom.operands, &mut text);
        let is_named = custom.edges.is_none() && self.is_isolated(region);
        let dialect = if is_named { "sdy.return" } else { &format!("\"{}.return\"", custom.name) };
        let bodies = region.bodies.iter().map(|body| {
            let mut text = self.body(&body.nodes);
            let names = self.sources(&body.returned, &custom.returned, &mut text);
            let types = self.types(&body.returned);
            text + &match is_named {
                true => format!("  {dialect} {names} : {types}\n"),
                false => format!("  {dialect}({names}) : ({types}) -> ()\n"),
            }
        });
        let body: String = bodies.collect();
        let arguments = self.arguments(region, "");
        let types =
            format!("({}) -> ({})", self.types(&region.inputs), self.types(&region.results));
        let all = self.all(region);
        text += &if is_named {
            let shardings = |values: &[usize]| -> Vec<_> {
                values.iter().map(|&at| self.values[at].sharding.clone()).collect()
            };
            let taken = list_of(&shardings(&region.arguments));
            let made = list_of(&shardings(&region.results));
            format!(
                "  {all} = sdy.named_computation<\"{}\">({inputs}) in_shardings=[{taken}] out_shardings=[{made}] ({arguments}) {{\n{body}  }} : {types}\n",
                custom.name
            )
        } else {
            let edges = custom.edges.as_ref();
            let edges = edges.map_or_else(String::new, |edges| format!("edges = \"{edges}\", "));
            let attributes = format!("{{{edges}{}", &self.sharded(region)[1..]);
            let block = if arguments.is_empty() { "^bb0:" } else { &format!("^bb0({arguments}):") };
            format!(
                "  {all} = \"{}\"({inputs}) ({{\n  {block}\n{body}  }}) {attributes} : {types}\n",
                custom.name
            )
        };
        text + &self.named_results(region)
    }

    /// Whether the bodies of an operation take only their arguments and what they make themselves.
    fn is_isolated(&self, region: &Region) -> bool {
        let mut made: BTreeSet<usize> = region.arguments.iter().copied().collect();
        let mut taken = Vec::new();
        for body in &region.bodies {
            body.nodes.iter().for_each(|node| {
                node.takes(&self.calls, &mut taken);
                node.makes(&self.calls, &mut made);
            });
            taken.extend_from_slice(&body.returned);
        }
        taken.iter().all(|value| made.contains(value))
    }
}
