//! Makes users of a value read a constraint on the value instead, if propagation replaced the value.

use super::Imported;
use super::tree::{Number, Operation, Region};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;

impl Imported<'_> {
    /// Makes the same changes to the operations that propagation made to its graph.
    pub(super) fn replace(&mut self) {
        if self.graph.replaced().is_empty() {
            return;
        }
        let numbers =
            self.values.iter().enumerate().filter_map(|(at, value)| Some(((*value)?, at)));
        let mut numbers: BTreeMap<_, _> = numbers.collect();
        let mut roots = core::mem::take(&mut self.roots);
        for replaced in self.graph.replaced().to_vec() {
            let Some(&value) = numbers.get(&replaced.value) else { continue };
            let known = numbers.get(&replaced.by).copied();
            let own = match known {
                Some(by) => roots.iter_mut().find_map(|root| match replaced.later {
                    true => redirect(&mut root.region, by, value).then_some(None),
                    false => taken(&mut root.region, by).map(Some),
                }),
                None => self.graph.sharding(replaced.by).map(|sharding| {
                    let constraint = self.constraint(value, sharding);
                    self.values[constraint.results[0]] = Some(replaced.by);
                    numbers.insert(replaced.by, constraint.results[0]);
                    Some(constraint)
                }),
            };
            let Some(Some(constraint)) = own else { continue };
            for root in &mut roots {
                let by = constraint.results[0];
                rename(&mut root.region, value, by);
                if place(&mut root.region, value, &constraint) {
                    break;
                }
            }
        }
        self.roots = roots;
    }
}

/// Removes the operation with this result from a region, and returns it.
fn taken(region: &mut Region, result: Number) -> Option<Operation> {
    let at = region.operations.iter().position(|operation| operation.results.contains(&result));
    if let Some(at) = at {
        return Some(region.operations.remove(at));
    }
    let regions = region.operations.iter_mut().flat_map(|operation| &mut operation.regions);
    regions.into_iter().find_map(|region| taken(region, result))
}

/// Makes all operations of a region read another value.
fn rename(region: &mut Region, value: Number, by: Number) {
    for operation in &mut region.operations {
        operation
            .operands
            .iter_mut()
            .filter(|operand| **operand == value)
            .for_each(|own| *own = by);
        operation.regions.iter_mut().for_each(|region| rename(region, value, by));
    }
}

/// Makes the operations of the body after the one that computes `by` read `by` instead of `value`. Returns whether the operation
/// that computes `by` is in the region.
fn redirect(region: &mut Region, by: Number, value: Number) -> bool {
    let at = region.operations.iter().position(|operation| operation.results.contains(&by));
    let Some(at) = at else {
        let mut regions = region.operations.iter_mut().flat_map(|operation| &mut operation.regions);
        return regions.any(|region| redirect(region, by, value));
    };
    let operands = region.operations[at + 1..].iter_mut().flat_map(|own| &mut own.operands);
    operands.filter(|operand| **operand == value).for_each(|operand| *operand = by);
    true
}

/// Inserts an operation immediately after the one that computes a value. Returns whether the latter is in the region.
fn place(region: &mut Region, value: Number, operation: &Operation) -> bool {
    let at = match region.arguments.contains(&value) {
        true => Some(0),
        false => {
            region.operations.iter().position(|own| own.results.contains(&value)).map(|at| at + 1)
        }
    };
    if let Some(at) = at {
        region.operations.insert(at, operation.clone());
        return true;
    }
    let regions: Vec<_> =
        region.operations.iter_mut().flat_map(|operation| &mut operation.regions).collect();
    regions.into_iter().any(|region| place(region, value, operation))
}
