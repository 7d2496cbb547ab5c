//! Replacements for macros whose feature is off.

/// Replaces the macros of shardings if their feature is off.
#[cfg(not(feature = "sharding"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_sharding {
    ($($input:tt)*) => {
        ::core::compile_error! {
            "this macro needs the feature `sharding` of tensor-layout\n\nhelp: it is on by default; with `default-features = false`, add it to `features`"
        }
    };
}

/// Replaces the macros of sparse tensors if their feature is off.
#[cfg(not(feature = "sparse"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __needs_sparse {
    ($($input:tt)*) => {
        ::core::compile_error! {
            "this macro needs the feature `sparse` of tensor-layout\n\nhelp: it is on by default; with `default-features = false`, add it to `features`"
        }
    };
}
