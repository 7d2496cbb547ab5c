//! Questions about layout types, answered by rustc: false claims do not compile.

use tensor_layout::{TiledSpec, assert_same_bytes, same_bytes, tiled};

type Rows = tiled!(f32[16,256]{1,0:T(8,128)});
type Columns = tiled!(f32[256,16]{0,1:T(8,128)});
type Stacked = tiled!(f32[2,8,256]{2,1,0:T(8,128)});

const _: () = assert_same_bytes::<Rows, Stacked>();
const _: () = assert!(!same_bytes::<Rows, tiled!(f32[16,256]{1,0})>());
const _: () = assert!(Rows::SPEC.transpose_is_bitcast(&Columns::SPEC, &[1, 0]));
const _: () = assert!(Rows::SPEC.reshape_is_bitcast(&Stacked::SPEC));
const _: () =
    assert!(<tiled!(f32[24,128]{1,0:T(8,128)})>::SPEC.is_untiled() && !Rows::SPEC.is_untiled());
const _: () = assert!(Rows::SPEC.align_layout(&[2, 8, 256]).is_some());
const _: () = assert!(Rows::SPEC.decompose_bitcast(&Columns::SPEC).is_some());
const _: () = assert!(Rows::SPEC.first_difference(&<tiled!(f32[16,256]{1,0})>::SPEC).is_some());

/// The claim that kernels for key-value caches rely on, for many sizes.
#[test]
fn pages_of_a_cache_are_the_flat_array() {
    for v in [1, 2, 3, 7, 100] {
        for h in [1, 2, 5] {
            let pages: TiledSpec =
                format!("bf16[{v},{h},8,128]{{3,2,1,0:T(8,128)(2,1)}}").parse().unwrap();
            let flat: TiledSpec =
                format!("bf16[{}]{{0:T(1024)(128)(2,1)}}", v * h * 1024).parse().unwrap();
            assert!(pages.same_bytes(&flat) && pages.bytes() == flat.bytes(), "{pages} {flat}");
            let other: TiledSpec = format!("bf16[{}]{{0:T(1024)}}", v * h * 1024).parse().unwrap();
            assert_eq!(pages.first_difference(&other), Some(1), "{pages} {other}");
        }
    }
}
