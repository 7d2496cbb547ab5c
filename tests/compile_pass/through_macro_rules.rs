//! The parts of a macro's input may come from other macros.

use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::sparse::Encoding;
use tensor_layout::{mesh, sharded, sharding_rule, sparse_encoding, tiled, tpu};

macro_rules! weights {
    ($element:ident, $rows:literal, $columns:expr, $height:tt, $($tiles:tt)*) => {
        tiled!($element[$rows,$columns]{1,0:T($height,128)$($tiles)*})
    };
}

macro_rules! rows {
    ($rows:expr, $columns:expr) => { tpu!(f32[{$rows * 2}, $columns]) };
}

macro_rules! blocks {
    ($(#[$meta:meta])* $vis:vis $name:ident, $map:expr, $block:literal, $rest:expr) => {
        sparse_encoding! {
            $(#[$meta])*
            $vis type $name = (i, j) ->
                ($map floordiv $block : compressed, j : compressed, $map mod $rest : dense);
        }
    };
}
blocks!(
    /// Blocks of two.
    pub(crate) Rows, i, 2, 1 + 1
);

mod meshes {
    macro_rules! pod {
        ($vis:vis $name:ident, $axis:literal, $size:literal, $other:expr) => {
            tensor_layout::mesh! { $vis $name = [$axis = $size, "model" = $other] }
        };
    }
    pod!(pub(crate) Pod, "data", 2, 4);
}
use meshes::Pod;

macro_rules! split {
    ($element:ident, $size:expr, $mesh:path, $axis:literal) => {
        sharded!($element[$size, 8] @ $mesh [{$axis}, {}])
    };
}

macro_rules! rule {
    ($name:ident, $size:expr, $($notation:tt)*) => { sharding_rule! { $name = $($notation)* {i=$size, j=4} } };
}
rule!(Split, 2, ([ij]) -> ([i, j]));

macro_rules! ring {
    ($name:ident, $($axes:tt)*) => { mesh! { $name = [$($axes)*] } };
}
ring!(Ring, "x" = 4);

const N: usize = 3;

fn main() {
    assert_eq!(
        <weights!(bf16, 1_000, 384, 8, (2,1)S(1))>::SPEC.to_string(),
        "bf16[1000,384]{1,0:T(8,128)(2,1)S(1)}"
    );
    assert_eq!(<rows!(N + 1, 128)>::DIMS, [8, 128]);
    assert_eq!(
        Rows::SPEC.to_string(),
        "#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 floordiv 2 : compressed, d1 : compressed, d0 mod 2 : dense) }>"
    );
    assert_eq!(Pod::MESH.to_string(), r#"<["data"=2, "model"=4]>"#);
    assert_eq!(Ring::MESH.to_string(), r#"<["x"=4]>"#);
    type Local = <split!(f32, 16, crate::meshes::Pod, "data") as ShardedLayout>::Local;
    assert_eq!(Local::SPEC.to_string(), "f32[8,8]{1,0}");
    assert_eq!(Split::rule().to_string(), "<([ij])->([i, j]) {i=2, j=4}>");
}
