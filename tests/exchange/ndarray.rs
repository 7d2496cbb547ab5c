//! Arrays of the crate `ndarray`, in and out.

use ndarray::Array3;
use tensor_layout::half::bf16;
use tensor_layout::{PackError, Packed, tiled};

type Tiles = tiled!(f32[3,5,7]{1,2,0:T(2,4)});

#[test]
fn arrays_go_in_and_out_in_any_order_of_memory() {
    let array = Array3::from_shape_fn((7, 3, 5), |(i, j, k)| (i * 100 + j * 10 + k) as f32);
    let turned = array.view().permuted_axes([1, 2, 0]);
    let packed = Packed::<Tiles>::from_ndarray(turned).unwrap();
    assert_eq!(packed.get([2, 4, 6]), 624.0);
    assert_eq!(packed.to_ndarray().unwrap(), turned.into_dyn());
    assert!(packed.as_ndarray().is_none(), "tiles have no strides");
    let error = Packed::<Tiles>::from_ndarray(array.view()).unwrap_err();
    assert!(matches!(error, PackError::Window { dim: 0, .. }), "{error}");
    assert!(Packed::<Tiles>::from_ndarray(ndarray::arr1(&[1.0]).view()).is_err());
}

#[test]
fn layouts_with_strides_are_viewed() {
    type Columns = tiled!(bf16[3,<=5]{0,1});
    let mut columns = Packed::<Columns>::from_fn(|[i, j]| bf16::from_f32((i * 10 + j) as f32));
    columns.set_len(1, 4).unwrap();
    let view = columns.as_ndarray().unwrap();
    assert_eq!((view.shape(), view.strides()), (&[3, 4][..], &[1, 3][..]));
    assert_eq!(view, columns.to_ndarray().unwrap());
    assert_eq!(view.as_ptr().cast(), columns.as_bytes().as_ptr());
    type Nibbles = tiled!(s4[3]{0:E(4)});
    assert!(Packed::<Nibbles>::filled(1).as_ndarray().is_none(), "two elements in a byte");
    let empty = Packed::<tiled!(f32[0,3])>::zeroed().unwrap();
    assert_eq!(empty.as_ndarray().unwrap().shape(), [0, 3]);
}
