//! The element type of a `DynPacked` is a marker, `F32`, and not the type of its values.
use tensor_layout::{DynPacked, TiledSpec};

fn zeroed(spec: &TiledSpec) {
    let _ = DynPacked::<f32>::zeroed(spec);
}

fn main() {}
