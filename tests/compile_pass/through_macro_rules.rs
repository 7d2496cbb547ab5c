//! The parts of a layout may come through other macros.

use tensor_layout::tiled;

macro_rules! weights {
    ($element:ident, $rows:literal, $columns:expr, $height:tt, $($tiles:tt)*) => {
        tiled!($element[$rows,$columns]{1,0:T($height,128)$($tiles)*})
    };
}

fn main() {
    assert_eq!(
        <weights!(bf16, 1_000, 384, 8, (2,1)S(1))>::SPEC.to_string(),
        "bf16[1000,384]{1,0:T(8,128)(2,1)S(1)}"
    );
}
