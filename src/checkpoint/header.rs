//! The header of a safetensors file: eight bytes with its length, then JSON with the position of each tensor.

use safetensors::tensor::TensorInfo;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::format;
use std::ops::Range;
use std::string::{String, ToString};
use std::vec::Vec;

/// The longest header that is read, in bytes: the limit of the safetensors crate.
pub(super) const MAX_HEADER: u64 = 100_000_000;

/// The maximum rank of a tensor, that of NumPy. No layout has so many dimensions.
const MAX_RANK: usize = 64;

/// The key of the entry that is not a tensor.
pub(super) const METADATA: &str = "__metadata__";

/// One tensor of a file.
pub(super) struct Tensor {
    pub(super) name: String,
    pub(super) info: TensorInfo,
    /// The range of its bytes in the file.
    pub(super) bytes: Range<usize>,
}

/// The contents of a header.
pub(super) struct Header {
    /// The tensors, in the order of their bytes.
    pub(super) tensors: Vec<Tensor>,
    pub(super) metadata: BTreeMap<String, String>,
}

/// The number of bytes of the header, including its length. `start` contains the first bytes of a file of `file` bytes: at
/// least eight, unless the file is shorter.
pub(super) fn len(start: &[u8], file: u64) -> Result<u64, String> {
    let Some(len) = start.first_chunk() else {
        return Err(format!(
            "{file} bytes are not a safetensors file, which starts with 8 bytes that give the length of its header"
        ));
    };
    let len = u64::from_le_bytes(*len);
    let problem = match file - 8 {
        _ if len > MAX_HEADER => format!("at most {MAX_HEADER} are read"),
        rest if len > rest => format!("only {rest} follow"),
        _ => return Ok(8 + len),
    };
    Err(format!(
        "the file gives the length of its header as {len} bytes, but {problem}; is this a safetensors file?"
    ))
}

/// Reads the header without its length and checks it: each of the `data` bytes that follow must belong to exactly one tensor,
/// and each tensor must have as many bytes as its shape and type require.
pub(super) fn read(json: &[u8], data: u64) -> Result<Header, String> {
    let start = 8 + json.len();
    let mut reader = serde_json::Deserializer::from_slice(json);
    let read = reader.deserialize_map(Entries).and_then(|read| reader.end().map(|()| read));
    let (entries, metadata) =
        read.map_err(|error| format!("the header is not one of a safetensors file: {error}"))?;
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(_, info)| info.data_offsets);
    check(&entries, data)?;
    // The bytes are in the file, so no sum overflows.
    let tensor = |(name, info): (String, TensorInfo)| {
        let (from, to) = info.data_offsets;
        Tensor { name, info, bytes: start + from..start + to }
    };
    Ok(Header { tensors: entries.into_iter().map(tensor).collect(), metadata })
}

/// The size of an array of this shape whose elements have the size `each`; `None` if it overflows. It is 0 if any dimension is 0,
/// however large the others are.
pub(super) fn total(each: usize, shape: &[usize]) -> Option<usize> {
    match shape.contains(&0) {
        true => Some(0),
        false => shape.iter().try_fold(each, |total, &size| total.checked_mul(size)),
    }
}

/// Whether the tensors cover each of the `data` bytes after the header exactly once.
fn check(entries: &[(String, TensorInfo)], data: u64) -> Result<(), String> {
    let mut end = 0;
    for (name, TensorInfo { dtype, shape, data_offsets: (from, to) }) in entries {
        if *from < end {
            return Err(format!(
                "tensor `{name}` starts at byte {from}, but the tensor before it ends at byte {end}: they overlap"
            ));
        }
        if *from > end {
            return Err(format!(
                "bytes {end} to {from}, before tensor `{name}`, belong to no tensor"
            ));
        }
        let rank = shape.len();
        if rank > MAX_RANK {
            return Err(format!(
                "tensor `{name}` has {rank} dimensions, but at most {MAX_RANK} are read"
            ));
        }
        let bits = total(dtype.bitsize(), shape)
            .ok_or_else(|| format!("the size of tensor `{name}` overflows"))?;
        if to < from || !bits.is_multiple_of(8) || to - from != bits / 8 {
            return Err(format!(
                "tensor `{name}`, {dtype} {shape:?}, has {bits} bits, but its bytes are {from} to {to}"
            ));
        }
        end = *to;
    }
    match data.checked_sub(end as u64) {
        Some(0) => Ok(()),
        Some(rest) => Err(format!("the last {rest} bytes belong to no tensor")),
        None => Err(format!(
            "the file is truncated: the tensors take {end} bytes, but {data} follow the header"
        )),
    }
}

/// The entries of the header. The `safetensors` crate reads each entry, but of two with the same name it would accept the last
/// one.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = (BTreeMap<String, TensorInfo>, BTreeMap<String, String>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut entries, mut metadata) = (BTreeMap::new(), None);
        while let Some(name) = map.next_key::<String>()? {
            let twice = || A::Error::custom(format_args!("`{name}` is listed twice"));
            if name == METADATA {
                if metadata.replace(map.next_value_seed(Metadata)?).is_some() {
                    return Err(twice());
                }
                continue;
            }
            if entries.contains_key(&name) {
                return Err(twice());
            }
            let info = map
                .next_value()
                .map_err(|error| A::Error::custom(format_args!("tensor `{name}`: {error}")))?;
            entries.insert(name, info);
        }
        Ok((entries, metadata.unwrap_or_default()))
    }
}

/// The map of metadata, in which no key may occur twice either.
struct Metadata;

impl<'de> DeserializeSeed<'de> for Metadata {
    type Value = BTreeMap<String, String>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Metadata {
    type Value = BTreeMap<String, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut texts = BTreeMap::new();
        while let Some(key) = map.next_key::<String>()? {
            match texts.entry(key) {
                Entry::Vacant(entry) => {
                    entry.insert(map.next_value()?);
                }
                Entry::Occupied(entry) => {
                    let key = entry.key().to_string();
                    return Err(A::Error::custom(format_args!("metadata `{key}` is listed twice")));
                }
            }
        }
        Ok(texts)
    }
}
