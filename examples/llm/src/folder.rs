//! The folder of a model: the files that Hugging Face's tools write, and the packed checkpoint next to them.

use crate::Result;
use crate::config::Config;
use crate::devices::Split;
use crate::weights::Weights;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tensor_layout::DType;
use tensor_layout::checkpoint::{Checkpoint, Options, Packer, StoredSpec, Verify};

/// A folder that holds a model.
pub struct Folder {
    path: PathBuf,
    /// The contents of `config.json`.
    pub config: Config,
}

impl Folder {
    /// Reads the configuration of a model.
    ///
    /// # Errors
    /// As for [`Config::read`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self> {
        let path = path.into();
        Ok(Self { config: Config::read(&path.join("config.json"))?, path })
    }

    /// The path of a file in the folder, if the file exists.
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        Some(self.path.join(name)).filter(|path| path.exists())
    }

    /// Packs the weights in a format, as [`Folder::pack`] does, and maps them.
    ///
    /// # Errors
    /// As for [`Folder::pack`], and if the weights are not bf16.
    pub fn checkpoint(
        &self,
        weights: Weights,
        progress: impl FnMut(u64, u64),
    ) -> Result<Checkpoint> {
        Self::open_packed(&self.pack(weights, None, progress)?, Checkpoint::options())
    }

    /// Packs the weights in a format, and in parts if devices share them, unless up-to-date packed weights exist. Calls `progress`
    /// with the number of bytes that are written so far, and the total. Returns the path of the packed weights.
    ///
    /// # Errors
    /// If there are no weights, or if the packed weights cannot be written next to them.
    pub fn pack(
        &self,
        weights: Weights,
        split: Option<Split>,
        progress: impl FnMut(u64, u64),
    ) -> Result<PathBuf> {
        self.pack_share(weights, split, (0, 1), progress)
    }

    /// [`Folder::pack`] by `share.1` processes, of which this one has the number `share.0`: the packed weights are complete when
    /// all processes have returned.
    ///
    /// # Errors
    /// As for [`Folder::pack`].
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

    /// Opens packed weights, or the part of them that a device has if the options name one.
    ///
    /// # Errors
    /// If the weights cannot be opened, or if they are not bf16.
    pub fn open_packed(packed: &Path, options: Options) -> Result<Checkpoint> {
        // Reading all weights to verify their checksums would delay the first token; they were compared bit for bit when they were
        // packed.
        let checkpoint = options.verify(Verify::OnRequest).open(packed).map_err(|error| {
            format!("{error}\nhelp: delete the file; the weights are then packed again")
        })?;
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
