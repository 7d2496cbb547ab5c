use super::super::element::SparseElement;
use super::super::encoding::SparseEncoding;
use super::super::width::{Coordinate, Position};
use super::LevelParts;
use super::access::Rule;
use alloc::vec::Vec;

/// One batch: the arrays of the levels below the batch levels, the number of positions of each of them, and the values.
pub(super) type Batch<P, W, T> = (Vec<LevelParts<P, W>>, Vec<usize>, Vec<T>);

/// The arrays of all levels, and the values.
pub(super) type LevelsAndValues<P, W, T> = (Vec<LevelParts<P, W>>, Vec<T>);

/// Concatenates the batches, each padded to the longest, so that each array has a leading dimension for every batch level. If two
/// batches have the values `[1, 2]` and `[3]`, the joined values are `[1, 2, 3, 0]`.
pub(super) fn join<P: Position, C: Coordinate, T: SparseElement>(
    encoding: &SparseEncoding,
    mut built: Vec<Batch<P, C::Word, T>>,
) -> LevelsAndValues<P, C::Word, T> {
    let (first, count) = (encoding.batch_levels(), encoding.levels().len());
    let mut levels: Vec<_> = (0..first).map(|_| LevelParts::default()).collect();
    if built.len() == 1
        && let Some((below, _, values)) = built.pop()
    {
        levels.extend(below);
        return (levels, values);
    }
    levels.resize_with(count, LevelParts::default);
    let most = |level: usize| built.iter().map(|(_, counts, _)| counts[level]).max().unwrap_or(0);
    let counts: Vec<usize> = (0..count).map(most).collect();
    let mut values = Vec::new();
    for (batch, (below, own, own_values)) in built.into_iter().enumerate() {
        for (level, parts) in (first..count).zip(below) {
            let above = if level == 0 { 1 } else { counts[level - 1] };
            let joined = &mut levels[level];
            joined.positions.extend_from_slice(&parts.positions);
            if let Some(&last) = parts.positions.last() {
                // A batch with fewer segments than the longest one is padded with empty segments.
                let positions = Rule::of(encoding, level).positions(above).unwrap_or(0);
                joined.positions.resize((batch + 1) * positions, last);
            }
            if encoding.levels()[level].format.has_coordinates() {
                for position in 0..counts[level] {
                    let stored = position < own[level];
                    let coordinate = if stored { C::get(&parts.coordinates, position) } else { 0 };
                    C::push(&mut joined.coordinates, batch * counts[level] + position, coordinate);
                }
            }
        }
        values.extend(own_values);
        values.resize((batch + 1) * counts[count - 1], T::ZERO);
    }
    (levels, values)
}
