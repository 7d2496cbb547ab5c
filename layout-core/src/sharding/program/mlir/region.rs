//! Loops, branches, barriers and manual computations as MLIR.

use super::super::nodes::{Body, Region, RegionKind};
use super::super::{Call, Program};
use super::{list_of, tensor};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Program {
    pub(super) fn region(&self, region: &Region) -> String {
        match &region.kind {
            RegionKind::While => self.repeat(region),
            RegionKind::Case => self.case(region),
            RegionKind::OptimizationBarrier => self.optimization_barrier(region),
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
    fn results(&self, region: &Region) -> String {
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
        text + &self.results(region)
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
        text + &self.results(region)
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
        text + &self.results(region)
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
        text + &self.results(region)
    }
}
