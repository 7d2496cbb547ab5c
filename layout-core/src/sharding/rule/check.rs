use super::{FactorKind, OpShardingRule, symbol};
use crate::sharding::problem::{Location, Problem};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

impl OpShardingRule {
    /// The mistakes in the rule that do not depend on shapes.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut used = vec![false; self.factors.len()];
        for (result, at, mapping) in self.placed() {
            let mut in_tensor = vec![false; self.factors.len()];
            for dim in 0..mapping.rank() {
                let location = Location::TensorDim { result, at, dim };
                let several = mapping.dim(dim).len() > 1;
                if mapping.dim(dim).len() == 0 {
                    let name = if result { "result" } else { "operand" };
                    let message =
                        format!("{name} {at} - dim mapping must have at least one factor");
                    problems.push(
                        Problem::new(location, message)
                            .help("a dimension that is not split has a factor of its own"),
                    );
                }
                for factor in mapping.dim(dim) {
                    if in_tensor[factor] {
                        let message = "cannot reuse factors for the same tensor value";
                        let help = "give each dimension of a tensor different factors";
                        problems.push(Problem::new(location, message).help(help));
                    }
                    if several && self.factors[factor].size == 1 {
                        let message = "dim mapping can't have a factor of size 1 if there are multiple factors";
                        problems.push(
                            Problem::new(location, message).help("leave the factor of size 1 out"),
                        );
                    }
                    in_tensor[factor] = true;
                    used[factor] = true;
                    if result && self.factors[factor].kind == FactorKind::Reduction {
                        let message = "reduction factor cannot be in result mappings";
                        let help = "a factor that is reduced is in operands only: leave it out of `reduction`, or of the result";
                        problems.push(Problem::new(location, message).help(help));
                    }
                }
            }
        }
        for (factor, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
            let name = symbol(factor);
            let size = self.factor_size(factor).map_or("?".into(), |size| format!("{size}"));
            let message =
                format!("has factor {name}={size} that isn't used in operand and result mappings");
            problems.push(
                Problem::new(Location::FactorSize(factor), message).help("leave its size out"),
            );
        }
        problems
    }

    /// Operands and results with their numbers.
    fn placed(&self) -> impl Iterator<Item = (bool, usize, &super::TensorMapping)> {
        let operands = self.operands.iter().enumerate().map(|(at, mapping)| (false, at, mapping));
        operands.chain(self.results.iter().enumerate().map(|(at, mapping)| (true, at, mapping)))
    }

    /// Mistakes in the numbers of tensors and in their ranks.
    pub(crate) fn count_problems(
        &self,
        operands: &[&[usize]],
        results: &[&[usize]],
    ) -> Vec<Problem> {
        let mut problems = self.count_problems_of(false, operands);
        problems.extend(self.count_problems_of(true, results));
        problems
    }

    pub(crate) fn count_problems_of(&self, results: bool, shapes: &[&[usize]]) -> Vec<Problem> {
        let mut problems = Vec::new();
        let (name, mappings) = match results {
            false => ("operand", &self.operands),
            true => ("result", &self.results),
        };
        if shapes.len() != mappings.len() {
            let message = format!(
                "number of {name}s and mappings must match: {} != {}",
                shapes.len(),
                mappings.len()
            );
            let help = format!("list the factors of each {name}");
            problems.push(Problem::new(Location::Tensors { results }, message).help(help));
        }
        for (at, (dims, mapping)) in shapes.iter().zip(mappings).enumerate() {
            if dims.len() != mapping.rank() {
                let message = format!(
                    "{name} {at} - mapping rank must match: {} != {}",
                    mapping.rank(),
                    dims.len()
                );
                let help = format!("list the factors of each of its {} dimensions", dims.len());
                problems.push(
                    Problem::new(Location::Tensor { result: results, at }, message).help(help),
                );
            }
        }
        problems
    }

    /// Mistakes in sizes: dimensions that are not the product of their factors.
    pub(crate) fn size_problems(
        &self,
        operands: &[&[usize]],
        results: &[&[usize]],
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        let shapes = operands.iter().chain(results);
        for ((result, at, mapping), dims) in self.placed().zip(shapes) {
            for (dim, &size) in dims.iter().enumerate() {
                let Some(product) = self.dim_size(mapping, dim) else { continue };
                let factors: Vec<_> = mapping.dim(dim).collect();
                if product != size {
                    let names: Vec<_> = factors
                        .iter()
                        .map(|&factor| format!("{}={}", symbol(factor), self.factors[factor].size))
                        .collect();
                    let tensor = if result { "result" } else { "operand" };
                    let message = format!(
                        "{tensor} {at}: dimension {dim} has size {size}, but its factors {} make {product}",
                        names.join(", ")
                    );
                    problems.push(Problem::new(Location::TensorDim { result, at, dim }, message));
                }
            }
        }
        problems
    }
}
