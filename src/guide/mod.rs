//! A guide to the library, one page for each subject.
//!
//! - [`layouts`]: layouts as types: sizes, strings at run time, questions.
//! - [`tiled_documents`]: XLA's documents on tiled layouts and shapes, sentence by sentence.
//! - [`pictures`]: pictures in the documentation and in the terminal.
//! - [`movement`]: packing, unpacking and relayout, and how fast they are.
//! - [`compute`]: products, elementwise functions and reductions, in place.
//! - [`language_model`]: a Llama on packed, mapped weights, end to end.
//! - [`sparse`]: sparse encodings as types.
//! - [`sparse_kernels`]: sparse kernels from index notation.
//! - [`shardings`]: meshes, shardings, propagation and collectives.
//! - [`propagation`]: how propagation works: factors and strategies, as in Shardy's document.
//! - [`evidence`]: measurements, and the data with which the library is checked.

/// Makes Cargo recompile the crate when a page changes.
macro_rules! watch {
    ($page:literal) => {
        const _: &str = include_str!($page);
    };
}

#[doc = layout_macros::__page!("src/guide/layouts.md")]
pub mod layouts {
    watch!("layouts.md");
}

#[doc = layout_macros::__page!("src/guide/tiled_documents.md")]
pub mod tiled_documents {
    watch!("tiled_documents.md");
}

#[doc = layout_macros::__page!("src/guide/pictures.md")]
pub mod pictures {
    watch!("pictures.md");
}

#[doc = layout_macros::__page!("src/guide/movement.md")]
pub mod movement {
    watch!("movement.md");
}

#[doc = layout_macros::__page!("src/guide/compute.md")]
pub mod compute {
    watch!("compute.md");
}

#[doc = layout_macros::__page!("src/guide/language_model.md")]
pub mod language_model {
    watch!("language_model.md");
}

#[doc = layout_macros::__page!("src/guide/sparse.md")]
pub mod sparse {
    watch!("sparse.md");
}

#[doc = layout_macros::__page!("src/guide/sparse_kernels.md")]
pub mod sparse_kernels {
    watch!("sparse_kernels.md");
}

#[doc = layout_macros::__page!("src/guide/shardings.md")]
pub mod shardings {
    watch!("shardings.md");
}

#[doc = layout_macros::__page!("src/guide/propagation.md")]
pub mod propagation {
    watch!("propagation.md");
}

#[doc = layout_macros::__page!("src/guide/evidence.md")]
pub mod evidence {
    watch!("evidence.md");
}
