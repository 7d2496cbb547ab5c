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

#[doc = layout_macros::__page!("src/guide/layouts.md")]
pub mod layouts {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("layouts.md");
}

#[doc = layout_macros::__page!("src/guide/tiled_documents.md")]
pub mod tiled_documents {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("tiled_documents.md");
}

#[doc = layout_macros::__page!("src/guide/pictures.md")]
pub mod pictures {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("pictures.md");
}

#[doc = layout_macros::__page!("src/guide/movement.md")]
pub mod movement {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("movement.md");
}

#[doc = layout_macros::__page!("src/guide/compute.md")]
pub mod compute {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("compute.md");
}

#[doc = layout_macros::__page!("src/guide/language_model.md")]
pub mod language_model {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("language_model.md");
}

#[doc = layout_macros::__page!("src/guide/sparse.md")]
pub mod sparse {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("sparse.md");
}

#[doc = layout_macros::__page!("src/guide/sparse_kernels.md")]
pub mod sparse_kernels {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("sparse_kernels.md");
}

#[doc = layout_macros::__page!("src/guide/shardings.md")]
pub mod shardings {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("shardings.md");
}

#[doc = layout_macros::__page!("src/guide/propagation.md")]
pub mod propagation {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("propagation.md");
}

#[doc = layout_macros::__page!("src/guide/evidence.md")]
pub mod evidence {
    // Makes Cargo recompile the crate when the page changes.
    const _: &str = include_str!("evidence.md");
}
