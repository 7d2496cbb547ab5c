//! The folder of a model: what Hugging Face's tools write, and the packed checkpoint beside it.

use crate::Result;
use crate::config::Config;
use crate::devices::Split;
use crate::weights::Weights;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tensor_layout::DType;
use tensor_layout::checkpoint::{Checkpoint, Packer, StoredSpec, Verify};

/// A folder that holds a model.
pub struct Folder {
    path: PathBuf,
    /// What `config.json` says.
    pub config: Config,
}

impl Folder {
    /// Reads the configuration of a model.
    ///
    /// # Errors
    /// As [`Config::read`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        Ok(Self { config: Config::read(&path.join("config.json"))?, path })
    }

    /// Where a file of the folder is, if it is there.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        Some(self.path.join(name)).filter(|path| path.exists())
    }

    /// Maps the packed weights in a format. Packs them first: [`Folder::pack`].
    ///
    /// # Errors
    /// As [`Folder::pack`], and if the weights are not bf16.
    pub fn checkpoint(
        &self,
        weights: Weights,
        progress: impl FnMut(u64, u64),
    ) -> Result<Checkpoint> {
        Self::open_packed(&self.pack(weights, None, progress)?, None)
    }

    /// Packs the weights in a format, and in parts if devices share them, if that has not been done since they were written;
    /// `progress` is told how many bytes of how many are written. Returns where the packed ones are.
    ///
    /// # Errors
    /// If there are no weights, or the packed ones cannot be written beside them.
    pub fn pack(
        &self,
        weights: Weights,
        split: Option<Split>,
        progress: impl FnMut(u64, u64),
    ) -> Result<PathBuf> {
        self.pack_share(weights, split, (0, 1), progress)
    }

    /// [`Folder::pack`] by several processes, of which this is the one with the number `share.0` of `share.1`: the packed weights are
    /// there when all have returned.
    ///
    /// # Errors
    /// As [`Folder::pack`].
    pub fn pack_share(
        &self,
        weights: Weights,
        split: Option<Split>,
        share: (usize, usize),
        progress: impl FnMut(u64, u64),
    ) -> Result<PathBuf> {
        let source = ["model.safetensors.index.json", "model.safetensors"]
            .iter()
            .find_map(|name| self.file(name))
            .ok_or_else(|| format!("`{}` has no `model.safetensors`", self.path.display()))?;
        let packed = self.path.join(weights.file(split));
        if written(&packed).is_none_or(|packed| written(&source).is_some_and(|it| it > packed)) {
            let rules = weights.rules(split, self.config.dims())?;
            let packer = Packer::new(rules).progress(progress).share(share.0, share.1);
            packer.pack(&source, &packed)?;
        }
        Ok(packed)
    }

    /// Maps packed weights, or the part of them that a device has.
    ///
    /// # Errors
    /// If that cannot be done, or they are not bf16.
    pub fn open_packed(packed: &Path, device: Option<usize>) -> Result<Checkpoint> {
        // Reading all weights to compare checksums would take longer than to begin to write; they were compared bit for
        // bit when they were packed.
        let options = Checkpoint::options().verify(Verify::OnRequest);
        let options = device.map_or(options, |device| options.device(device));
        let checkpoint = options.open(packed)?;
        for name in checkpoint.names() {
            let StoredSpec::Tiled(spec) = checkpoint.stored_spec(name)? else { continue };
            let dtype = spec.dtype();
            if dtype != DType::BF16 {
                return Err(format!(
                    "`{name}` is of type {dtype}, but weights are read in bf16, f32 or f16\nhelp: in Python, \
                     `AutoModelForCausalLM.from_pretrained(A, torch_dtype=torch.bfloat16).save_pretrained(B)`"
                )
                .into());
            }
        }
        Ok(checkpoint)
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}
