//! The operations and groups of a program in order, for its export.

use super::Call;
use crate::sharding::axis::AxisRef;
use crate::sharding::tensor::TensorSharding;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// An item of a body.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// An operation, by the number of the call.
    Call(usize),
    /// A value of a group.
    Group {
        value: usize,
        group: usize,
    },
    Region(Region),
}

/// An operation with bodies, or only with edges.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) kind: RegionKind,
    /// Values by number; for a `while` and an optimization barrier, one for each result.
    pub(super) inputs: Vec<usize>,
    /// The arguments of the bodies, by number.
    pub(super) arguments: Vec<usize>,
    pub(super) bodies: Vec<Body>,
    pub(super) results: Vec<usize>,
    /// The calls that are edges to the arguments of a manual computation.
    pub(super) entries: Vec<usize>,
    /// The calls that are edges to the results.
    pub(super) edges: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum RegionKind {
    /// `condition` has the arguments of the condition, which is then the first body.
    While {
        condition: Option<Vec<usize>>,
    },
    /// The number that selects the body that runs, or a boolean, for which the first body is that of `true`.
    Case {
        index: Option<usize>,
    },
    OptimizationBarrier,
    /// Any other operation with a body and edges.
    Custom(Box<Custom>),
    /// The axes, and the shardings of operands and results as written.
    Manual {
        axes: Vec<AxisRef>,
        operands: Vec<TensorSharding>,
        results: Vec<TensorSharding>,
    },
}

/// The properties of an operation besides its values.
#[derive(Clone, Debug)]
pub(super) struct Custom {
    pub(super) name: String,
    /// For each operand, the edge that has it as a source: the number of its call, and the number of the source.
    pub(super) operands: Vec<Option<(usize, usize)>>,
    /// The edges of the values that the body returns, in the same form.
    pub(super) returned: Vec<Option<(usize, usize)>>,
    /// The edges as written; `None` if there is an edge from each operand to its argument, and from each value that the body
    /// returns to its result.
    pub(super) edges: Option<String>,
    /// Whether it is the call of a function of the program.
    pub(super) is_function: bool,
}

/// The same nodes, each after the nodes that compute its operands. They can be out of order because a constraint can replace its
/// operand in earlier operations.
pub(super) fn in_order(nodes: Vec<Node>, calls: &[Call]) -> Vec<Node> {
    let mut makers = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        if let Node::Call(call) = node {
            makers.extend(calls[*call].results.iter().map(|&result| (result, at)));
        }
    }
    let mut rest: Vec<_> = nodes.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(rest.len());
    for at in 0..rest.len() {
        place(at, &mut rest, &makers, calls, &mut ordered);
    }
    ordered
}

fn place(
    at: usize,
    rest: &mut [Option<Node>],
    makers: &BTreeMap<usize, usize>,
    calls: &[Call],
    ordered: &mut Vec<Node>,
) {
    let Some(mut node) = rest[at].take() else { return };
    let mut taken = Vec::new();
    node.takes(calls, &mut taken);
    for value in taken {
        if let Some(&maker) = makers.get(&value) {
            place(maker, rest, makers, calls, ordered);
        }
    }
    if let Node::Region(region) = &mut node {
        for body in &mut region.bodies {
            body.nodes = in_order(core::mem::take(&mut body.nodes), calls);
        }
    }
    ordered.push(node);
}

impl Node {
    /// Collects the values that the node and its bodies read.
    pub(super) fn takes(&self, calls: &[Call], taken: &mut Vec<usize>) {
        match self {
            Self::Call(call) => taken.extend_from_slice(&calls[*call].operands),
            Self::Group { value, .. } => taken.push(*value),
            Self::Region(region) => {
                taken.extend_from_slice(&region.inputs);
                if let RegionKind::Case { index } = region.kind {
                    taken.extend(index);
                }
                if let (RegionKind::While { condition: Some(_) }, [condition, ..]) =
                    (&region.kind, &region.bodies[..])
                {
                    taken.extend_from_slice(&condition.returned);
                }
                for &edge in region.entries.iter().chain(&region.edges) {
                    taken.extend_from_slice(&calls[edge].operands);
                }
                let nodes = region.bodies.iter().flat_map(|body| &body.nodes);
                nodes.for_each(|node| node.takes(calls, taken));
            }
        }
    }

    /// Collects the values that the node and its bodies compute.
    pub(super) fn makes(&self, calls: &[Call], made: &mut BTreeSet<usize>) {
        match self {
            Self::Call(call) => made.extend(&calls[*call].results),
            Self::Group { .. } => {}
            Self::Region(region) => {
                made.extend(region.arguments.iter().chain(&region.results));
                let nodes = region.bodies.iter().flat_map(|body| &body.nodes);
                nodes.for_each(|node| node.makes(calls, made));
            }
        }
    }
}

/// A body, and the values that it returns.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) nodes: Vec<Node>,
    pub(super) returned: Vec<usize>,
}
