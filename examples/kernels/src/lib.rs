//! The layouts of a small model, listed and drawn.
//!
//! ```sh
//! cargo doc --open -p kernels       # the pictures
//! cargo test -p kernels             # LAYOUTS.md and LAYOUTS.json are up to date; BLESS=1 rewrites them
//! ```
//!
//! # Layouts
#![doc = tensor_layout::layouts_index!()]

pub mod figures;
pub mod model;
pub mod sparse;

#[cfg(test)]
mod tests {
    #[test]
    fn the_listing_is_up_to_date() {
        let listing = tensor_layout::layouts_listing!();
        assert_eq!(listing.rows().len(), 13);
        listing.check(env!("CARGO_MANIFEST_DIR")).unwrap_or_else(|error| panic!("{error}"));
    }
}
