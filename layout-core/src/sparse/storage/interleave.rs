use super::super::encoding::SparseEncoding;
use super::LevelParts;
use alloc::vec::Vec;

/// Moves the coordinates of singletons that are interleaved with those of their parent into the parent's array. If the parent has
/// the coordinates `[0, 1]` and the singleton `[4, 2]`, the parent's array becomes `[0, 4, 1, 2]`.
pub(super) fn interleave<P, W: Copy>(encoding: &SparseEncoding, levels: &mut [LevelParts<P, W>]) {
    for first in 0..levels.len() {
        let run = encoding.interleaved(first);
        if run == 1 {
            continue;
        }
        let arrays: Vec<Vec<W>> = levels[first..first + run]
            .iter_mut()
            .map(|level| core::mem::take(&mut level.coordinates))
            .collect();
        let count = arrays.iter().map(Vec::len).min().unwrap_or(0);
        let together =
            (0..count).flat_map(|position| arrays.iter().map(move |array| array[position]));
        levels[first].coordinates = together.collect();
    }
}
