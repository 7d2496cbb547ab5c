//! Shardings whose axes are resolved to the axes of a known mesh.

use super::super::axis::{Axis, AxisList};
use super::super::mesh::Mesh;
use super::super::tensor::{DimSharding, MeshRef, ReductionOp, TensorSharding};
use alloc::vec::Vec;

/// How a dimension is split.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ResolvedDim {
    pub(crate) axes: AxisList,
    pub(crate) closed: bool,
    pub(crate) priority: Option<usize>,
}

/// How a tensor is split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Resolved {
    /// The mesh, by its number in the graph.
    pub(crate) mesh: usize,
    pub(crate) dims: Vec<ResolvedDim>,
    pub(crate) replicated: AxisList,
    pub(crate) unreduced: AxisList,
    pub(crate) reduction: ReductionOp,
}

impl Resolved {
    /// The sharding of a tensor that nothing determines: not split, with all dimensions open.
    pub(crate) fn open(mesh: usize, rank: usize) -> Self {
        let dims = alloc::vec![ResolvedDim::default(); rank];
        let (replicated, unreduced) = (AxisList::new(), AxisList::new());
        Self { mesh, dims, replicated, unreduced, reduction: ReductionOp::Sum }
    }

    /// The axes of `sharding`, which must have been checked against `mesh`, number `number` of the graph.
    pub(crate) fn new(sharding: &TensorSharding, mesh: &Mesh, number: usize) -> Self {
        let axes = |axes: &[_]| axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
        let dim = |dim: &DimSharding| ResolvedDim {
            axes: axes(&dim.axes),
            closed: !dim.open,
            priority: dim.priority,
        };
        Self {
            mesh: number,
            dims: sharding.dims.iter().map(dim).collect(),
            replicated: axes(&sharding.replicated),
            unreduced: axes(&sharding.unreduced),
            reduction: sharding.reduction,
        }
    }

    /// The sharding with the names of its axes: the reverse of [`Resolved::new`].
    pub(crate) fn written(&self, mesh: &Mesh, name: MeshRef) -> TensorSharding {
        let axes = |axes: &[Axis]| axes.iter().map(|axis| mesh.name(*axis)).collect::<Vec<_>>();
        let dim = |dim: &ResolvedDim| DimSharding {
            axes: axes(&dim.axes).into(),
            open: !dim.closed,
            priority: dim.priority,
        };
        TensorSharding {
            mesh: name,
            dims: self.dims.iter().map(dim).collect::<Vec<_>>().into(),
            replicated: axes(&self.replicated).into(),
            unreduced: axes(&self.unreduced).into(),
            reduction: self.reduction,
        }
    }

    /// Whether the sharding contains no information: no dimension is split, and all are open.
    pub(crate) fn is_unconstrained(&self) -> bool {
        self.is_unsplit() && self.dims.iter().all(|dim| !dim.closed)
    }

    /// Whether no dimension is split.
    pub(crate) fn is_unsplit(&self) -> bool {
        self.dims.iter().all(|dim| dim.axes.is_empty())
    }
}
