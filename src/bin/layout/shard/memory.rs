//! The bytes that the values of a program take on each device.

use tensor_layout::sharding::program::Program;
use tensor_layout::sharding::{Mesh, MeshRef, Padding, Shards};
use tensor_layout::{DType, TiledSpec};

/// The bytes of an array in the layout that the TPU compiler picks.
pub(super) fn on_tpu(dtype: DType, dims: &[usize]) -> u128 {
    if let Some(spec) = TiledSpec::tpu_default(dtype, dims) {
        return spec.storage_bytes() as u128;
    }
    let elements: u128 = dims.iter().map(|size| *size as u128).product();
    (elements * dtype.stored_bits() as u128).div_ceil(8)
}

/// Bytes on each device, in TPU layouts.
pub(super) struct Memory {
    pub(super) arguments: u128,
    pub(super) results: u128,
    /// The values that operations compute, if no two share memory.
    pub(super) others: u128,
}

impl Memory {
    pub(super) fn of(program: &Program) -> Self {
        let (mut arguments, mut others) = (0, 0);
        for (at, value) in program.values().iter().enumerate() {
            match at < program.parameters().len() {
                true => arguments += on_tpu(value.dtype, value.local_dims()),
                false => others += on_tpu(value.dtype, value.local_dims()),
            }
        }
        let results = program.results().map(|(value, sharding)| {
            // A result may be sharded differently from its value.
            let named = |(name, _): &&(String, Mesh)| {
                matches!(&sharding.mesh, MeshRef::Name(own) if own == name)
            };
            let mesh = program.meshes().iter().find(named);
            let shards = mesh.and_then(|(_, mesh)| {
                Shards::new(sharding, mesh, &value.dims, Padding::Allowed).ok()
            });
            let dims = shards.as_ref().map_or(value.local_dims(), Shards::local_dims);
            on_tpu(value.dtype, dims)
        });
        let results = results.sum();
        Self { arguments, results, others }
    }

    /// Arguments and results, which exist at the same time unless the program reuses the arguments.
    pub(super) fn sum(&self) -> u128 {
        self.arguments + self.results
    }
}

/// The seconds that `bytes` take on links of a bandwidth in GB/s.
pub(super) fn seconds(bytes: u128, bandwidth: f64) -> f64 {
    bytes as f64 / (bandwidth * 1e9)
}
