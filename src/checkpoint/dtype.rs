//! The element types of safetensors, and the corresponding types of XLA.

use layout_core::dtype::DType;
use safetensors::Dtype;
use std::string::ToString;

/// The types that both have.
const TYPES: [(Dtype, DType); 22] = [
    (Dtype::F4, DType::F4E2M1FN),
    (Dtype::F6_E2M3, DType::F6E2M3FN),
    (Dtype::F6_E3M2, DType::F6E3M2FN),
    (Dtype::BOOL, DType::PRED),
    (Dtype::U8, DType::U8),
    (Dtype::I8, DType::S8),
    (Dtype::F8_E5M2, DType::F8E5M2),
    (Dtype::F8_E4M3, DType::F8E4M3FN),
    (Dtype::F8_E8M0, DType::F8E8M0FNU),
    (Dtype::F8_E4M3FNUZ, DType::F8E4M3FNUZ),
    (Dtype::F8_E5M2FNUZ, DType::F8E5M2FNUZ),
    (Dtype::I16, DType::S16),
    (Dtype::U16, DType::U16),
    (Dtype::F16, DType::F16),
    (Dtype::BF16, DType::BF16),
    (Dtype::I32, DType::S32),
    (Dtype::U32, DType::U32),
    (Dtype::F32, DType::F32),
    (Dtype::C64, DType::C64),
    (Dtype::F64, DType::F64),
    (Dtype::I64, DType::S64),
    (Dtype::U64, DType::U64),
];

/// The element type that safetensors calls by this name, `BF16` or `F8_E4M3`; `None` if XLA does not have it.
///
/// ```
/// use tensor_layout::{DType, checkpoint::element_type};
/// assert_eq!(element_type("F8_E4M3"), Some(DType::F8E4M3FN));
/// assert_eq!(element_type("float32"), None);
/// ```
pub fn element_type(name: &str) -> Option<DType> {
    TYPES.iter().find(|(theirs, _)| theirs.to_string() == name).map(|(_, ours)| *ours)
}

/// XLA's type for a type of safetensors that occupies whole bytes. Safetensors does not define the order of narrower elements
/// in a byte.
pub(super) fn from_safetensors(dtype: Dtype) -> Option<DType> {
    whole_bytes().find(|(theirs, _)| *theirs == dtype).map(|(_, ours)| ours)
}

/// The type of safetensors for a type of XLA.
pub(super) fn to_safetensors(dtype: DType) -> Option<Dtype> {
    whole_bytes().find(|(_, ours)| *ours == dtype).map(|(theirs, _)| theirs)
}

fn whole_bytes() -> impl Iterator<Item = (Dtype, DType)> {
    TYPES.into_iter().filter(|(theirs, _)| theirs.bitsize().is_multiple_of(8))
}
