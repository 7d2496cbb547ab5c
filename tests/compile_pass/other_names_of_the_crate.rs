//! The macros work with every path by which they can be called.
#![no_implicit_prelude]

extern crate tensor_layout as renamed;

mod facade {
    pub(crate) use ::tensor_layout as layouts;
    pub(crate) use ::tensor_layout::{sharded, tiled as array};
}

/// Not the crate.
mod tensor_layout {
    pub(crate) use super::facade::layouts::sparse_encoding;
}

type Array = facade::array!(f32[3,5]<1,0:T(2,2)>);
type Same = renamed::tiled!(f32[3,5]{1,0:T(2,2)});

facade::layouts::mesh! { Pod = ["data" = 2] }
type Split = facade::sharded!(f32[8] @ Pod [{"data"}]);

tensor_layout::sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }
renamed::propagate! {
    mesh Pod;
    fn f(x: f32[8] [{"data"}]) { let y = tanh(x); return y; }
}

fn main() {
    let _: fn(Array) -> Same = |same| same;
    ::std::assert_eq!(Array::LEN, 24);
    ::std::assert_eq!(Split::DEVICES, 2);
    ::std::assert_eq!(f::y::DEVICES, 2);
    let a = renamed::SparseTensor::<Csr, f64>::from_coo(
        [2, 2],
        &[([1, 1], 2.0)],
        renamed::sparse::Duplicates::Error,
    );
    ::std::assert_eq!(a.unwrap().values(), [2.0]);
}
