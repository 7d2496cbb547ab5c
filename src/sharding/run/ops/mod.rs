//! Operations on the shards of a device: [`Sharded`](super::Sharded) values in, `Sharded` values out.
//!
//! Each operation runs the kernels of packed arrays on the local array. Its types say how operands and result are split, and
//! rustc checks them by the sharding rules of [`ops`](crate::sharding::ops): shardings that do not fit do not compile.
//!
//! No operation exchanges data unless it is given a transport. An operation that sums along a dimension that is split leaves a
//! partial sum on each device; its result is [`Deferred`]: [`local`](Deferred::local) returns the parts, whose type is `unreduced`,
//! and [`on`](Deferred::on) a result of any other sharding. Partial sums stay partial through operations that are linear in them,
//! which need no communication, until a [`reshard`](super::Sharded::reshard) to a type without `unreduced` adds them up: an
//! all-reduce, or a reduce-scatter if that type is split along the same axes.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use tensor_layout::sharding::run::{RunError, Sharded, threads};
//! use tensor_layout::{mesh, sharded};
//!
//! mesh! { Pod = ["data" = 2, "model" = 4] }
//! type X = sharded!(f32[8,16] @ Pod [{"data"}, {}]);
//! type W1 = sharded!(f32[16,32] @ Pod [{}, {"model"}]);
//! type H = sharded!(f32[8,32] @ Pod [{"data"}, {"model"}]);
//! type W2 = sharded!(f32[32,16] @ Pod [{"model"}, {}]);
//! type Parts = sharded!(f32[8,16] @ Pod [{"data"}, {}], unreduced={"model"});
//! type Y = sharded!(f32[8,16] @ Pod [{"data"}, {"model"}]);
//!
//! let parts = threads::run(8, |transport| -> Result<Vec<f32>, RunError> {
//!     let x = Sharded::<X>::filled(0.5)?;
//!     let (w1, w2) = (Sharded::<W1>::filled(0.125)?, Sharded::<W2>::filled(1.0)?);
//!     let h: Sharded<H> = x.matmul(&w1).local()?.map(f32::tanh)?;         // nothing is sent
//!     let parts: Sharded<Parts> = h.matmul(&w2).local()?;                 // a quarter of each sum
//!     let twice = &parts + &parts;                                        // still parts
//!     let y: Sharded<Y> = twice.reshard(transport)?;                      // a reduce-scatter
//!     assert_eq!(h.matmul(&w2).on::<Y, _>(transport)?.local().unpack()[0] * 2.0, y.local().unpack()[0]);
//!     Ok(y.local().unpack())
//! });
//! assert!(parts.iter().flat_map(|part| part.as_ref().unwrap()).all(|y| (y - 64.0 * 1f32.tanh()).abs() < 1e-3));
//! # }
//! ```

mod assemble;
mod bounds;
mod broadcast;
mod checked;
mod deferred;
mod elementwise;
mod numbers;
mod product;
mod reduce;
mod rows;
mod shape;

pub use bounds::{
    And, AxesOfResult, ElementOfBoth, Had, Made, MatmulAxes, Multiplied, NoMoreParts, NoMoreWhole,
    OfFactors, Reduced, SameAxes, Unknown, ValuesOf,
};
pub use deferred::{Call, Compute, Deferred};
pub use numbers::{
    DimNumbers, Dims0, Dims1, Dims2, Dims3, Dims4, Dims5, Dims6, Dims7, Dims8, DotDims, DotOf,
    Matrices,
};
pub use product::Product;
pub use reduce::{Largest, Reduction, Smallest, Total};
pub use rows::Rows;

use crate::sharding::typed::ShardedLayout;
use crate::typed::Layout;

/// The element type of a sharded array.
pub type ElementOf<L> = <<L as ShardedLayout>::Global as Layout>::Element;
