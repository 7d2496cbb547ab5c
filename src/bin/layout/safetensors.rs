//! The tensors that the header of a safetensors file lists.

use crate::report::Failure;
use serde_json::Value;
use tensor_layout::TiledSpec;
use tensor_layout::checkpoint::element_type;
use tensor_layout::draw::printable;

/// The longest header that is read, in bytes.
const MAX_HEADER: u64 = 100 << 20;

/// Whether a file starts like a safetensors file: with eight bytes that hold the length of a header, followed by JSON.
pub(crate) fn is_header(bytes: &[u8]) -> bool {
    bytes.get(8) == Some(&b'{') && header_len(bytes).is_some()
}

/// The bytes of the header, including the eight of its length.
pub(crate) fn header_len(bytes: &[u8]) -> Option<u64> {
    let len = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    (len <= MAX_HEADER).then_some(len + 8)
}

/// The contents of a header.
#[derive(Default)]
pub(crate) struct Tensors {
    /// The name and the layout of each tensor: the layout that the TPU compiler picks, or row-major if it has none.
    pub(crate) tensors: Vec<(String, TiledSpec)>,
    /// The names of the tensors without a layout.
    pub(crate) unknown: Vec<String>,
}

/// Reads a header without the length in front of it. `data` bytes follow it.
pub(crate) fn tensors(header: &[u8], data: u64) -> Result<Tensors, Failure> {
    let broken = |what: String| {
        let message = format!("this is not a safetensors file: {}", printable(&what));
        Failure::input(message, "")
    };
    let header: Value =
        serde_json::from_slice(header).map_err(|error| broken(error.to_string()))?;
    let Value::Object(entries) = header else { return Err(broken("it is not an object".into())) };
    let (mut found, mut ranges) = (Tensors::default(), Vec::new());
    for (name, entry) in entries.into_iter().filter(|(name, _)| name != "__metadata__") {
        let size = |size: &Value| size.as_u64().and_then(|size| usize::try_from(size).ok());
        let dims: Option<Vec<usize>> =
            entry["shape"].as_array().and_then(|dims| dims.iter().map(size).collect());
        let dims = dims.ok_or_else(|| broken(format!("tensor `{name}` has no shape")))?;
        let offset = |at: usize| entry["data_offsets"][at].as_u64();
        let (Some(from), Some(to)) = (offset(0), offset(1)) else {
            return Err(broken(format!("tensor `{name}` has no `data_offsets`")));
        };
        ranges.push((from, to));
        let dtype = entry["dtype"].as_str().and_then(element_type);
        let bits = dtype.map(|dtype| {
            dims.iter().try_fold(dtype.bits() as u64, |bits, size| bits.checked_mul(*size as u64))
        });
        if bits
            .is_some_and(|bits| bits != to.checked_sub(from).and_then(|bytes| bytes.checked_mul(8)))
        {
            return Err(broken(format!(
                "tensor `{name}` has bytes {from} to {to}, which is not the size that follows from its shape and type"
            )));
        }
        let layout = dtype.and_then(|dtype| {
            TiledSpec::tpu_default(dtype, &dims).or_else(|| TiledSpec::row_major(dtype, &dims))
        });
        match layout {
            Some(layout) => found.tensors.push((name, layout)),
            None => found.unknown.push(name),
        }
    }
    ranges.sort_unstable();
    let mut end = 0;
    for (from, to) in ranges {
        if from != end {
            return Err(broken(format!(
                "a tensor begins at byte {from}, but byte {end} is expected"
            )));
        }
        end = to;
    }
    match data.checked_sub(end) {
        Some(0) => Ok(found),
        Some(rest) => Err(broken(format!("the last {rest} bytes belong to no tensor"))),
        None => Err(broken(format!(
            "it is truncated: the tensors take {end} bytes, but {data} follow the header"
        ))),
    }
}
