//! The folder of a model: the files that Hugging Face's tools write, and the packed checkpoint next to them.

use crate::Result;
use crate::config::Config;
use crate::devices::Split;
use crate::weights::Weights;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::fs;
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
        if written(&packed).is_none_or(|packed| weights_written(&source) > Some(packed)) {
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

/// The time at which the newest of the files of weights was written: the source and, if it is an index, the files that it names. A
/// file that no longer exists is not newer than what was packed from it.
fn weights_written(source: &Path) -> Option<SystemTime> {
    #[derive(Deserialize)]
    struct Index {
        weight_map: HashMap<String, String>,
    }
    let is_index = source.extension().is_some_and(|extension| extension == "json");
    let text = is_index.then(|| fs::read(source).ok()).flatten();
    // What is wrong with an index is reported when it is packed.
    let index = text.and_then(|text| serde_json::from_slice::<Index>(&text).ok());
    let names: BTreeSet<_> =
        index.into_iter().flat_map(|index| index.weight_map.into_values()).collect();
    let files = names.iter().map(|name| source.with_file_name(name));
    files.chain([source.to_path_buf()]).filter_map(|file| written(&file)).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn weights_are_as_new_as_the_newest_file() {
        let folder = std::env::temp_dir().join(format!("llm-{}-newest", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let write = |name: &str, text: &str, hours: u64| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            let time = start + Duration::from_secs(3600 * hours);
            fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
            (path, time)
        };
        let map = r#"{"metadata": {}, "weight_map": {"a": "1.safetensors", "b": "2.safetensors", "c": "2.safetensors"}}"#;
        let (index, first) = write("model.safetensors.index.json", map, 1);
        assert_eq!(weights_written(&index), Some(first));
        write("1.safetensors", "", 0);
        let (_, second) = write("2.safetensors", "", 5);
        write("unnamed.safetensors", "", 9);
        assert_eq!(weights_written(&index), Some(second));
        let (broken, time) = write("broken.index.json", "{", 3);
        assert_eq!(weights_written(&broken), Some(time));
        let (single, time) = write("model.safetensors", "", 4);
        assert_eq!(weights_written(&single), Some(time));
        fs::remove_dir_all(folder).unwrap();
    }
}
