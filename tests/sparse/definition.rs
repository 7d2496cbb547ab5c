//! The arrays of a tensor according to the definitions of the level formats: lists of lists of entries, split level by level.

use crate::naive::{Wide, target};
use tensor_layout::sparse::{
    Duplicates, Extent, LevelExpr, LevelFormat, LevelParts, Parts, SparseEncoding,
};

/// An entry as its coordinates on all levels, and its value.
type Entry = (Vec<i64>, i32);

/// The arrays of entries that the encoding can store.
pub(crate) fn arrays<I: AsRef<[usize]>>(
    encoding: &SparseEncoding,
    shape: &[usize],
    entries: &[(I, i32)],
    duplicates: Duplicates,
) -> Wide {
    let entry = |(index, value): &(I, i32)| (target(encoding, index.as_ref()), *value);
    let mut entries: Vec<Entry> = entries.iter().map(entry).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    if duplicates == Duplicates::Sum {
        entries.dedup_by(|again, first| {
            let same = again.0 == first.0;
            first.1 += if same { again.1 } else { 0 };
            same
        });
    }
    number(encoding, &mut entries);
    let extent = |level: usize| encoding.levels()[level].expr.extent(shape).expect("an extent");
    let (first, count) = (encoding.batch_levels(), encoding.levels().len());
    let mut batches = vec![entries];
    for level in 0..first {
        let split = batches.into_iter().flat_map(|batch| full(level, extent(level), &batch));
        batches = split.collect();
    }
    // Each array of all batches, as one list for each batch.
    let mut levels = vec![(Vec::new(), Vec::new()); count];
    let mut values = Vec::new();
    for batch in batches {
        let mut segments = vec![batch];
        for (level, (positions, coordinates)) in levels.iter_mut().enumerate().skip(first) {
            let mut arrays = LevelParts::default();
            segments = split(encoding, level, extent(level), segments, &mut arrays);
            positions.push(arrays.positions);
            coordinates.push(arrays.coordinates);
        }
        assert!(segments.iter().all(|entries| entries.len() < 2), "{encoding}: {segments:?}");
        values.push(segments.iter().map(|entries| entries.first().map_or(0, |e| e.1)).collect());
    }
    let joined = levels.into_iter().map(|(positions, coordinates)| LevelParts {
        positions: join(positions, |batch| batch.last().copied().unwrap_or(0)),
        coordinates: join(coordinates, |_| 0),
    });
    let levels = interleave(encoding, joined.collect());
    Parts { shape: shape.to_vec(), levels, values: join(values, |_| 0) }
}

/// Numbers the entries of each row, and sorts by that number where it comes first.
fn number(encoding: &SparseEncoding, entries: &mut [Entry]) {
    let counts = |expr: &LevelExpr| matches!(expr, LevelExpr::Count { .. });
    let levels = encoding.levels();
    let Some(level) = levels.iter().position(|level| counts(&level.expr)) else { return };
    let row = 1 - level;
    for at in 0..entries.len() {
        let same = entries[..at].iter().filter(|entry| entry.0[row] == entries[at].0[row]);
        entries[at].0[level] = same.count() as i64;
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
}

/// The entries of each coordinate.
fn full(level: usize, extent: Extent, entries: &[Entry]) -> Vec<Vec<Entry>> {
    let coordinates = extent.least..extent.least + extent.size as i64;
    coordinates.map(|coordinate| at(level, coordinate, entries)).collect()
}

/// The entries of one coordinate.
fn at(level: usize, coordinate: i64, entries: &[Entry]) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.0[level] == coordinate).cloned().collect()
}

/// The entries of each position of a level, from those of each position of the level above.
fn split(
    encoding: &SparseEncoding,
    level: usize,
    extent: Extent,
    segments: Vec<Vec<Entry>>,
    arrays: &mut LevelParts<usize, isize>,
) -> Vec<Vec<Entry>> {
    let spec = &encoding.levels()[level];
    let slot = level + 1 == encoding.levels().len() && encoding.counts();
    let mut below: Vec<Vec<Entry>> = Vec::new();
    let segment_ends =
        matches!(spec.format, LevelFormat::Compressed | LevelFormat::Delta { .. }) && !slot;
    arrays.positions.extend(segment_ends.then_some(0));
    for entries in segments {
        let start = below.len();
        let mut distinct: Vec<i64> = entries.iter().map(|entry| entry.0[level]).collect();
        distinct.dedup();
        // The coordinate that the level stores at each of its positions, and the entries there.
        let stored: Vec<(i64, Vec<Entry>)> = match spec.format {
            LevelFormat::Dense | LevelFormat::Range | LevelFormat::Batch => {
                below.extend(full(level, extent, &entries));
                continue;
            }
            _ if slot || spec.format == LevelFormat::Singleton => {
                vec![(entries.first().map_or(0, |entry| entry.0[level]), entries)]
            }
            LevelFormat::Compressed | LevelFormat::LooseCompressed if spec.properties.nonunique => {
                entries.into_iter().map(|entry| (entry.0[level], vec![entry])).collect()
            }
            LevelFormat::Structured { n, m } => {
                let others: Vec<_> = (0..m as i64).filter(|c| !distinct.contains(c)).collect();
                let mut chosen = [&distinct[..], &others[..n - distinct.len()]].concat();
                chosen.sort();
                chosen.into_iter().map(|c| (c, at(level, c, &entries))).collect()
            }
            LevelFormat::Delta { bits } => {
                let widest = ((1u64 << bits) - 1) as i64;
                let (mut gaps, mut next) = (Vec::new(), 0);
                for coordinate in distinct {
                    while coordinate - next > widest {
                        gaps.push((widest, Vec::new()));
                        next += widest + 1;
                    }
                    gaps.push((coordinate - next, at(level, coordinate, &entries)));
                    next = coordinate + 1;
                }
                gaps
            }
            _ => distinct.into_iter().map(|c| (c, at(level, c, &entries))).collect(),
        };
        for (coordinate, entries) in stored {
            arrays.coordinates.push(coordinate as isize);
            below.push(entries);
        }
        match spec.format {
            LevelFormat::LooseCompressed => arrays.positions.extend([start, below.len()]),
            _ => arrays.positions.extend(segment_ends.then_some(below.len())),
        }
    }
    if spec.format == LevelFormat::LooseCompressed {
        arrays.positions.push(below.len());
    }
    below
}

/// Concatenates one array of all batches, each padded to the longest.
fn join<A: Copy>(batches: Vec<Vec<A>>, padding: impl Fn(&[A]) -> A) -> Vec<A> {
    let longest = batches.iter().map(Vec::len).max().unwrap_or(0);
    let padded = batches.into_iter().flat_map(|mut batch| {
        if batch.len() < longest {
            batch.resize(longest, padding(&batch));
        }
        batch
    });
    padded.collect()
}

/// Coordinates of singletons that are not `soa` are interleaved with those of the level above with positions.
fn interleave(
    encoding: &SparseEncoding,
    mut levels: Vec<LevelParts<usize, isize>>,
) -> Vec<LevelParts<usize, isize>> {
    let mut first = 0;
    for level in 1..levels.len() {
        let spec = &encoding.levels()[level];
        if spec.format != LevelFormat::Singleton || spec.properties.soa {
            first = level;
            continue;
        }
        let below = std::mem::take(&mut levels[level].coordinates);
        let width = level - first;
        let groups = levels[first].coordinates.chunks(width).zip(below);
        let together = groups.flat_map(|(group, last)| group.iter().copied().chain([last]));
        levels[first].coordinates = together.collect();
    }
    levels
}
