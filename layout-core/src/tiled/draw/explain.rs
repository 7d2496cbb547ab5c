//! A tiled layout in sentences.

use crate::draw::{Explain, NAMES, count, percent};
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
        sentences.extend(storage(self));
        if self.is_static() && !self.is_empty() {
            let names = NAMES[..self.rank()].join(",");
            let formula = self.formula();
            sentences
                .push(format!("Element ({names}) is stored at offset {formula}, in elements."));
            let padding = self.padding_bytes();
            let bytes = count(self.storage_bytes(), "byte");
            sentences.push(match padding {
                0 => format!("The array takes {bytes}, and none of them is padding."),
                _ => format!(
                    "The array takes {bytes}, of which {padding} ({}) are padding.",
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

/// Names the dimension whose elements are adjacent in storage.
fn order(spec: &TiledSpec) -> Option<String> {
    let [minor, others @ ..] = spec.minor_to_major() else { return None };
    if others.is_empty() {
        return None;
    }
    let name = |dim: &usize| format!("{} (dimension {dim})", NAMES[*dim]);
    let rest: Vec<_> = others.iter().map(name).collect();
    Some(format!(
        "Its most minor dimension, along which neighbours lie next to each other, is {}; then follow{} {}.",
        name(minor),
        if others.len() == 1 { "s" } else { "" },
        rest.join(", ")
    ))
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
        if combined { " A dimension with `*` is merged with the next one first." } else { "" };
    let sizes = sizes.join(" x ");
    if at > 0 {
        return format!("Each tile is cut in the same way into smaller tiles of {sizes}.{star}");
    }
    let dims = match tile.as_slice().len() {
        1 => "most minor dimension".into(),
        minor => format!("{minor} most minor dimensions"),
    };
    format!(
        "It is cut along its {dims} into tiles of {sizes}, which are stored one after the other, row-major, as are the \
         elements of each; tiles at the edge are filled up with padding.{star}"
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
