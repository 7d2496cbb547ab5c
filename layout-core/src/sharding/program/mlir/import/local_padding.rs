//! Shards of unequal size in the local program: all devices have arrays of the largest size, and the elements past the end of the
//! whole array have no defined value. If they would contribute to a sum, they are replaced.

use super::Failure;
use super::local::{Local, LocalArray};
use super::local_operation::Written;
use crate::dtype::{DType, Kind};
use crate::sharding::axis::AxisRef;
use crate::sharding::local::Shards;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::NamedValue;
use crate::sharding::tensor::{ReductionOp, TensorSharding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The text of a number as an element.
pub(super) fn element(number: i8, dtype: DType) -> String {
    match dtype.kind() {
        _ if dtype == DType::PRED => (number != 0).to_string(),
        Kind::Float => format!("{number}.0"),
        Kind::Complex => format!("({number}.0, 0.0)"),
        _ => number.to_string(),
    }
}

impl Local<'_, '_> {
    /// The dimensions along which shards have padding.
    pub(super) fn padded(&self, shards: &Shards) -> Vec<usize> {
        let tiles = shards.tiles();
        let local = shards.local_dims();
        let is_padded =
            |dim: &usize| tiles[*dim].saturating_mul(local[*dim]) != shards.dims()[*dim];
        (0..tiles.len()).filter(is_padded).collect()
    }

    /// Replaces the padding of operands that would contribute to the result.
    pub(super) fn without_padding(
        &mut self,
        written: &Written<'_>,
        operands: &mut [LocalArray],
        shards: &[Shards],
    ) -> Result<(), Failure> {
        let Written { instruction, name, .. } = *written;
        let padded: Vec<_> = shards.iter().map(|shards| self.padded(shards)).collect();
        if padded.iter().all(Vec::is_empty) {
            return Ok(());
        }
        let attributes = instruction.attributes();
        let named = |name: &str| attributes.named_numbers(name).to_vec();
        let count = instruction.results().len();
        // For each operand, the dimensions that are summed over.
        let summed = match name {
            "dot" | "dot_general" => {
                let [lhs, rhs] = ["lhs_contracting", "rhs_contracting"].map(named);
                let is_plain = name == "dot";
                let last = shards[0].dims().len().saturating_sub(1);
                if is_plain { vec![vec![last], vec![0]] } else { vec![lhs, rhs] }
            }
            "convolution" => {
                // The features, because batches and windows are not summed over shards.
                let at = |key: &str| named(key).get(1).copied().into_iter().collect();
                vec![at("input"), at("kernel")]
            }
            "reduce" => {
                let dims = attributes.lists().first().cloned().unwrap_or_default();
                vec![dims; count]
            }
            "scatter" if !padded[count].is_empty() || !padded[count + 1].is_empty() => {
                return Err(self.failure("padding would be read as indices"));
            }
            _ => return Ok(()),
        };
        let values = self.program.values();
        for (at, dims) in summed.into_iter().enumerate() {
            let dims: Vec<_> = dims.into_iter().filter(|dim| padded[at].contains(dim)).collect();
            let value = &values[instruction.operands()[at]];
            let fill = match name {
                "reduce" => operands[count + at].clone(),
                _ => self.constant(&element(0, value.dtype), value.dtype, &[]),
            };
            for dim in dims {
                operands[at] = self.filled(&operands[at], value, (&shards[at], dim), &fill);
            }
        }
        Ok(())
    }

    /// An array whose padding along a dimension is replaced by a scalar.
    fn filled(
        &mut self,
        array: &LocalArray,
        value: &NamedValue,
        (shards, dim): (&Shards, usize),
        fill: &LocalArray,
    ) -> LocalArray {
        let devices = 0..self.mesh.devices();
        let sizes = devices.map(|device| {
            shards.slice(device).map_or(0, |own| own.get(dim).map_or(0, ExactSizeIterator::len))
        });
        let size = self.of_device(&sizes.collect::<Vec<_>>());
        let of_index = |dtype| tensor_type(dtype, &array.dims);
        let [number, at, most, is_own] = [(); 4].map(|()| self.fresh());
        let wide = of_index(DType::S64);
        self.line(&format!("{number} = stablehlo.iota dim = {dim} : {wide}"));
        self.line(&format!(
            "{most} = stablehlo.broadcast_in_dim {size}, dims = [] : (tensor<i64>) -> {wide}"
        ));
        self.line(&format!(
            "{is_own} = stablehlo.compare LT, {number}, {most}, SIGNED : ({wide}, {wide}) -> {}",
            of_index(DType::PRED)
        ));
        let ty = tensor_type(value.dtype, &array.dims);
        self.line(&format!(
            "{at} = stablehlo.broadcast_in_dim {}, dims = [] : ({}) -> {ty}",
            fill.name,
            tensor_type(value.dtype, &[])
        ));
        self.select(&is_own, (&array.name, &at), &array.dims, value.dtype)
    }

    /// `%3 = stablehlo.select %0, %1, %2 : tensor<8xi1>, tensor<8xf32>`
    pub(super) fn select(
        &mut self,
        is_first: &str,
        (first, second): (&str, &str),
        dims: &[usize],
        dtype: DType,
    ) -> LocalArray {
        let name = self.fresh();
        let [of_truth, ty] = [DType::PRED, dtype].map(|dtype| tensor_type(dtype, dims));
        self.line(&format!(
            "{name} = stablehlo.select {is_first}, {first}, {second} : {of_truth}, {ty}"
        ));
        LocalArray { name, dims: dims.to_vec() }
    }

    /// The entry of a list that belongs to each device, as a scalar.
    pub(super) fn of_device(&mut self, numbers: &[usize]) -> String {
        if let Some(first) = numbers.first()
            && numbers.iter().all(|number| number == first)
        {
            return self.constant(&first.to_string(), DType::S64, &[]).name;
        }
        let devices = numbers.len();
        let id = self.fresh();
        self.line(&format!("{id} = stablehlo.partition_id : tensor<ui32>"));
        let list = self.constant(&format!("{numbers:?}"), DType::S64, &[devices]).name;
        let [one, number] = [(); 2].map(|()| self.fresh());
        let ty = format!("tensor<{devices}xi64>");
        self.line(&format!(
            "{one} = stablehlo.dynamic_slice {list}, {id}, sizes = [1] : ({ty}, tensor<ui32>) -> tensor<1xi64>"
        ));
        self.line(&format!("{number} = stablehlo.reshape {one} : (tensor<1xi64>) -> tensor<i64>"));
        number
    }

    /// The initial values of a reduction or a scatter that several devices compute: an operand that would be counted once for each
    /// device. The devices start from the neutral element instead, and the operand is combined with the result. Empty if each
    /// device may start from the operand.
    pub(super) fn neutral_starts(
        &mut self,
        written: &Written<'_>,
        operands: &mut [LocalArray],
    ) -> Result<Vec<LocalArray>, Failure> {
        let Written { instruction, name, .. } = *written;
        let values = self.program.values();
        let results: Vec<_> = instruction.results().iter().map(|at| &values[*at]).collect();
        let is_partial = results.iter().any(|value| !value.sharding.unreduced.is_empty());
        if !matches!(name, "reduce" | "scatter")
            || instruction.summed_after().is_empty() && !is_partial
        {
            return Ok(Vec::new());
        }
        let neutral = match instruction.attributes().word("reducer", "add") {
            "add" => 0,
            "multiply" => 1,
            "maximum" | "minimum" | "and" | "or" => return Ok(Vec::new()),
            _ => return Err(self.failure("devices cannot combine its results")),
        };
        let first = if name == "reduce" { results.len() } else { 0 };
        let starts = first..first + results.len();
        let is_neutral = |at: usize| {
            let splat = self.splats.get(&instruction.operands()[at]);
            splat.and_then(|splat| splat.parse::<f64>().ok()) == Some(f64::from(neutral))
        };
        if starts.clone().all(is_neutral) {
            return Ok(Vec::new());
        }
        if is_partial {
            return Err(self.failure("each device would include its initial value"));
        }
        let mut taken = Vec::with_capacity(results.len());
        for at in starts {
            let dtype = values[instruction.operands()[at]].dtype;
            let dims = operands[at].dims.clone();
            let constant = self.constant(&element(neutral, dtype), dtype, &dims);
            taken.push(core::mem::replace(&mut operands[at], constant));
        }
        Ok(taken)
    }

    /// A result combined with the initial value of its reduction.
    pub(super) fn begun(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        (start, reducer): (&LocalArray, &str),
    ) -> LocalArray {
        let ty = tensor_type(value.dtype, &array.dims);
        let mut own = start.name.clone();
        if start.dims != array.dims {
            own = self.fresh();
            self.line(&format!(
                "{own} = stablehlo.broadcast_in_dim {}, dims = [] : ({}) -> {ty}",
                start.name,
                tensor_type(value.dtype, &start.dims)
            ));
        }
        let name = self.fresh();
        self.line(&format!("{name} = stablehlo.{reducer} {}, {own} : {ty}", array.name));
        LocalArray { name, dims: array.dims }
    }

    /// A complete value as a sum over the devices along axes: the first device keeps it, and the others use zeros. For a maximum or
    /// a minimum, all devices keep it.
    pub(super) fn kept_by_one(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        (sharding, axes): (&TensorSharding, &[AxisRef]),
    ) -> Result<LocalArray, Failure> {
        if sharding.reduction != ReductionOp::Sum {
            return Ok(array);
        }
        let shards = self.shards(value, sharding)?;
        let mesh = shards.mesh();
        let axes: Vec<_> = axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
        let is_first = (0..self.mesh.devices()).map(|device| {
            let position = mesh.position(device);
            let own = position.map_or_else(Vec::new, |position| mesh.coordinates(position));
            usize::from(axes.iter().all(|axis| shards.coordinate(*axis, &own) == 0))
        });
        let is_first = self.of_device(&is_first.collect::<Vec<_>>());
        let [truth, broadcast] = [(); 2].map(|()| self.fresh());
        let of_truth = tensor_type(DType::PRED, &array.dims);
        self.line(&format!("{truth} = stablehlo.convert {is_first} : (tensor<i64>) -> tensor<i1>"));
        self.line(&format!(
            "{broadcast} = stablehlo.broadcast_in_dim {truth}, dims = [] : (tensor<i1>) -> {of_truth}"
        ));
        let zero = self.constant(&element(0, value.dtype), value.dtype, &array.dims).name;
        Ok(self.select(&broadcast, (&array.name, &zero), &array.dims, value.dtype))
    }
}
