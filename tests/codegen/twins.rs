//! Random layouts, and the formula that a person would write for each: shifts and masks joined where they can be.
//!
//! The formula is found by asking where elements are, not from the table that the library computes with.

use crate::random::{Random, tiled};
use std::fmt::Write as _;
use tensor_layout::tiled::Tile;
use tensor_layout::{DType, TiledSpec};

/// The layouts of a fixed seed, with a name for each.
pub(crate) fn layouts() -> Vec<(String, TiledSpec)> {
    let mut random = Random::new(19);
    (0..100).map(|number| (format!("random_{number}"), layout(&mut random))).collect()
}

/// Tiles of the sizes that compilers choose, and others.
fn layout(random: &mut Random) -> TiledSpec {
    const TILINGS: [&[&[usize]]; 16] = [
        &[],
        &[&[8, 128]],
        &[&[4, 128]],
        &[&[2, 128]],
        &[&[8, 128], &[2, 1]],
        &[&[16, 128], &[2, 1]],
        &[&[8, 128], &[4, 1]],
        &[&[32, 128], &[4, 1]],
        &[&[32, 128], &[32, 1]],
        &[&[64, 128], &[8, 1]],
        &[&[1024], &[128], &[2, 1]],
        &[&[512]],
        &[&[3, 5]],
        &[&[Tile::COMBINE, 8, 128]],
        &[&[Tile::COMBINE, Tile::COMBINE, 8, 128]],
        &[&[2, 8, 128], &[2, 1]],
    ];
    let tiles = random.pick(&TILINGS);
    let needed = tiles.first().map_or(1, |tile| tile.len());
    let rank = needed + random.below(5 - needed);
    let dims: Vec<usize> = (0..rank)
        .map(|_| match random.below(4) {
            0 => 1 << random.below(12),
            1 => 128 * (1 + random.below(12)),
            2 => 1 + random.below(12),
            _ => 1 + random.below(3000),
        })
        .collect();
    let order = random.permutation(rank);
    tiled(random.pick(&[DType::F32, DType::BF16, DType::S8]), &dims, &order, tiles)
}

/// A crate of functions from an index to an offset: each of the library's beside its twin by hand.
pub(crate) fn functions(layouts: &[(String, TiledSpec)]) -> String {
    let mut text = String::from("use tensor_layout::{Layout, tiled};\n");
    for (name, spec) in layouts {
        let names: Vec<String> = (0..spec.rank()).map(|dim| format!("i{dim}")).collect();
        let arguments = names.iter().map(|name| format!("{name}: usize")).collect::<Vec<_>>();
        let (arguments, index) = (arguments.join(", "), names.join(", "));
        writeln!(
            text,
            "\n#[unsafe(no_mangle)]\npub fn {name}_ours({arguments}) -> usize {{\n    \
             unsafe {{ <tiled!({spec}) as Layout>::offset_unchecked([{index}]) }}\n}}\n\
             #[unsafe(no_mangle)]\npub fn {name}_twin({arguments}) -> usize {{\n    {}{}\n}}",
            bounds(spec, &names),
            by_hand(spec, &names)
        )
        .unwrap();
    }
    text
}

/// What a twin that divides is told of its index, as ours is: rustc divides a small number in a narrower register, in
/// more but cheaper instructions.
fn bounds(spec: &TiledSpec, names: &[String]) -> String {
    let mut tiles = spec.tiles().iter().flat_map(|tile| tile.as_slice());
    if tiles.all(|&entry| entry == Tile::COMBINE || entry.is_power_of_two()) {
        return String::new();
    }
    let bounds = names.iter().zip(spec.dims());
    bounds
        .map(|(name, size)| {
            format!("unsafe {{ core::hint::assert_unchecked({name} < {size}) }};\n    ")
        })
        .collect()
}

/// A part of the formula: `x / div * stride`, up to where the next one of the same dimension takes over.
struct Field {
    div: usize,
    stride: usize,
}

/// The formula for the offset.
fn by_hand(spec: &TiledSpec, names: &[String]) -> String {
    if let Some(formula) = separate(spec, names) {
        return formula;
    }
    // The dimensions that the tile combines, as one: what is left is an array without combined dimensions.
    let draft = spec.draft();
    let tile = draft.tiles.as_slice()[0];
    let stars = tile.as_slice().iter().take_while(|&&entry| entry == Tile::COMBINE).count();
    let major: Vec<usize> = draft.minor_to_major.as_slice().iter().rev().copied().collect();
    let first = major.len() - tile.as_slice().len();
    let (mut sizes, mut values) = (vec![], vec![]);
    let mut at = 0;
    while at < major.len() {
        let group = &major[at..if at == first { at + stars + 1 } else { at + 1 }];
        at += group.len();
        let (mut size, mut value) = (1, vec![]);
        for &dim in group.iter().rev() {
            value.push(scaled(&names[dim], size));
            size *= spec.dims()[dim];
        }
        value.reverse();
        sizes.push(size);
        values.push(if let [one] = &value[..] {
            one.clone()
        } else {
            format!("({})", value.join(" + "))
        });
    }
    let order: Vec<usize> = (0..sizes.len()).rev().collect();
    let tiles: Vec<&[usize]> = draft.tiles.as_slice().iter().map(|tile| tile.as_slice()).collect();
    let tiles: Vec<&[usize]> = tiles
        .iter()
        .enumerate()
        .map(|(i, tile)| if i == 0 { &tile[stars..] } else { tile })
        .collect();
    let combined = tiled(draft.dtype, &sizes, &order, &tiles);
    separate(&combined, &values).expect("without combined dimensions each has its own part")
}

/// The formula where each dimension moves the offset on its own; `None` where it does not.
fn separate(spec: &TiledSpec, names: &[String]) -> Option<String> {
    let alone = |dim: usize, x: usize| {
        let mut index = vec![0; spec.rank()];
        index[dim] = x;
        spec.offset(&index)
    };
    let mut random = Random::new(1);
    for _ in 0..1000 {
        let index: Vec<usize> = spec.dims().iter().map(|&size| random.below(size)).collect();
        let sum: usize = index.iter().enumerate().map(|(dim, &x)| alone(dim, x)).sum();
        if sum != spec.offset(&index) {
            return None;
        }
    }
    let mut summands = vec![];
    for (dim, name) in names.iter().enumerate() {
        let mut fields: Vec<Field> = vec![];
        for x in 1..spec.dims()[dim] {
            let mut rest = x;
            let mut expected = 0;
            for field in fields.iter().rev() {
                expected += rest / field.div * field.stride;
                rest %= field.div;
            }
            if alone(dim, x) != expected {
                fields.push(Field { div: x, stride: alone(dim, x) });
            }
        }
        for (i, field) in fields.iter().enumerate() {
            let mut digit = name.clone();
            if field.div > 1 {
                digit = format!("{digit} / {}", field.div);
            }
            if let Some(next) = fields.get(i + 1) {
                assert_eq!(next.div % field.div, 0, "{spec}");
                digit = format!("{digit} % {}", next.div / field.div);
            }
            summands.push((field.stride, scaled(&digit, field.stride)));
        }
    }
    summands.sort_by_key(|&(stride, _)| std::cmp::Reverse(stride));
    let summands: Vec<String> = summands.into_iter().map(|(_, summand)| summand).collect();
    Some(if summands.is_empty() { "0".to_owned() } else { summands.join(" + ") })
}

fn scaled(value: &str, factor: usize) -> String {
    if factor == 1 { value.to_owned() } else { format!("{value} * {factor}") }
}
