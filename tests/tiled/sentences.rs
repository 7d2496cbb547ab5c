//! XLA's documents on tiled layouts and on shapes: a test for each sentence, named after the sentence.

use crate::rows::{number, numbers, rows, text};
use tensor_layout::draw::Draw;
use tensor_layout::{Layout, TiledSpec, tiled};

type Figure1 = tiled!(F32[3,5]<1,0:T(2,2)>);
type Figure2 = tiled!(F32[4,8]<1,0:T(2,4)(2,1)>);

fn spec(text: &str) -> TiledSpec {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The index with a row-major number.
fn unravel(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut index = vec![0; sizes.len()];
    for (at, size) in index.iter_mut().zip(sizes).rev() {
        (*at, number) = (number % size, number / size);
    }
    index
}

/// The row-major number of an index.
fn ravel(index: &[usize], sizes: &[usize]) -> usize {
    index.iter().zip(sizes).fold(0, |number, (at, size)| number * size + at)
}

fn pad(data: &[Option<usize>], sizes: &[usize], padded: &[usize]) -> Vec<Option<usize>> {
    let mut wide = vec![None; padded.iter().product()];
    for (at, value) in data.iter().enumerate() {
        wide[ravel(&unravel(at, sizes), padded)] = *value;
    }
    wide
}

fn transpose(data: &[Option<usize>], sizes: &[usize], permutation: &[usize]) -> Vec<Option<usize>> {
    let turned: Vec<_> = permutation.iter().map(|dim| sizes[*dim]).collect();
    let element = |at| {
        let index = unravel(at, &turned);
        let mut from = vec![0; sizes.len()];
        for (at, dim) in index.iter().zip(permutation) {
            from[*dim] = *at;
        }
        data[ravel(&from, sizes)]
    };
    (0..data.len()).map(element).collect()
}

/// The row-major number of the element at each offset of the storage, computed by the document's three steps.
fn pad_reshape_transpose(spec: &TiledSpec) -> Vec<Option<usize>> {
    let elements: Vec<_> = (0..spec.elements()).map(Some).collect();
    let mut data = transpose(&elements, spec.dims(), &spec.physical_order());
    for tiling in spec.tilings() {
        data = pad(&data, tiling.dims(), tiling.padded());
        assert_eq!(tiling.reshaped().iter().product::<usize>(), data.len());
        data = transpose(&data, tiling.reshaped(), tiling.permutation());
        let turned: Vec<_> =
            tiling.permutation().iter().map(|dim| tiling.reshaped()[*dim]).collect();
        assert_eq!(tiling.transposed(), turned);
    }
    data
}

/// The offset to which the three steps move one element.
fn moved(spec: &TiledSpec, index: &[usize]) -> usize {
    let order = spec.physical_order();
    let sizes: Vec<_> = order.iter().map(|dim| spec.widths()[*dim]).collect();
    let index: Vec<_> = order.iter().map(|dim| index[*dim]).collect();
    spec.tilings().fold(ravel(&index, &sizes), |number, tiling| {
        let index = unravel(number, tiling.dims());
        let index = unravel(ravel(&index, tiling.padded()), tiling.reshaped());
        let index: Vec<_> = tiling.permutation().iter().map(|dim| index[*dim]).collect();
        ravel(&index, tiling.transposed())
    })
}

/// "That tiling can be described in terms of pad, reshape and transpose."
#[test]
fn tiling_is_a_pad_a_reshape_and_a_transpose() {
    let (mut seen, mut whole) = (0, 0);
    for row in rows("tiled_index", 56) {
        let spec = spec(text(&row, "shape"));
        // All elements of arrays that are not large, and some elements of every array.
        let data = (spec.len() < 1 << 20).then(|| pad_reshape_transpose(&spec));
        whole += usize::from(data.is_some());
        for pair in row["index_to_linear"].as_array().expect("pairs") {
            let (index, linear) = (numbers(&pair[0]), number(&pair[1]));
            assert_eq!(moved(&spec, &index), linear, "{spec} {index:?}");
            if let Some(data) = &data {
                assert_eq!(data[linear], Some(ravel(&index, spec.dims())), "{spec} {index:?}");
            }
            seen += 1;
        }
        let physical: Vec<_> = spec.physical_shape().collect();
        let last = spec.tilings().last().map(|tiling| tiling.transposed().to_vec());
        assert_eq!(last.unwrap_or_else(|| physical.clone()), physical, "{spec}");
    }
    assert!(whole > 40 && seen > 500, "{whole} {seen}");
}

/// "1. The array is padded to (⌈d/t⌉∙t)."
/// "2. Each dimension i is broken into (⌈di/ti⌉, ti)."
/// "3. A transpose moves tn, ..., t1 to the most minor dimensions."
#[test]
fn the_three_steps_of_figure_1() {
    const TILING: tensor_layout::tiled::Tiling = Figure1::SPEC.tiling(0).unwrap();
    assert_eq!((TILING.dims(), TILING.tile()), (&[3, 5][..], &[2, 2][..]));
    assert_eq!(TILING.padded(), [4, 6]);
    assert_eq!(TILING.reshaped(), [2, 2, 3, 2]);
    assert_eq!((TILING.permutation(), TILING.transposed()), (&[0, 2, 1, 3][..], &[2, 3, 2, 2][..]));
    assert_eq!(TILING.numbers(), 2);
    assert!(Figure1::SPEC.tiling(1).is_none());
    assert_eq!(
        Figure1::SPEC.tiling_steps_at(&[2, 3]).unwrap().to_string(),
        "array (3,5): element (2,3)\n\
         pad to (4,6): element (2,3)\n\
         reshape to (2,2,3,2): element (1,0,1,1)\n\
         transpose by (0,2,1,3) to (2,3,2,2): element (1,1,0,1)\n\
         24 stored elements: element 17\n"
    );
    assert_eq!(Figure1::SPEC.tiling_steps_at(&[3, 0]), None);
}

/// "The second tile can refer to the tile dimensions of the first."
#[test]
fn the_steps_of_repeated_combined_and_padded_tilings() {
    let steps = |text| spec(text).tiling_steps().to_string();
    assert_eq!(
        steps("f32[4,8]{1,0:T(2,4)(2,1)}"),
        "array (4,8)\n\
         reshape to (2,2,2,4)\n\
         transpose by (0,2,1,3) to (2,2,2,4)\n\
         reshape to (2,2,1,2,4,1)\n\
         transpose by (0,1,2,4,3,5) to (2,2,1,4,2,1)\n\
         32 stored elements\n"
    );
    assert_eq!(
        steps("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}"),
        "array (2,7,8,11,10)\n\
         combine to (112,110)\n\
         pad to (112,111)\n\
         reshape to (56,2,37,3)\n\
         transpose by (0,2,1,3) to (56,37,2,3)\n\
         12432 stored elements\n"
    );
    assert_eq!(
        steps("f32[2,9]{0,1:T(1,4)L(50)} padded to [3,9] with one"),
        "array (2,9)\n\
         pad to (3,9)\n\
         transpose by (1,0) to (9,3)\n\
         pad to (9,4)\n\
         reshape to (9,1,1,4)\n\
         transpose by (0,2,1,3) to (9,1,1,4)\n\
         pad the end to a multiple of 50\n\
         50 stored elements\n"
    );
    assert_eq!(steps("f32[9]{0:T(2,4)}").lines().nth(1), Some("reshape to (1,9)"));
    assert_eq!(steps("f32[]"), "array ()\n1 stored elements\n");
    for text in ["f32[0,5]{1,0:T(8,128)}", "f32[?,5]{1,0:T(8,128)}"] {
        assert!(steps(text).ends_with("\n0 stored elements\n"), "{text}");
        assert!(spec(text).tiling_picture().panels.is_empty());
    }
}

/// Every panel shows every element once, and the last panel shows them in storage order.
#[test]
fn the_picture_of_the_steps_ends_in_the_storage() {
    for text in [
        "f32[3,5]{1,0:T(2,2)}",
        "f32[4,8]{1,0:T(2,4)(2,1)}",
        "f32[2,3,4]{0,2,1:T(*,2,3)}",
        "f32[3]{0:T(2,2)(4,1)}",
        "f32[2,3]{0,1:T(2,2)} padded to [3,5] with zero",
    ] {
        let spec = spec(text);
        let panels = spec.tiling_picture().panels;
        let numbers = |cells: &[tensor_layout::draw::Cell]| {
            cells.iter().map(|cell| cell.text.parse().ok()).collect::<Vec<Option<usize>>>()
        };
        for panel in &panels {
            let mut found: Vec<_> = numbers(&panel.cells).into_iter().flatten().collect();
            found.sort_unstable();
            assert_eq!(
                found,
                (0..spec.elements()).collect::<Vec<_>>(),
                "{text}: {}",
                panel.caption
            );
        }
        let stored: Vec<_> =
            spec.slots().map(|slot| slot.map(|index| ravel(&index, spec.dims()))).collect();
        assert_eq!(numbers(&panels.last().unwrap().cells), stored, "{text}");
    }
    assert_eq!(Figure1::SPEC.picture().panels.len(), 1, "the picture of the layout is as it was");
}

/// "The element (2,3) has the tile index (1,1) and the within-tile index (0,1), for a combined coordinate vector of
/// (1,1,0,1). The tile indices have bounds (2,3) and the tile itself is (2,2), for a combined vector of (2,3,2,2)."
#[test]
fn element_2_3_has_tile_index_1_1_and_within_tile_index_0_1() {
    const INDEX: tensor_layout::tiled::PhysicalIndex = Figure1::SPEC.physical_index(&[2, 3]);
    assert_eq!(INDEX, [1, 1, 0, 1]);
    assert_eq!((INDEX.tile().unwrap(), INDEX.within_tile().unwrap()), (&[1, 1][..], &[0, 1][..]));
    const SHAPE: [usize; 4] = Figure1::physical_shape();
    assert_eq!(SHAPE, [2, 3, 2, 2]);
    assert_eq!(Figure1::physical_index([2, 3]), [1, 1, 0, 1]);
    assert_eq!(Figure1::logical_index([1, 1, 0, 1]), Some([2, 3]));
    assert_eq!(Figure1::logical_index([1, 1, 1, 1]), None, "padding");
    assert_eq!(Figure1::logical_index([2, 0, 0, 0]), None, "there are two rows of tiles");
    assert_eq!(Figure1::SPEC.logical_index(&[2, 0, 0, 0]), None);
    assert_eq!(Figure1::SPEC.logical_index(&[1, 1, 0]), None);
    assert_eq!(Figure1::SPEC.checked_physical_index(&[3, 0]), None);
    // In `T(128)(2,1)` the second tile extends over two tiles of the first level.
    assert_eq!(spec("bf16[1000]{0:T(128)(2,1)}").physical_index(&[7]).tile(), None);
}

/// "A subsumed dimension is represented by a tile value of -1 in that dimension of the tile, which is not otherwise valid
/// in a tile as a dimension size."
#[test]
fn a_subsumed_dimension_is_represented_by_a_tile_value_of_minus_1() {
    type Combined = tiled!(F32[2,7,8,11,10]{4,3,2,1,0:T(-1,-1,2,-1,3)});
    assert_eq!(Combined::offset([1, 6, 7, 10, 9]), 12430);
    assert_eq!(Combined::SPEC.to_string(), "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
    for text in ["f32[4,4]{1,0:T(2,-1)}", "f32[4,4]{1,0:T(-2,2)}", "f32[4,4]{1,0:T(-1)}"] {
        assert!(text.parse::<TiledSpec>().is_err(), "{text}");
    }
}

/// "Padding is defined in the optional padded_dimensions and padding_value fields."
#[test]
fn padded_dimensions_and_padding_value_are_optional() {
    // The document's example, with and without its value.
    let zero = <tiled!(f32[2,3]{0,1} padded to [3,5] with zero)>::pack(&[1.0; 6]).unwrap();
    let none = <tiled!(f32[2,3]{0,1} padded to [3,5])>::pack(&[1.0; 6]).unwrap();
    assert_eq!(zero.as_bytes(), none.as_bytes());
    // Without widths no dimension is padded.
    let value = spec("f32[2,3]{0,1} padded with one");
    assert_eq!((value.len(), value.widths()), (6, &[2, 3][..]));
    assert_eq!(value.padded().unwrap().value, tensor_layout::PaddingValue::One);
    let tiles = spec("f32[2,3]{1,0:T(2,2)} padded with one");
    assert_eq!(tiles.len(), 8);
    assert_eq!(tiles.to_string().parse::<TiledSpec>(), Ok(tiles));
}

#[test]
fn physical_indices_of_types_are_those_of_their_specs() {
    fn check<L: Layout<Index = [usize; R]>, const R: usize, const N: usize>() {
        let spec = <L as Layout>::SPEC;
        assert_eq!(spec.physical_rank(), N);
        for index in spec.indices() {
            let physical = spec.physical_index(&index);
            let index: [usize; R] = (*index).try_into().unwrap();
            assert_eq!(physical, L::physical_index::<N>(index));
            assert_eq!(
                ravel(&physical, &spec.physical_shape().collect::<Vec<_>>()),
                L::offset(index)
            );
            assert_eq!(L::logical_index(L::physical_index::<N>(index)), Some(index));
            assert_eq!(spec.logical_index(&physical).unwrap(), index);
        }
        let shape: Vec<_> = spec.physical_shape().collect();
        for (offset, slot) in spec.slots().enumerate().take(spec.map().len()) {
            let physical: [usize; N] = unravel(offset, &shape).try_into().unwrap();
            assert_eq!(L::logical_index(physical), slot.map(|index| (*index).try_into().unwrap()));
        }
    }
    check::<Figure1, 2, 4>();
    check::<Figure2, 2, 6>();
    check::<tiled!(bf16[300]{0:T(128)(2,1)}), 1, 4>();
    check::<tiled!(f32[]{:T(128)}), 0, 2>();
    check::<tiled!(f32[3,4,5]{0,2,1:T(*,2,3)L(100)}), 3, 4>();
    check::<tiled!(f32[3,4]), 2, 2>();
}

#[test]
#[should_panic(expected = "index [3, 0] is out of bounds of the array of shape [3, 5]")]
fn the_physical_index_of_an_index_out_of_bounds_panics() {
    let [..] = Figure1::physical_index::<4>([3, 0]);
}

/// "The true rank of an array is the number of dimensions which have a size greater than 1."
#[test]
fn the_true_rank_is_the_number_of_dimensions_of_more_than_one_value() {
    const TRUE_RANK: usize = <tiled!(f32[1,3,1,5])>::SPEC.true_rank();
    assert_eq!(TRUE_RANK, 2);
    for (text, rank) in
        [("f32[]", 0), ("f32[1,1]", 0), ("f32[0,2]", 1), ("f32[<=4,1]", 1), ("f32[?,2]", 1)]
    {
        assert_eq!(spec(text).true_rank(), rank, "{text}");
    }
}

/// "Dimension -1 is the last dimension (equivalent to N-1 for an N dimensional array). For the 3-dimensional array,
/// dimension -1 has size C and dimension -2 has size B."
#[test]
fn dimension_minus_1_is_the_last() {
    const SPEC: TiledSpec = <tiled!(f32[2,3,5])>::SPEC;
    const C: usize = SPEC.dim_size(-1);
    assert_eq!((SPEC.dim_size(0), SPEC.dim_size(1), SPEC.dim_size(2)), (2, 3, 5));
    assert_eq!((SPEC.dim_size(-3), SPEC.dim_size(-2), C), (2, 3, 5));
    assert_eq!(
        (SPEC.checked_dim(3), SPEC.checked_dim(-4), SPEC.checked_dim(isize::MIN)),
        (None, None, None)
    );
    assert_eq!(spec("f32[]").checked_dim(-1), None);
    assert_eq!(SPEC.stride(SPEC.dim(-3)), Some(15));
}

#[test]
#[should_panic(expected = "no such dimension")]
fn dimension_minus_4_of_three_panics() {
    <tiled!(f32[2,3,5])>::SPEC.dim(-4);
}

/// "The dimensions of 2D, 3D and 4D arrays often have specific letters associated with dimensions."
#[test]
fn two_three_and_four_dimensions_have_letters() {
    use tensor_layout::draw::Named;
    let names = |text: &str| spec(text).dim_names().map(|names| names.join(","));
    assert_eq!(names("f32[2,3]").as_deref(), Some("y,x"));
    assert_eq!(names("f32[2,3,4]").as_deref(), Some("z,y,x"));
    assert_eq!(names("f32[2,3,4,5]").as_deref(), Some("p,z,y,x"));
    assert_eq!((names("f32[2]").as_deref(), names("f32[]").as_deref()), (Some("x"), Some("")));
    assert_eq!(names("f32[1,1,1,1,1]"), None);
    let spec = spec("f32[2,3,5]{1,2,0:T(2,2)}");
    let facts = Named(&spec).facts();
    assert_eq!(facts.get("index").unwrap().text, "(z*6 + x/2*2 + y/2)*4 + x%2*2 + y%2");
    assert_eq!(facts.get("minor to major").unwrap().text, "y, x, z");
    assert_eq!(spec.facts().get("dimensions"), None, "only on request");
    assert!(Named(&spec).picture().panels[0].caption.ends_with("; y down, x to the right"));
}

/// "Another name used to refer to this layout in the code is simply 'dim 0 is minor'."
#[test]
fn monotonic_orders_are_called_by_dimension_0() {
    assert_eq!(<tiled!(f32[2,3]{0,1})>::SPEC.order_name(), Some("dim 0 is minor"));
    assert_eq!(<tiled!(f32[2,3]{1,0})>::SPEC.order_name(), Some("dim 0 is major"));
    assert_eq!(spec("f32[2,3,4]{0,1,2}").order_name(), Some("dim 0 is minor"));
    assert_eq!(spec("f32[2,3,4]{0,2,1}").order_name(), None);
    assert_eq!((spec("f32[]").order_name(), spec("f32[3]").order_name()), (None, None));
}

/// "IndexUtil::IndexUtil provides utilities for converting between multidimensional indices and linear indices given a
/// shape and layout." The rows of XLA's own tests of its utilities of shapes and layouts.
#[test]
fn utilities_convert_between_multidimensional_and_linear_indices() {
    let plain = spec("f32[10,20,30]{1,2,0}");
    assert_eq!(plain.offset(&[3, 5, 7]), 1945);
    assert_eq!(plain.index(1945).unwrap(), [3, 5, 7]);
    let large = spec("f32[20,200,360,1000]{3,0,1,2}");
    for index in [[0, 0, 0, 0], [19, 199, 359, 999], [7, 123, 45, 678]] {
        assert_eq!(large.index(large.offset(&index)).unwrap(), index);
    }
    assert_eq!(large.elements(), 1_440_000_000);
    let bumped: Vec<_> = spec("f32[2,2]").indices().map(|index| index.to_vec()).collect();
    assert_eq!(bumped, [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(spec("f32[5,8,10,4]{3,2,1,0}").stride(1), Some(40));
    assert!(
        plain.contains(&[9, 19, 29]) && !plain.contains(&[9, 20, 29]) && !plain.contains(&[9, 19])
    );
    let strides = |text: &str| (0..3).map(|dim| spec(text).byte_stride(dim)).collect::<Vec<_>>();
    assert_eq!(strides("f32[3,5,7]"), [Some(140), Some(28), Some(4)]);
    assert_eq!(strides("s4[3,5,7]{2,1,0:E(4)}")[2], None);
    assert_eq!(spec("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}").largest_piece(), [150, 90, 70]);
    assert_eq!(spec("f32[2,3,5]{1,0,2}").physical_order(), [2, 0, 1]);
    assert_eq!(spec("f32[2,3,5]{1,0,2}").logical_to_physical(), [1, 2, 0]);
}

/// "Utilities that simplify the creation and manipulation of shapes and layouts."
#[test]
fn dimensions_are_moved_deleted_and_permuted_with_their_layout() {
    let rows = spec("f32[2,3,5]{2,1,0}");
    let moved = |spec: Option<TiledSpec>| spec.map(|spec| spec.layout().to_string());
    assert_eq!(moved(rows.dim_to_major(1)).as_deref(), Some("{2,0,1}"));
    assert_eq!(moved(rows.dim_to_minor(0)).as_deref(), Some("{0,2,1}"));
    assert_eq!(moved(rows.dim_to_minor(-1)).as_deref(), Some("{2,1,0}"));
    assert_eq!((rows.dim_to_major(3), rows.dim_to_minor(-4)), (None, None));
    assert_eq!(moved(rows.with_order(&[0, 2, 1])).as_deref(), Some("{0,2,1}"));
    assert_eq!((rows.with_order(&[0, 1]), rows.with_order(&[0, 1, 1])), (None, None));
    let text = |spec: Option<TiledSpec>| spec.map(|spec| spec.to_string());
    let dynamic = spec("f32[10,<=20,30,?]{2,1,0,3:SC(1:4)(3:9)M(8)}");
    assert_eq!(
        text(dynamic.without_dims(&[0])).as_deref(),
        Some("f32[<=20,30,?]{1,0,2:SC(2:9)M(8)}"),
        "physical dimension 1 was dimension 0"
    );
    assert_eq!(text(dynamic.without_dims(&[2, -1, 0])).as_deref(), Some("f32[<=20]{0:M(8)}"));
    assert_eq!(text(dynamic.without_dims(&[])).as_deref(), Some(dynamic.to_string().as_str()));
    assert_eq!(text(dynamic.without_dims(&[1, 1])), None);
    let padded = spec("f32[2,1,3]{0,1,2} padded to [4,1,5] with one");
    assert_eq!(
        text(padded.without_unit_dims()).as_deref(),
        Some("f32[2,3]{0,1} padded to [4,5] with one")
    );
    assert_eq!(text(spec("f32[1,1]").without_unit_dims()).as_deref(), Some("f32[]"));
    let permuted = spec("f32[10,20,30]{2,1,0}").transposed(&[1, 2, 0]);
    assert_eq!(text(permuted).as_deref(), Some("f32[20,30,10]{1,0,2}"));
    const MAJOR: TiledSpec = <tiled!(f32[2,3,5])>::SPEC.dim_to_major(-1).unwrap();
    assert_eq!(MAJOR.minor_to_major(), [1, 0, 2]);
}

#[test]
fn deleting_a_dimension_of_size_1_moves_no_byte_where_the_model_says_so() {
    let mut kept = 0;
    for text in [
        "f32[8,1,128]{2,1,0:T(8,128)}",
        "f32[8,1,128]{2,0,1:T(8,128)}",
        "f32[1,5,7]{0,1,2}",
        "s8[4,1]{1,0:T(4,1)}",
    ] {
        let spec = spec(text);
        let dropped = spec.without_unit_dims().unwrap();
        let same = spec
            .indices()
            .zip(dropped.indices())
            .all(|(a, b)| spec.offset(&a) == dropped.offset(&b));
        assert_eq!(spec.reshape_is_bitcast(&dropped), same, "{text}");
        kept += usize::from(same);
    }
    assert_eq!(kept, 2);
}

#[test]
fn a_transpose_is_normalized_to_the_runs_that_it_moves() {
    for (text, permutation, sizes, normalized) in [
        ("f32[2,3,5]", &[0, 1, 2][..], &[30][..], &[0][..]),
        ("f32[2,3,5]", &[2, 0, 1], &[6, 5], &[1, 0]),
        ("f32[2,3,5]", &[2, 1, 0], &[2, 3, 5], &[2, 1, 0]),
        ("f32[1,3,1,5,1]", &[4, 3, 0, 1, 2], &[3, 5], &[1, 0]),
        ("f32[1,3,1,5,1]", &[2, 1, 4, 3, 0], &[15], &[0]),
        ("f32[2,3,1,5,7]", &[0, 3, 4, 2, 1], &[2, 3, 35], &[0, 2, 1]),
        ("f32[1,1]", &[1, 0], &[], &[]),
        ("f32[]", &[], &[], &[]),
    ] {
        let found = spec(text).normalized_transpose(permutation).unwrap();
        assert_eq!((&found.0[..], &found.1[..]), (sizes, normalized), "{text} {permutation:?}");
    }
    assert_eq!(spec("f32[2,3]").normalized_transpose(&[0, 0]), None);
}

#[test]
fn equality_ignores_the_fields_that_are_named() {
    use tensor_layout::tiled::Fields;
    let full = spec("s4[<=4,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)M(8)}");
    let alone: [(&str, Fields); 10] = [
        ("u4[<=4,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.element_type()),
        ("s4[<=5,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.dims()),
        ("s4[4,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.bounds()),
        ("s4[<=4,9]{0,1:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.order()),
        ("s4[<=4,9]{1,0:T(2,4)L(64)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.tiles()),
        ("s4[<=4,9]{1,0:T(2,4)(2,1)E(4)S(1)SC(1:3)M(8)}", Fields::NONE.tail_alignment()),
        ("s4[<=4,9]{1,0:T(2,4)(2,1)L(64)S(1)SC(1:3)M(8)}", Fields::NONE.element_bits()),
        ("s4[<=4,9]{1,0:T(2,4)(2,1)L(64)E(4)SC(1:3)M(8)}", Fields::NONE.memory_space()),
        ("s4[<=4,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:2)M(8)}", Fields::NONE.splits()),
        ("s4[<=4,9]{1,0:T(2,4)(2,1)L(64)E(4)S(1)SC(1:3)}", Fields::NONE.prefix_bytes()),
    ];
    assert!(full.equal_except(&full, Fields::NONE));
    for (i, (text, field)) in alone.into_iter().enumerate() {
        let other = spec(text);
        assert_ne!(full, other, "{text}");
        assert!(!full.equal_except(&other, Fields::NONE), "{text}");
        // The shapes are equal only if the differing field is ignored.
        for (j, (_, ignored)) in alone.into_iter().enumerate() {
            assert_eq!(full.equal_except(&other, ignored), i == j, "{text} {ignored:?}");
        }
        assert!(full.equal_except(&other, Fields::NONE.layout().element_type().dims().bounds()));
        assert_eq!(full.equal_except(&other, Fields::NONE.layout_but_order()), i > 3, "{text}");
        assert!(full.equal_except(&other, field.tiles()));
    }
    let padded = spec("f32[2,3] padded to [3,5] with one");
    assert!(!padded.equal_except(&spec("f32[2,3] padded to [3,5] with zero"), Fields::NONE));
    assert!(!padded.equal_except(&spec("f32[2,3]"), Fields::NONE));
    assert!(padded.equal_except(&spec("f32[2,3]"), Fields::NONE.padded()));
    assert!(
        !spec("f32[2,3]").equal_except(&spec("f32[2,3,1]"), Fields::NONE.layout().dims()),
        "of another rank"
    );
    let (float, half) = (<tiled!(f32[2,3])>::SPEC, <tiled!(bf16[2,3])>::SPEC);
    assert!(float.equal_except(&half, Fields::NONE.float_width()));
    assert!(!spec("f32[2]").equal_except(&spec("s32[2]"), Fields::NONE.float_width()));
}

#[test]
fn the_host_has_the_shape_of_a_device_without_what_is_the_device_s() {
    let host = |text: &str| spec(text).host_shape().to_string();
    assert_eq!(host("s4[<=64,?]{0,1:T(64,128)(8,1)L(8)E(4)S(1)M(8)}"), "s4[<=64,?]{0,1}");
    assert_eq!(host("f32[9,4]{1,0:T(2,2)SC(0:3)}"), "f32[9,4]{1,0}");
    assert_eq!(host("f32[2,3]{0,1} padded to [3,5] with one"), "f32[2,3]{0,1}");
    // Each default layout of the TPU compiler is the device shape of its own host shape.
    for row in rows("tpu_default_layouts", 1500) {
        let device = spec(text(&row, "layout"));
        assert_eq!(device.host_shape().device_shape(), Some(device), "{device}");
    }
    assert_eq!(spec("s1[8]").device_shape(), None);
    assert_eq!(spec("f32[?]").device_shape(), None);
}

#[test]
fn tiles_are_contiguous_where_trailing_dimensions_are() {
    for (text, dims) in [
        ("f32[4,24,128]{2,1,0:T(8,128)}", 3),
        ("f32[4,20,128]{2,1,0:T(8,128)}", 2),
        ("f32[4,24,256]{2,1,0:T(8,128)}", 0),
        ("f32[4,1,128]{2,1,0:T(1,128)}", 3),
        ("f32[4,8,100]{2,1,0:T(8,128)}", 1),
        ("bf16[16,128]{1,0:T(8,128)(2,1)}", 0),
        ("f32[4,5]{0,1}", 0),
        ("f32[]", 0),
    ] {
        assert_eq!(spec(text).contiguous_dims(), dims, "{text}");
    }
}

/// The compiler prints arrays of more than eight dimensions; types have the same limit as the model.
#[test]
#[allow(deprecated, reason = "some of these arrays are mostly padding")]
fn a_type_has_up_to_sixteen_dimensions() {
    type Ten = tensor_layout::tpu!(f32[1,2,1,2,1,2,1,2,3,5]);
    assert_eq!(Ten::SPEC.to_string(), "f32[1,2,1,2,1,2,1,2,3,5]{9,7,8,6,5,4,3,2,1,0:T(2,128)}");
    type Sixteen = tiled!(f32[2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,5]{15,14,13,12,11,10,9,8,7,6,5,4,3,2,1,0:T(8,128)});
    let mut index = [1; 16];
    index[15] = 4;
    assert_eq!(Sixteen::offset(index), Sixteen::SPEC.offset(&index));
    assert_eq!(Sixteen::index(Sixteen::offset(index)), Some(index));
    assert_eq!((Sixteen::RANK, Sixteen::LEN), (16, (1 << 15) / 2 * 8 * 128));
    assert_eq!(Sixteen::physical_index::<18>(index)[14..], [0, 0, 1, 4]);
}

/// "When the second most minor dimension is of size 1 or 2, XLA/TPU uses 2x128 tiles to save memory. When it is of size 3 or
/// 4, it uses 4x128 tiles." "When the array element type is BF16, we usually use (8,128)(2,1)." "TPU 8 bit: (8,128)(4,1)."
/// "It would be less wasteful to use (32,128)(32,1) and only 1 bit per element."
#[test]
fn small_and_narrow_formats_as_the_document_has_them() {
    use tensor_layout::DType;
    let tiles = |dtype, rows| {
        let spec = TiledSpec::tpu_documented(dtype, &[rows, 200])?;
        Some(spec.layout().to_string())
    };
    for (rows, tile) in [(1, "2"), (2, "2"), (3, "4"), (4, "4"), (5, "8"), (8, "8"), (100, "8")] {
        assert_eq!(tiles(DType::F32, rows), Some(format!("{{1,0:T({tile},128)}}")), "{rows}");
        assert_eq!(tiles(DType::BF16, rows), Some(format!("{{1,0:T({tile},128)(2,1)}}")), "{rows}");
        let byte = if rows > 4 { "8" } else { "4" };
        for dtype in [DType::S8, DType::PRED] {
            assert_eq!(tiles(dtype, rows), Some(format!("{{1,0:T({byte},128)(4,1)}}")), "{rows}");
        }
        assert_eq!(tiles(DType::U1, rows).as_deref(), Some("{1,0:T(32,128)(32,1)E(1)}"));
    }
    assert_eq!(TiledSpec::tpu_documented(DType::U1, &[64, 256]).unwrap().bytes(), 64 * 256 / 8);
    assert_eq!(
        (tiles(DType::S4, 8), tiles(DType::F64, 8)),
        (None, None),
        "of these it does not speak"
    );
    assert_eq!(TiledSpec::tpu_documented(DType::F32, &[8]), None);
}

/// Layouts of kernels in public programs, and Mosaic's rule for each generation.
#[test]
fn kernels_are_tiled_by_generation() {
    use tensor_layout::DType;
    use tensor_layout::tiled::TpuGeneration::{V3, V4, V5, V7};
    use tensor_layout::tiled::TpuKernelTiling;
    let of = TpuKernelTiling::of;
    let large = TpuKernelTiling { large_8_bit: true, large_4_bit: true, ..of(V5) };
    for (tiling, text) in [
        (of(V4), "f32[]{:T(128)}"),
        (of(V3), "f32[]{:T(256)}"),
        (of(V4), "pred[]{:T(512)}"),
        (of(V3), "pred[]{:T(1024)}"),
        (of(V4), "bf16[]{:T(256)}"),
        (of(V3), "bf16[]{:T(512)}"),
        (of(V4), "f32[4]{0:T(128)}"),
        (of(V3), "s32[4]{0:T(256)}"),
        (of(V4), "bf16[1024]{0:T(1024)(128)(2,1)}"),
        (of(V7), "bf16[4096]{0:T(1024)(128)(2,1)}"),
        (of(V3), "s32[2,1]{1,0:T(2,128)}"),
        (of(V4), "f32[1,128]{1,0:T(1,128)}"),
        (of(V4), "f32[3,128]{1,0:T(4,128)}"),
        (of(V5), "bf16[32,6144]{1,0:T(8,128)(2,1)}"),
        (of(V7), "bf16[32,6144]{1,0:T(16,128)(2,1)}"),
        (of(V7), "bf16[24,6144]{1,0:T(8,128)(2,1)}"),
        (of(V5), "pred[32,6144]{1,0:T(8,128)(4,1)}"),
        (of(V4), "pred[1,1]{1,0:T(4,128)(4,1)}"),
        (large, "f8e4m3fn[1,1,6144,768]{3,2,1,0:T(32,128)(4,1)}"),
        (of(V5), "s4[64,256]{1,0:T(8,128)(8,1)E(4)}"),
        (large, "s4[64,256]{1,0:T(64,128)(8,1)E(4)}"),
        (of(V5), "s2[256,256]{1,0:T(128,128)(16,1)E(2)}"),
        (of(V5), "s2[8,256]{1,0:T(16,128)(16,1)E(2)}"),
    ] {
        let spec = spec(text);
        assert_eq!(
            TiledSpec::tpu_kernel(tiling, spec.dtype(), spec.dims()),
            Some(spec),
            "{tiling:?}"
        );
    }
    assert_eq!(TiledSpec::tpu_kernel(of(V5), DType::F64, &[8, 128]), None);
    assert_eq!(TiledSpec::tpu_kernel(of(V5), DType::U1, &[32, 128]), None);
    const WEIGHTS: TiledSpec =
        TiledSpec::tpu_kernel(TpuKernelTiling::of(V7), DType::BF16, &[32, 256]).unwrap();
    assert_eq!(WEIGHTS.len(), 32 * 256);
}

/// The guide names a test for each sentence.
#[test]
fn the_tests_that_the_guide_names_exist() {
    let guide = include_str!("../../src/guide/tiled_documents.md");
    let files = [
        ("`documents.rs`: ", include_str!("documents.rs")),
        ("`protos.rs`: ", include_str!("../protos.rs")),
        ("", include_str!("sentences.rs")),
    ];
    let mut found = 0;
    for line in guide.lines().filter(|line| line.starts_with("| ") && line.contains(" | ")) {
        let (_, cell) = line.trim_end_matches(" |").rsplit_once(" | ").expect("two cells");
        let (file, text) = files.iter().find(|(file, _)| cell.starts_with(file)).expect("a file");
        for name in cell[file.len()..].split('`').skip(1).step_by(2) {
            assert!(text.contains(&format!("fn {name}()")), "{name}");
            found += 1;
        }
    }
    assert!(found > 20, "{found}");
}
