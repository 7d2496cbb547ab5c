//! The directions in which shardings flow, and the data of a strategy.

use super::super::axis::Axis;
use super::super::rule::{FactorKind, OpShardingRule};
use super::projection::Projection;

/// The direction in which shardings flow along a factor.
///
/// ```
/// use tensor_layout::sharding::propagation::{Direction, Graph, Strategy, propagate};
/// let mut graph = Graph::new("mesh", r#"<["a"=2]>"#.parse()?);
/// let x = graph.argument(&[8]);
/// let y = graph.barrier(x, Direction::Backward)?;
/// graph.set_sharding(x, &r#"<@mesh, [{"a"}]>"#.parse()?)?;
/// propagate(&mut graph, Strategy::default());
/// assert!(graph.sharding(y).is_none_or(|sharding| sharding.dims[0].axes.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Direction {
    /// They do not flow.
    None,
    /// From operands to results.
    Forward,
    /// From results to operands.
    Backward,
    /// In both directions.
    #[default]
    Both,
}

impl Direction {
    /// The directions that at least one of the two allows.
    #[must_use]
    pub(super) const fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, direction) | (direction, Self::None) => direction,
            (Self::Forward, Self::Forward) => Self::Forward,
            (Self::Backward, Self::Backward) => Self::Backward,
            _ => Self::Both,
        }
    }
}

/// The directions in which the shardings of an operation flow in a phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Flow {
    /// Along factors of the kind pass-through.
    pub(super) pass_through: Direction,
    /// Along all other factors.
    pub(super) other: Direction,
}

impl Flow {
    pub(super) const ANY: Self = Self::all(Direction::Both);

    /// The same direction for all factors.
    pub(super) const fn all(direction: Direction) -> Self {
        Self { pass_through: direction, other: direction }
    }
}

/// One operation whose shardings a strategy propagates.
pub(super) struct OpPropagation<'a> {
    pub(super) projection: &'a mut Projection,
    pub(super) rule: &'a OpShardingRule,
    pub(super) flow: Flow,
    pub(super) elementwise: bool,
    pub(super) conservative: bool,
    /// The tensors that were expanded.
    pub(super) expanded: &'a mut [bool],
}

impl OpPropagation<'_> {
    pub(super) fn direction(&self, factor: usize) -> Direction {
        let factor = self.rule.factors[factor];
        match factor.kind {
            _ if factor.blocked => Direction::None,
            FactorKind::PassThrough => self.flow.pass_through,
            _ => self.flow.other,
        }
    }

    pub(super) fn expand(&mut self, tensor: usize, factor: usize, axes: &[Axis]) {
        self.expanded[tensor] |= self.projection.expand(tensor, factor, axes);
    }
}
