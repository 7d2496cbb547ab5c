//! Arrays without elements, and drafts that no text describes.

use tensor_layout::tiled::{ArrayNumbers, Draft, List, Problem, Tile};
use tensor_layout::{DType, DynLayout, DynPacked, F32, Packed, TiledSpec, tiled};

type Padded = tiled!(f32[0,3]{1,0} padded to [2,3] with one);

/// Explicit padding gives an array without elements a length.
#[test]
fn padding_has_no_index() {
    for offset in 0..6 {
        assert_eq!((Padded::index(offset), Padded::SPEC.index(offset)), (None, None));
    }
    let packed = Packed::<Padded>::from_fn(|index| panic!("there is no element {index:?}"));
    packed.as_ref().for_each_run(|index, _| panic!("there is no element {index:?}"));
    assert!(packed.as_bytes().iter().all(|byte| *byte == 0));
}

#[test]
fn sizes_beside_a_zero_are_limited_also_in_tiles() {
    for text in [
        "f32[1099511627776,0,1099511627776]{2,1,0}",
        "f32[1099511627776,0,1099511627776]{2,1,0:T(*,2)}",
        "f32[0,4611686018427387904,3]",
        "f32[0,3]{1,0:T(8,128)} padded to [4611686018427387904,3]",
    ] {
        let error = text.parse::<TiledSpec>().expect_err(text).to_string();
        assert!(error.contains("more than fits in the address space"), "{text}: {error}");
    }
    let spec: TiledSpec = "f32[1099511627776,0,1024]{2,1,0:T(*,2)}".parse().expect("it fits");
    assert_eq!(spec.host_shape().to_string(), "f32[1099511627776,0,1024]{2,1,0}");
    assert!(spec.pack::<F32>(&[]).expect("no elements").is_empty());
}

#[test]
fn bounds_and_tiles_that_no_text_describes_are_mistakes() {
    let plain = Draft::row_major(DType::F32, List::of(&[0, 3]).expect("two sizes"));
    for (bounded, unbounded, dim) in [(1 << 5, 0, 5), (0, 1 << 2, 2), (0, 2, 1), (1, 1, 0)] {
        let problem = Draft { bounded, unbounded, ..plain }.validate().expect_err("a mistake");
        assert_eq!(problem, Problem::Bound { dim });
    }
    let spec = Draft { bounded: 2, unbounded: 1, ..plain }.validate().expect("`f32[?,<=3]`");
    assert_eq!(spec.to_string().parse::<TiledSpec>(), Ok(spec));

    // A closure with `..plain` makes rustc 1.95 fail.
    fn of_tile(plain: &Draft, size: usize) -> Draft {
        let tiles = plain.tiles.push(Tile::of(&[size]).expect("one size"));
        Draft { tiles: tiles.expect("one tile"), ..*plain }
    }
    assert_eq!(of_tile(&plain, 1 << 63).validate(), Err(Problem::Overflow { bytes: 0 }));
    let spec = of_tile(&plain, isize::MAX as usize).validate().expect("the largest tile");
    assert_eq!(ArrayNumbers::of(&spec).spec(), Ok(spec));
    assert_eq!(spec.to_string().parse::<TiledSpec>(), Ok(spec));
}

#[test]
fn a_scalar_has_no_rows() {
    let mut scalar = DynPacked::<F32>::zeroed(&"f32[]".parse().expect("a scalar")).expect("memory");
    let error = scalar.push_rows(&[0.0; 3]).expect_err("no rows").to_string();
    assert_eq!(error, "the window reaches out of dimension 0 of the layout `f32[]`");
}
