//! Compute on packed arrays in place: matrix products, elementwise functions, reductions, and the tiles and runs over which
//! users' kernels loop. The values of padding never matter.

mod arithmetic;
mod array;
mod assemble;
mod blocks;
mod broadcast;
mod create;
mod cumulative;
mod dims;
#[cfg(feature = "dlpack")]
pub mod dlpack;
mod dynamic;
mod dynamic_assemble;
pub(crate) mod elements;
mod elementwise;
mod flat;
mod index;
mod matmul;
mod memory;
#[cfg(feature = "ndarray")]
mod ndarray;
mod normalize;
mod parallel;
mod real;
mod reduce;
mod runs;
mod source;
mod tiles;
mod used;
mod window_operand;
mod windows;

#[cfg(test)]
mod tests;

pub use arithmetic::{Arithmetic, Elementwise};
pub use create::{IndexedIter, Iter};
#[cfg(feature = "sharding")]
pub(crate) use dims::require_ascending;
pub use dims::{Dim, Dims};
pub use elementwise::ResultOfMap;
#[cfg(feature = "sharding")]
pub(crate) use elementwise::{converted, zipped};
#[cfg(all(
    feature = "sparse",
    feature = "std",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) use matmul::Scratch;
#[cfg(all(feature = "sharding", feature = "std"))]
pub(crate) use matmul::dot_general_bytes;
pub(crate) use matmul::multiply_rows;
pub use matmul::{
    Broadcast, DotDimensionNumbers, Factor, MatmulElement, MatrixShape, Operand, OperandMut,
    Product, ProductOf, RoundedFrom, RowReduction, ShapeOfProduct, Sum, TransposedLayout,
    dot_general, einsum, matmul, matmul_into, try_dot_general, try_matmul, try_matmul_into,
};
#[cfg(feature = "sharding")]
pub(crate) use matmul::{dot_general_into, permute_into};
pub use real::{Float, Real};
pub use reduce::{Ordered, Summand};
pub use tiles::{TileMut, TileRef, Tiles, TilesMut};
pub use window_operand::{Window, WindowMut};
