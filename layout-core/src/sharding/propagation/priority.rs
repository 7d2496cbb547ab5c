//! The order in which shardings are propagated: by kind of operation, and by the priorities that the author wrote.

use super::Strategy;
use super::fixed_point::{Engine, OpStrategy};
use super::flow::{Direction, Flow};
use super::graph::{Graph, Kind, OpData, OpKind};
use super::resolved::{Resolved, ResolvedDim};
use crate::sharding::check::mesh_order;
use alloc::vec::Vec;

/// The number of rounds of [`Strategy::OpPriority`].
const PHASES: usize = 5;

/// Propagates the shardings of a graph until nothing changes. The time is proportional to the number of operations, and to the
/// number of times that the sharding of a tensor can grow.
///
/// [`Graph`] has an example.
pub fn propagate(graph: &mut Graph, strategy: Strategy) {
    propagate_in_rounds(graph, strategy, |_, _| {});
}

/// A round of propagation, which [`propagate_in_rounds`] reports. The strategies are nested loops: for each priority that the
/// author wrote, for each phase of operations, until nothing changes.
///
/// [`propagate_in_rounds`] has an example.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    /// The priority that the author wrote, counted from 0; `None` for strategies that ignore priorities.
    pub priority: Option<usize>,
    /// The phase of operations, 0 to 4; `None` for strategies without phases.
    pub phase: Option<usize>,
}

/// [`propagate`] that calls `after` with the graph after each [`Round`].
///
/// In a round of [`Strategy::UserPriority`], the axes of dimensions with a later priority are explicitly replicated, so that
/// nothing overrides them.
///
/// ```
/// use tensor_layout::sharding::Mesh;
/// use tensor_layout::sharding::propagation::{Graph, Round, Strategy, propagate_in_rounds};
/// let mesh: Mesh = r#"<["a"=2]>"#.parse().unwrap();
/// let mut graph = Graph::new("mesh", mesh);
/// let x = graph.argument(&[8, 8]);
/// graph.set_sharding(x, &r#"<@mesh, [{?}, {"a"}p1]>"#.parse().unwrap()).unwrap();
/// let mut shardings = Vec::new();
/// propagate_in_rounds(&mut graph, Strategy::UserPriority, |round, graph| {
///     if round.phase == Some(4) {
///         shardings.push((round.priority.unwrap(), graph.sharding(x).unwrap().to_string()));
///     }
/// });
/// assert_eq!(shardings, [
///     (0, r#"<@mesh, [{?}, {}], replicated={"a"}>"#.to_string()),
///     (1, r#"<@mesh, [{?}, {"a"}]>"#.to_string()),
/// ]);
/// ```
pub fn propagate_in_rounds(
    graph: &mut Graph,
    strategy: Strategy,
    mut after: impl FnMut(Round, &Graph),
) {
    graph.apply_constraints();
    rounds(graph, strategy, &mut after);
}

/// [`propagate`] without first applying constraints to their operands, which is a separate pass in Shardy.
pub(crate) fn propagate_alone(graph: &mut Graph, strategy: Strategy) {
    rounds(graph, strategy, &mut |_, _| {});
}

fn rounds(graph: &mut Graph, strategy: Strategy, after: &mut impl FnMut(Round, &Graph)) {
    graph.agree();
    let alone = |strategy, graph, after: &mut dyn FnMut(Round, &Graph)| {
        let mut engine = Engine::new(graph, strategy);
        engine.run(|_, _| Flow::ANY);
        after(Round { priority: None, phase: None }, engine.graph);
    };
    match strategy {
        Strategy::Basic => alone(OpStrategy::Basic, graph, after),
        Strategy::Aggressive => alone(OpStrategy::Aggressive, graph, after),
        Strategy::OpPriority => {
            by_op(&mut Engine::new(graph, OpStrategy::Aggressive), None, after);
        }
        Strategy::UserPriority => {
            by_user(&mut Engine::new(graph, OpStrategy::Aggressive), after);
        }
    }
}

fn by_op(engine: &mut Engine<'_>, priority: Option<usize>, after: &mut impl FnMut(Round, &Graph)) {
    for phase in 0..PHASES {
        engine.run(|graph, op| flow(graph, op, phase));
        after(Round { priority, phase: Some(phase) }, engine.graph);
    }
}

/// The directions that the phases up to `phase` allow.
fn flow(graph: &Graph, op: &OpData, phase: usize) -> Flow {
    let early = match op.kind {
        Kind::Op(OpKind::Elementwise | OpKind::Reshape)
        | Kind::Constraint
        | Kind::Edge(_)
        | Kind::Barrier => Direction::Both,
        Kind::Op(OpKind::DynamicSlice) => Direction::Forward,
        Kind::Op(_) | Kind::Group => Direction::None,
    };
    if phase < 2 {
        let alone = phase == 1 || matches!(op.kind, Kind::Edge(_)) || used_once(graph, op);
        return Flow::all(if alone { early } else { Direction::None });
    }
    let late = match op.kind {
        Kind::Op(OpKind::BroadcastInDim) if phase < 4 => Direction::Backward,
        _ => Direction::Both,
    };
    let other = if phase == 2 { Direction::None } else { late };
    Flow { pass_through: early.union(late), other: early.union(other) }
}

/// Whether an operation is the only user of its operands. Scalars do not count.
fn used_once(graph: &Graph, op: &OpData) -> bool {
    op.operands
        .iter()
        .map(|value| &graph.values[value.0])
        .all(|value| value.dims.is_empty() || value.uses == 1)
}

/// A value or a result that has a sharding.
#[derive(Clone, Copy)]
enum Holder {
    Value(usize),
    Return(usize),
}

/// A sharding with dimensions that are restored in the round of their priority.
struct Waiting {
    holder: Holder,
    original: Resolved,
}

fn by_user(engine: &mut Engine<'_>, after: &mut impl FnMut(Round, &Graph)) {
    let waiting = defer(engine.graph);
    by_op(engine, Some(0), after);
    let priorities = waiting.iter().flat_map(|waiting| &waiting.original.dims);
    let mut priorities: Vec<_> = priorities.filter_map(later).collect();
    priorities.sort_unstable();
    priorities.dedup();
    for priority in priorities {
        for Waiting { holder, original } in &waiting {
            if let Some(sharding) = held(engine.graph, *holder) {
                restore(sharding, original, priority);
            }
        }
        engine.unsettle();
        by_op(engine, Some(priority), after);
    }
}

/// The priority of a dimension, if its round is not the first.
fn later(dim: &ResolvedDim) -> Option<usize> {
    dim.priority.filter(|priority| *priority > 0)
}

fn held(graph: &mut Graph, holder: Holder) -> Option<&mut Resolved> {
    match holder {
        Holder::Value(number) => graph.values[number].sharding.as_mut(),
        Holder::Return(number) => graph.returns[number].sharding.as_mut(),
    }
}

/// Closes the dimensions whose round comes later, keeps their axes free until then, and drops all priorities.
fn defer(graph: &mut Graph) -> Vec<Waiting> {
    let values = (0..graph.values.len()).map(Holder::Value);
    let holders: Vec<_> = values.chain((0..graph.returns.len()).map(Holder::Return)).collect();
    let mut waiting = Vec::new();
    for holder in holders {
        let Some(sharding) = held(graph, holder) else { continue };
        if sharding.dims.iter().all(|dim| dim.priority.is_none()) {
            continue;
        }
        let original = sharding.clone();
        for dim in &mut sharding.dims {
            if later(dim).is_some() {
                sharding.replicated.append(&mut dim.axes);
                dim.closed = true;
            }
            dim.priority = None;
        }
        sharding.replicated.sort_by_key(|axis| mesh_order(*axis));
        if original.dims.iter().any(|dim| later(dim).is_some()) {
            waiting.push(Waiting { holder, original });
        }
    }
    waiting
}

/// Restores the written sharding of the dimensions of this priority.
fn restore(sharding: &mut Resolved, original: &Resolved, priority: usize) {
    for (dim, original) in sharding.dims.iter_mut().zip(&original.dims) {
        if later(original) == Some(priority) {
            sharding.replicated.retain(|axis| !original.axes.contains(axis));
            *dim = ResolvedDim { priority: None, ..original.clone() };
        }
    }
}
