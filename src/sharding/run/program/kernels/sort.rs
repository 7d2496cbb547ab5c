//! Sorts.

use super::super::numbers::{Number, Numbers};
use super::{Failed, HostArray, LocalCall, Made};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// `sort(x, y)` in MLIR: sorts arrays along one dimension, in the order that a comparison of their elements defines. Elements of
/// which neither comes before the other keep their order.
pub(super) fn sort(call: &LocalCall<'_>) -> Made {
    let (dims, along) = (call.operand(0).dims(), call.number());
    let (Some(&size), [comparison]) = (dims.get(along), call.bodies) else {
        return Err(Failed::Not("it does not say what is sorted".to_string()));
    };
    let inner: usize = dims[along + 1..].iter().product();
    let arrays = call.operands.iter().map(|operand| Numbers::of(&operand.array));
    let arrays: Vec<_> = arrays.collect();
    let (mut arguments, mut values) = (Vec::<Number>::new(), Vec::new());
    let mut is_wrong = false;
    let mut is_less = |a: usize, b: usize| {
        arguments.clear();
        arguments.extend(arrays.iter().flat_map(|array| [array.at(a), array.at(b)]));
        let holds = comparison.holds(&arguments, &mut values);
        is_wrong |= holds.is_none();
        holds.unwrap_or(false)
    };
    let count: usize = dims.iter().product();
    let mut order = vec![0; count];
    for line in 0..count / size.max(1) {
        let first = line / inner * inner * size + line % inner;
        let positions = (0..size).map(|at| first + at * inner).collect();
        for (at, from) in sorted(positions, &mut is_less).into_iter().enumerate() {
            order[first + at * inner] = from;
        }
    }
    if is_wrong {
        return Err(Failed::Not("its body does not compare".to_string()));
    }
    let made = call.operands.iter().map(|operand| {
        let x = &operand.array;
        let mut result = HostArray::zeroed(x.dtype(), dims)?;
        let width = x.width();
        for (to, from) in result.as_bytes_mut()?.chunks_exact_mut(width).zip(&order) {
            to.copy_from_slice(&x.as_bytes()[from * width..][..width]);
        }
        Ok(result)
    });
    made.collect()
}

/// A stable sort by merging. The sort of the standard library may panic if a comparison is not an order.
fn sorted(line: Vec<usize>, is_less: &mut impl FnMut(usize, usize) -> bool) -> Vec<usize> {
    let count = line.len();
    let (mut from, mut to) = (line, Vec::with_capacity(count));
    let mut width = 1;
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let middle = (start + width).min(count);
            let (mut left, mut right) = (start..middle, middle..(middle + width).min(count));
            while !left.is_empty() || !right.is_empty() {
                let takes_right = !right.is_empty()
                    && (left.is_empty() || is_less(from[right.start], from[left.start]));
                let side = if takes_right { &mut right } else { &mut left };
                to.extend(side.next().map(|at| from[at]));
            }
        }
        core::mem::swap(&mut from, &mut to);
        to.clear();
        width *= 2;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_elements_keep_their_order_and_no_order_is_no_panic() {
        let keys = [3, 1, 3, 0, 1, 2, 0, 3, 1];
        let order = sorted((0..9).collect(), &mut |a, b| keys[a] < keys[b]);
        assert_eq!(order, [3, 6, 1, 4, 8, 5, 0, 2, 7]);
        let mut order = sorted((0..9).collect(), &mut |_, _| true);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(sorted(Vec::new(), &mut |_, _| true).is_empty());
    }
}
