//! Kernels on the layouts of a small model, with a list and pictures of the layouts.
//!
//! [`layer_norm`] is written by hand, over tiles; [`mlp`] applies biases and an activation to the sums of products before
//! writing them; [`int8`] multiplies 8-bit integers with scales.
//!
//! ```sh
//! cargo run --release -p kernels    # runs the kernels
//! cargo doc --open -p kernels       # the pictures
//! cargo test -p kernels             # LAYOUTS.md and LAYOUTS.json are up to date; BLESS=1 rewrites them
//! ```
//!
//! # Layouts
#![doc = tensor_layout::layouts_index!()]

pub mod figures;
pub mod int8;
pub mod layer_norm;
pub mod mlp;
pub mod model;
pub mod sparse;

#[cfg(test)]
mod tests {
    #[test]
    fn the_listing_is_up_to_date() {
        let listing = tensor_layout::layouts_listing!();
        assert_eq!(listing.rows().len(), 19);
        listing.check(env!("CARGO_MANIFEST_DIR")).unwrap_or_else(|error| panic!("{error}"));
    }
}
