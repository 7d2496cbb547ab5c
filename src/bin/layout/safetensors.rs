//! The tensors that the header of a safetensors file lists.

use crate::report::Failure;
use serde_json::Value;
use tensor_layout::{DType, TiledSpec};

/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 100 << 20;

/// Whether a file starts as a safetensors file does: eight bytes with the length of a header, which is JSON.
pub(crate) fn is_header(bytes: &[u8]) -> bool {
    bytes.get(8) == Some(&b'{') && header_len(bytes).is_some()
}

/// Bytes that the header takes, those of its length included.
pub(crate) fn header_len(bytes: &[u8]) -> Option<u64> {
    let len = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    (len <= MAX_HEADER).then_some(len + 8)
}

/// What a header lists.
#[derive(Default)]
pub(crate) struct Tensors {
    /// Name and layout of each tensor: the one that the TPU compiler picks, else row-major.
    pub(crate) tensors: Vec<(String, TiledSpec)>,
    /// Names of those that have none at all.
    pub(crate) unknown: Vec<String>,
}

/// Reads a header, without the length in front of it.
pub(crate) fn tensors(header: &[u8]) -> Result<Tensors, Failure> {
    let broken = |what: String| {
        let message = format!("the header is not that of a safetensors file: {what}");
        Failure::input(message, "")
    };
    let header: Value =
        serde_json::from_slice(header).map_err(|error| broken(error.to_string()))?;
    let Value::Object(entries) = header else { return Err(broken("it is no object".into())) };
    let mut found = Tensors::default();
    for (name, entry) in entries.into_iter().filter(|(name, _)| name != "__metadata__") {
        let size = |size: &Value| size.as_u64().and_then(|size| usize::try_from(size).ok());
        let dims: Option<Vec<usize>> =
            entry["shape"].as_array().and_then(|dims| dims.iter().map(size).collect());
        let dims = dims.ok_or_else(|| broken(format!("tensor `{name}` has no shape")))?;
        let layout = entry["dtype"].as_str().and_then(dtype).and_then(|dtype| {
            TiledSpec::tpu_default(dtype, &dims).or_else(|| TiledSpec::row_major(dtype, &dims))
        });
        match layout {
            Some(layout) => found.tensors.push((name, layout)),
            None => found.unknown.push(name),
        }
    }
    Ok(found)
}

/// The element type that safetensors calls by this name.
fn dtype(name: &str) -> Option<DType> {
    let xla = match name {
        "BOOL" => "pred",
        "F4" => "f4e2m1fn",
        "F6_E2M3" => "f6e2m3fn",
        "F6_E3M2" => "f6e3m2fn",
        "F8_E4M3" => "f8e4m3fn",
        "F8_E8M0" => "f8e8m0fnu",
        name => {
            // Signed integers are `s` to XLA; the others are called alike, but for the case.
            let xla = name.replace('_', "");
            return DType::from_name(&match xla.strip_prefix('I') {
                Some(bits) => format!("s{bits}"),
                None => xla,
            });
        }
    };
    DType::from_name(xla)
}
