//! Propagation: finds the shardings of a graph from those that its author wrote, with Shardy's rules and in Shardy's order.
//!
//! A step processes one operation. It projects the shardings of its tensors to the factors of its rule, shards each factor
//! further along the longest major axes on which all tensors agree, and projects the result back. [`propagate`] executes steps
//! until nothing changes. Shardings only grow, so this terminates; the result depends on the order of the steps, which is
//! Shardy's.
//!
//! The example in Shardy's documentation has the operands `T0` and `T1`, the result `T2`, and three factors:
//!
//! ```
//! use tensor_layout::sharding::propagation::{Graph, OpKind, Strategy, propagate};
//! use tensor_layout::sharding::{Mesh, TensorSharding};
//!
//! let mesh: Mesh = r#"<["a"=2, "b"=2, "c"=2, "d"=2, "e"=2, "f"=2, "g"=2]>"#.parse().unwrap();
//! for strategy in [Strategy::Basic, Strategy::Aggressive, Strategy::OpPriority, Strategy::UserPriority] {
//!     let mut graph = Graph::new("mesh", mesh.clone());
//!     let dims = [64, 64, 64];
//!     let (t0, t1) = (graph.argument(&dims), graph.argument(&dims));
//!     let rule = "([i, j, k], [i, j, k])->([i, j, k]) {i=64, j=64, k=64}".parse().unwrap();
//!     let op = graph.op(OpKind::Other, rule, &[t0, t1], &[&dims]).unwrap();
//!     let t2 = graph.results(op)[0];
//!     for (tensor, sharding) in [
//!         (t0, r#"<@mesh, [{"a", ?}, {?}, {"f", ?}]>"#),
//!         (t1, r#"<@mesh, [{"a", "b", ?}, {"c", "d", ?}, {"g", ?}]>"#),
//!         (t2, r#"<@mesh, [{?}, {"c", "e", ?}, {?}]>"#),
//!     ] {
//!         graph.set_sharding(tensor, &sharding.parse().unwrap()).unwrap();
//!     }
//!     propagate(&mut graph, strategy);
//!     let text = |value| graph.sharding(value).unwrap().to_string();
//!     assert_eq!(text(t0), r#"<@mesh, [{"a", "b", ?}, {"c", ?}, {"f", ?}]>"#);
//!     assert_eq!(text(t1), r#"<@mesh, [{"a", "b", ?}, {"c", "d", ?}, {"g", ?}]>"#);
//!     assert_eq!(text(t2), r#"<@mesh, [{"a", "b", ?}, {"c", "e", ?}, {?}]>"#);
//! }
//! ```

mod aggressive;
mod basic;
mod body;
mod common;
mod conflict;
mod constraint;
mod edge;
mod explicit;
mod fixed_point;
mod flow;
mod graph;
mod group;
mod manual;
mod meshes;
mod order;
mod origin;
mod priority;
mod projection;
mod questions;
mod resolved;
mod table;
mod unused;

pub use conflict::{Conflict, ConflictKind};
pub use edge::Edge;
pub use flow::Direction;
pub use graph::{Graph, Op, OpKind, Value};
pub use manual::ManualAxes;
pub use origin::Origin;
pub(crate) use priority::propagate_alone;
pub use priority::{Round, propagate, propagate_in_rounds};
pub(crate) use projection::{gcd, part_for, push_or_merge};
pub use table::{FactorRow, FactorTable};

/// How far shardings propagate if tensors disagree: Shardy's strategies, each of which includes the one before it.
///
/// ```
/// use tensor_layout::sharding::propagation::Strategy;
/// assert_eq!(Strategy::default(), Strategy::UserPriority);        // as in Shardy
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Strategy {
    /// Only axes on which all tensors of an operation agree.
    Basic,
    /// Each tensor gets all axes that it can have. If two factors compete for an axis, the factor whose source is the larger tensor
    /// wins.
    Aggressive,
    /// [`Strategy::Aggressive`] in rounds: first the operations that pass shardings through, later those that change
    /// the shape.
    OpPriority,
    /// [`Strategy::OpPriority`] once for each priority that the author wrote. This is Shardy's default.
    #[default]
    UserPriority,
}
