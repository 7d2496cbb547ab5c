//! The communication of the devices in the local program.

use super::Failure;
use super::local::{Local, LocalArray};
use crate::sharding::axis::{Axis, AxisRef};
use crate::sharding::local::Shards;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::NamedValue;
use crate::sharding::reshard::{Collective, plan};
use crate::sharding::tensor::TensorSharding;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`
fn table(rows: &[Vec<usize>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    format!("dense<{rows:?}> : tensor<{}x{columns}xi64>", rows.len())
}

impl Local<'_, '_> {
    /// The local array of a value in another sharding.
    pub(super) fn resharded(
        &mut self,
        mut array: LocalArray,
        value: &NamedValue,
        (from, to): (&TensorSharding, &TensorSharding),
    ) -> Result<LocalArray, Failure> {
        let mut before = self.shards(value, from)?;
        if before == self.shards(value, to)? {
            return Ok(array);
        }
        let steps = plan(self.mesh, from, to, &value.dims, value.dtype.stored_bits());
        let steps = steps.map_err(|error| {
            let message = format!("no collectives reshard `{}`: {error}", value.name);
            self.failure(message)
        })?;
        for step in steps {
            let after = self.shards(value, &step.sharding)?;
            array = match &step.collective {
                Collective::AllReduce(axes) => self.summed(array, value, &after, (axes, "add")),
                Collective::AllSlice(_) => self.sliced(array, value, &before, &after)?,
                Collective::CollectivePermute => self.permuted(array, value, &before, &after)?,
                Collective::AllToAll { axes, from, to } => {
                    let groups = self.groups(&before, axes);
                    let count = groups.first().map_or(1, Vec::len);
                    let attributes = format!(
                        "concat_dimension = {from} : i64, replica_groups = {}, split_count = {count} : i64, \
                         split_dimension = {to} : i64",
                        table(&groups)
                    );
                    let dims = after.local_dims().to_vec();
                    self.collective("all_to_all", array, value, (&attributes, dims))
                }
                Collective::AllGather(axes) => {
                    for (dim, axes) in axes.iter().enumerate().filter(|(_, axes)| !axes.is_empty())
                    {
                        let groups = self.groups(&before, axes);
                        let attributes = format!(
                            "all_gather_dim = {dim} : i64, replica_groups = {}, use_global_device_ids",
                            table(&groups)
                        );
                        let mut dims = array.dims.clone();
                        dims[dim] = after.local_dims()[dim];
                        array = self.collective("all_gather", array, value, (&attributes, dims));
                    }
                    array
                }
            };
            before = after;
        }
        Ok(array)
    }

    /// The devices that differ only in their coordinates along axes, in the order of these axes.
    fn groups(&self, shards: &Shards, axes: &[AxisRef]) -> Vec<Vec<usize>> {
        let axes: Vec<Axis> = axes.iter().filter_map(|axis| self.mesh.resolve(axis)).collect();
        let mut groups: BTreeMap<Vec<usize>, Vec<(usize, usize)>> = BTreeMap::new();
        for position in 0..self.mesh.devices() {
            let coordinates = self.mesh.coordinates(position);
            let (mut others, mut rank) = (coordinates.clone(), 0);
            for axis in &axes {
                let own = shards.coordinate(*axis, &coordinates);
                others[axis.index()] -= own * (self.mesh.size_of(axis.index()) / axis.end());
                rank = rank * axis.size() + own;
            }
            groups.entry(others).or_default().push((rank, self.mesh.device_id(position)));
        }
        let sorted = groups.into_values().map(|mut group| {
            group.sort_unstable();
            group.into_iter().map(|(_, device)| device).collect()
        });
        sorted.collect()
    }

    /// `%1 = "stablehlo.all_gather"(%0) <{..}> : (tensor<4xf32>) -> tensor<8xf32>`
    fn collective(
        &mut self,
        name: &str,
        array: LocalArray,
        value: &NamedValue,
        (attributes, dims): (&str, Vec<usize>),
    ) -> LocalArray {
        let types = [&array.dims, &dims].map(|dims| tensor_type(value.dtype, dims));
        let (result, channel) = (self.fresh(), self.channel());
        let text = format!(
            "{result} = \"stablehlo.{name}\"({}) <{{channel_handle = #stablehlo.channel_handle<handle = {channel}, \
             type = 1>, {attributes}}}> : ({}) -> {}",
            array.name, types[0], types[1]
        );
        self.line(&text);
        LocalArray { name: result, dims }
    }

    /// Combines local arrays over the devices along axes.
    pub(super) fn summed(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        shards: &Shards,
        (axes, reducer): (&[AxisRef], &str),
    ) -> LocalArray {
        if axes.is_empty() {
            return array;
        }
        let groups = table(&self.groups(shards, axes));
        let ty = tensor_type(value.dtype, &array.dims);
        let scalar = tensor_type(value.dtype, &[]);
        let (name, channel) = (self.fresh(), self.channel());
        let [lhs, rhs, made] = [(); 3].map(|()| self.fresh());
        let head = format!(
            "{name} = \"stablehlo.all_reduce\"({}) <{{channel_handle = #stablehlo.channel_handle<handle = {channel}, \
             type = 1>, replica_groups = {groups}, use_global_device_ids}}> ({{",
            array.name
        );
        self.line(&head);
        self.line(&format!("^bb0({lhs}: {scalar}, {rhs}: {scalar}):"));
        self.indent += 1;
        self.line(&format!("{made} = stablehlo.{reducer} {lhs}, {rhs} : {scalar}"));
        self.line(&format!("stablehlo.return {made} : {scalar}"));
        self.indent -= 1;
        self.line(&format!("}}) : ({ty}) -> {ty}"));
        LocalArray { name, dims: array.dims }
    }

    /// The part of its local array that each device keeps; a table for each dimension contains the starts of the parts.
    pub(super) fn sliced(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        before: &Shards,
        after: &Shards,
    ) -> Result<LocalArray, Failure> {
        let dims = after.local_dims().to_vec();
        if array.dims == dims {
            return Ok(array);
        }
        let devices = self.mesh.devices();
        let mut starts = vec![Vec::with_capacity(devices); dims.len()];
        for device in 0..devices {
            let (Some(old), Some(new)) = (before.slice(device), after.slice(device)) else {
                return Err(self.failure("the mesh does not list its devices"));
            };
            for (starts, (old, new)) in starts.iter_mut().zip(old.iter().zip(&new)) {
                if new.start < old.start || new.end > old.end {
                    let message = format!("a device does not have its part of `{}`", value.name);
                    return Err(self.failure(message));
                }
                starts.push(new.start - old.start);
            }
        }
        let id = self.fresh();
        self.line(&format!("{id} = stablehlo.partition_id : tensor<ui32>"));
        let mut names = Vec::with_capacity(dims.len());
        for starts in starts {
            let start = if starts.iter().all(|start| *start == 0) {
                let start = self.fresh();
                self.line(&format!("{start} = stablehlo.constant dense<0> : tensor<i64>"));
                start
            } else {
                let [list, one, start] = [(); 3].map(|()| self.fresh());
                let ty = format!("tensor<{devices}xi64>");
                self.line(&format!("{list} = stablehlo.constant dense<{starts:?}> : {ty}"));
                self.line(&format!(
                    "{one} = stablehlo.dynamic_slice {list}, {id}, sizes = [1] : ({ty}, tensor<ui32>) -> tensor<1xi64>"
                ));
                self.line(&format!(
                    "{start} = stablehlo.reshape {one} : (tensor<1xi64>) -> tensor<i64>"
                ));
                start
            };
            names.push(start);
        }
        let types = [&array.dims, &dims].map(|dims| tensor_type(value.dtype, dims));
        let result = self.fresh();
        let text = format!(
            "{result} = stablehlo.dynamic_slice {}, {}, sizes = {dims:?} : ({}{}) -> {}",
            array.name,
            names.join(", "),
            types[0],
            ", tensor<i64>".repeat(names.len()),
            types[1]
        );
        self.line(&text);
        Ok(LocalArray { name: result, dims })
    }

    /// Each device receives the part that it needs from a device that has it, which is the device itself if possible.
    fn permuted(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        before: &Shards,
        after: &Shards,
    ) -> Result<LocalArray, Failure> {
        let devices = self.mesh.devices();
        // Devices with partial sums of one part do not have the same values.
        let key = |shards: &Shards, device: usize| {
            let position = self.mesh.position(device)?;
            let coordinates = self.mesh.coordinates(position);
            // Neither do devices in different parts of a manual computation.
            let manual = self.manual.iter().filter_map(|axis| self.mesh.resolve(axis));
            let apart = shards.unreduced.iter().copied().chain(manual);
            let apart = apart.map(|axis| shards.coordinate(axis, &coordinates));
            Some((shards.tile(position), apart.collect::<Vec<_>>()))
        };
        let mut parts: BTreeMap<_, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for device in 0..devices {
            let (old, new) = (key(before, device), key(after, device));
            if old == new {
                parts.entry(old).or_default();
                continue;
            }
            parts.entry(old).or_default().0.push(device);
            parts.entry(new).or_default().1.push(device);
        }
        let mut source = (0..devices).collect::<Vec<_>>();
        for (have, need) in parts.into_values() {
            if have.len() != need.len() {
                let message = format!("no permutation of devices reshards `{}`", value.name);
                return Err(self.failure(message));
            }
            have.into_iter().zip(need).for_each(|(have, need)| source[need] = have);
        }
        let pairs: Vec<_> =
            source.into_iter().enumerate().map(|(to, from)| vec![from, to]).collect();
        let attributes = format!("source_target_pairs = {}", table(&pairs));
        let dims = after.local_dims().to_vec();
        Ok(self.collective("collective_permute", array, value, (&attributes, dims)))
    }
}
