//! The offsets of elements, by the rule of XLA's document.

use tensor_layout::TiledSpec;
use tensor_layout::tiled::Tile;

/// All indices of an array, in row-major order.
pub(crate) fn indices(dims: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let elements: usize = dims.iter().product();
    (0..elements).map(|mut element| {
        let mut index: Vec<_> = dims
            .iter()
            .rev()
            .map(|size| {
                let coordinate = element % size;
                element /= size;
                coordinate
            })
            .collect();
        index.reverse();
        index
    })
}

/// The offset of `index` by the rule of XLA's document, step by step on the list of (size, coordinate).
pub(crate) fn by_the_document(spec: &TiledSpec, index: &[usize]) -> usize {
    let draft = spec.draft();
    let width =
        |dim: usize| draft.padded.map_or(spec.dims()[dim], |padded| padded.widths.as_slice()[dim]);
    let mut list: Vec<(usize, usize)> =
        spec.minor_to_major().iter().rev().map(|&dim| (width(dim), index[dim])).collect();
    for tile in spec.tiles() {
        let tile = tile.as_slice();
        while list.len() < tile.len() {
            list.insert(0, (1, 0));
        }
        let whole = list.split_off(list.len() - tile.len());
        let mut inside = Vec::new();
        let mut combined = (1, 0);
        for (&entry, (size, at)) in tile.iter().zip(whole) {
            combined = (combined.0 * size, combined.1 * size + at);
            if entry != Tile::COMBINE {
                list.push((combined.0.div_ceil(entry), combined.1 / entry));
                inside.push((entry, combined.1 % entry));
                combined = (1, 0);
            }
        }
        list.extend(inside);
    }
    list.iter().fold(0, |offset, (size, at)| offset * size + at)
}
