//! Random layouts, as text.

use proptest::prelude::*;
use tensor_layout::{DType, PaddingValue, TiledSpec};

/// The random numbers for one dimension.
#[derive(Clone, Debug)]
struct Dim {
    size: usize,
    bounded: bool,
    /// Added to the size if the array is padded explicitly.
    padding: usize,
    /// Bit `i` splits the dimension at index `i + 1`, if there is one.
    splits: u8,
}

/// The largest size of a dimension by the rank of the array, so that there are few enough elements to check each offset.
/// Dimensions of arrays of higher rank have size 2 at most, and mostly 1.
const SMALL_SIZES: [usize; 9] = [1, 40, 12, 7, 5, 4, 3, 3, 2];

/// Enough elements for several tiles of an accelerator.
const MANY: [usize; 9] = [1, 2000, 140, 14, 7, 5, 4, 3, 2];

/// The most bytes that an array is stored in. Tiles within tiles are dropped until the array fits, because each of them pads up
/// to sixteen dimensions: writing gigabytes of padding takes half a minute, and shows no more than megabytes do.
const MOST_BYTES: usize = 1 << 24;

fn dims(largest: Option<usize>, rank: usize, split: bool) -> impl Strategy<Value = Vec<Dim>> {
    let splits = prop_oneof![4 => Just(0), u32::from(split) => any::<u8>()];
    let size = match largest {
        Some(largest) => (0..=largest).boxed(),
        None => prop_oneof![20 => 1..2_usize, 12 => 2..3_usize, 1 => 0..1_usize].boxed(),
    };
    let dim = (size, proptest::bool::weighted(0.1), 0..3_usize, splits);
    let dim =
        dim.prop_map(|(size, bounded, padding, splits)| Dim { size, bounded, padding, splits });
    proptest::collection::vec(dim, rank)
}

/// A tile; 0 means `*`.
fn tile() -> impl Strategy<Value = Vec<usize>> {
    let size = prop_oneof![1 => Just(0), 6 => 1..=5_usize];
    (proptest::collection::vec(size, 0..4), 1..=5_usize)
        .prop_map(|(major, minor)| [major, vec![minor]].concat())
}

/// Tiles within tiles, of any sizes or those that accelerators use.
fn tiles() -> impl Strategy<Value = Vec<Vec<usize>>> {
    const USUAL: [[usize; 2]; 5] = [[8, 128], [16, 128], [2, 128], [32, 32], [4, 8]];
    let usual = (
        proptest::sample::select(USUAL.to_vec()),
        proptest::option::of(proptest::sample::select(vec![[2, 1], [4, 1], [8, 1], [2, 2]])),
    );
    let usual = usual.prop_map(|(tile, inner)| [tile].into_iter().chain(inner));
    prop_oneof![
        3 => proptest::collection::vec(tile(), 0..=4),
        1 => usual.prop_map(|tiles| tiles.map(Vec::from).collect()),
    ]
}

fn attribute(name: char, values: impl Strategy<Value = usize>) -> impl Strategy<Value = String> {
    proptest::option::weighted(0.3, values)
        .prop_map(move |value| value.map_or(String::new(), |value| format!("{name}({value})")))
}

/// A layout in canonical order, but not always canonical: an attribute may state the default.
pub(crate) fn layout() -> impl Strategy<Value = String> {
    array(SMALL_SIZES, true).prop_flat_map(|(dtype, dims)| layout_of(dtype, dims))
}

/// Two layouts of one array, in one memory.
pub(crate) fn pair() -> impl Strategy<Value = [String; 2]> {
    array(MANY, false).prop_flat_map(|(dtype, dims)| {
        [layout_of(dtype, dims.clone()).boxed(), layout_of(dtype, dims).boxed()]
    })
}

fn array(largest: [usize; 9], split: bool) -> impl Strategy<Value = (DType, Vec<Dim>)> {
    (
        proptest::sample::select(DType::ALL.to_vec()),
        prop_oneof![4 => 0..=8_usize, 1 => 9..=16_usize],
    )
        .prop_flat_map(move |(dtype, rank)| {
            (Just(dtype), dims(largest.get(rank).copied(), rank, split))
        })
}

fn layout_of(dtype: DType, dims: Vec<Dim>) -> impl Strategy<Value = String> {
    let rank = dims.len();
    let widths: Vec<_> =
        DType::STORED_WIDTHS.into_iter().filter(|width| *width >= dtype.bits()).collect();
    let values: Vec<_> = ["zero", "one", "lowest", "highest"]
        .into_iter()
        .zip(PaddingValue::ALL)
        .filter(|(_, value)| dtype.padding_bits(*value).is_some())
        .map(|(name, _)| name)
        .collect();
    (
        Just((0..rank).collect::<Vec<_>>()).prop_shuffle(),
        tiles(),
        attribute('L', 1..30_usize),
        attribute('E', proptest::sample::select(widths)),
        attribute('S', 0..128_usize),
        attribute('M', 0..64_usize),
        proptest::option::weighted(0.2, proptest::sample::select(values)),
    )
        .prop_map(move |(order, tiles, l, e, s, m, padded)| {
            let sizes = join(dims.iter().map(|dim| match dim.bounded {
                true => format!("<={}", dim.size),
                false => dim.size.to_string(),
            }));
            let splits: String = (0..rank)
                .filter_map(|physical| split(physical, &dims[order[rank - 1 - physical]]))
                .collect();
            let padded = padded.map_or(String::new(), |value| {
                let widths = join(dims.iter().map(|dim| (dim.size + dim.padding).to_string()));
                format!(" padded to [{widths}] with {value}")
            });
            let sc = named("SC", splits);
            let order = join(order.iter().map(usize::to_string));
            let with = |tiles: &[Vec<usize>]| {
                let tiles = tiles.iter().map(|tile| format!("({})", join(tile.iter().map(entry))));
                let t = named("T", tiles.collect());
                format!("{dtype}[{sizes}]{{{order}:{t}{l}{e}{s}{sc}{m}}}{padded}")
            };
            let fits = |text: &String| {
                text.parse().map_or(true, |spec: TiledSpec| spec.storage_bytes() <= MOST_BYTES)
            };
            let fewer = (0..=tiles.len()).rev().map(|count| with(&tiles[..count]));
            fewer.clone().find(fits).unwrap_or_else(|| with(&[]))
        })
}

fn entry(size: &usize) -> String {
    if *size == 0 { "*".to_string() } else { size.to_string() }
}

fn split(physical: usize, dim: &Dim) -> Option<String> {
    let indices = (1..dim.size.min(9)).filter(|index| dim.splits >> (index - 1) & 1 == 1);
    let indices = join(indices.map(|index| index.to_string()));
    if indices.is_empty() { None } else { Some(format!("({physical}:{indices})")) }
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(",")
}

fn named(name: &str, groups: String) -> String {
    if groups.is_empty() { groups } else { format!("{name}{groups}") }
}
