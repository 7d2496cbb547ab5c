//! What a layout that is known at run time is asked for elsewhere.
use tensor_layout::TiledSpec;

fn asked(spec: TiledSpec) {
    let _ = spec.shape();
    let _ = spec.element_type();
    let _ = spec.numel();
}

fn main() {}
