//! The rules of the operations of StableHLO, as Shardy gives them.
//!
//! One function for each class of operations, with what the rule depends on. Constants, `iota`, `infeed`, tokens and the
//! like have no rule: add them with [`Graph::opaque_op`]. `while`, `case`, `optimization_barrier` and calls have edges:
//! [`Graph::open_edge`]. For any other operation write a rule, [`OpShardingRule`].
//!
//! ```
//! use tensor_layout::sharding::registry;
//! let rule = registry::reshape(&[8, 4], &[2, 16]).unwrap();
//! assert_eq!(rule.to_string(), "<([ij, k])->([i, jk]) {i=2, j=4, k=4}>");
//! ```
//!
//! # Panics
//! The functions panic if the dimensions that they are told of do not exist. Sizes that contradict each other give
//! the rule of an operation that cannot be.
//!
//! [`Graph::opaque_op`]: super::propagation::Graph::opaque_op
//! [`Graph::open_edge`]: super::propagation::Graph::open_edge
//! [`OpShardingRule`]: super::OpShardingRule

mod collective;
mod convolution;
mod elementwise;
mod index;
mod linear;
mod reshape;
mod window;

pub use collective::{all_to_all, collective_dim};
pub use convolution::{Convolution, convolution};
pub use elementwise::{
    batch_norm_inference, bitcast_convert, broadcast_in_dim, elementwise, fft, reverse,
    rng_bit_generator, sort, transpose,
};
pub use index::{Gather, Scatter, gather, scatter};
pub use linear::{
    DotDims, approx_top_k, cholesky, dot, dot_general, eigh, householder_product, qr, reduce,
    top_k, triangular_solve,
};
pub use reshape::reshape;
pub use window::{
    concatenate, dynamic_slice, dynamic_update_slice, pad, reduce_window, select_and_scatter, slice,
};

/// How careful the rules are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// Shardings propagate where devices would have to exchange edges.
    #[default]
    Normal,
    /// They do not.
    Conservative,
}

impl Mode {
    const fn is_conservative(self) -> bool {
        matches!(self, Self::Conservative)
    }
}
