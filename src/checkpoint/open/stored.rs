//! The tensors of a file, from its header.

use super::super::Result;
use super::super::checksum::Checksum;
use super::super::dtype::from_safetensors;
use super::super::error::CheckpointError;
use super::super::header::{Header, Tensor};
use super::super::shards::{Sharded, described, part_name};
use super::super::storable::StoredSpec;
use super::super::writer::{CHECKSUM, LAYOUT, PADDING, SHARDING, VERSION};
use layout_core::tiled::TiledSpec;
use safetensors::tensor::TensorInfo;
use std::boxed::Box;
use std::collections::BTreeMap;
use std::format;
use std::ops::Range;
use std::string::{String, ToString};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A tensor of a file.
pub(super) struct Stored {
    pub(super) bytes: Range<usize>,
    /// Its layout, or why it has none.
    pub(super) layout: Result<Box<StoredSpec>, String>,
    pub(super) checksum: Option<Checksum>,
    pub(super) verified: AtomicBool,
}

impl Stored {
    pub(super) fn spec(&self, name: &str) -> Result<&StoredSpec> {
        self.layout.as_deref().map_err(|reason| CheckpointError::NoLayout {
            name: name.into(),
            reason: reason.clone(),
        })
    }

    pub(super) fn verify(&self, name: &str, bytes: &[u8]) -> Result<()> {
        if let Some(Checksum { stored, start }) = &self.checksum {
            let mut hasher = start.clone();
            hasher.update(bytes);
            let (stored, found) = (*stored, hasher.finalize());
            if found != stored {
                return Err(CheckpointError::Checksum { name: name.into(), stored, found });
            }
        }
        self.verified.store(true, Relaxed);
        Ok(())
    }
}

/// The tensors of a file by name, and the tensors that are split over a mesh.
pub(super) type Found = (BTreeMap<String, Stored>, BTreeMap<String, Sharded>);

/// The tensors of a header with their metadata. In a packed file each tensor has a layout and a checksum, so that a missing one
/// is noticed; in other files no tensor has them.
pub(super) fn stored(header: Header, is_packed: bool) -> Result<Found, String> {
    let Header { tensors, mut metadata } = header;
    let shardings: BTreeMap<String, String> = match is_packed {
        true => metadata
            .iter()
            .filter_map(|(key, text)| Some((key.strip_prefix(SHARDING)?.into(), text.clone())))
            .collect(),
        false => BTreeMap::new(),
    };
    metadata.retain(|key, _| !is_packed || !key.starts_with(SHARDING));
    let (mut named, mut parts) = (BTreeMap::new(), BTreeMap::<String, usize>::new());
    // Other programs may give a tensor such a name.
    let is_gap = |name: &str| is_packed && name.starts_with(PADDING);
    for tensor in tensors.into_iter().filter(|tensor| !is_gap(&tensor.name)) {
        let wrong = |what: &str| format!("tensor `{}`: {what}", tensor.name);
        let text = metadata.remove(&format!("{LAYOUT}{}", tensor.name));
        let checksum = metadata.remove(&format!("{CHECKSUM}{}", tensor.name));
        let (layout, checksum) = match (is_packed, text, checksum) {
            (true, Some(text), Some(checksum)) => {
                let spec = packed(&text, &tensor).map_err(|what| wrong(&what))?;
                let whole = tensor.name.rsplit_once('@').map(|(whole, _)| whole);
                let split = whole.and_then(|whole| shardings.get_key_value(whole));
                if let Some((whole, _)) = split {
                    *parts.entry(whole.clone()).or_default() += 1;
                }
                let text = described(&text, split.map(|(_, sharding)| sharding.as_str()));
                let checksum = Checksum::read(&checksum, &tensor.name, &text)
                    .ok_or_else(|| wrong(&format!("`{checksum}` is not a checksum")))?;
                (Ok(Box::new(spec)), Some(checksum))
            }
            (false, None, None) => {
                (row_major(&tensor.info).map(|spec| Box::new(spec.into())), None)
            }
            (true, None, _) => return Err(wrong("the metadata has no layout of it")),
            (true, ..) => return Err(wrong("the metadata has no checksum of it")),
            (false, ..) => {
                return Err(wrong(&format!("it is packed, but the metadata has no `{VERSION}`")));
            }
        };
        let verified = AtomicBool::new(false);
        named.insert(tensor.name, Stored { bytes: tensor.bytes, layout, checksum, verified });
    }
    let ours = |key: &&String| key.starts_with(LAYOUT) || key.starts_with(CHECKSUM);
    if let Some(key) = metadata.keys().find(ours).filter(|_| is_packed) {
        return Err(format!("metadata has `{key}`, but there is no such tensor"));
    }
    let sharded = shardings.into_iter().map(|(name, text)| {
        let sharded = sharded(&name, &text, &named, parts.get(&name).copied().unwrap_or_default())
            .map_err(|what| format!("tensor `{name}`: {what}"))?;
        Ok((name, sharded))
    });
    let sharded = sharded.collect::<Result<_, String>>()?;
    Ok((named, sharded))
}

/// A tensor that is split: the file must contain all `found` of its parts, in the same layout.
fn sharded(
    name: &str,
    text: &str,
    tensors: &BTreeMap<String, Stored>,
    found: usize,
) -> Result<Sharded, String> {
    let spec = |part: usize| {
        let part = tensors.get(&part_name(name, part))?;
        part.layout.as_deref().ok()
    };
    let first = spec(0).ok_or("it is split, but its first part is missing")?;
    if tensors.contains_key(name) {
        return Err("it is split, but also whole".into());
    }
    let sharded = Sharded::read(text, *first)?;
    let expected = sharded.contents.parts();
    if found != expected {
        return Err(format!(
            "its sharding `{text}` has {expected} parts, but the file has {found}"
        ));
    }
    let is_alike = |part: &StoredSpec| match (part, first) {
        // The arrays of sparse parts differ in length.
        (StoredSpec::Sparse(part), StoredSpec::Sparse(first)) => part.tensor() == first.tensor(),
        _ => part == first,
    };
    match (0..expected).find(|&part| !spec(part).is_some_and(is_alike)) {
        Some(part) => Err(format!("its part {part} is missing, or not in the layout `{first}`")),
        None => Ok(sharded),
    }
}

/// The layout of a packed tensor, which must have the length of its bytes.
fn packed(text: &str, Tensor { info, bytes, .. }: &Tensor) -> Result<StoredSpec, String> {
    let spec: StoredSpec = text.parse().map_err(|error| format!("its layout `{text}`: {error}"))?;
    spec.check().map_err(|error| error.to_string())?;
    let (expected, actual) = (spec.bytes(), bytes.len());
    if expected != actual {
        return Err(format!(
            "its layout `{spec}` takes {expected} bytes, but it has {actual} in the file"
        ));
    }
    let plain = info.dtype == safetensors::Dtype::U8;
    let typed = spec.tiled().map(TiledSpec::dtype);
    if !plain && (typed.is_none() || from_safetensors(info.dtype) != typed) {
        return Err(format!("its layout is `{spec}`, but its entry is of type {}", info.dtype));
    }
    Ok(spec)
}

/// The layout of a tensor of a plain safetensors file, or why it has none.
fn row_major(info: &TensorInfo) -> Result<TiledSpec, String> {
    // The reasons name both type and shape: they tell arrays without layouts apart.
    let (found, shape) = (info.dtype, &info.shape);
    let dtype = from_safetensors(found).ok_or_else(|| {
        format!(
            "layouts have no element type for {found}, in which it has the dimensions {shape:?}"
        )
    })?;
    TiledSpec::row_major(dtype, shape)
        .ok_or_else(|| format!("no layout of {found} has the {} dimensions {shape:?}", shape.len()))
}
