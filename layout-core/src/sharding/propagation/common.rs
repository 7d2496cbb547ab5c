//! The longest major axes of a factor that all tensors share.

use super::super::axis::{Axis, AxisList};
use super::flow::Direction;
use super::projection::Projection;

/// The longest axes with which the sharding of `factor` begins in every tensor. Conflicts with other factors are not considered
/// here.
pub(super) fn compatible(projection: &Projection, factor: usize, direction: Direction) -> AxisList {
    let (operands, results) = (0..projection.operands, projection.operands..projection.tensors);
    let (first, second) = match direction {
        Direction::None => return AxisList::new(),
        Direction::Both | Direction::Forward => (operands, results),
        Direction::Backward => (results, operands),
    };
    let mut axes = AxisList::new();
    let mut can_expand = true;
    let mut merge_all = |tensors: core::ops::Range<usize>, may_expand: bool| {
        can_expand &= may_expand;
        for tensor in tensors {
            let cell = projection.cell(tensor, factor);
            if cell.present {
                can_expand = merge(&mut axes, &cell.axes, can_expand);
            }
        }
    };
    merge_all(first, true);
    // Unless shardings flow in both directions, the second side adds no axes; it can only disagree.
    merge_all(second, direction == Direction::Both);
    axes
}

/// Cuts `old` down to the part that it shares with `new`. If one is a prefix of the other, the longer one is kept if it is `old`,
/// or if `can_expand`. Returns whether the result may still be expanded.
///
/// For `old` `{"a":(1)2}` and `new` `{"a", "b"}`, the result is `{"a", "b"}` if `can_expand`, and `{"a":(1)2}` otherwise.
fn merge(old: &mut AxisList, new: &[Axis], can_expand: bool) -> bool {
    let common = old.len().min(new.len());
    for at in 0..common {
        let (a, b) = (old[at], new[at]);
        if a == b {
            continue;
        }
        if b.is_prefix_of(a) {
            if new.len() > at + 1 {
                old[at] = b;
                old.truncate(at + 1);
                return false;
            }
        } else if a.is_prefix_of(b) {
            if !can_expand || old.len() > at + 1 {
                old.truncate(at + 1);
                return false;
            }
            old[at] = b;
        } else {
            old.truncate(at);
            return false;
        }
    }
    if can_expand && new.len() > common {
        old.extend_from_slice(&new[common..]);
    }
    can_expand
}
