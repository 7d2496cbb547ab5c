//! Updates of slices in the local program, of an array that is split along the dimensions of the slice.
//!
//! A device has none of an update, part of it, or all of it. Its part of the array gets a border as wide as the update, so that the
//! update is within the bordered part, and the border is removed afterwards.

use super::Failure;
use super::local::{Local, LocalArray};
use super::local_operation::Written;
use super::local_padding::element;
use crate::dtype::DType;
use crate::sharding::local::Shards;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::NamedValue;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The border of an array.
pub(super) struct Border {
    /// The size of the array with it.
    pub(super) dims: Vec<usize>,
    /// Its width along each dimension, at both ends.
    width: Vec<usize>,
}

impl Local<'_, '_> {
    /// Adds a border to the operand of an update along the dimensions in which the operand is split and the update does not span
    /// it, and adjusts the start of the update. Returns the border; `None` if there is no such dimension.
    ///
    /// Of 8 rows, the second of two devices has the last 4. An update of 3 rows that starts at row 3 starts 1 row before them: with
    /// a border of 3 rows, at row 2.
    pub(super) fn with_border(
        &mut self,
        written: &Written<'_>,
        operands: &mut [LocalArray],
        shards: &[Shards],
    ) -> Result<Option<Border>, Failure> {
        let values = self.program.values();
        let numbers = written.instruction.operands();
        let (array, update) = (&values[numbers[0]], &values[numbers[1]]);
        let tiles = shards[0].tiles();
        let is_cut = |dim: usize| tiles[dim] > 1 && update.dims[dim] != array.dims[dim];
        let width = (0..tiles.len()).map(|dim| if is_cut(dim) { update.dims[dim] } else { 0 });
        let width: Vec<_> = width.collect();
        if width.iter().all(|width| *width == 0) {
            return Ok(None);
        }
        if numbers.get(2).is_none_or(|at| values[*at].dtype.stored_bits() < 32) {
            return Err(
                self.failure("the type of its indices is too narrow for the offsets of shards")
            );
        }
        let dims: Vec<_> =
            operands[0].dims.iter().zip(&width).map(|(size, by)| size + 2 * by).collect();
        let zero = self.constant(&element(0, array.dtype), array.dtype, &[]).name;
        let name = self.fresh();
        let [scalar, from, to] =
            [&[][..], &operands[0].dims, &dims].map(|dims| tensor_type(array.dtype, dims));
        let none = vec![0; dims.len()];
        self.line(&format!(
            "{name} = stablehlo.pad {}, {zero}, low = {width:?}, high = {width:?}, interior = {none:?} : ({from}, {scalar}) \
             -> {to}",
            operands[0].name
        ));
        operands[0] = LocalArray { name, dims: dims.clone() };
        for dim in (0..tiles.len()).filter(|dim| is_cut(*dim)) {
            let dtype = values[numbers[2 + dim]].dtype;
            let last = array.dims[dim].saturating_sub(update.dims[dim]);
            let start = (operands[2 + dim].name.clone(), dtype);
            operands[2 + dim].name =
                self.start_in_border(start, (&shards[0], dim), (last, width[dim]));
        }
        Ok(Some(Border { dims, width }))
    }

    /// The start of an update in the bordered part of a device, computed from its start in the whole array.
    fn start_in_border(
        &mut self,
        (start, dtype): (String, DType),
        (shards, dim): (&Shards, usize),
        (last, width): (usize, usize),
    ) -> String {
        let origins = (0..self.mesh.devices()).map(|device| {
            let tile = shards.mesh().position(device).map(|position| shards.tile(position)[dim]);
            tile.unwrap_or(0) * shards.local_dims()[dim]
        });
        let origin = self.of_device(&origins.collect::<Vec<_>>());
        let ty = tensor_type(dtype, &[]);
        let [zero, last, width] = [0, last, width]
            .map(|number| self.constant(&format!("{number}"), DType::S64, &[]).name);
        let [wide, clamped, from, moved, made, narrow] = [(); 6].map(|()| self.fresh());
        self.line(&format!("{wide} = stablehlo.convert {start} : ({ty}) -> tensor<i64>"));
        self.line(&format!("{clamped} = stablehlo.clamp {zero}, {wide}, {last} : tensor<i64>"));
        self.line(&format!("{from} = stablehlo.subtract {clamped}, {origin} : tensor<i64>"));
        self.line(&format!("{moved} = stablehlo.add {from}, {width} : tensor<i64>"));
        self.line(&format!("{made} = stablehlo.maximum {moved}, {zero} : tensor<i64>"));
        self.line(&format!("{narrow} = stablehlo.convert {made} : (tensor<i64>) -> {ty}"));
        narrow
    }

    /// An array without its border.
    pub(super) fn within_border(
        &mut self,
        array: &str,
        value: &NamedValue,
        Border { dims, width }: &Border,
    ) -> LocalArray {
        let name = self.fresh();
        let bounds = width.iter().zip(value.local_dims());
        let bounds: Vec<_> = bounds.map(|(low, size)| format!("{low}:{}", low + size)).collect();
        let [from, to] = [&dims[..], value.local_dims()].map(|dims| tensor_type(value.dtype, dims));
        self.line(&format!(
            "{name} = stablehlo.slice {array} [{}] : ({from}) -> {to}",
            bounds.join(", ")
        ));
        LocalArray { name, dims: value.local_dims().to_vec() }
    }
}
