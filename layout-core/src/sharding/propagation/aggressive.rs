//! The aggressive strategy: each tensor gets all axes that it can have.

use super::super::axis::{AxisList, product};
use super::common::compatible;
use super::conflict::{across, truncate, within};
use super::flow::OpPropagation;
use super::projection::{Projection, is_prefix, is_strict_prefix};
use core::cmp::Reverse;
use smallvec::SmallVec;

/// The origin of the axes of a factor: the size and the number of a tensor.
type Source = Option<(usize, usize)>;

pub(super) fn run(step: &mut OpPropagation<'_>) {
    let factors = step.projection.factors;
    let axes: SmallVec<[AxisList; 8]> = (0..factors)
        .map(|factor| compatible(step.projection, factor, step.direction(factor)))
        .collect();
    if axes.iter().all(|axes| axes.is_empty()) {
        return;
    }
    let mut order: SmallVec<[_; 8]> = (0..factors)
        .filter(|&factor| !axes[factor].is_empty())
        .map(|factor| (None, factor))
        .collect();
    if order.len() > 1 {
        for (key, factor) in &mut order {
            let (size, tensor) = source(step, *factor, &axes[*factor]).unzip();
            let parts = if step.elementwise { product(&axes[*factor]) } else { 0 };
            *key = Some((Reverse(size), Reverse(parts), tensor));
        }
        order.sort_unstable();
    }
    let (operands, tensors) = (step.projection.operands, step.projection.tensors);
    for tensor in (operands..tensors).chain(0..operands) {
        for &(_, factor) in &order {
            let mut new = axes[factor].clone();
            if !shorten(step, tensor, factor, &mut new) {
                continue;
            }
            if step.elementwise && tensor < operands {
                // A sharding flows from operand to operand only as far as the sharding of the result.
                let projection = &step.projection;
                let result = (operands..tensors)
                    .map(|result| projection.cell(result, factor))
                    .find(|cell| cell.present && is_strict_prefix(&cell.axes, &new));
                if let Some(result) = result {
                    new = result.axes.clone();
                }
            }
            step.expand(tensor, factor, &new);
        }
    }
}

/// Cuts `axes` down to those that the tensor can have. Returns whether they are more than it has.
fn shorten(step: &OpPropagation<'_>, tensor: usize, factor: usize, axes: &mut AxisList) -> bool {
    let projection: &Projection = step.projection;
    let cell = projection.cell(tensor, factor);
    if !cell.present {
        return false;
    }
    let size = step.rule.factors[factor].size;
    truncate(axes, step.conservative, |axis, before| {
        within(projection, axis, tensor, factor, before, size)
    });
    if !is_strict_prefix(&cell.axes, axes) {
        return false;
    }
    truncate(axes, step.conservative, |axis, _| across(projection, axis, tensor, factor));
    !axes.is_empty()
}

/// The largest tensor that is already sharded along `axes`; the first if there are several.
fn source(step: &OpPropagation<'_>, factor: usize, axes: &AxisList) -> Source {
    let projection = &step.projection;
    let mut best: Source = None;
    for tensor in 0..projection.tensors {
        let cell = projection.cell(tensor, factor);
        if !cell.present || !is_prefix(axes, &cell.axes) {
            continue;
        }
        let size = projection
            .row(tensor)
            .iter()
            .zip(&step.rule.factors)
            .filter(|(cell, _)| cell.present)
            .fold(1, |size: usize, (_, factor)| size.saturating_mul(factor.size));
        if best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, tensor));
        }
    }
    best
}
