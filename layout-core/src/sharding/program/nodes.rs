//! What a program is made of, in order: for those who write it down again.

use crate::sharding::tensor::TensorSharding;
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

/// A body, and the values that it returns.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) nodes: Vec<Node>,
    pub(super) returned: Vec<usize>,
}
