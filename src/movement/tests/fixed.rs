use super::reference::{Random, indices, pack};
use super::{Cpu, Guarded, check, draft, forced, spec};
use crate::movement::{DynLayout, Plan};
use crate::{DType, F32, PaddingValue};
use layout_core::parts::IndexMap;
use layout_core::tiled::{Draft, List, Padded, Tile, TiledSpec};

const COMBINE: usize = Tile::COMBINE;

/// One type for each width of host values and of storage.
const WIDTHS: [(DType, usize); 13] = [
    (DType::PRED, 0),
    (DType::PRED, 1),
    (DType::S2, 2),
    (DType::S4, 4),
    (DType::F6E2M3FN, 6),
    (DType::S4, 0),
    (DType::S8, 0),
    (DType::BF16, 0),
    (DType::F32, 0),
    (DType::C64, 0),
    (DType::C128, 0),
    (DType::S4, 16),
    (DType::F32, 64),
];

type Numbers<'a> = (&'a [usize], &'a [usize], &'a [&'a [usize]]);

#[test]
fn each_way_of_moving_agrees_at_each_width() {
    let layouts: [Numbers; 22] = [
        (&[19, 70], &[1, 0], &[]),
        (&[19, 70], &[0, 1], &[]),
        (&[19, 70], &[1, 0], &[&[8, 32]]),
        (&[19, 70], &[0, 1], &[&[8, 32]]),
        (&[19, 70], &[1, 0], &[&[8, 32], &[2, 1]]),
        (&[19, 70], &[1, 0], &[&[8, 32], &[4, 1]]),
        (&[19, 70], &[1, 0], &[&[8, 32], &[8, 1]]),
        (&[16, 64], &[1, 0], &[&[8, 32], &[2, 1]]),
        (&[16, 32], &[1, 0], &[&[8, 32]]),
        (&[600], &[0], &[&[256]]),
        (&[600], &[0], &[&[256], &[32], &[2, 1]]),
        (&[600], &[0], &[&[256], &[32], &[4, 1]]),
        (&[5, 7, 33], &[0, 2, 1], &[&[8, 16], &[2, 1]]),
        (&[3, 5, 7, 2], &[2, 0, 3, 1], &[&[2, 4]]),
        (&[4, 5, 6], &[2, 1, 0], &[&[COMBINE, 3, 4]]),
        (&[10, 12], &[1, 0], &[&[4, 4], &[3, 1]]),
        (&[9], &[0], &[&[8], &[1, 5, 1]]),
        (&[3], &[0], &[&[2, 2]]),
        (&[], &[], &[&[16]]),
        (&[], &[], &[]),
        (&[0, 5], &[1, 0], &[&[2, 2]]),
        (&[5, 0, usize::MAX >> 8], &[2, 1, 0], &[&[2, 2]]),
    ];
    let mut random = Random(2);
    for (dims, order, tiles) in layouts {
        for (dtype, element_bits) in WIDTHS {
            let layout = |order, tiles| {
                Draft { element_bits, ..draft(dtype, dims, order, tiles) }.validate().unwrap()
            };
            let row_major: Vec<usize> = (0..dims.len()).rev().collect();
            check(&layout(order, tiles), &layout(&row_major, &[]), &mut random);
            let other = random.layout(dtype, dims);
            check(&layout(order, tiles), &other, &mut random);
        }
    }
}

#[test]
fn transposes_of_several_blocks_put_each_element_at_its_offset() {
    let mut random = Random(7);
    for (dtype, width) in [(DType::S8, 1), (DType::BF16, 2), (DType::F32, 4), (DType::C128, 16)] {
        // More rows than are transposed at a time, once with rows of the transpose a page apart, and more columns than a line
        // has elements.
        let columns = 64 / width + 3;
        for rows in [17 * 64 / width + 5, 4096 / width] {
            for tiles in [&[] as &[&[usize]], &[&[8, 32]]] {
                agrees_on_each_cpu(&spec(dtype, &[rows, columns], &[0, 1], tiles), &mut random);
            }
        }
    }
}

/// Packs and unpacks on each CPU, streaming or not. Arrays that are read end where their allocation ends.
fn agrees_on_each_cpu(spec: &TiledSpec, random: &mut Random) {
    let width = spec.dtype().byte_width();
    let row_major = random.values(spec);
    let mut packed = vec![0; spec.storage_bytes()];
    for (index, value) in indices(spec.dims()).zip(row_major.chunks(width)) {
        packed[spec.offset(&index) * width..][..width].copy_from_slice(value);
    }
    for (cpu, stream) in Cpu::all().into_iter().flat_map(|cpu| [(cpu, false), (cpu, true)]) {
        forced::set(cpu, stream);
        let past = random.below(3) * width;
        let mut guarded = Guarded::new(packed.len(), past);
        spec.pack_bytes(&row_major, guarded.middle()).unwrap();
        assert!(guarded.checked() == packed, "pack {spec} on {cpu:?}, {stream}");
        let mut guarded = Guarded::new(row_major.len(), past);
        spec.unpack_bytes(&packed, guarded.middle()).unwrap();
        assert!(guarded.checked() == row_major, "unpack {spec} on {cpu:?}, {stream}");
    }
}

#[test]
fn rows_of_any_number_of_columns_are_interleaved() {
    let mut random = Random(9);
    for (dtype, most) in [(DType::S8, 8), (DType::BF16, 8), (DType::F32, 4), (DType::F64, 2)] {
        for rows in [2, 4, 8].into_iter().filter(|rows| *rows <= most) {
            // More columns than a line has, so that rows are interleaved line by line.
            for columns in 1..=64 / dtype.byte_width() + 1 {
                let tile: &[&[usize]] = &[&[rows, columns], &[rows, 1]];
                // Once with rows missing, and the last columns; and once with less than a line in all.
                let whole = [rows + 1, 3 * columns + columns / 2];
                for dims in [whole, [rows, columns]] {
                    agrees_on_each_cpu(&spec(dtype, &dims, &[1, 0], tile), &mut random);
                }
            }
        }
    }
}

#[test]
fn rows_of_few_columns_are_interleaved_in_many_groups() {
    let mut random = Random(10);
    let layouts: [Numbers; 4] = [
        // More groups than move together, with some left over.
        (&[9, 2400], &[1, 0], &[&[8, 5], &[4, 1]]),
        (&[9, 2051], &[1, 0], &[&[8, 1], &[2, 1]]),
        // Rows that do not continue from group to group.
        (&[4, 9, 5], &[2, 0, 1], &[&[2, 3, 5], &[2, 1]]),
        (&[5, 12, 9], &[1, 2, 0], &[&[8, 5], &[8, 1]]),
    ];
    for (dims, order, tiles) in layouts {
        agrees_on_each_cpu(&spec(DType::S8, dims, order, tiles), &mut random);
        agrees_on_each_cpu(&spec(DType::BF16, dims, order, tiles), &mut random);
    }
}

#[test]
fn runs_of_any_length_are_copied() {
    let mut random = Random(11);
    for columns in 1..=140 {
        let layout = spec(DType::S8, &[3, 2 * columns + 1], &[1, 0], &[&[2, columns]]);
        agrees_on_each_cpu(&layout, &mut random);
    }
}

#[test]
fn tiles_within_tiles_that_they_do_not_divide() {
    let mut random = Random(12);
    let layouts: [Numbers; 6] = [
        (&[16, 19], &[1, 0], &[&[5, 6], &[2, 1]]),
        (&[15, 24], &[0, 1], &[&[5, 6], &[2, 1]]),
        (&[20, 20], &[1, 0], &[&[8, 8], &[3, 5]]),
        (&[40], &[0], &[&[12], &[5, 1], &[1, 2]]),
        (&[3, 7, 33], &[2, 1, 0], &[&[COMBINE, 5, 9], &[2, 4]]),
        (&[3, 7, 33], &[2, 1, 0], &[&[3, 9], &[2, 4], &[4, 1]]),
    ];
    for (dims, order, tiles) in layouts {
        for (dtype, element_bits) in WIDTHS {
            let layout = |order, tiles| {
                Draft { element_bits, ..draft(dtype, dims, order, tiles) }.validate().unwrap()
            };
            let other = random.layout(dtype, dims);
            check(&layout(order, tiles), &other, &mut random);
            check(&other, &layout(order, tiles), &mut random);
        }
    }
}

#[test]
fn squares_of_elements_are_turned() {
    let mut random = Random(8);
    for (dtype, side) in [(DType::S8, 2), (DType::S8, 4), (DType::BF16, 2)] {
        for dims in [[64, 256], [70, 133]] {
            let layout = |order| spec(dtype, &dims, order, &[&[8, 32], &[side, 1]]);
            let (rows, columns) = (layout(&[1, 0]), layout(&[0, 1]));
            let plan = Plan::new(rows.map(), columns.map()).unwrap();
            let bits = dtype.bits();
            let plan = plan.with_bits(bits, bits).to_string();
            assert!(plan.contains(&format!("each of {side} rows of {side}")), "{plan}");
            for _ in 0..3 {
                check(&rows, &columns, &mut random);
                check(&columns, &rows, &mut random);
            }
        }
    }
}

#[test]
fn explicit_padding_is_written_with_its_value() {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    let padded = |value, tiles: &[&[usize]]| {
        let widths = List::of(&[3, 5]).unwrap();
        let draft = draft(DType::F32, &[2, 3], &[0, 1], tiles);
        Draft { padded: Some(Padded { widths, value }), ..draft }.validate().unwrap()
    };
    let zero = padded(PaddingValue::Zero, &[]);
    assert_eq!(zero.to_string(), "f32[2,3]{0,1} padded to [3,5] with zero");
    let packed = zero.pack::<F32>(&values).unwrap();
    assert_eq!(floats(&packed), [1., 4., 0., 2., 5., 0., 3., 6., 0., 0., 0., 0., 0., 0., 0.]);

    let one = padded(PaddingValue::One, &[]);
    let packed = one.pack::<F32>(&values).unwrap();
    assert_eq!(floats(&packed), [1., 4., 1., 2., 5., 1., 3., 6., 1., 1., 1., 1., 1., 1., 1.]);

    // The physical array has 5 rows of 3, in tiles of 2 x 2: the padding that the tiles add is zero.
    let tiled = padded(PaddingValue::One, &[&[2, 2]]);
    let packed = tiled.pack::<F32>(&values).unwrap();
    let tiles = [
        [1., 4., 2., 5., 1., 0., 1., 0.],
        [3., 6., 1., 1., 1., 0., 1., 0.],
        [1., 1., 0., 0., 1., 0., 0., 0.],
    ];
    assert_eq!(floats(&packed), tiles.as_flattened());
}

#[test]
fn padding_of_large_arrays_is_found() {
    let mut random = Random(3);
    let layouts: [Numbers; 5] = [
        (&[37, 201], &[1, 0], &[&[8, 128]]),
        (&[37, 201], &[1, 0], &[&[8, 128], &[2, 1]]),
        (&[5, 37, 9], &[0, 2, 1], &[&[8, 64]]),
        (&[5000], &[0], &[&[1024], &[128], &[2, 1]]),
        (&[33, 65], &[1, 0], &[&[4, 4], &[2, 2, 8, 2]]),
    ];
    for (dims, order, tiles) in layouts {
        let mut draft = draft(DType::U16, dims, order, tiles);
        draft.tail_alignment = 1000;
        let layout = draft.validate().unwrap();
        let row_major = random.values(&layout);
        let mut packed = vec![0xFF; layout.bytes()];
        layout.pack_bytes(&row_major, &mut packed).unwrap();
        assert!(packed == pack(&layout, &row_major), "{layout}");
    }
}

/// The plans to pack and to unpack, as text.
fn plans(spec: &TiledSpec) -> [String; 2] {
    let row_major = IndexMap::row_major(spec.dims()).unwrap();
    let text = |from, to| Plan::new(from, to).unwrap().to_string();
    [text(&row_major, spec.map()), text(spec.map(), &row_major)]
}

#[test]
fn contiguous_arrays_are_one_loop() {
    for dims in [&[16, 128][..], &[2, 8, 128], &[2048]] {
        let tiles: &[&[usize]] = if dims.len() == 1 { &[&[1024]] } else { &[&[8, 128]] };
        let order: Vec<usize> = (0..dims.len()).rev().collect();
        for plan in plans(&spec(DType::F32, dims, &order, tiles)) {
            assert!(plan.contains("in 0..2048: source + 1, destination + 1\n  move"), "{plan}");
        }
    }
}

#[test]
fn the_two_innermost_loops_are_contiguous_on_one_side_each() {
    let [pack, unpack] = plans(&spec(DType::BF16, &[1001, 384], &[1, 0], &[&[8, 128], &[2, 1]]));
    assert_eq!(
        pack,
        "\
for d0 floordiv 8 in 0..126 while d0 < 1001: source + 3072, destination + 3072
  for d1 floordiv 128 in 0..3: source + 128, destination + 1024
    for (d0 floordiv 2) mod 4 in 0..4 while d0 < 1001: source + 768, destination + 256
      for d1 mod 128 in 0..128: source + 1, destination + 2
        for d0 mod 2 in 0..2 while d0 < 1001: source + 384, destination + 1
          move one element
"
    );
    assert_eq!(
        unpack,
        "\
for d0 floordiv 8 in 0..126 while d0 < 1001: source + 3072, destination + 3072
  for (d0 floordiv 2) mod 4 in 0..4 while d0 < 1001: source + 256, destination + 768
    for d1 floordiv 128 in 0..3: source + 1024, destination + 128
      for d0 mod 2 in 0..2 while d0 < 1001: source + 1, destination + 384
        for d1 mod 128 in 0..128: source + 2, destination + 1
          move one element
"
    );
}

#[test]
fn dimensions_without_a_common_refinement_are_walked() {
    let [pack, _] = plans(&spec(DType::F32, &[10, 256], &[1, 0], &[&[9, 128], &[5, 1], &[2, 1]]));
    assert_eq!(
        pack,
        "\
for d0 in 0..10: both as their maps say
  for d1 floordiv 128 in 0..2: source + 128, destination + 1536
    for d1 mod 128 in 0..128: source + 1, destination + 6
      move one element
"
    );
    let tiles = |tile: &[usize]| spec(DType::F32, &[30, 5], &[1, 0], &[tile]);
    let (eight, six, three) = (tiles(&[8, 4]), tiles(&[6, 4]), tiles(&[3, 5]));
    let plan =
        |from: &TiledSpec, to: &TiledSpec| Plan::new(from.map(), to.map()).map(|p| p.to_string());
    assert!(plan(&eight, &six).unwrap().starts_with("for d0 in 0..30: both as their maps say\n"));
    assert!(plan(&six, &eight).unwrap().starts_with("for d0 in 0..30: both as their maps say\n"));
    // Tiles as wide as the array leave its rows in order, whatever their height.
    assert!(plan(&eight, &three).unwrap().starts_with("for d0 floordiv 8 in 0..4"));
    assert_eq!(plan(&eight, &spec(DType::F32, &[4, 30], &[1, 0], &[])), None);
    assert_eq!(plan(&eight, &spec(DType::F32, &[30], &[0], &[])), None);
}

#[test]
fn tiles_that_do_not_divide_a_tile_are_loops_of_it() {
    let layout = spec(DType::F32, &[10, 256], &[1, 0], &[&[8, 128], &[3, 1]]);
    let [pack, unpack] = plans(&layout);
    assert_eq!(
        pack,
        "\
for d0 floordiv 8 in 0..2 while d0 < 10: source + 2048, destination + 2304
  for d1 floordiv 128 in 0..2: source + 128, destination + 1152
    for (d0 mod 8) floordiv 3 in 0..3 while (d0 mod 8) < 8: source + 768, destination + 384
      for d1 mod 128 in 0..128: source + 1, destination + 3
        for (d0 mod 8) mod 3 in 0..3 while (d0 mod 8) < 8: source + 256, destination + 1
          move one element
"
    );
    assert!(unpack.starts_with("for d0 floordiv 8 in 0..2 while d0 < 10: source + 2304"));
}

#[test]
fn combined_dimensions_are_split_as_one() {
    let tile = [COMBINE, COMBINE, 2, COMBINE, 3];
    let layout = spec(DType::F32, &[2, 7, 8, 11, 10], &[4, 3, 2, 1, 0], &[&tile]);
    assert_eq!(
        plans(&layout)[0],
        "\
for (d0, d1, d2) floordiv 2 in 0..56: source + 220, destination + 222
  for (d3, d4) floordiv 3 in 0..37 while (d3, d4) < 110: source + 3, destination + 6
    for (d0, d1, d2) mod 2 in 0..2: source + 110, destination + 3
      for (d3, d4) mod 3 in 0..3 while (d3, d4) < 110: source + 1, destination + 1
        move one element
"
    );
    // Compared with dimensions in another order, whose strides differ.
    let transposed = spec(DType::F32, &[2, 7, 8, 11, 10], &[3, 4, 2, 1, 0], &[]);
    let plan = Plan::new(transposed.map(), layout.map()).unwrap().to_string();
    assert!(plan.contains("for d3 in 0..11: both as their maps say\n"), "{plan}");
    assert!(plan.contains("for (d0, d1, d2) floordiv 2 in 0..56: "), "{plan}");
}

#[test]
fn plans_of_nothing_and_of_one_element() {
    assert_eq!(
        plans(&spec(DType::F32, &[0, isize::MAX as usize], &[1, 0], &[]))[0],
        "nothing to move\n"
    );
    assert_eq!(plans(&spec(DType::F32, &[], &[], &[&[128]]))[0], "move one element\n");
}
