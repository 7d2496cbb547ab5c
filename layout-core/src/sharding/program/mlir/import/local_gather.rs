//! Gathers and scatters of the local program whose array is split along a dimension that has indices. In a gather, each device
//! reads the slices that it has, with zeros in place of the others, and the results of all devices are added up. In a scatter, each
//! device updates the elements that it has.

use super::Failure;
use super::local::{Local, LocalArray};
use super::local_operation::Written;
use super::local_padding::element;
use crate::dtype::{DType, Kind};
use crate::sharding::local::Shards;
use crate::sharding::ops::{Attribute, tensor_type};
use crate::sharding::program::{Instruction, NamedValue};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A local array and its element type.
type Typed<'a> = (&'a LocalArray, DType);

impl Local<'_, '_> {
    /// The indices of slices in the local part of an operand, and whether each slice is in that part.
    ///
    /// With 8 rows on two devices, the second device has rows 4 to 7: indices 1 and 5 become -3, which it does not have, and 1.
    pub(super) fn own_indices(
        &mut self,
        instruction: &Instruction<'_>,
        (indices, dtype): Typed<'_>,
        operand: &Shards,
    ) -> Result<(LocalArray, LocalArray), Failure> {
        let attributes = instruction.attributes();
        let vector = attributes.named_number("index_vector").unwrap_or(indices.dims.len());
        let sizes = attributes.named_numbers("slice_sizes");
        let along: Vec<usize> = match attributes.get("start_index_map") {
            Some(Attribute::List(map)) => map.clone(),
            _ => (0..indices.dims.get(vector).copied().unwrap_or(1)).collect(),
        };
        if along.iter().any(|dim| *dim >= sizes.len() || *dim >= operand.dims().len()) {
            return Err(self.failure(
                "`gather` has no local form: its indices are for dimensions that do not exist",
            ));
        }
        if dtype.stored_bits() < 32 {
            return Err(
                self.failure("the type of its indices is too narrow for the offsets of shards")
            );
        }
        // An index past the end is replaced by the last index at which a slice fits in the whole array.
        let most: Vec<_> =
            along.iter().map(|&dim| operand.dims()[dim].saturating_sub(sizes[dim])).collect();
        let local: Vec<_> = along.iter().map(|&dim| operand.local_dims()[dim]).collect();
        // A dimension of which slices have all indices is split like the result.
        let is_full = |dim: usize| sizes[dim] == operand.dims()[dim] && sizes[dim] != 1;
        let across = (vector < indices.dims.len()).then_some(vector);
        let broadcast = |local: &mut Self, list: &[usize]| {
            let list = local.constant(&format!("{list:?}"), dtype, &[along.len()]);
            local.broadcast(&list, dtype, (&indices.dims, across))
        };
        let (zero, most) = (broadcast(self, &vec![0; along.len()]), broadcast(self, &most));
        let local = broadcast(self, &local);
        let clamped = self.elementwise("clamp", &[&zero, indices, &most], dtype);
        let counted: Vec<_> =
            along.iter().map(|&dim| Some(dim).filter(|_| !is_full(dim))).collect();
        let own = self.counted_from_start((&clamped, dtype), vector, operand, &counted)?;
        let from = self.compare("GE", (&own, &zero), dtype);
        let to = self.compare("LT", (&own, &local), dtype);
        let mut is_here = self.elementwise("and", &[&from, &to], DType::PRED);
        if let Some(vector) = across {
            let mut dims = is_here.dims.clone();
            dims.remove(vector);
            let (yes, all) = (self.constant("true", DType::PRED, &[]), self.fresh());
            let types = [&is_here.dims, &dims].map(|dims| tensor_type(DType::PRED, dims));
            self.line(&format!(
                "{all} = stablehlo.reduce({} init: {}) applies stablehlo.and across dimensions = [{vector}] : ({}, \
                 tensor<i1>) -> {}",
                is_here.name, yes.name, types[0], types[1]
            ));
            is_here = LocalArray { name: all, dims };
        }
        Ok((own, is_here))
    }

    /// Indices along dimensions of an array, counted from the start of each device's part. `None` stands for a dimension along
    /// which the indices do not change.
    pub(super) fn counted_from_start(
        &mut self,
        (indices, dtype): Typed<'_>,
        vector: usize,
        operand: &Shards,
        along: &[Option<usize>],
    ) -> Result<LocalArray, Failure> {
        let mut starts = Vec::new();
        for device in 0..self.mesh.devices() {
            let Some(position) = operand.mesh().position(device) else {
                return Err(self.failure("the mesh does not list its devices"));
            };
            let tile = operand.tile(position);
            let start = |dim: usize| tile[dim] * operand.local_dims()[dim];
            starts.extend(along.iter().map(|dim| dim.map_or(0, start)));
        }
        let (devices, count) = (self.mesh.devices(), along.len());
        let table = self.constant(&format!("{starts:?}"), dtype, &[devices * count]);
        let (id, scale, at) = (self.fresh(), self.fresh(), self.fresh());
        self.line(&format!("{id} = stablehlo.partition_id : tensor<ui32>"));
        self.line(&format!("{scale} = stablehlo.constant dense<{count}> : tensor<ui32>"));
        self.line(&format!("{at} = stablehlo.multiply {id}, {scale} : tensor<ui32>"));
        let start = LocalArray { name: self.fresh(), dims: vec![count] };
        let types = [&table.dims, &start.dims].map(|dims| tensor_type(dtype, dims));
        self.line(&format!(
            "{} = stablehlo.dynamic_slice {}, {at}, sizes = [{count}] : ({}, tensor<ui32>) -> {}",
            start.name, table.name, types[0], types[1]
        ));
        let vector = (vector < indices.dims.len()).then_some(vector);
        let start = self.broadcast(&start, dtype, (&indices.dims, vector));
        Ok(self.elementwise("subtract", &[indices, &start], dtype))
    }

    /// The indices of updates in the local part of an array. An update that belongs to another device gets an index outside of the
    /// part, so that it is dropped.
    ///
    /// With 8 rows on two devices, the second device has rows 4 to 7: indices 1 and 5 become -3, which it does not have, and 1.
    pub(super) fn own_updates(
        &mut self,
        written: &Written<'_>,
        operands: &mut [LocalArray],
        shards: &[Shards],
    ) -> Result<(), Failure> {
        let Written { instruction, .. } = *written;
        let attributes = instruction.attributes();
        let named = |name: &str| attributes.named_numbers(name);
        let (count, values) = (instruction.results().len(), self.program.values());
        let (own, updates) = (&shards[0], &shards[count + 1]);
        let is_gone =
            |dim: &usize| named("inserted").contains(dim) || named("operand_batch").contains(dim);
        let windowed = (0..own.dims().len()).filter(|dim| !is_gone(dim));
        // The updates along a dimension that windows span completely are split like the array.
        let full = windowed
            .zip(named("window"))
            .filter(|(dim, window)| updates.dims().get(**window) == own.dims().get(*dim));
        let full: Vec<_> = full.map(|(dim, _)| dim).collect();
        let tiles = own.tiles();
        let is_split = |dim: &usize| tiles.get(*dim).is_some_and(|&parts| parts > 1);
        let along = named("index_map").iter();
        let along: Vec<_> = along
            .map(|dim| Some(*dim).filter(|dim| is_split(dim) && !full.contains(dim)))
            .collect();
        if along.iter().all(Option::is_none) {
            return Ok(());
        }
        let dtype = values[instruction.operands()[count]].dtype;
        if dtype.stored_bits() < 32 {
            return Err(
                self.failure("the type of its indices is too narrow for the offsets of shards")
            );
        }
        let vector = attributes.named_number("index_vector").unwrap_or(usize::MAX);
        let indices = operands[count].clone();
        operands[count] = self.counted_from_start((&indices, dtype), vector, own, &along)?;
        Ok(())
    }

    /// The slices that a device has read, with zeros for the slices that it does not have.
    pub(super) fn taken_here(
        &mut self,
        instruction: &Instruction<'_>,
        (taken, value): (&LocalArray, &NamedValue),
        is_here: &LocalArray,
    ) -> LocalArray {
        let offset = instruction.attributes().named_numbers("offset");
        let dims: Vec<_> = (0..taken.dims.len()).filter(|dim| !offset.contains(dim)).collect();
        let mask = LocalArray { name: self.fresh(), dims: taken.dims.clone() };
        let types = [&is_here.dims, &mask.dims].map(|dims| tensor_type(DType::PRED, dims));
        self.line(&format!(
            "{} = stablehlo.broadcast_in_dim {}, dims = {dims:?} : ({}) -> {}",
            mask.name, is_here.name, types[0], types[1]
        ));
        let zero = self.constant(&element(0, value.dtype), value.dtype, &taken.dims);
        self.select(&mask.name, (&taken.name, &zero.name), &taken.dims, value.dtype)
    }

    pub(super) fn constant(&mut self, elements: &str, dtype: DType, dims: &[usize]) -> LocalArray {
        let name = self.fresh();
        let ty = tensor_type(dtype, dims);
        self.line(&format!("{name} = stablehlo.constant dense<{elements}> : {ty}"));
        LocalArray { name, dims: dims.to_vec() }
    }

    /// A list along dimension `vector` of an array; a list of one element is repeated.
    fn broadcast(
        &mut self,
        list: &LocalArray,
        dtype: DType,
        (dims, vector): (&[usize], Option<usize>),
    ) -> LocalArray {
        let mut list = list.clone();
        if vector.is_none() {
            let types = [&list.dims[..], &[]].map(|dims| tensor_type(dtype, dims));
            let name = self.fresh();
            self.line(&format!(
                "{name} = stablehlo.reshape {} : ({}) -> {}",
                list.name, types[0], types[1]
            ));
            list = LocalArray { name, dims: Vec::new() };
        }
        let name = self.fresh();
        let along: Vec<usize> = vector.into_iter().collect();
        let types = [&list.dims, dims].map(|dims| tensor_type(dtype, dims));
        self.line(&format!(
            "{name} = stablehlo.broadcast_in_dim {}, dims = {along:?} : ({}) -> {}",
            list.name, types[0], types[1]
        ));
        LocalArray { name, dims: dims.to_vec() }
    }

    fn elementwise(&mut self, name: &str, operands: &[&LocalArray], dtype: DType) -> LocalArray {
        let (made, dims) = (self.fresh(), operands[0].dims.clone());
        let names: Vec<&str> = operands.iter().map(|operand| &*operand.name).collect();
        let ty = tensor_type(dtype, &dims);
        self.line(&format!("{made} = stablehlo.{name} {} : {ty}", names.join(", ")));
        LocalArray { name: made, dims }
    }

    fn compare(
        &mut self,
        how: &str,
        (a, b): (&LocalArray, &LocalArray),
        dtype: DType,
    ) -> LocalArray {
        let name = self.fresh();
        let kind = if dtype.kind() == Kind::Signed { "SIGNED" } else { "UNSIGNED" };
        let [ty, made]: [String; 2] = [dtype, DType::PRED].map(|dtype| tensor_type(dtype, &a.dims));
        self.line(&format!(
            "{name} = stablehlo.compare {how}, {}, {}, {kind} : ({ty}, {ty}) -> {made}",
            a.name, b.name
        ));
        LocalArray { name, dims: a.dims.clone() }
    }
}
