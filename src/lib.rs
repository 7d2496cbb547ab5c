#![doc = layout_macros::__page!("README.md")]
#![cfg_attr(not(feature = "std"), no_std)]

extern crate self as tensor_layout;

// Cargo compiles anew when the text above changes.
const _: &str = include_str!("../README.md");

extern crate alloc;

#[cfg(feature = "checkpoint")]
pub mod checkpoint;
pub mod compute;
mod cpu;
pub mod draw;
mod element;
pub mod guide;
mod macros;
pub mod movement;
#[cfg(feature = "proto")]
pub mod proto;
mod require;
pub mod sharding;
pub mod sparse;
mod typed;

#[cfg(feature = "dlpack")]
#[doc(inline)]
pub use compute::dlpack;
#[doc(inline)]
pub use compute::{
    Broadcast, DotDimensionNumbers, Factor, MatmulElement, MatrixShape, Operand, OperandMut,
    Product, RoundedFrom, RowReduction, Sum, TransposedLayout, dot_general, matmul, matmul_into,
    try_dot_general, try_matmul, try_matmul_into,
};
#[doc(inline)]
pub use element::*;
#[doc(inline)]
pub use layout_core::{
    DType, Kind, Mesh, OpShardingRule, PaddingValue, ParseError, Shape, SparseEncoding,
    TensorSharding, TiledSpec, parts, text,
};
#[doc(inline)]
pub use movement::{DynLayout, Mover, MoverCache, PackError, Plan, Strided};
#[doc(no_inline)]
pub use sharding::ShardedLayout;
#[doc(no_inline)]
pub use sparse::{Encoding, SparseTensor};
#[doc(inline)]
pub use typed::{
    DynPacked, Host, Layout, Packed, PackedMut, PackedRef, SameElement, SameShape, Tiled,
    assert_same_bytes, same_bytes, types,
};
#[doc(no_inline)]
pub use {half, microfloat, num_complex, typenum};

/// Tiled layouts as values: [`TiledSpec`], the drafts that it is checked from, and the pieces of an array.
pub mod tiled {
    #[doc(inline)]
    pub use layout_core::tiled::{
        ArrayNumbers, Bitcast, Draft, Fields, Indices, LayoutText, List, MAX_MEMORY_SPACE,
        MAX_PROBLEMS, MAX_SPLIT_INDICES, MAX_SPLITS, MAX_TEXT, NumbersError, Padded, PhysicalIndex,
        Piece, Pieces, PjrtTiledLayout, Problem, Problems, Run, Slots, Split, Subject, Tile,
        Tiling, TpuChip, TpuGeneration, TpuKernelTiling, TpuMemory, checked,
    };
    #[doc(no_inline)]
    pub use layout_core::tiled::{Shape, TiledSpec};
}

/// What is wrong with a text, and where: [`ParseError`] and its mistakes.
pub mod syntax {
    #[doc(no_inline)]
    pub use layout_core::ParseError;
    #[doc(inline)]
    pub use layout_core::syntax::Mistake;
}

/// Sparse kernels from index notation.
pub mod sparsify {
    pub use crate::sparse::kernel::*;
    #[doc(inline)]
    pub use layout_core::sparse_kernel::{
        ElementType, Kernel, Literal, Problem, Subject, compile, ir, statement,
    };
}

/// What the macros name. Not for use by hand: it may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::compute::einsum::{
        ElementOf, Equation, Labelled, Labels, Letter, SumOf, einsum, permuted,
    };
    pub use crate::sharding::{shard_size, sparse_shard_size};
    pub use crate::sparse::size_of_rank;
    pub use crate::typed::checked_size;
    pub use layout_core::tiled::TpuDefault;
    pub use layout_macros::{
        __layouts_on as layouts_on, __propagate_on as propagate_on, __sharded_on as sharded_on,
        __sparse_kernel_on as sparse_kernel_on,
    };

    /// What the macros of the crate become.
    pub mod macros {
        #[cfg(feature = "checkpoint")]
        pub use layout_macros::checkpoint;
        pub use layout_macros::{
            einsum, layouts, layouts_index, layouts_listing, mesh, propagate, sharded,
            sharding_rule, sparse_encoding, sparse_kernel, sparse_tensor, tiled, tpu,
        };
    }

    /// In place of the array that a macro makes, where it has reported a mistake.
    pub fn no_array<T>() -> T {
        unreachable!("the program does not compile")
    }

    /// In a module that `propagate!` makes, the type of a mesh that only the code around the module can name.
    pub trait StandsFor {
        /// The mesh.
        type Mesh;
    }

    /// What kernels call.
    pub use crate::sparse::kernel::runtime as sparse;

    /// The rule that `sharding_rule!` has checked.
    pub fn rule(text: &str) -> layout_core::sharding::OpShardingRule {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}
