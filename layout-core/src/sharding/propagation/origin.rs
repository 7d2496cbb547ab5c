//! Origins: the tensors from which the axes of other tensors came.

use super::super::axis::{Axis, AxisRef};
use super::graph::{Graph, Kind, Op, Value};
use super::resolved::Resolved;
use alloc::vec::Vec;

/// An axis that propagation gave to a tensor.
///
/// ```
/// use tensor_layout::sharding::ops;
/// use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, propagate};
/// let mut graph = Graph::new("mesh", r#"<["a"=2]>"#.parse()?);
/// let x = graph.argument(&[8]);
/// let tanh = graph.op(OpKind::Elementwise, ops::elementwise(1, &[], &[8]), &[x], &[&[8]])?;
/// graph.set_sharding(x, &r#"<@mesh, [{"a"}]>"#.parse()?)?;
/// graph.trace();
/// propagate(&mut graph, Strategy::default());
/// let origin = &graph.origins()[0];
/// assert_eq!((origin.value, origin.op, origin.from), (graph.results(tanh)[0], Some(tanh), x));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The tensor.
    pub value: Value,
    /// The dimension.
    pub dim: usize,
    /// The axis.
    pub axis: AxisRef,
    /// The operation through which it came; `None` if it came from a tensor of the same group, or from the result of the
    /// function.
    pub op: Option<Op>,
    /// The tensor that had it before; the tensor itself if the axis came from the result of the function.
    pub from: Value,
}

impl Graph {
    /// Starts recording the origin of each axis.
    pub fn trace(&mut self) {
        self.origins.get_or_insert_default();
    }

    /// The axes that tensors were given, in chronological order; empty without [`Graph::trace`].
    pub fn origins(&self) -> &[Origin] {
        self.origins.as_deref().unwrap_or_default()
    }

    /// The axes of `sharding` that `value` does not have yet, with their dimensions.
    fn news(&self, value: Value, sharding: &Resolved) -> Vec<(usize, Axis)> {
        let dims = sharding.dims.iter().enumerate();
        let axes = dims.flat_map(|(dim, split)| split.axes.iter().map(move |axis| (dim, *axis)));
        axes.filter(|(_, axis)| !self.has(value, *axis)).collect()
    }

    fn has(&self, value: Value, axis: Axis) -> bool {
        let dims = self.held(value).into_iter().flat_map(|sharding| &sharding.dims);
        dims.flat_map(|dim| &dim.axes).any(|other| other.overlaps(axis))
    }

    fn remember(&mut self, value: Value, op: Option<Op>, news: Vec<(usize, AxisRef, Value)>) {
        let news = news.into_iter().map(|(dim, axis, from)| Origin { value, dim, axis, op, from });
        if let Some(origins) = &mut self.origins {
            origins.extend(news);
        }
    }

    /// Records the tensor that each new axis comes from, which had it before this step.
    pub(super) fn trace_step(&mut self, op: Op, changes: &[(usize, Resolved)]) {
        let data = &self.ops[op.0];
        let tensors: Vec<_> = data.tensors().collect();
        let mut all = Vec::new();
        for (tensor, sharding) in changes {
            let value = tensors[*tensor];
            let inside = match &data.kind {
                Kind::Edge(Some(manual)) if *tensor == data.operands.len() => {
                    Some(manual.inside(sharding.clone()))
                }
                _ => None,
            };
            let news = self.news(value, inside.as_ref().unwrap_or(sharding)).into_iter();
            let news = news.filter_map(|(dim, axis)| {
                let had = |other: &&Value| **other != value && self.has(**other, axis);
                let name = self.mesh_of(sharding).name(axis);
                Some((dim, name, *tensors.iter().find(had)?))
            });
            all.push((value, news.collect()));
        }
        for (value, news) in all {
            self.remember(value, Some(op), news);
        }
    }

    /// Records that `value` gets the axes of `from`, which is in its group.
    pub(super) fn trace_copy(&mut self, value: Value, from: Value) {
        let Some(sharding) = self.held(from) else { return };
        if self.origins.is_some() {
            let news = self.news(value, sharding).into_iter();
            let news = news.map(|(dim, axis)| (dim, self.mesh_of(sharding).name(axis), from));
            let news = news.collect();
            self.remember(value, None, news);
        }
    }

    /// Records that a value that the function returns gets the axes of the result.
    pub(super) fn trace_result(&mut self, value: Value, sharding: &Resolved) {
        if self.origins.is_some() {
            let news = self.news(value, sharding).into_iter();
            let news = news.map(|(dim, axis)| (dim, self.mesh_of(sharding).name(axis), value));
            let news = news.collect();
            self.remember(value, None, news);
        }
    }
}
