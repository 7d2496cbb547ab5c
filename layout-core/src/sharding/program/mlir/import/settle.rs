//! The changes that Shardy's pipeline makes after propagation: values without a sharding get one if other values of their operation
//! have one, the tensors of concatenations and some results of dot products are resharded, and the operands of calls get the
//! shardings of their function.

use super::graph::Taken;
use super::read::is_call;
use super::tree::{Number, Operation, Piece, Region, Syntax};
use super::{Imported, Root};
use crate::sharding::axis::{Axis, AxisRef};
use crate::sharding::propagation::{Op, gcd};
use crate::sharding::{MeshRef, TensorSharding};
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

impl Imported<'_> {
    /// Computes the shardings of all values once propagation is done.
    pub(super) fn settle(&mut self, calls: &[Taken]) {
        self.replace();
        let shardings = self.values.iter().map(|value| self.graph.sharding((*value)?));
        self.shardings = shardings.collect();
        let ops = calls.iter().filter_map(|call| Some((*call.results.first()?, call.op)));
        let ops = ops.collect();
        let mut roots = core::mem::take(&mut self.roots);
        for root in &mut roots {
            self.shard_bodies(&root.region, false);
            let mut resharded = BTreeMap::new();
            self.fill(&root.region, &mut resharded);
            if root.first_return.is_some() {
                self.divide(&root.region.arguments, true);
            }
            self.reshard_tensors(&mut root.region, &ops);
            self.reshard_calls(&mut root.region, &resharded);
            self.reduce(&mut root.region);
            self.reduce_returned(root);
        }
        self.roots = roots;
    }

    /// Whether an operation has a body that becomes a function.
    pub(super) fn is_call(&self, operation: &Operation) -> bool {
        let name = self.module.name(operation);
        operation.regions.len() == 1 && (is_call(name) || name == "sdy.named_computation")
    }

    /// Sets the shardings of values in the bodies of operations, such as reductions, through which nothing propagates: a value has
    /// the sharding that is written at its operation, or else that of its constraints, if these are equal.
    fn shard_bodies(&mut self, region: &Region, is_body: bool) {
        let mut constraints: BTreeMap<Number, Option<TensorSharding>> = BTreeMap::new();
        for operation in &region.operations {
            let syntax = self.module.syntax(operation);
            let propagates = self.is_call(operation)
                || matches!(
                    syntax.name,
                    "stablehlo.while"
                        | "stablehlo.case"
                        | "stablehlo.if"
                        | "sdy.manual_computation"
                );
            let own = syntax.shardings.len() == operation.results.len();
            for (result, sharding) in operation.results.iter().zip(&syntax.shardings) {
                if is_body && own {
                    self.shardings[*result] = Some(sharding.clone());
                }
            }
            if let ("sdy.sharding_constraint", &[operand], Some(sharding)) =
                (syntax.name, &operation.operands[..], &syntax.constraint)
            {
                let known = constraints.entry(operand).or_insert_with(|| Some(sharding.clone()));
                *known = known.take().filter(|known| known == sharding);
            }
            for region in &operation.regions {
                self.shard_bodies(region, is_body || !propagates);
            }
        }
        for result in region.operations.iter().flat_map(|operation| &operation.results) {
            if is_body && self.shardings[*result].is_none() {
                self.shardings[*result] = constraints.remove(result).flatten();
            }
        }
    }

    /// Gives values without a sharding one, and the results of calls the shardings in which their functions return them.
    /// `resharded` receives the shardings that such results had before.
    fn fill(&mut self, region: &Region, resharded: &mut BTreeMap<Number, TensorSharding>) {
        for operation in &region.operations {
            for region in &operation.regions {
                if self.is_call(operation) {
                    self.fill_all(&region.arguments);
                    self.divide(&region.arguments, false);
                }
                self.fill(region, resharded);
            }
            self.fill_all(&operation.results);
            if self.is_call(operation) {
                let returned = self.all(operation.regions[0].returned());
                for (&result, made) in operation.results.iter().zip(returned) {
                    let (own, made) = both_known(self.shardings[result].clone(), made);
                    if axes(own.as_ref()) != axes(made.as_ref()) {
                        self.shardings[result] = made;
                        resharded.extend(own.map(|own| (result, own)));
                    }
                }
            }
            if self.is_call(operation) || self.module.name(operation) == "sdy.manual_computation" {
                self.divide(&operation.results, false);
            }
        }
    }

    /// Splits the arguments and results of a function only as far as the axes divide them: see [`Self::divisible`].
    fn divide(&mut self, values: &[Number], is_program: bool) {
        for &value in values {
            let dims = self.module.dims(value).unwrap_or(&[]);
            let own = self.shardings[value].clone();
            self.shardings[value] = own.map(|own| self.divisible(own, dims, is_program));
        }
    }

    fn fill_all(&mut self, values: &[Number]) {
        for (sharding, value) in self.all(values).into_iter().zip(values) {
            self.shardings[*value] = sharding;
        }
    }

    /// The shardings of values. A value without a sharding is not split.
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

    /// Adds reshards around operations that read or compute tensors in other shardings than those of the tensors.
    fn reshard_tensors(&mut self, region: &mut Region, ops: &BTreeMap<Number, Op>) {
        let mut operations = Vec::with_capacity(region.operations.len());
        for mut operation in core::mem::take(&mut region.operations) {
            operation.regions.iter_mut().for_each(|region| self.reshard_tensors(region, ops));
            let op = operation.results.first().and_then(|result| ops.get(result));
            let needed = op.map(|op| self.needed(&operation, *op)).unwrap_or_default();
            let mut result = None;
            for (tensor, to) in needed {
                match operation.operands.get(tensor).copied() {
                    Some(operand) => {
                        let reshard = self.reshard(operand, to);
                        operation.operands[tensor] = reshard.results[0];
                        operations.push(reshard);
                    }
                    None => result = Some(to),
                }
            }
            let own = operation.results.first().and_then(|result| self.shardings[*result].clone());
            let after = result.map(|made| {
                let whole = || TensorSharding::open(made.mesh.clone(), made.rank());
                let to = own.unwrap_or_else(whole);
                self.reshard_result(&mut operation.results[0], made, to)
            });
            operations.push(operation);
            operations.extend(after);
        }
        region.operations = operations;
    }

    /// The shardings of the operands of an operation, by number. An argument of the program can be split into fewer parts than
    /// propagation found.
    fn taken(&self, operation: &Operation) -> Vec<(usize, TensorSharding)> {
        let taken = operation.operands.iter().map(|value| self.shardings[*value].clone());
        taken.enumerate().filter_map(|(at, own)| Some((at, own?))).collect()
    }

    /// The tensors of an operation that Shardy reshards, operands before results.
    fn needed(&self, operation: &Operation, op: Op) -> Vec<(usize, TensorSharding)> {
        let result = self.shardings[operation.results[0]].as_ref();
        match self.module.name(operation) {
            "stablehlo.concatenate" => {
                let written = |own: Option<&TensorSharding>| {
                    own.map(|own| own.dims.iter().map(|dim| dim.axes.to_vec()).collect::<Vec<_>>())
                };
                let result = written(result);
                let differs = |value: &Number| written(self.shardings[*value].as_ref()) != result;
                match operation.operands.iter().any(differs) {
                    true => self.graph.concatenation_reshards(op, &self.taken(operation)),
                    false => Vec::new(),
                }
            }
            "stablehlo.dot_general" | "stablehlo.dot" => {
                let made = self.graph.dot_reshard(op, &self.taken(operation));
                made.map(|made| (operation.operands.len(), made)).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Makes an operation compute a result in the sharding `made`, and reshards it.
    fn reshard_result(
        &mut self,
        result: &mut Number,
        made: TensorSharding,
        to: TensorSharding,
    ) -> Operation {
        let mut reshard = self.reshard(*result, made);
        self.shardings[*result] = Some(to.clone());
        core::mem::swap(&mut reshard.results[0], result);
        reshard.operands[0] = *result;
        self.module.syntax[reshard.syntax].constraint = Some(to);
        reshard
    }

    /// Adds reshards if a function reads a value in another sharding than that of the value, or returns a result in another
    /// sharding than that of `resharded`.
    fn reshard_calls(&mut self, region: &mut Region, resharded: &BTreeMap<Number, TensorSharding>) {
        let mut reshards: BTreeMap<Number, Vec<Operation>> = BTreeMap::new();
        for operation in &mut region.operations {
            operation.regions.iter_mut().for_each(|region| self.reshard_calls(region, resharded));
            if !self.is_call(operation) {
                continue;
            }
            for result in &mut operation.results {
                if let Some((to, made)) = resharded.get(result).zip(self.shardings[*result].clone())
                {
                    let reshard = self.reshard_result(result, made, to.clone());
                    reshards.entry(*result).or_default().push(reshard);
                }
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
        // A reshard follows the operation that computes its value, and later reshards of the value precede earlier ones. The
        // reshard of an argument is at the start.
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

    /// `sdy.sharding_constraint %a <@mesh, [{"a"}]> : tensor<8xf32>`
    pub(super) fn constraint(&mut self, value: Number, sharding: TensorSharding) -> Operation {
        let constraint = self.reshard(value, sharding);
        let syntax = &mut self.module.syntax[constraint.syntax];
        syntax.name = "sdy.sharding_constraint";
        syntax.pieces[0] = Piece::Text("sdy.sharding_constraint ");
        constraint
    }

    /// Adds up partial sums before operations whose results are complete.
    fn reduce(&mut self, region: &mut Region) {
        let mut operations = Vec::with_capacity(region.operations.len());
        for mut operation in core::mem::take(&mut region.operations) {
            operation.regions.iter_mut().for_each(|region| self.reduce(region));
            if let Some(result) = operation.results.first() {
                let kept = self.shardings[*result].as_ref().map_or(&[][..], |own| &own.unreduced);
                let kept = kept.to_vec();
                for operand in &mut operation.operands {
                    if let Some(reduced) = self.all_reduce(*operand, &kept) {
                        *operand = reduced.results[0];
                        operations.push(reduced);
                    }
                }
            }
            operations.push(operation);
        }
        region.operations = operations;
    }

    /// Adds up partial sums that a function returns as complete arrays.
    fn reduce_returned(&mut self, root: &mut Root) {
        let Some(first) = root.first_return else { return };
        let Some(mut returns) = root.region.operations.pop() else { return };
        for (at, operand) in returns.operands.iter_mut().enumerate() {
            let result = self.graph.return_sharding(first + at);
            let kept = result.map(|result| result.unreduced.to_vec()).unwrap_or_default();
            if let Some(reduced) = self.all_reduce(*operand, &kept) {
                *operand = reduced.results[0];
                root.region.operations.push(reduced);
            }
        }
        root.region.operations.push(returns);
    }

    /// `sdy.all_reduce {"b"} %a out_sharding=<@mesh, [{"a"}]> : tensor<8xf32>`, if a value has partial sums along other axes
    /// than these.
    fn all_reduce(&mut self, value: Number, kept: &[AxisRef]) -> Option<Operation> {
        let own = self.shardings[value].as_ref()?;
        let left = own.unreduced.iter().filter(|axis| kept.contains(axis));
        let left: Vec<_> = left.cloned().collect();
        if left.len() == own.unreduced.len() {
            return None;
        }
        let to = own.clone().with_unreduced(left);
        let reduced = self.reshard(value, to);
        let syntax = &mut self.module.syntax[reduced.syntax];
        syntax.name = "sdy.all_reduce";
        syntax.pieces[0] = Piece::Text("sdy.all_reduce ");
        syntax.pieces[2] = Piece::Text(" out_sharding=");
        syntax.pieces.splice(1..1, [Piece::Summed, Piece::Text(" ")]);
        Some(reduced)
    }

    /// `sdy.reshard %a <@mesh, [{"a"}]> : tensor<8xf32>`
    pub(super) fn reshard(&mut self, value: Number, to: TensorSharding) -> Operation {
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
        let syntax = Syntax {
            name: "sdy.reshard",
            at: 0,
            pieces,
            results: vec![("0", 1)],
            callee: "".into(),
            shardings: Vec::new(),
            constraint: None,
            operand_border: Vec::new(),
            result_border: Vec::new(),
        };
        self.module.syntax.push(syntax);
        let syntax = self.module.syntax.len() - 1;
        Operation { syntax, operands: vec![value], results: vec![result], regions: Vec::new() }
    }

    /// A sharding at the border of a function, where all parts must have the same size: the axes of a dimension are cut where they
    /// no longer divide it. Open dimensions of values of the program lose every axis from the first sub-axis on.
    ///
    /// A dimension of size 6 on `"a"=4` is split along `"a":(1)2`. If it is an open dimension of a value of the program, it is not
    /// split.
    pub(super) fn divisible(
        &self,
        mut sharding: TensorSharding,
        dims: &[usize],
        is_program: bool,
    ) -> TensorSharding {
        let named = |name: &MeshRef| {
            let meshes = self.module.meshes.iter();
            let is_named = |other: &str| matches!(name, MeshRef::Name(name) if name == other);
            meshes.map(|(name, mesh, _)| (name, mesh)).find(|(name, _)| is_named(name))
        };
        let Some((_, mesh)) = named(&sharding.mesh) else { return sharding };
        for (dim, &size) in sharding.dims.to_mut().iter_mut().zip(dims) {
            let axes: Option<Vec<_>> = dim.axes.iter().map(|axis| mesh.resolve(axis)).collect();
            let Some(axes) = axes else { continue };
            let mut kept = Vec::new();
            let mut left = size;
            for axis in &axes {
                let common = if size == 0 { axis.size() } else { gcd(axis.size(), left) };
                if common == axis.size() {
                    kept.push(*axis);
                    left /= common;
                    continue;
                }
                kept.extend((common > 1).then(|| axis.part(axis.pre(), common)));
                break;
            }
            let is_part = |axis: &Axis| is_program && dim.open && !axis.is_full();
            let whole = kept.iter().position(is_part).unwrap_or(kept.len());
            if kept[..whole] != axes {
                dim.axes = kept[..whole].iter().map(|axis| mesh.name(*axis)).collect();
            }
        }
        sharding
    }
}

/// Two shardings of a tensor. If one of them is not known, the tensor is not split in it.
fn both_known(
    one: Option<TensorSharding>,
    other: Option<TensorSharding>,
) -> (Option<TensorSharding>, Option<TensorSharding>) {
    let whole = |known: &TensorSharding| TensorSharding::open(known.mesh.clone(), known.rank());
    let of_one = one.as_ref().map(whole);
    (one.or_else(|| other.as_ref().map(whole)), other.or(of_one))
}

/// The axes that split each dimension; empty if nothing is split.
fn axes(sharding: Option<&TensorSharding>) -> Vec<&[AxisRef]> {
    let axes: Vec<&[AxisRef]> =
        sharding.map(|own| own.dims.iter().map(|dim| &dim.axes[..]).collect()).unwrap_or_default();
    if axes.iter().all(|axes| axes.is_empty()) { Vec::new() } else { axes }
}
