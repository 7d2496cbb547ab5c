//! What a size can be: a literal, a name, an expression, a const generic parameter.

use tensor_layout::{F32, tiled, tpu};

const ROWS: usize = 12;

mod sizes {
    pub const COLUMNS: usize = 24;
}
use sizes::COLUMNS;

fn len<const N: usize>() -> usize {
    <tiled!(f32[N,128]{1,0:T(8,128)})>::LEN
}

/// The name of a number, even if a type has the same name.
fn called_as_a_type<const F32: usize>() -> usize {
    <tiled!(f32[3,F32]{1,0:T(2,F32)} padded to [3,F32] with zero)>::LEN
}

fn same<T>(_: Option<T>, _: Option<T>) {}

fn main() {
    same(None::<tiled!(f32[12,24])>, None::<tiled!(f32[ROWS,{ROWS * 2}])>);
    same(None::<tiled!(f32[12,24])>, None::<tiled!(f32[{ROWS},COLUMNS])>);
    same(None::<tiled!(f32[1000,24])>, None::<tiled!(f32[1_000,24])>);
    same(None::<tpu!(f32[12,24])>, None::<tpu!(f32[ROWS,{ROWS * 2}])>);
    assert_eq!(len::<3>(), 1024);
    assert_eq!(called_as_a_type::<5>(), 20);
    let _: Option<F32> = None;
}
