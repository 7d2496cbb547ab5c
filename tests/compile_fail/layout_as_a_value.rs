//! A layout is a type, and has no value.
use tensor_layout::{Packed, tiled};

type Rows = tiled!(f32[3,5]);

fn columns(rows: &Packed<Rows>) {
    let _layout = tiled!(f32[3,5]{1,0:T(2,2)});
    let _packed: Packed<tiled!(f32[3,5]{0,1})> = rows.relayout();
}

fn main() {}
