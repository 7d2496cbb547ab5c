#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::missing_safety_doc)]
#![doc = layout_macros::__page!("README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
// On docs.rs, items name the features that they need.
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate self as tensor_layout;

// Makes Cargo recompile the crate when README.md changes.
const _: &str = include_str!("../README.md");

extern crate alloc;

#[cfg(target_endian = "big")]
compile_error!("packed bytes are little-endian: the target must be, too");

#[cfg(feature = "checkpoint")]
pub mod checkpoint;
pub mod compute;
// The code that `sparse_kernel!` generates names some of its items.
#[cfg_attr(not(feature = "sparse"), allow(unreachable_pub))]
mod cpu;
pub mod draw;
mod element;
pub mod guide;
mod macros;
pub mod movement;
#[cfg(feature = "proto")]
pub mod proto;
pub mod quantized;
mod require;
// rustc ignores hidden names.
#[cfg_attr(doc, doc(hidden))]
#[cfg(any(feature = "sparse", feature = "sharding"))]
pub mod same_names;
#[cfg(feature = "sharding")]
pub mod sharding;
#[cfg(feature = "sparse")]
pub mod sparse;
mod typed;

#[cfg(feature = "dlpack")]
#[doc(inline)]
pub use compute::dlpack;
#[doc(inline)]
pub use compute::{
    Broadcast, Dim, Dims, DotDimensionNumbers, Factor, MatmulElement, MatrixShape, Operand,
    OperandMut, Product, ProductOf, RoundedFrom, RowReduction, ShapeOfProduct, Sum,
    TransposedLayout, dot_general, matmul, matmul_into, try_dot_general, try_matmul,
    try_matmul_into,
};
#[doc(inline)]
pub use element::*;
#[cfg(feature = "sparse")]
#[doc(inline)]
pub use layout_core::SparseEncoding;
#[doc(inline)]
pub use layout_core::{DType, Kind, PaddingValue, ParseError, Shape, TiledSpec, parts, text};
#[cfg(feature = "sharding")]
#[doc(inline)]
pub use layout_core::{Mesh, OpShardingRule, TensorSharding};
#[doc(inline)]
pub use movement::{
    DynLayout, Mover, MoverCache, PackError, Plan, Strided, WindowMover, WindowRelayout,
};
#[cfg(feature = "sharding")]
#[doc(no_inline)]
pub use sharding::ShardedLayout;
#[cfg(feature = "sparse")]
#[doc(no_inline)]
pub use sparse::{Encoding, SparseTensor};
#[doc(hidden)]
pub use typed::no_such_method;
#[doc(inline)]
pub use typed::{
    DynPacked, Host, IndexOf, Layout, Packed, PackedMut, PackedRef, RowMajor, SameElement,
    SameShape, Tiled, WithElementOf, WithPacking, WithRank, WithRankOf, assert_same_bytes,
    same_bytes, types,
};
// Only its meaning as a value: as a type, the name is that of the line above.
#[doc(hidden)]
pub use typed::value::*;
#[doc(no_inline)]
pub use {half, microfloat, num_complex, typenum};

/// Tiled layouts as values: [`TiledSpec`], the unchecked [`Draft`](tiled::Draft), and the pieces of an array.
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

/// Errors of parsing: [`ParseError`], and the mistakes in it with their positions.
pub mod syntax {
    #[doc(no_inline)]
    pub use layout_core::ParseError;
    #[doc(inline)]
    pub use layout_core::syntax::Mistake;
}

/// Sparse kernels from index notation, such as `y[i] += a[i, j] * x[j]`.
///
/// [`sparse_kernel!`](crate::sparse_kernel!) turns a statement into a function. This module has the types of its arguments and
/// errors, and its run-time twin, [`SparseKernel`](sparsify::SparseKernel), for statements and encodings that are known only at
/// run time.
///
/// The other items are those of the compiler, for programs that make statements or read loops: [`compile`](sparsify::compile) turns
/// a [`statement`](sparsify::statement) into the loops of [`ir`](sparsify::ir).
#[cfg(feature = "sparse")]
pub mod sparsify {
    pub use crate::sparse::kernel::*;
    #[doc(inline)]
    pub use layout_core::sparse_kernel::{
        ElementType, Kernel, Literal, Monoid, Multiply, Problem, Subject, compile, ir, layout_of,
        statement,
    };
}

/// The items that the macros' expansions name. Do not use them directly: they may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::compute::einsum::{
        ElementOf, Equation, Labelled, Labels, Letter, SumOf, einsum, permuted,
    };
    pub use crate::quantized::checked_quantized_size;
    #[cfg(feature = "sharding")]
    pub use crate::sharding::__private::*;
    #[cfg(feature = "sparse")]
    pub use crate::sparse::__private::*;
    pub use crate::typed::checked_size;
    pub use layout_core::tiled::TpuDefault;

    /// The type `T` to which a macro expands, with a type `S` and a number that only tell an editor what to offer and show.
    pub type Beside<const OFFERS: usize, S, T> = <(T, S) as First>::Type;

    /// The first type of a pair.
    pub trait First {
        /// The first type.
        type Type;
    }

    impl<T, S> First for (T, S) {
        type Type = T;
    }

    /// The names that an editor offers for completion.
    #[allow(missing_docs, non_camel_case_types)]
    pub mod offers {
        layout_macros::__offers!();
    }

    /// The procedural macros that the macros of the crate call.
    pub mod macros {
        #[cfg(not(feature = "sharding"))]
        pub use crate::{
            __needs_sharding as mesh, __needs_sharding as propagate, __needs_sharding as sharded,
            __needs_sharding as sharding_rule,
        };
        #[cfg(not(feature = "sparse"))]
        pub use crate::{
            __needs_sparse as sparse_encoding, __needs_sparse as sparse_kernel,
            __needs_sparse as sparse_tensor,
        };
        #[cfg(feature = "checkpoint")]
        pub use layout_macros::checkpoint;
        pub use layout_macros::{
            einsum, layouts, layouts_index, layouts_listing, quantized, tiled, tpu,
        };
        #[cfg(feature = "sharding")]
        pub use layout_macros::{mesh, propagate, sharded, sharding_rule};
        #[cfg(feature = "sparse")]
        pub use layout_macros::{sparse_encoding, sparse_kernel, sparse_tensor};
    }

    /// Stands for the array that a macro would have made if it had not reported a mistake.
    pub fn no_array<T>() -> T {
        unreachable!("the program does not compile")
    }
}
