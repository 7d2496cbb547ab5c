//! What Shardy's pipeline does after propagation: values without a sharding get one where others of their operation have
//! one, and calls take their operands as their function does.

use super::Imported;
use super::tree::{Number, Operation, Piece, Region, Syntax};
use crate::sharding::axis::AxisRef;
use crate::sharding::{MeshRef, TensorSharding};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

impl Imported<'_> {
    /// Finds the shardings of all values once propagation is done.
    pub(super) fn settle(&mut self) {
        let shardings = self.values.iter().map(|value| self.graph.sharding((*value)?));
        self.shardings = shardings.collect();
        let mut roots = core::mem::take(&mut self.roots);
        for root in &mut roots {
            self.fill(&root.region);
            self.reshard_calls(&mut root.region);
        }
        self.roots = roots;
    }

    /// Whether an operation has a body that becomes a function.
    pub(super) fn is_call(&self, operation: &Operation) -> bool {
        let name = self.module.name(operation);
        operation.regions.len() == 1
            && matches!(name, "call" | "func.call" | "sdy.named_computation")
    }

    fn fill(&mut self, region: &Region) {
        for operation in &region.operations {
            for region in &operation.regions {
                if self.is_call(operation) {
                    self.fill_all(&region.arguments);
                }
                self.fill(region);
            }
            self.fill_all(&operation.results);
        }
    }

    fn fill_all(&mut self, values: &[Number]) {
        for (sharding, value) in self.all(values).into_iter().zip(values) {
            self.shardings[*value] = sharding;
        }
    }

    /// The shardings of values of which some have one; values without one are whole.
    pub(super) fn all(&self, values: &[Number]) -> Vec<Option<TensorSharding>> {
        let own: Vec<_> = values.iter().map(|value| self.shardings[*value].clone()).collect();
        let Some(first) = own.iter().flatten().next() else { return own };
        let mesh = first.mesh.clone();
        let filled = own.iter().zip(values).map(|(sharding, value)| {
            let rank = self.module.dims(*value).map_or(0, <[usize]>::len);
            Some(sharding.clone().unwrap_or_else(|| TensorSharding::open(mesh.clone(), rank)))
        });
        filled.collect()
    }

    /// Adds reshards where a function takes a value in another way than the value is sharded.
    fn reshard_calls(&mut self, region: &mut Region) {
        let mut reshards: BTreeMap<Number, Vec<Operation>> = BTreeMap::new();
        for operation in &mut region.operations {
            operation.regions.iter_mut().for_each(|region| self.reshard_calls(region));
            if !self.is_call(operation) {
                continue;
            }
            let taken = operation.regions[0].arguments.clone();
            for (operand, argument) in operation.operands.iter_mut().zip(taken) {
                let own = self.shardings[*operand].as_ref();
                let whole = || Some(TensorSharding::open(own?.mesh.clone(), own?.rank()));
                let Some(to) = self.shardings[argument].clone().or_else(whole) else { continue };
                if axes(own) != axes(Some(&to)) {
                    let reshard = self.reshard(*operand, to);
                    let value = core::mem::replace(operand, reshard.results[0]);
                    reshards.entry(value).or_default().push(reshard);
                }
            }
        }
        if reshards.is_empty() {
            return;
        }
        // A reshard stands behind what makes the value, the last one first; that of an argument stands at the front.
        let mut operations = Vec::with_capacity(region.operations.len() + reshards.len());
        for operation in core::mem::take(&mut region.operations) {
            let own = operation.results.iter().filter_map(|value| reshards.remove(value));
            let own: Vec<_> = own.flat_map(|own| own.into_iter().rev()).collect();
            operations.push(operation);
            operations.extend(own);
        }
        let mut first: Vec<_> = reshards.into_values().flatten().collect();
        first.sort_by_key(|reshard| Reverse(reshard.results[0]));
        first.append(&mut operations);
        region.operations = first;
    }

    /// `sdy.reshard %a <@mesh, [{"a"}]> : tensor<8xf32>`
    fn reshard(&mut self, value: Number, to: TensorSharding) -> Operation {
        let result = self.module.copy(value);
        self.module.values[result].name = "0";
        self.values.push(None);
        self.shardings.push(Some(to));
        let text = self.module.values[value].ty.text;
        let pieces = vec![
            Piece::Text("sdy.reshard "),
            Piece::Operand(0),
            Piece::Text(" "),
            Piece::Constraint,
            Piece::Text(" : "),
            Piece::Text(text),
        ];
        self.module.syntax.push(Syntax {
            name: "sdy.reshard",
            at: 0,
            pieces,
            results: vec![("0", 1)],
            callee: "",
            shardings: Vec::new(),
            constraint: None,
            operand_border: Vec::new(),
            result_border: Vec::new(),
        });
        let syntax = self.module.syntax.len() - 1;
        Operation { syntax, operands: vec![value], results: vec![result], regions: Vec::new() }
    }

    /// A sharding at the border of the program: there, parts are whole axes, and of one size.
    pub(super) fn divisible(&self, mut sharding: TensorSharding, dims: &[usize]) -> TensorSharding {
        let named = |name: &MeshRef| {
            let meshes = self.module.meshes.iter();
            let is_named = |other: &str| matches!(name, MeshRef::Name(name) if name == other);
            meshes.map(|(name, mesh, _)| (name, mesh)).find(|(name, _)| is_named(name))
        };
        let Some((_, mesh)) = named(&sharding.mesh) else { return sharding };
        for (dim, &size) in sharding.dims.to_mut().iter_mut().zip(dims) {
            let mut parts = 1_usize;
            let kept = dim.axes.iter().take_while(|axis| {
                parts = parts.saturating_mul(mesh.axis_size(&axis.name).unwrap_or(1));
                axis.sub.is_none() && size.is_multiple_of(parts)
            });
            let kept = kept.count();
            if kept < dim.axes.len() {
                dim.axes = dim.axes[..kept].to_vec().into();
            }
        }
        sharding
    }
}

/// The axes that split each dimension; none if nothing is split.
fn axes(sharding: Option<&TensorSharding>) -> Vec<&[AxisRef]> {
    let axes: Vec<&[AxisRef]> =
        sharding.map(|own| own.dims.iter().map(|dim| &dim.axes[..]).collect()).unwrap_or_default();
    if axes.iter().all(|axes| axes.is_empty()) { Vec::new() } else { axes }
}
