//! The communication of the devices in the local program.

use super::Failure;
use super::local::{Local, LocalArray, replicated};
use super::local_padding::element;
use crate::sharding::axis::{Axis, AxisRef};
use crate::sharding::local::Shards;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::NamedValue;
use crate::sharding::reshard::{Collective, ReshardStep, plan};
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

/// Whether each device has exactly the elements that the shardings before and after a step assign to it: padding is added to whole
/// dimensions, and removed from them, but never between elements.
fn keeps_borders(before: &Shards, after: &Shards, collective: &Collective) -> bool {
    if let Collective::CollectivePermute = collective {
        return before.tiles() == after.tiles();
    }
    let (old, new) = (before.tiles(), after.tiles());
    let sizes = before.local_dims().iter().zip(after.local_dims());
    let mut dims = old.iter().zip(&new).zip(sizes);
    dims.all(|((&old, &new), (&from, &to))| old == 1 || new == 1 || old * from == new * to)
}

impl Local<'_, '_> {
    /// The local array of a value, resharded to another sharding.
    pub(super) fn resharded(
        &mut self,
        mut array: LocalArray,
        value: &NamedValue,
        (from, to): (&TensorSharding, &TensorSharding),
    ) -> Result<LocalArray, Failure> {
        let (mut before, after) = (self.shards(value, from)?, self.shards(value, to)?);
        if before == after && from.reduction == to.reduction {
            return Ok(array);
        }
        if value.dims.contains(&0) {
            // No data is sent.
            let name = self.fresh();
            let ty = tensor_type(value.dtype, after.local_dims());
            self.line(&format!("{name} = stablehlo.constant dense<> : {ty}"));
            return Ok(LocalArray { name, dims: after.local_dims().to_vec() });
        }
        let axes = |sharding: &TensorSharding| sharding.unreduced.to_vec();
        let made: Vec<_> =
            axes(to).into_iter().filter(|axis| !from.unreduced.contains(axis)).collect();
        if before.mesh() != after.mesh() {
            return self.between_meshes(array, value, (from, to));
        }
        let kept: Vec<_> = axes(to).into_iter().filter(|axis| !made.contains(axis)).collect();
        for step in self.steps(value, from, &to.clone().with_unreduced(kept))? {
            let after = self.shards(value, &step.sharding)?;
            array = self.step(array, value, (&before, &after), (&step.collective, from))?;
            before = after;
        }
        match made.is_empty() {
            true => Ok(array),
            false => self.kept_by_one(array, value, (to, &made)),
        }
    }

    /// The steps from one sharding to another on one mesh. If shards differ in size and a step would move the borders between them,
    /// devices first collect the whole array.
    fn steps(
        &self,
        value: &NamedValue,
        from: &TensorSharding,
        to: &TensorSharding,
    ) -> Result<Vec<ReshardStep>, Failure> {
        let mesh = self.program.mesh_of(from);
        let planned = |from: &TensorSharding, to: &TensorSharding| {
            let steps = plan(mesh, from, to, &value.dims, value.dtype.stored_bits());
            steps.map_err(|error| {
                self.failure(format!("no collectives reshard `{}`: {error}", value.name))
            })
        };
        let steps = planned(from, to)?;
        let mut before = self.shards(value, from)?;
        let mut is_exact = true;
        for step in &steps {
            let after = self.shards(value, &step.sharding)?;
            is_exact &= keeps_borders(&before, &after, &step.collective);
            before = after;
        }
        if is_exact {
            return Ok(steps);
        }
        let replicated = replicated(value).with_unreduced(to.unreduced.clone());
        let replicated =
            TensorSharding { mesh: from.mesh.clone(), reduction: to.reduction, ..replicated };
        let mut steps = planned(from, &replicated)?;
        steps.extend(planned(&replicated, to)?);
        Ok(steps)
    }

    /// One step of a reshard.
    fn step(
        &mut self,
        mut array: LocalArray,
        value: &NamedValue,
        (before, after): (&Shards, &Shards),
        (collective, from): (&Collective, &TensorSharding),
    ) -> Result<LocalArray, Failure> {
        let local = after.local_dims();
        Ok(match collective {
            Collective::AllReduce(axes) => {
                self.summed(array, value, after, (axes, from.reduction.reducer()))
            }
            Collective::AllSlice(_) => self.sliced(array, value, before, after)?,
            Collective::CollectivePermute => self.permuted(array, value, before, after)?,
            Collective::AllToAll { axes, from, to } => {
                let groups = self.groups(before, axes);
                let count = groups.first().map_or(1, Vec::len);
                let attributes = format!(
                    "concat_dimension = {from} : i64, replica_groups = {}, split_count = {count} : i64, \
                     split_dimension = {to} : i64",
                    table(&groups)
                );
                let mut dims = array.dims.clone();
                dims[*to] = local[*to] * count;
                array = self.resized(array, value, &dims);
                (dims[*to], dims[*from]) = (local[*to], dims[*from] * count);
                array = self.collective("all_to_all", array, value, (&attributes, dims));
                self.resized(array, value, local)
            }
            Collective::AllGather(axes) => {
                for (dim, axes) in axes.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
                    let groups = self.groups(before, axes);
                    let attributes = format!(
                        "all_gather_dim = {dim} : i64, replica_groups = {}, use_global_device_ids",
                        table(&groups)
                    );
                    let mut dims = array.dims.clone();
                    dims[dim] *= groups.first().map_or(1, Vec::len);
                    array = self.collective("all_gather", array, value, (&attributes, dims));
                }
                self.resized(array, value, local)
            }
        })
    }

    /// A local array with other sizes: elements past the new sizes are removed, and padding is added.
    fn resized(&mut self, array: LocalArray, value: &NamedValue, dims: &[usize]) -> LocalArray {
        let mut array = array;
        let most: Vec<_> = array.dims.iter().zip(dims).map(|(a, b)| *a.max(b)).collect();
        if most != array.dims {
            let zero = self.constant(&element(0, value.dtype), value.dtype, &[]).name;
            let high: Vec<_> = most.iter().zip(&array.dims).map(|(to, from)| to - from).collect();
            let none = vec![0; dims.len()];
            let name = self.fresh();
            let [scalar, from, to] =
                [&[][..], &array.dims, &most].map(|dims| tensor_type(value.dtype, dims));
            self.line(&format!(
                "{name} = stablehlo.pad {}, {zero}, low = {none:?}, high = {high:?}, interior = {none:?} : \
                 ({from}, {scalar}) -> {to}",
                array.name
            ));
            array = LocalArray { name, dims: most };
        }
        if array.dims != dims {
            let bounds: Vec<_> = dims.iter().map(|size| format!("0:{size}")).collect();
            let name = self.fresh();
            let [from, to] = [&array.dims, dims].map(|dims| tensor_type(value.dtype, dims));
            self.line(&format!(
                "{name} = stablehlo.slice {} [{}] : ({from}) -> {to}",
                array.name,
                bounds.join(", ")
            ));
            array = LocalArray { name, dims: dims.to_vec() };
        }
        array
    }

    /// A local array of a value on another mesh of the same devices.
    fn between_meshes(
        &mut self,
        array: LocalArray,
        value: &NamedValue,
        (from, to): (&TensorSharding, &TensorSharding),
    ) -> Result<LocalArray, Failure> {
        let summed = from.clone().with_unreduced(&[][..]);
        let array = self.resharded(array, value, (from, &summed))?;
        let closed = to.clone().with_unreduced(&[][..]);
        let (before, after) = (self.shards(value, &summed)?, self.shards(value, &closed)?);
        let devices = 0..self.mesh.devices();
        let is_same = devices.clone().all(|device| before.slice(device) == after.slice(device));
        let mut array = if is_same && before.local_dims() == after.local_dims() {
            array
        } else if before.tiles() == after.tiles() {
            self.permuted(array, value, &before, &after)?
        } else {
            let replicated = TensorSharding { mesh: from.mesh.clone(), ..replicated(value) };
            let array = self.resharded(array, value, (&summed, &replicated))?;
            let replicated = self.shards(value, &replicated)?;
            self.sliced(array, value, &replicated, &after)?
        };
        if !to.unreduced.is_empty() {
            array = self.kept_by_one(array, value, (to, &to.unreduced))?;
        }
        Ok(array)
    }

    /// The devices that differ only in their coordinates along axes, in the order of these axes.
    fn groups(&self, shards: &Shards, axes: &[AxisRef]) -> Vec<Vec<usize>> {
        let mesh = shards.mesh();
        let axes: Vec<Axis> = axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
        let mut groups: BTreeMap<Vec<usize>, Vec<(usize, usize)>> = BTreeMap::new();
        for position in 0..mesh.devices() {
            let coordinates = mesh.coordinates(position);
            let (mut others, mut rank) = (coordinates.clone(), 0);
            for axis in &axes {
                let own = shards.coordinate(*axis, &coordinates);
                others[axis.index()] -= own * (mesh.size_of(axis.index()) / axis.end());
                rank = rank * axis.size() + own;
            }
            groups.entry(others).or_default().push((rank, mesh.device_id(position)));
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

    /// The part of its local array that each device keeps; for each dimension, a table contains the starts of the parts.
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
        // The size that the array of a device must have to contain all of its parts, padding included.
        let split = before.tiles().into_iter().zip(after.tiles());
        let parts = split.zip(&dims).map(|((old, new), part)| new / old.max(1) * part);
        let parts: Vec<_> = parts.collect();
        let starts = (0..self.mesh.devices()).map(|device| {
            let tile = |shards: &Shards| Some(shards.tile(shards.mesh().position(device)?));
            let (old, new) = (tile(before)?, tile(after)?);
            let of = |dim: usize| {
                let start = (new[dim] * dims[dim]).checked_sub(old[dim] * before.local_dims()[dim]);
                start.filter(|start| start + dims[dim] <= parts[dim])
            };
            (0..dims.len()).map(of).collect::<Option<Vec<_>>>()
        });
        let Some(starts) = starts.collect::<Option<Vec<_>>>() else {
            let message = format!("a device does not have its part of `{}`", value.name);
            return Err(self.failure(message));
        };
        let array = self.resized(array, value, &parts);
        let names = (0..dims.len())
            .map(|dim| self.of_device(&starts.iter().map(|start| start[dim]).collect::<Vec<_>>()));
        let names: Vec<_> = names.collect();
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
        // Devices with different partial sums of one part do not have the same values.
        let key = |shards: &Shards, device: usize| {
            let mesh = shards.mesh();
            let position = mesh.position(device)?;
            let coordinates = mesh.coordinates(position);
            // Devices in different parts of a manual computation do not have the same values either.
            let manual = self.manual.iter().filter_map(|axis| mesh.resolve(axis));
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
