//! Names that are keywords, wherever names are defined or used.
#![allow(non_camel_case_types)]

use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::{layouts, mesh, propagate, sharded, sharding_rule, sparse_kernel};

mod formats {
    tensor_layout::sparse_encoding! { pub type r#type = (r#in, r#fn) -> (r#in : dense, r#fn : compressed); }
}
use formats::r#type;

mesh! { pub r#mod = ["data" = 2, "model" = 4] }
sharding_rule! { pub r#impl = (i, j)->(i, j) }
type Rows = sharded!(f32[8,16] @ r#mod [{"data"}, {}]);

layouts! {
    pub type r#ref = sparse_encoding!((i, j) -> (j : dense, i : compressed));
    pub type r#dyn = tiled!(f32[3,5]);
    pub type r#loop = sharded!(f32[8,16] @ r#mod [{}, {"model"}]);
}

sparse_kernel! {
    fn r#fn(r#in: r#type<f64>[i, j], r#for: Dense<f64>[j]) -> r#let: Dense<f64>[i] {
        r#let[i] += r#in[i, j] * r#for[j]
    }
    fn sum(a: formats::r#type<f64>[i, j], b: r#ref<f64>[i, j]) -> s: f64 { s += a[i, j] * b[i, j] }
}

propagate! {
    mesh r#mod;
    fn r#match(r#in: f32[8,16] [{"data"}, {}]) {
        let r#type = op(r#in) : r#impl;
        return r#type;
    }
}

fn main() {
    assert_eq!(r#mod::NAME, "mod");
    assert_eq!(Rows::slice(7).unwrap(), [4..8, 0..16]);
    assert_eq!(<r#loop as ShardedLayout>::Local::DIMS, [8, 4]);
    assert_eq!(r#dyn::LEN, 15);
    let entries = [([0, 1], 2.0), ([1, 2], 3.0)];
    let a = SparseTensor::<r#type, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    let b = SparseTensor::<r#ref, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    let mut y = r#fn(&a, &[1.0, 10.0, 100.0]).unwrap();
    assert_eq!(y.values(), [20.0, 300.0]);
    fn_into(&a, &[1.0; 3], &mut y).unwrap();
    assert_eq!(y.values(), [22.0, 303.0]);
    assert_eq!(sum(&a, &b).unwrap(), 13.0);
    assert_eq!(r#match::r#type::slice(7).unwrap(), [4..8, 0..16]);
}
