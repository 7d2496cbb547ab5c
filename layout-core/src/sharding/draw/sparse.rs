//! A sparse tensor over a mesh: its encoding, and the shards of the devices.

use super::sharded::panels;
use crate::draw::{Draw, Facts, Picture, tuple};
use crate::sharding::{Shards, TensorSharding};
use crate::sparse::SparseTensorSpec;
use alloc::format;
use alloc::string::String;

/// A sharded sparse tensor, which can be drawn: the run-time twin of `sharded!` of a sparse tensor.
///
/// ```
/// use tensor_layout::draw::{Draw, ShardedSparseSpec};
/// use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};
/// let (mesh, rows): (Mesh, TensorSharding) = (r#"<["x"=2]>"#.parse()?, r#"<@mesh, [{"x"}, {}]>"#.parse()?);
/// let shards = Shards::new(&rows, &mesh, &[8, 4], Padding::Forbidden)?;
/// let csr = "tensor<8x4xf64, #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>>".parse()?;
/// let sharded = ShardedSparseSpec::new(csr, rows, shards);
/// assert_eq!(sharded.facts().get("local shape").unwrap().text, "(4,4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ShardedSparseSpec {
    tensor: SparseTensorSpec,
    sharding: TensorSharding,
    shards: Shards,
}

impl ShardedSparseSpec {
    /// The tensor, its sharding, and its shards.
    pub const fn new(tensor: SparseTensorSpec, sharding: TensorSharding, shards: Shards) -> Self {
        Self { tensor, sharding, shards }
    }

    /// The whole tensor.
    pub const fn tensor(&self) -> &SparseTensorSpec {
        &self.tensor
    }
}

impl Draw for ShardedSparseSpec {
    fn notation(&self) -> String {
        format!("{} {}", self.tensor, self.sharding)
    }

    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        facts.code("tensor", self.tensor);
        facts.code("sharding", &self.sharding);
        facts.code("mesh", self.shards.mesh());
        facts.number("devices", self.shards.mesh().devices());
        facts.code("local shape", tuple(self.shards.local_dims().iter().copied()));
        facts.code("shards", tuple(self.shards.tiles()));
        facts.0.extend(self.tensor.facts().0);
        facts
    }

    fn picture(&self) -> Picture {
        let mut panels = panels(&self.shards);
        panels.extend(self.tensor.picture().panels);
        Picture { title: format!("what of {} each device holds", self.tensor), panels }
    }
}
