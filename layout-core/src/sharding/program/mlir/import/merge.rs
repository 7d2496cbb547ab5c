//! Merges constants, and scalars that are broadcast, if they have the same sharding, because propagation created a copy for each
//! user.

use super::tree::{Module, Number, Operation, Piece, Region};
use crate::sharding::TensorSharding;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The key that distinguishes constants: their text, their operands, and their sharding.
type Key<'t> = (Vec<&'t str>, Vec<Number>, String);

pub(super) struct Merge<'m, 't> {
    pub(super) module: &'m Module<'t>,
    pub(super) shardings: &'m [Option<TensorSharding>],
    pub(super) merged: BTreeMap<Number, Number>,
}

impl<'t> Merge<'_, 't> {
    fn key(&self, operation: &Operation) -> Option<Key<'t>> {
        let syntax = self.module.syntax(operation);
        let &[result] = &operation.results[..] else { return None };
        let is_scalar = |value: &Number| self.module.dims(*value).is_some_and(<[usize]>::is_empty);
        match syntax.name {
            "stablehlo.constant" | "sdy.constant" => {}
            "stablehlo.broadcast_in_dim" if operation.operands.iter().all(is_scalar) => {}
            _ => return None,
        }
        let texts = syntax.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) | Piece::Attributes(text, _) => Some(*text),
            _ => None,
        });
        let sharding = self.shardings[result].as_ref().map(ToString::to_string);
        Some((texts.collect(), operation.operands.clone(), sharding.unwrap_or_default()))
    }

    pub(super) fn region(&mut self, region: &mut Region) {
        // Constants of the outer region are not used inside a region.
        let mut known = BTreeMap::new();
        for mut operation in core::mem::take(&mut region.operations) {
            for operand in &mut operation.operands {
                if let Some(other) = self.merged.get(operand) {
                    *operand = *other;
                }
            }
            if let Some(key) = self.key(&operation) {
                let result = operation.results[0];
                if let Some(&other) = known.get(&key) {
                    self.merged.insert(result, other);
                    continue;
                }
                known.insert(key, result);
            }
            operation.regions.iter_mut().for_each(|region| self.region(region));
            region.operations.push(operation);
        }
    }
}
