//! The indices at which an encoding stores a value: each index of a given entry, and every other index for which its levels have a
//! position.

use std::collections::BTreeSet;
use tensor_layout::sparse::{LevelFormat, SparseEncoding};

/// Whether an encoding with entries at the indices `given` stores something at `index`.
pub(crate) fn is_stored(encoding: &SparseEncoding, given: &[&[usize]], index: &[usize]) -> bool {
    if encoding.counts() {
        return given.contains(&index);
    }
    let mut below: Vec<&[usize]> = given.to_vec();
    for level in encoding.levels() {
        let coordinate = level.expr.of(index);
        let present: BTreeSet<i64> = below.iter().map(|entry| level.expr.of(entry)).collect();
        let has_place = match level.format {
            LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => true,
            LevelFormat::Structured { n, m } => {
                // The first coordinates that are not given fill the remaining positions.
                let others = (0..m as i64).filter(|other| !present.contains(other));
                let padding = others.take(n.saturating_sub(present.len()));
                present.contains(&coordinate)
                    || padding.into_iter().any(|other| other == coordinate)
            }
            LevelFormat::Delta { bits } => {
                present.contains(&coordinate)
                    || bridges(&present, 1 << bits.min(62)).contains(&coordinate)
            }
            _ => present.contains(&coordinate),
        };
        if !has_place {
            return false;
        }
        below.retain(|entry| level.expr.of(entry) == coordinate);
    }
    true
}

/// The positions in gaps that are wider than a step.
fn bridges(present: &BTreeSet<i64>, step: i64) -> Vec<i64> {
    let mut bridges = Vec::new();
    let mut before = -1;
    for &next in present {
        bridges.extend((1..).map(|n| before + n * step).take_while(|at| *at < next));
        before = next;
    }
    bridges
}
