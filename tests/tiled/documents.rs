//! The worked examples of XLA's documents on tiled layouts and on shapes.

use tensor_layout::{Layout, tiled};

type Figure1 = tiled!(F32[3,5]<1,0:T(2,2)>);
type Figure2 = tiled!(F32[4,8]<1,0:T(2,4)(2,1)>);

/// The index of the element at each offset of the storage, or a dot for padding.
fn storage<L: Layout>() -> String {
    let slot = |offset| match L::index(offset) {
        Some(index) => index.as_ref().iter().map(usize::to_string).collect(),
        None => ".".to_string(),
    };
    (0..L::LEN).map(slot).collect::<Vec<_>>().join(" ")
}

#[test]
#[allow(clippy::identity_op, clippy::erasing_op, reason = "the sum as the document writes it")]
fn figure_1_a_3x5_array_in_2x2_tiles() {
    assert_eq!(
        storage::<Figure1>(),
        "00 01 10 11 02 03 12 13 04 . 14 . 20 21 . . 22 23 . . 24 . . ."
    );
    // linear_index_with_tile((2,3), (3,5), (2,2)) = linear_index((1,1,0,1), (2,3,2,2))
    let expanded: Vec<_> = Figure1::SPEC.physical_shape().collect();
    assert_eq!(expanded, [2, 3, 2, 2]);
    assert_eq!(Figure1::offset([2, 3]), (1 * 3 + 1) * 2 * 2 + (0 * 2 + 1));
    assert_eq!(
        Figure1::SPEC.map().affine_map().to_string(),
        "(d0, d1) -> (d0 floordiv 2, d1 floordiv 2, d0 mod 2, d1 mod 2)"
    );
}

#[test]
fn figure_2_a_4x8_array_in_2x4_tiles_of_2x1_tiles() {
    let rows = [
        [0, 2, 4, 6, 8, 10, 12, 14],
        [1, 3, 5, 7, 9, 11, 13, 15],
        [16, 18, 20, 22, 24, 26, 28, 30],
        [17, 19, 21, 23, 25, 27, 29, 31],
    ];
    for (i, row) in rows.into_iter().enumerate() {
        for (j, offset) in row.into_iter().enumerate() {
            assert_eq!(Figure2::offset([i, j]), offset, "({i},{j})");
        }
    }
}

#[test]
fn combined_dimensions_are_those_of_the_combined_array() {
    type Combined = tiled!(F32[2,7,8,11,10]<4,3,2,1,0:T(*,*,2,*,3)>);
    type Flat = tiled!(F32[112,110]<1,0:T(2,3)>);
    assert_eq!((Combined::LEN, Combined::offset([1, 6, 7, 10, 9])), (12432, 12430));
    assert_eq!(Combined::LEN, Flat::LEN);
    for row in 0..112 {
        for column in 0..110 {
            let index = [row / 56, row / 8 % 7, row % 8, column / 10, column % 10];
            assert_eq!(Combined::offset(index), Flat::offset([row, column]));
            assert_eq!(Combined::index(Flat::offset([row, column])), Some(index));
        }
    }
}

#[test]
fn minor_to_major_0_1_is_column_major() {
    // a b c / d e f -> a d b e c f
    assert_eq!(storage::<tiled!(f32[2,3]{0,1})>(), "00 10 01 11 02 12");
    assert_eq!(storage::<tiled!(f32[2,3]{1,0})>(), "00 01 02 10 11 12");
    assert_eq!(storage::<tiled!(f32[2, 3])>(), storage::<tiled!(f32[2,3]{1,0})>());
}

#[test]
fn dimensions_padded_to_given_widths() {
    // a d 0 b e 0 c f 0 0 0 0 0 0 0
    type Padded = tiled!(f32[2,3]{0,1} padded to [3,5] with zero);
    assert_eq!(storage::<Padded>(), "00 10 . 01 11 . 02 12 . . . . . . .");
    // The same array in tiles: first padded to 3x5, then the 3x5 array is tiled.
    type Tiled = tiled!(f32[2,3]{1,0:T(2,2)} padded to [3,5] with zero);
    for i in 0..2 {
        for j in 0..3 {
            assert_eq!(Tiled::offset([i, j]), Figure1::offset([i, j]));
        }
    }
    assert_eq!(Tiled::LEN, Figure1::LEN);
}

#[test]
fn the_packed_format_of_a_tpu_keeps_pairs_of_rows_in_words() {
    type Bf16 = tiled!(bf16[2048]{0:T(1024)(128)(2,1)});
    assert_eq!(Bf16::SPEC.physical_shape().collect::<Vec<_>>(), [2, 4, 128, 2, 1]);
    assert_eq!((Bf16::offset([128]), Bf16::offset([1])), (1, 2));
}

#[test]
fn examples_of_the_readme_can_be_pasted() {
    let readme = include_str!("../../README.md");
    assert!(readme.lines().count() < 200, "the guide is the place for more");
    let blocks: Vec<&str> = readme.split("```rust\n").skip(1).collect();
    assert_eq!(blocks.len(), 4, "one for the first screen, and one for each notation");
    for block in blocks {
        let code = block.split("```").next().expect("the block");
        assert!(code.contains("fn main()"), "a program:\n{code}");
        // Rustdoc hides such lines, but other renderers show them.
        assert!(!code.lines().any(|line| line.starts_with("# ")), "no hidden line:\n{code}");
    }
}
