//! Layouts as types: the types of which a layout consists, its unrolled index functions, and packed arrays with their views.

mod attributes;
mod bounds;
mod debug;
pub(crate) mod dynamic;
pub(crate) mod entry;
pub(crate) mod forward;
mod index_of;
mod layout;
pub mod no_such_method;
pub(crate) mod packed;
mod physical;
mod prepare;
mod row_major;
pub(crate) mod same;
#[cfg(feature = "serde")]
mod serialized;
pub(crate) mod sizes;
pub(crate) mod small;
mod static_size;
mod tiled;
pub mod types;
pub(crate) mod unrolled;
pub(crate) mod value;
pub(crate) mod view;
pub(crate) mod window;

pub use bounds::{WithElementOf, WithPacking, WithRank, WithRankOf};
pub use dynamic::DynPacked;
pub use index_of::IndexOf;
pub(crate) use layout::Specified;
pub use layout::{Host, Layout};
pub use packed::Packed;
pub use row_major::RowMajor;
pub use same::{SameElement, SameShape, assert_same_bytes, same_bytes};
pub use tiled::{Tiled, checked_size};
pub use view::{PackedMut, PackedRef};
