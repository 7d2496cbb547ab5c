//! Cutting axes so that any two that overlap are equal.

use super::super::axis::Axis;
use alloc::vec::Vec;

/// Cuts every axis of `lists` where one of `others` begins or ends.
pub(in crate::sharding) fn align(lists: &mut [Vec<Axis>], others: &[Axis]) {
    let mut others = others.to_vec();
    others.sort_unstable_by_key(|axis| (axis.index(), axis.pre(), axis.size()));
    for list in lists {
        let whole = core::mem::take(list);
        for axis in whole {
            cut(axis, &others, list);
        }
    }
}

/// Appends the parts of an axis.
fn cut(axis: Axis, others: &[Axis], parts: &mut Vec<Axis>) {
    let mut rest = axis;
    for other in others {
        if !other.overlaps(rest) || other.contains(rest) || !other.can_coexist(rest) {
            continue;
        }
        let start = rest.pre().max(other.pre());
        let end = rest.end().min(other.end());
        if start > rest.pre() {
            parts.push(rest.part(rest.pre(), start / rest.pre()));
        }
        parts.push(rest.part(start, end / start));
        if end == rest.end() {
            return;
        }
        rest = rest.part(end, rest.end() / end);
    }
    parts.push(rest);
}
