//! The header of a safetensors file: eight bytes with its length, then JSON that says where each tensor lies.

use crate::Result;
use crate::source::Source;
use safetensors::tensor::TensorInfo;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};
use std::fmt::Display;
use std::ops::Range;

/// The longest header that is read, in bytes: room for a hundred thousand tensors, and for the memory that they take.
const MAX_HEADER: u64 = 16 << 20;

/// The most dimensions that a tensor may have: as in NumPy, and far more than any layout.
const MAX_RANK: usize = 64;

/// One tensor of a file.
pub(crate) struct Tensor {
    pub(crate) name: String,
    pub(crate) info: TensorInfo,
    /// Where its bytes lie in the file.
    pub(crate) bytes: Range<u64>,
}

/// Reads the header and checks it: every byte after it belongs to exactly one tensor, and every tensor has the bytes
/// that its shape and type ask for. The tensors come in the order of their bytes.
pub(crate) fn read(source: &mut Source) -> Result<Vec<Tensor>> {
    let file = source.len();
    if file < 8 {
        let format =
            "a safetensors file, which starts with 8 bytes that give the length of its header";
        return Err(format!("{file} bytes are not {format}").into());
    }
    let len = u64::from_le_bytes(source.bytes(0..8)?.try_into()?);
    let problem = match file - 8 {
        _ if len > MAX_HEADER => Some(format!("at most {MAX_HEADER} are read")),
        rest if len > rest => Some(format!("only {rest} follow")),
        _ => None,
    };
    if let Some(problem) = problem {
        let help = "is this a safetensors file?";
        return Err(format!("the header is said to have {len} bytes, but {problem}; {help}").into());
    }
    let start = 8 + len;
    let mut json = serde_json::Deserializer::from_slice(source.bytes(8..start)?);
    let entries = json.deserialize_map(Entries).and_then(|entries| json.end().map(|()| entries));
    let mut entries: Vec<_> = entries
        .map_err(|error| format!("the header is not that of a safetensors file: {error}"))?
        .into_iter()
        .collect();
    entries.sort_by_key(|(_, info)| info.data_offsets);
    check(&entries, file - start)?;
    let tensor = |(name, info): (String, TensorInfo)| {
        let (from, to) = info.data_offsets;
        Tensor { name, info, bytes: start + from as u64..start + to as u64 }
    };
    Ok(entries.into_iter().map(tensor).collect())
}

/// Whether the tensors are all of the `data` bytes that follow the header, once each.
fn check(entries: &[(String, TensorInfo)], data: u64) -> std::result::Result<(), String> {
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
        let bits = shape.iter().try_fold(dtype.bitsize(), |bits, &size| bits.checked_mul(size));
        let bits = bits.ok_or_else(|| format!("the size of tensor `{name}` overflows"))?;
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

/// The entries of the header. The `safetensors` crate reads each; it would take the last of two with one name.
struct Entries;

impl<'de> Visitor<'de> for Entries {
    type Value = BTreeMap<String, TensorInfo>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a map of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let wrong = |name: &str, what: &dyn Display| {
            A::Error::custom(format_args!("tensor `{name}`: {what}"))
        };
        let mut entries = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == "__metadata__" {
                map.next_value::<HashMap<String, String>>()?;
                continue;
            }
            match entries.entry(name) {
                Entry::Vacant(entry) => {
                    let info = map.next_value().map_err(|error| wrong(entry.key(), &error))?;
                    entry.insert(info)
                }
                Entry::Occupied(entry) => return Err(wrong(entry.key(), &"it is listed twice")),
            };
        }
        Ok(entries)
    }
}
