//! What a size can be: a literal, a name, an expression, a const generic parameter.

use tensor_layout::{tiled, tpu};

const ROWS: usize = 12;

mod sizes {
    pub const COLUMNS: usize = 24;
}
use sizes::COLUMNS;

fn len<const N: usize>() -> usize {
    <tiled!(f32[N,128]{1,0:T(8,128)})>::LEN
}

fn same<T>(_: Option<T>, _: Option<T>) {}

fn main() {
    same(None::<tiled!(f32[12,24])>, None::<tiled!(f32[ROWS,{ROWS * 2}])>);
    same(None::<tiled!(f32[12,24])>, None::<tiled!(f32[{ROWS},COLUMNS])>);
    same(None::<tiled!(f32[1000,24])>, None::<tiled!(f32[1_000,24])>);
    same(None::<tpu!(f32[12,24])>, None::<tpu!(f32[ROWS,{ROWS * 2}])>);
    assert_eq!(len::<3>(), 1024);
}
