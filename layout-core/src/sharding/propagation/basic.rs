//! The basic strategy: each factor gets the axes on which all tensors agree.

use super::common::compatible;
use super::conflict::{across, truncate, within};
use super::flow::OpPropagation;

pub(super) fn run(step: &mut OpPropagation<'_>) {
    for factor in 0..step.projection.factors {
        let mut axes = compatible(step.projection, factor, step.direction(factor));
        if axes.is_empty() {
            continue;
        }
        let (projection, size) = (&*step.projection, step.rule.factors[factor].size);
        truncate(&mut axes, step.conservative, |axis, before| {
            (0..projection.tensors).try_fold(axis, |axis, tensor| {
                let axis = across(projection, axis, tensor, factor)?;
                match projection.cell(tensor, factor).present {
                    true => within(projection, axis, tensor, factor, before, size),
                    false => Some(axis),
                }
            })
        });
        for tensor in 0..step.projection.tensors {
            step.expand(tensor, factor, &axes);
        }
    }
}
