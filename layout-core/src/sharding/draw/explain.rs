//! Sharded arrays, shardings and sharding rules in sentences.

use super::Sharded;
use crate::draw::{Explain, count, tuple};
use crate::sharding::{
    AxisRef, DimSharding, FactorKind, Mesh, MeshRef, OpShardingRule, ReductionOp, TensorSharding,
    symbol,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Explain for Sharded {
    fn sentences(&self) -> Vec<String> {
        let (mesh, sharding) = (self.mesh(), self.sharding());
        let mut sentences = self.global().sentences();
        sentences.push(spread(mesh));
        sentences.extend(split(sharding, Some(mesh)));
        let local = tuple(self.local().dims().iter().copied());
        let bytes = count(self.local().storage_bytes(), "byte");
        sentences.push(format!("Each device holds an array of {local}, {bytes}."));
        sentences
    }
}

/// What the sharding of any array with as many dimensions means. The sizes of the axes are known if the sharding contains its mesh.
impl Explain for TensorSharding {
    fn sentences(&self) -> Vec<String> {
        let (mesh, spread) = match &self.mesh {
            MeshRef::Inline(mesh) => (Some(mesh), spread(mesh)),
            MeshRef::Name(name) => {
                (None, format!("It is distributed over the devices of the mesh `{name}`."))
            }
        };
        let mut sentences = Vec::from([
            format!("The sharding of an array of {}.", count(self.rank(), "dimension")),
            spread,
        ]);
        sentences.extend(split(self, mesh));
        sentences
    }
}

/// The sentence about the devices of a mesh.
fn spread(mesh: &Mesh) -> String {
    let axes = mesh.axes().iter().map(|axis| format!("{} of {}", axis.name(), axis.size()));
    let axes: Vec<_> = axes.collect();
    format!(
        "It is distributed over {}, a mesh with the axes {}.",
        count(mesh.devices(), "device"),
        axes.join(" and ")
    )
}

/// The sentences about the dimensions and the other axes of a sharding, with the numbers of parts if the mesh is known.
fn split(sharding: &TensorSharding, mesh: Option<&Mesh>) -> Vec<String> {
    let size = |mesh: &Mesh, axis: &AxisRef| mesh.resolve(axis).map_or(1, |axis| axis.size());
    let mut sentences = Vec::new();
    for (dim, DimSharding { axes, open, priority }) in sharding.dims.iter().enumerate() {
        let parts = mesh.map_or(String::new(), |mesh| {
            let parts = axes.iter().map(|axis| size(mesh, axis)).product();
            format!(" into {}", count(parts, "part"))
        });
        let split = match axes.is_empty() {
            true => format!("Dimension {dim} is not split"),
            false => format!("Dimension {dim} is split along {}{parts}", names(axes)),
        };
        let open = if *open { "; propagation may split it further" } else { "" };
        let round = priority.map_or(String::new(), |round| {
            format!("; it takes part in propagation only from round {round}")
        });
        sentences.push(format!("{split}{open}{round}."));
    }
    if !sharding.replicated.is_empty() {
        sentences.push(format!("It must not be split along {}.", names(&sharding.replicated)));
    }
    if !sharding.unreduced.is_empty() {
        let axes = names(&sharding.unreduced);
        sentences.push(format!(
            "Along {axes}, each device holds {}.",
            match sharding.reduction {
                ReductionOp::Sum => "a part of a sum that has not been added up",
                ReductionOp::Max => "values whose maximum has not been taken",
                ReductionOp::Min => "values whose minimum has not been taken",
            }
        ));
    }
    sentences
}

impl Explain for OpShardingRule {
    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::from([format!(
            "A rule for an operation of {} and {}: dimensions with the same factor are split alike.",
            count(self.operands().len(), "operand"),
            count(self.results().len(), "result")
        )]);
        for factor in 0..self.factor_count() {
            let name = symbol(factor);
            let kind = match self.factor_kind(factor) {
                FactorKind::PassThrough => "passes through the operation: results are split where operands are".to_string(),
                FactorKind::Reduction => {
                    "is summed over: where operands are split along it, devices hold parts of the sums, which an \
                     all_reduce adds up"
                        .to_string()
                }
                FactorKind::NeedReplication => {
                    "must be whole on each device: where an operand is split along it, it is gathered first".to_string()
                }
                FactorKind::Permutation => {
                    "is permuted by the operation: where it is split, devices exchange elements".to_string()
                }
            };
            let blocked =
                if self.is_blocked(factor) { " Shardings do not propagate along it." } else { "" };
            sentences.push(format!("Factor {name} {kind}.{blocked}"));
        }
        sentences
    }
}

/// `"x"` and `"y"`
fn names(axes: &[AxisRef]) -> String {
    axes.iter().map(AxisRef::to_string).collect::<Vec<_>>().join(" and ")
}
