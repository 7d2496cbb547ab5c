//! A tiled layout in sentences.

use crate::draw::{Explain, NAMES, count, percent};
use crate::parts::MAX_RANK;
use crate::tiled::{Tile, TiledSpec};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Explain for TiledSpec {
    fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::from([shape(self)]);
        sentences.extend(order(self));
        for (at, tile) in self.tiles().iter().enumerate() {
            sentences.push(tiles(tile, at));
            sentences.extend(words(self, tile, at));
        }
        sentences.extend(contiguous(self));
        sentences.extend(storage(self));
        if self.is_static() && !self.is_empty() {
            let names = NAMES[..self.rank()].join(",");
            let formula = self.formula();
            sentences
                .push(format!("Element ({names}) is stored at offset {formula}, in elements."));
            let padding = self.padding_bytes();
            let bytes = count(self.storage_bytes(), "byte");
            sentences.push(match padding {
                0 => format!("The array takes {bytes}, without padding."),
                _ => format!(
                    "The array takes {bytes}, including {padding} ({}) of padding.",
                    percent(padding, self.storage_bytes())
                ),
            });
        }
        sentences
    }
}

fn shape(spec: &TiledSpec) -> String {
    let dtype = spec.dtype();
    let sizes: Vec<_> = (0..spec.rank())
        .map(|dim| match (spec.draft().is_unbounded(dim), spec.draft().bounded >> dim & 1 == 1) {
            (true, _) => "?".into(),
            (_, true) => format!("at most {}", spec.dims()[dim]),
            _ => spec.dims()[dim].to_string(),
        })
        .collect();
    match sizes.len() {
        0 => format!("One element of type {dtype}."),
        _ => format!("An array of {} elements of type {dtype}.", sizes.join(" x ")),
    }
}

/// A dimension by name and number.
fn name(dim: usize) -> String {
    format!("{} (dimension {dim})", NAMES[dim])
}

/// Names the dimensions in their order. Tiles determine which elements are adjacent in storage.
fn order(spec: &TiledSpec) -> Option<String> {
    let [minor, others @ ..] = spec.minor_to_major() else { return None };
    if others.is_empty() {
        return None;
    }
    let rest: Vec<_> = others.iter().copied().map(name).collect();
    let adjacent = match spec.tiles() {
        [] => ", along which elements are contiguous,",
        _ => "",
    };
    Some(format!(
        "Its most minor dimension{adjacent} is {}, followed by {}.",
        name(*minor),
        rest.join(", ")
    ))
}

/// Names the dimension along which the elements of the innermost tiles are adjacent in storage.
fn contiguous(spec: &TiledSpec) -> Option<String> {
    let tile = spec.tiles().last()?;
    if spec.rank() < 2 || !spec.is_static() || spec.is_empty() {
        return None;
    }
    // In a tile of one element, none are adjacent.
    let sizes = tile.as_slice();
    if sizes.iter().all(|size| *size == 1) {
        return None;
    }
    let follows = |dim: &usize| {
        let mut index = [0; MAX_RANK];
        index[*dim] = 1;
        spec.dims()[*dim] > 1 && spec.offset(&index[..spec.rank()]) == 1
    };
    let dim = (0..spec.rank()).find(follows)?;
    let innermost = if spec.tiles().len() > 1 { "innermost " } else { "" };
    Some(format!("Within the {innermost}tiles, elements are contiguous along {}.", name(dim)))
}

fn tiles(tile: &Tile, at: usize) -> String {
    let sizes: Vec<_> = tile
        .as_slice()
        .iter()
        .map(|&size| match size {
            Tile::COMBINE => "*".into(),
            size => size.to_string(),
        })
        .collect();
    let combined = tile.as_slice().contains(&Tile::COMBINE);
    let star =
        if combined { " A dimension with `*` is first merged with the next one." } else { "" };
    let sizes = sizes.join(" x ");
    if at > 0 {
        return format!(
            "Each tile is divided in the same way into smaller tiles of {sizes}.{star}"
        );
    }
    let dims = match tile.as_slice().len() {
        1 => "most minor dimension".into(),
        minor => format!("{minor} most minor dimensions"),
    };
    format!(
        "It is divided along its {dims} into tiles of {sizes}. The tiles, and the elements of each tile, are stored in \
         row-major order; tiles at the edge are filled with padding.{star}"
    )
}

/// The purpose of a tile of `n` rows of one element: it puts `n` elements into one word.
fn words(spec: &TiledSpec, tile: &Tile, at: usize) -> Option<String> {
    let [rows, 1] = tile.as_slice() else { return None };
    let bits = rows.checked_mul(spec.stored_bits())?;
    (at > 0 && bits == 32).then(|| {
        format!("So {rows} rows are interleaved, and {rows} elements of one column share a word of 32 bits.")
    })
}

/// A sentence for each attribute after the tiles.
fn storage(spec: &TiledSpec) -> impl Iterator<Item = String> {
    let bits = spec.stored_bits();
    let width = (bits != spec.dtype().bits())
        .then(|| format!("Each element is stored in {}.", count(bits, "bit")));
    let multiple = spec.draft().tail_alignment;
    // Without tiles, XLA ignores it.
    let multiple = (multiple > 1 && !spec.tiles().is_empty()).then(|| {
        format!("The number of stored elements is rounded up to a multiple of {multiple}.")
    });
    let space = match (spec.memory_space(), spec.memory()) {
        (0, _) => None,
        (space, Some(memory)) => Some(format!("It is in memory space {space}, {}.", memory.name())),
        (space, None) => Some(format!("It is in memory space {space}.")),
    };
    let splits = spec.splits().iter().map(|split| {
        let at: Vec<_> = split.indices.as_slice().iter().map(usize::to_string).collect();
        let (dim, at) = (split.dimension, at.join(", "));
        format!("Physical dimension {dim} is split between memories at {at}.")
    });
    let prefix = (spec.prefix_bytes() > 0)
        .then(|| format!("{} of run-time sizes precede it.", count(spec.prefix_bytes(), "byte")));
    let splits: Vec<_> = splits.collect();
    multiple.into_iter().chain(width).chain(space).chain(splits).chain(prefix)
}
