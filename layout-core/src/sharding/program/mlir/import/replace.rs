//! Makes users of a value read a constraint on the value instead, if propagation replaced the value.

use super::Imported;
use super::tree::{Number, Operation, Region};
use crate::sharding::lists::Lists;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The number of an operation, or of a region, in [`Operations`].
type Id = usize;

impl Imported<'_> {
    /// Makes the same changes to the operations that propagation made to its graph.
    pub(super) fn replace(&mut self) {
        if self.graph.replaced().is_empty() {
            return;
        }
        let numbers =
            self.values.iter().enumerate().filter_map(|(at, value)| Some(((*value)?, at)));
        let mut numbers: BTreeMap<_, _> = numbers.collect();
        let mut operations = Operations::default();
        let regions = self.roots.iter_mut().map(|root| {
            let region = core::mem::take(&mut root.region);
            operations.add_region(region)
        });
        let regions: Vec<_> = regions.collect();
        operations.functions.extend(&regions);
        for replaced in self.graph.replaced().to_vec() {
            let Some(&value) = numbers.get(&replaced.value) else { continue };
            let constraint = match numbers.get(&replaced.by) {
                Some(&by) if replaced.later => {
                    operations.redirect(value, by);
                    continue;
                }
                Some(&by) => operations.taken(by),
                None => {
                    let Some(sharding) = self.graph.sharding(replaced.by) else { continue };
                    let constraint = self.constraint(value, sharding);
                    self.values[constraint.results[0]] = Some(replaced.by);
                    numbers.insert(replaced.by, constraint.results[0]);
                    Some(operations.add(constraint))
                }
            };
            let Some(constraint) = constraint else { continue };
            operations.rename(value, constraint);
            operations.place(constraint, value);
        }
        for (root, region) in self.roots.iter_mut().zip(regions) {
            root.region = operations.region(region);
        }
    }
}

/// An operation whose regions are stored separately.
struct Node {
    operation: Operation,
    regions: Vec<Id>,
    /// Its position in the region as it was read. Operations that are not constraints do not move.
    position: usize,
}

/// The position of a value: an argument of a region, or a result of an operation.
#[derive(Clone, Copy)]
enum Definition {
    Argument(Id),
    Result(Id),
}

/// The operations of a module.
#[derive(Default)]
struct Operations {
    nodes: Vec<Node>,
    /// The regions, without operations.
    bodies: Vec<Region>,
    /// The operations of each region.
    lists: Lists,
    /// The regions that are the bodies of functions.
    functions: BTreeSet<Id>,
    definitions: BTreeMap<Number, Definition>,
    /// The operations that read a value, once for each use.
    users: BTreeMap<Number, Vec<Id>>,
}

impl Operations {
    fn add_region(&mut self, mut region: Region) -> Id {
        let operations = core::mem::take(&mut region.operations);
        let id = self.bodies.len();
        let arguments = region.arguments.iter();
        self.definitions.extend(arguments.map(|value| (*value, Definition::Argument(id))));
        self.bodies.push(region);
        for (position, operation) in operations.into_iter().enumerate() {
            let node = self.add(operation);
            self.nodes[node].position = position;
            self.lists.insert(node, id, self.lists.last(id));
        }
        id
    }

    fn add(&mut self, mut operation: Operation) -> Id {
        let regions = core::mem::take(&mut operation.regions);
        let id = self.nodes.len();
        let results = operation.results.iter();
        self.definitions.extend(results.map(|value| (*value, Definition::Result(id))));
        for operand in &operation.operands {
            self.users.entry(*operand).or_default().push(id);
        }
        self.nodes.push(Node { operation, regions: Vec::new(), position: 0 });
        self.nodes[id].regions =
            regions.into_iter().map(|region| self.add_region(region)).collect();
        id
    }

    /// The region with its operations in their order.
    fn region(&mut self, id: Id) -> Region {
        let mut region = core::mem::take(&mut self.bodies[id]);
        let mut next = self.lists.first(id);
        while let Some(node) = next {
            next = self.lists.after(node);
            let none = Operation {
                syntax: 0,
                operands: Vec::new(),
                results: Vec::new(),
                regions: Vec::new(),
            };
            let mut operation = core::mem::replace(&mut self.nodes[node].operation, none);
            let regions = core::mem::take(&mut self.nodes[node].regions);
            operation.regions = regions.into_iter().map(|region| self.region(region)).collect();
            region.operations.push(operation);
        }
        region
    }

    /// Makes the operations of the body after the one that computes `by` read `by` instead of `value`. As in Shardy, a function
    /// still returns `value`.
    fn redirect(&mut self, value: Number, by: Number) {
        let Some(&Definition::Result(id)) = self.definitions.get(&by) else { return };
        let (region, position) = (self.lists.list_of(id), self.nodes[id].position);
        let users = self.users.remove(&value).unwrap_or_default();
        let is_function = region.is_some_and(|region| self.functions.contains(&region));
        let (later, others): (Vec<_>, Vec<_>) = users.into_iter().partition(|user| {
            let returns = is_function && self.lists.after(*user).is_none();
            self.lists.list_of(*user) == region && self.nodes[*user].position > position && !returns
        });
        self.users.insert(value, others);
        self.read(later, value, by);
    }

    /// Removes the operation with this result from its region.
    fn taken(&mut self, result: Number) -> Option<Id> {
        let Some(&Definition::Result(id)) = self.definitions.get(&result) else { return None };
        self.lists.list_of(id)?;
        self.lists.remove(id);
        Some(id)
    }

    /// Makes all operations but the constraint read the result of the constraint instead of a value.
    fn rename(&mut self, value: Number, constraint: Id) {
        let Some(&by) = self.nodes[constraint].operation.results.first() else { return };
        let users = self.users.remove(&value).unwrap_or_default();
        let (own, others) = users.into_iter().partition(|user| *user == constraint);
        self.users.insert(value, own);
        self.read(others, value, by);
    }

    /// Makes these users of `value` read `by` instead.
    fn read(&mut self, users: Vec<Id>, value: Number, by: Number) {
        for user in &users {
            let operands = self.nodes[*user].operation.operands.iter_mut();
            operands.filter(|operand| **operand == value).for_each(|operand| *operand = by);
        }
        self.users.entry(by).or_default().extend(users);
    }

    /// Inserts an operation immediately after the one that computes a value.
    fn place(&mut self, node: Id, value: Number) {
        match self.definitions.get(&value) {
            Some(&Definition::Argument(region)) => self.lists.insert(node, region, None),
            Some(&Definition::Result(other)) => {
                if let Some(region) = self.lists.list_of(other) {
                    self.lists.insert(node, region, Some(other));
                }
            }
            None => {}
        }
    }
}
