//! Loops, branches, barriers, manual computations and other operations with bodies as MLIR.

use super::super::nodes::{Body, Custom, Region, RegionKind};
use super::super::{Call, Program};
use super::{list_of, tensor};
use crate::sharding::axis::AxisRef;
use crate::sharding::tensor::Axes;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Program {
    pub(super) fn region(&self, region: &Region) -> String {
        match &region.kind {
            RegionKind::While { condition } => self.repeat(region, condition.as_deref()),
            RegionKind::Case { index } => self.case(region, *index),
            RegionKind::OptimizationBarrier => self.optimization_barrier(region),
            RegionKind::Custom(custom) => self.custom(region, custom),
            RegionKind::Manual { axes, operands, results } => {
                self.manual(region, axes, &list_of(operands), &list_of(results))
            }
        }
    }

    /// The values that flow into operand `operand` of the edges, resharded if the plan contains a reshard.
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
            // Propagation adds these constraints, so a reader without edges also gets the shardings.
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

    fn arguments(&self, region: &Region) -> String {
        self.list(&region.arguments, "")
    }

    /// `%x: tensor<8xf32>, ..`, with `suffix` after each name.
    fn list(&self, values: &[usize], suffix: &str) -> String {
        let values = values.iter().map(|&at| &self.values[at]);
        let arguments: Vec<_> =
            values.map(|value| format!("%{}{suffix}: {}", value.name, tensor(value))).collect();
        arguments.join(", ")
    }

    /// The statements of a body, and the values that it returns to operand `operand` of the edges.
    fn returning(&self, region: &Region, body: &Body, operand: usize, dialect: &str) -> String {
        let mut text = self.body(&body.nodes);
        let names = self.taken(&region.edges, operand, &mut text);
        let types = self.types(&body.returned);
        text + &format!("  {dialect}.return {names} : {types}\n")
    }

    fn repeat(&self, region: &Region, condition: Option<&[usize]>) -> String {
        let mut text = String::new();
        let inputs = self.taken(&region.edges, 0, &mut text);
        let types = self.types(&region.inputs);
        let body = region.bodies.last();
        let body =
            body.map(|body| self.returning(region, body, 1, "stablehlo")).unwrap_or_default();
        let first = region.results.first().map_or("", |&first| &self.values[first].name);
        text += &format!("  {} = \"stablehlo.while\"({inputs}) ({{\n", self.all(region));
        match (condition, &region.bodies[0]) {
            (Some(arguments), Body { nodes, returned }) => {
                text += &format!("  ^bb0({}):\n{}", self.list(arguments, ""), self.body(nodes));
                let names: Vec<_> =
                    returned.iter().map(|&at| format!("%{}", self.values[at].name)).collect();
                let (names, types) = (names.join(", "), self.types(returned));
                text += &format!("  stablehlo.return {names} : {types}\n  }}, {{\n");
            }
            // Parts that are not in the program do not take part in propagation.
            (None, _) => {
                text += &format!("  ^bb0({}):\n", self.list(&region.arguments, ".cond"));
                text += &format!("  %{first}.go = stablehlo.constant dense<false> : tensor<i1>\n");
                text += &format!("  stablehlo.return %{first}.go : tensor<i1>\n  }}, {{\n");
            }
        }
        text += &format!(
            "  ^bb0({}):\n{body}  }}) {} : ({types}) -> ({types})\n",
            self.arguments(region),
            self.sharded(region)
        );
        text + &self.named_results(region)
    }

    fn case(&self, region: &Region, index: Option<usize>) -> String {
        let bodies = region.bodies.iter().enumerate();
        let bodies: Vec<_> =
            bodies.map(|(at, body)| self.returning(region, body, at, "stablehlo")).collect();
        let first = region.results.first().map_or("", |&first| &self.values[first].name);
        let (index, ty, mut text) = match index {
            Some(at) => (self.values[at].name.clone(), tensor(&self.values[at]), String::new()),
            None => {
                let index = format!("{first}.index");
                let text = format!("  %{index} = stablehlo.constant dense<0> : tensor<i32>\n");
                (index, "tensor<i32>".to_string(), text)
            }
        };
        // A boolean selects the body of `if`, and a number the body of `case`.
        let name = if ty == "tensor<i1>" { "if" } else { "case" };
        text += &format!("  {} = \"stablehlo.{name}\"(%{index}) ({{\n", self.all(region));
        text += &format!(
            "{}  }}) {} : ({ty}) -> ({})\n",
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

    fn manual(&self, region: &Region, axes: &[AxisRef], operands: &str, results: &str) -> String {
        let mut text = String::new();
        let inputs = self.taken(&region.entries, 0, &mut text);
        let body: String =
            region.bodies.iter().map(|body| self.returning(region, body, 0, "sdy")).collect();
        text += &format!(
            "  {} = sdy.manual_computation({inputs}) in_shardings=[{operands}] out_shardings=[{results}] manual_axes={{{}}} ({}) {{\n{body}  }} : ({}) -> ({})\n",
            self.all(region),
            Axes(axes),
            self.arguments(region),
            self.types(&region.inputs),
            self.types(&region.results)
        );
        text + &self.named_results(region)
    }

    /// The values that flow into an operation or out of its body, resharded if the plan of their edge contains a reshard.
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

    /// `sdy.named_computation` if the operation has the same edges and its body reads nothing from outside; otherwise the
    /// operation under its own name, which MLIR can read if unregistered operations are allowed.
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
        let arguments = self.arguments(region);
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

    /// Whether the bodies of an operation read only their arguments and the values that they compute themselves.
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
