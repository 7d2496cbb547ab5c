//! Which part of each tensor a device gets.

use crate::Result;
use crate::header::Tensor;
use safetensors::tensor::TensorInfo;
use std::fs;
use std::path::Path;
use tensor_layout::sharding::{Mesh, MeshAxis, Padding, Shards, TensorSharding};

/// A mesh of devices, and how tensors are split over it.
pub(crate) struct Split {
    mesh: Mesh,
    /// Patterns of names, and the shardings of tensors that match; the first one counts.
    rules: Vec<(String, TensorSharding)>,
}

/// What a device holds of a tensor.
pub(crate) struct Part {
    /// Type and local shape.
    pub(crate) info: TensorInfo,
    /// Where it begins in the whole tensor.
    pub(crate) origin: Vec<usize>,
    /// How the tensor is split.
    pub(crate) sharding: String,
}

impl Split {
    /// A mesh as the command line has it, `data=2,model=4`, and a file with a rule on each line:
    /// `layers.*.weight [{"data"}, {"model"}]`. A `*` stands for any text; what follows `#` is a comment.
    pub(crate) fn read(mesh: &str, rules: &Path) -> Result<Self> {
        let axes = mesh.split(',').map(|axis| {
            let (name, size) =
                axis.split_once('=').ok_or(format!("`{axis}` is not an axis: write `data=2`"))?;
            let size = size.parse().map_err(|_| format!("`{size}` is not the size of an axis"))?;
            Ok(MeshAxis::new(name.to_owned(), size))
        });
        let mesh = Mesh::new(axes.collect::<Result<Vec<_>>>()?, [])?;
        let text =
            fs::read_to_string(rules).map_err(|error| format!("`{}`: {error}", rules.display()))?;
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let rules = lines.enumerate().filter(|(_, line)| !line.is_empty()).map(|(at, line)| {
            let about = |error: String| format!("`{}`, line {}: {error}", rules.display(), at + 1);
            let (pattern, split) = line
                .split_once(char::is_whitespace)
                .ok_or_else(|| about("expected a pattern and a sharding".into()))?;
            let sharding = format!("<@mesh, {}>", split.trim()).parse();
            let sharding =
                sharding.map_err(|error: tensor_layout::ParseError| about(error.to_string()))?;
            Ok((pattern.to_owned(), sharding))
        });
        Ok(Self { mesh, rules: rules.collect::<Result<_>>()? })
    }

    /// The devices that this process packs for: all, or under `mpirun` its own.
    pub(crate) fn devices(&self) -> Result<Vec<usize>> {
        let number = |names: [&str; 2]| {
            names.into_iter().find_map(|name| std::env::var(name).ok()?.parse::<usize>().ok())
        };
        let devices = self.mesh.devices();
        // As Open MPI and MPICH say it; no message is sent, so that neither need be there to build this.
        let (rank, size) =
            (["OMPI_COMM_WORLD_RANK", "PMI_RANK"], ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]);
        match (number(rank), number(size)) {
            (Some(rank), Some(size)) if size == devices => Ok(vec![rank]),
            (Some(_), Some(size)) => {
                Err(format!("the mesh has {devices} devices, but {size} processes run").into())
            }
            _ => Ok((0..devices).collect()),
        }
    }

    /// What a device holds of a tensor.
    pub(crate) fn part(&self, tensor: &Tensor, device: usize) -> Result<Part> {
        let shape = &tensor.info.shape;
        let rule = self.rules.iter().find(|(pattern, _)| matches(pattern, &tensor.name));
        let whole = || {
            let dims = vec![tensor_layout::sharding::DimSharding::default(); shape.len()];
            TensorSharding::new(tensor_layout::sharding::MeshRef::Name("mesh".into()), dims)
        };
        let sharding = rule.map_or_else(whole, |(_, sharding)| sharding.clone());
        let shards = Shards::new(&sharding, &self.mesh, shape, Padding::Forbidden)?;
        let slice = shards.slice(device).unwrap_or_default();
        let info = TensorInfo {
            dtype: tensor.info.dtype,
            shape: shards.local_dims().to_vec(),
            data_offsets: tensor.info.data_offsets,
        };
        let origin = slice.iter().map(|range| range.start).collect();
        Ok(Part { info, origin, sharding: sharding.to_string() })
    }
}

/// Whether `name` is `pattern` with something in place of each `*`. Linear in both, but for the stars.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<_> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    name.ends_with(end)
}
