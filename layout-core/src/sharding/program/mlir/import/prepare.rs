//! The changes that Shardy makes to a module before propagation: every use of a constant gets a separate copy, and calls get the
//! body of their function; and the removal of unused operations after it.

use super::Failure;
use super::read::is_call;
use super::rules::{is_elementwise, is_pure};
use super::tree::{Module, Number, Operation, Region, Syntax};
use crate::sharding::tensor::Symbol;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of operations of a module after calls have received bodies, and each use of a constant its own copy.
const MAX_OPERATIONS: usize = 1 << 20;

/// The largest depth to which bodies can be nested after calls have received bodies.
const MAX_DEPTH: usize = 128;

/// Removes the operations that have no effect and no user.
pub(super) fn without_unused(
    module: &Module<'_>,
    region: &mut Region,
    removes: fn(&Syntax<'_>) -> bool,
) {
    let mut uses = BTreeMap::new();
    count(region, &mut uses);
    sweep(module, region, removes, &mut uses);
}

fn count(region: &Region, uses: &mut BTreeMap<Number, usize>) {
    for operation in &region.operations {
        operation.operands.iter().for_each(|operand| *uses.entry(*operand).or_insert(0) += 1);
        operation.regions.iter().for_each(|region| count(region, uses));
    }
}

fn sweep(
    module: &Module<'_>,
    region: &mut Region,
    removes: fn(&Syntax<'_>) -> bool,
    uses: &mut BTreeMap<Number, usize>,
) {
    let mut kept = Vec::new();
    for mut operation in core::mem::take(&mut region.operations).into_iter().rev() {
        let is_used = |value: &Number| uses.get(value).is_some_and(|count| *count > 0);
        if is_removed(module, &operation, removes)
            && !module.name(&operation).ends_with("return")
            && !operation.results.iter().any(is_used)
        {
            let mut own = BTreeMap::new();
            count(&Region { operations: vec![operation], ..Region::default() }, &mut own);
            for (value, count) in own {
                uses.entry(value).and_modify(|uses| *uses -= count);
            }
            continue;
        }
        operation.regions.iter_mut().for_each(|region| sweep(module, region, removes, uses));
        kept.push(operation);
    }
    kept.reverse();
    region.operations = kept;
}

/// Whether an operation with all its bodies can be removed.
pub(super) fn is_removed(
    module: &Module<'_>,
    operation: &Operation,
    removes: fn(&Syntax<'_>) -> bool,
) -> bool {
    let syntax = module.syntax(operation);
    let mut inner = operation.regions.iter().flat_map(|region| &region.operations);
    (removes(syntax) || syntax.name.ends_with("return"))
        && inner.all(|operation| is_removed(module, operation, removes))
}

/// Gives each use of a constant, or of a scalar that is broadcast, a separate copy. A call whose operands are constants is a
/// constant if its function is not among `others`. Returns whether the results of a function with this body are constant if its
/// operands are.
pub(super) fn split_constants<'t>(
    module: &mut Module<'t>,
    region: &mut Region,
    others: &BTreeSet<Cow<'t, str>>,
) -> Result<bool, Failure> {
    let mut split = Split {
        module,
        others,
        copied: BTreeMap::new(),
        firsts: BTreeMap::new(),
        constants: BTreeSet::new(),
        count: 0,
        is_preserving: true,
    };
    split.rewrite(region)?;
    split.replace(region);
    Ok(split.is_preserving)
}

/// An operation that is copied for each of its users.
struct Copied {
    original: Operation,
    copies: Vec<Operation>,
    /// Whether a scalar result of the operation, or a scalar computed from it, is used: scalars are not split, so they are not
    /// copied.
    is_kept: bool,
}

struct Split<'m, 't> {
    module: &'m mut Module<'t>,
    /// Functions whose results are not constant although their operands are.
    others: &'m BTreeSet<Cow<'t, str>>,
    /// Operations by their first results.
    copied: BTreeMap<Number, Copied>,
    /// The first result of the operation that makes a value.
    firsts: BTreeMap<Number, Number>,
    /// The values that are computed from constants.
    constants: BTreeSet<Number>,
    /// The number of copies.
    count: usize,
    /// Whether every operation so far computes constants from constants.
    is_preserving: bool,
}

impl Split<'_, '_> {
    fn is_scalar(&self, value: Number) -> bool {
        self.module.dims(value).is_some_and(<[usize]>::is_empty)
    }

    /// Whether the results of an operation are constant if its operands are.
    fn preserves(&self, operation: &Operation) -> bool {
        let syntax = self.module.syntax(operation);
        match syntax.name {
            name if is_call(name) => !self.others.contains(&syntax.callee),
            "stablehlo.broadcast_in_dim" | "stablehlo.slice" | "stablehlo.reshape" => true,
            name => is_elementwise(name) && is_pure(syntax),
        }
    }

    fn is_constant(&self, operation: &Operation) -> bool {
        match self.module.name(operation) {
            "stablehlo.constant" | "sdy.constant" | "stablehlo.iota" => true,
            _ => {
                self.preserves(operation)
                    && operation.operands.iter().all(|operand| self.constants.contains(operand))
            }
        }
    }

    /// Makes the operations that are not constants use copies, starting with the first operation.
    fn rewrite(&mut self, region: &mut Region) -> Result<(), Failure> {
        for mut operation in core::mem::take(&mut region.operations) {
            let is_constant = self.is_constant(&operation);
            let name = self.module.name(&operation);
            let is_expansion = name == "stablehlo.broadcast_in_dim"
                && operation.operands.iter().all(|operand| self.is_scalar(*operand));
            if !is_constant && !is_expansion {
                let is_passive = name.ends_with("return") || name == "sdy.sharding_group";
                self.is_preserving &= is_passive || self.preserves(&operation);
                self.take_copies(&mut operation)?;
                region.operations.push(operation);
                continue;
            }
            if is_constant {
                self.constants.extend(&operation.results);
            }
            match operation.results[..] {
                // A call without operands and results.
                [] => continue,
                [result] if self.is_scalar(result) => self.keep(&operation.operands),
                [first, ..] => {
                    let results = operation.results.iter().map(|result| (*result, first));
                    self.firsts.extend(results);
                    let original = operation.clone();
                    let copied = Copied { original, copies: Vec::new(), is_kept: false };
                    self.copied.insert(first, copied);
                }
            }
            region.operations.push(operation);
        }
        Ok(())
    }

    /// Keeps values, and the values from which they are computed.
    fn keep(&mut self, values: &[Number]) {
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            let copied = self.firsts.get(&value).and_then(|first| self.copied.get_mut(first));
            if let Some(copied) = copied.filter(|copied| !copied.is_kept) {
                copied.is_kept = true;
                open.extend(&copied.original.operands);
            }
        }
    }

    fn take_copies(&mut self, operation: &mut Operation) -> Result<(), Failure> {
        for operand in &mut operation.operands {
            *operand = self.copy(*operand);
        }
        if self.count > MAX_OPERATIONS {
            let at = self.module.syntax(operation).at;
            return Err(Failure::new(
                at,
                format!("more than {MAX_OPERATIONS} copies of constants"),
            ));
        }
        operation.regions.iter_mut().try_for_each(|region| self.rewrite(region))
    }

    /// A copy of a value, with copies of the values from which it is computed.
    fn copy(&mut self, value: Number) -> Number {
        if !self.firsts.contains_key(&value) {
            return value;
        }
        let (mut originals, mut open) = (BTreeSet::new(), vec![value]);
        while let Some(value) = open.pop() {
            let Some(first) = self.firsts.get(&value).copied() else { continue };
            if self.is_scalar(value) {
                self.keep(&[value]);
            } else if originals.insert(first)
                && let Some(copied) = self.copied.get(&first)
            {
                open.extend(&copied.original.operands);
            }
        }
        let mut made = BTreeMap::new();
        // In the order of their definitions, which is the order of their numbers.
        for first in originals {
            let Some(copied) = self.copied.get_mut(&first) else { continue };
            let mut operation = copied.original.clone();
            for operand in &mut operation.operands {
                *operand = made.get(operand).copied().unwrap_or(*operand);
            }
            for result in &mut operation.results {
                let copy = self.module.copy(*result);
                // Users of a scalar keep reading the original.
                let is_scalar = self.module.dims(copy).is_some_and(<[usize]>::is_empty);
                if !is_scalar {
                    made.insert(*result, copy);
                }
                *result = copy;
            }
            self.count += 1;
            copied.copies.push(operation);
        }
        made.get(&value).copied().unwrap_or(value)
    }

    /// Replaces the originals by the copies.
    fn replace(&mut self, region: &mut Region) {
        let operations = core::mem::take(&mut region.operations);
        for mut operation in operations {
            let first = operation.results.first();
            if let Some(copied) = first.and_then(|first| self.copied.remove(first)) {
                region.operations.extend(copied.copies);
                region.operations.extend(Some(copied.original).filter(|_| copied.is_kept));
                continue;
            }
            operation.regions.iter_mut().for_each(|region| self.replace(region));
            region.operations.push(operation);
        }
    }
}

/// Gives calls a copy of the body of their function.
pub(super) struct Inline<'b, 't> {
    /// The bodies by name.
    pub(super) bodies: BTreeMap<Cow<'t, str>, &'b Region>,
    /// The functions that are being copied.
    pub(super) open: Vec<Cow<'t, str>>,
    pub(super) count: usize,
    /// The number of bodies that contain the operation.
    pub(super) depth: usize,
}

impl<'t> Inline<'_, 't> {
    /// A copy of a region with new values.
    pub(super) fn copy(
        &mut self,
        module: &mut Module<'t>,
        region: &Region,
        values: &mut BTreeMap<Number, Number>,
    ) -> Result<Region, Failure> {
        let mut define = |module: &mut Module<'t>, list: &[Number]| -> Vec<Number> {
            let copies = list.iter().map(|value| {
                let copy = module.copy(*value);
                values.insert(*value, copy);
                copy
            });
            copies.collect()
        };
        self.depth += 1;
        let arguments = define(module, &region.arguments);
        let mut operations = Vec::with_capacity(region.operations.len());
        for operation in &region.operations {
            let results = define(module, &operation.results);
            operations.push((operation, results));
        }
        let mut copies = Vec::with_capacity(operations.len());
        for (operation, results) in operations {
            let of = |value: &Number| values.get(value).copied().unwrap_or(*value);
            let operands = operation.operands.iter().map(of).collect();
            let mut copy = Operation { operands, results, ..operation.clone() };
            copy.regions.clear();
            for region in &operation.regions {
                copy.regions.push(self.copy(module, region, values)?);
            }
            self.call(module, &mut copy)?;
            copies.push(copy);
        }
        self.depth -= 1;
        Ok(Region { arguments, has_header: region.has_header, operations: copies })
    }

    /// Replaces calls in a region by the bodies of their functions.
    pub(super) fn calls(
        &mut self,
        module: &mut Module<'t>,
        region: &mut Region,
    ) -> Result<(), Failure> {
        self.depth += 1;
        for operation in &mut region.operations {
            for region in &mut operation.regions {
                self.calls(module, region)?;
            }
            self.call(module, operation)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn call(&mut self, module: &mut Module<'t>, operation: &mut Operation) -> Result<(), Failure> {
        let syntax = module.syntax(operation);
        let (name, at) = (syntax.name, syntax.at);
        self.count += 1;
        if self.count > MAX_OPERATIONS {
            let message = format!("more than {MAX_OPERATIONS} operations in all bodies of calls");
            return Err(Failure::new(at, message).of(name, at));
        }
        if !is_call(name) || !operation.regions.is_empty() {
            return Ok(());
        }
        let callee = syntax.callee.clone();
        let Some(body) = self.bodies.get(&callee).copied() else {
            // A function without a body provides no information about its results.
            return Ok(());
        };
        if self.open.contains(&callee) {
            let message = format!("the function `{}` calls itself", Symbol(&callee));
            return Err(Failure::new(at, message).of(name, at));
        }
        if self.depth > MAX_DEPTH {
            let message = format!("bodies and calls are nested deeper than {MAX_DEPTH}");
            return Err(Failure::new(at, message).of(name, at));
        }
        if body.arguments.len() != operation.operands.len()
            || body.returned().len() != operation.results.len()
        {
            let message = format!(
                "`{}` takes {} values and returns {}, but the call has {} operands and {} results",
                Symbol(&callee),
                body.arguments.len(),
                body.returned().len(),
                operation.operands.len(),
                operation.results.len()
            );
            return Err(Failure::new(at, message).of(name, at));
        }
        self.open.push(callee);
        let copy = self.copy(module, body, &mut BTreeMap::new())?;
        self.open.pop();
        operation.regions.push(copy);
        Ok(())
    }
}
