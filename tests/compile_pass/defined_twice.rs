//! Items that a `macro_rules!` macro defines may be defined several times.

use tensor_layout::sharding::{MeshType, ShardedLayout};
use tensor_layout::sparse::{Duplicates, SparseTensor};

macro_rules! formats {
    ($module:ident, $format:ident, $size:literal) => {
        pub mod $module {
            tensor_layout::sparse_encoding! {
                pub type Matrix = (i, j) -> (i : dense, j : $format);
                type Other = (i, j) -> (j : dense, i : $format);
            }
            tensor_layout::mesh! { pub Pod = ["data" = $size] }
            tensor_layout::sharding_rule! { pub Same = (i)->(i) }
            tensor_layout::sparse_kernel! {
                pub fn product(a: Matrix<f64>[i, j], b: Other<f64>[i, j]) -> s: f64 { s += a[i, j] * b[i, j] }
            }
            pub type Transposed = Other;
        }
    };
}
formats!(rows, compressed, 2);
formats!(all, dense, 4);

tensor_layout::sparse_kernel! {
    fn dot(a: rows::Matrix<f64>[i, j], b: all::Matrix<f64>[i, j]) -> s: f64 { s += a[i, j] * b[i, j] }
}

macro_rules! named {
    ($($name:ident $format:ident),*) => {
        tensor_layout::sparse_encoding! { $(pub type $name = (i) -> (i : $format);)* }
    };
}
named!(Vector compressed, Array dense);
named!(Other compressed);

fn main() {
    assert!(rows::Matrix!([stringify]).contains("compressed"));
    assert!(!all::Matrix!([stringify]).contains("compressed"));
    assert!(Other!([stringify]).contains("compressed") && Array!([stringify]).contains("dense"));
    assert!(Vector!([stringify]).contains("compressed"));
    assert_eq!((rows::Pod::MESH.devices(), all::Pod::MESH.devices()), (2, 4));
    type Split = tensor_layout::sharded!(f32[8] @ all::Pod [{"data"}]);
    assert_eq!(<Split as ShardedLayout>::Local::DIMS, [2]);
    assert_eq!(rows::Same::rule(), all::Same::rule());
    let entries = [([0, 1], 2.0), ([1, 2], 3.0)];
    let a =
        SparseTensor::<rows::Matrix, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    let b =
        SparseTensor::<all::Matrix, f64>::from_coo([2, 3], &entries, Duplicates::Error).unwrap();
    let c = SparseTensor::<rows::Transposed, f64>::from_coo([2, 3], &entries, Duplicates::Error)
        .unwrap();
    assert_eq!(dot(&a, &b).unwrap(), 13.0);
    assert_eq!(rows::product(&a, &c).unwrap(), 13.0);
}
