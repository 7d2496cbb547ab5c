//! What a program is made of, in order: for those who write it down again.

use super::Call;
use crate::sharding::tensor::TensorSharding;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// Something that a body has.
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

/// An operation that has bodies, or edges alone.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) kind: RegionKind,
    /// Values by number; for a `while` and an optimization barrier one for each result.
    pub(super) inputs: Vec<usize>,
    /// What the bodies call them.
    pub(super) arguments: Vec<usize>,
    pub(super) bodies: Vec<Body>,
    pub(super) results: Vec<usize>,
    /// The calls that are the edges to the arguments of a manual computation.
    pub(super) entries: Vec<usize>,
    /// The calls that are the edges to the results.
    pub(super) edges: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum RegionKind {
    While,
    Case,
    OptimizationBarrier,
    /// The axes, as they are written, and how operands and results are sharded.
    Manual {
        axes: Vec<String>,
        operands: Vec<TensorSharding>,
        results: Vec<TensorSharding>,
    },
}

/// The same nodes, each behind those that make what it takes: a constraint can take the place of its operand for
/// operations that come before it.
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
    takes(&node, calls, &mut taken);
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

/// Collects what a node takes, and what its bodies do.
fn takes(node: &Node, calls: &[Call], taken: &mut Vec<usize>) {
    match node {
        Node::Call(call) => taken.extend_from_slice(&calls[*call].operands),
        Node::Group { value, .. } => taken.push(*value),
        Node::Region(region) => {
            for &edge in region.entries.iter().chain(&region.edges) {
                taken.extend_from_slice(&calls[edge].operands);
            }
            let nodes = region.bodies.iter().flat_map(|body| &body.nodes);
            nodes.for_each(|node| takes(node, calls, taken));
        }
    }
}

/// A body, and the values that it returns.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) nodes: Vec<Node>,
    pub(super) returned: Vec<usize>,
}
