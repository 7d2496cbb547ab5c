//! Which layout each tensor gets.

use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use std::fmt::Write;
use tensor_layout::parts::MAX_RANK;
use tensor_layout::{DType, TiledSpec};

/// How a tensor is stored.
pub(crate) enum Placement {
    /// In the TPU's default layout.
    Tiled(Box<TiledSpec>),
    /// As it is in the file.
    Kept { layout: String, reason: &'static str },
}

impl Placement {
    pub(crate) fn of(tensor: &TensorInfo) -> Self {
        let reason = match element_type(tensor.dtype) {
            None => "XLA has no such element type",
            Some(_) if tensor.dtype.bitsize() < 8 => {
                "its elements share bytes, in an order that safetensors leaves open"
            }
            Some(_) if tensor.shape.len() > MAX_RANK => "a tiled layout has at most 16 dimensions",
            Some(dtype) => match TiledSpec::tpu_default(dtype, &tensor.shape) {
                Some(spec) => return Self::Tiled(Box::new(spec)),
                None => "the TPU has no default layout for an array like this",
            },
        };
        Self::Kept { layout: row_major(tensor), reason }
    }

    /// The shape with its layout, as XLA writes it.
    pub(crate) fn layout(&self) -> String {
        match self {
            Self::Tiled(spec) => spec.to_string(),
            Self::Kept { layout, .. } => layout.clone(),
        }
    }
}

/// The element type that XLA has for one of safetensors.
fn element_type(dtype: Dtype) -> Option<DType> {
    Some(match dtype {
        Dtype::BOOL => DType::PRED,
        Dtype::F4 => DType::F4E2M1FN,
        Dtype::F6_E2M3 => DType::F6E2M3FN,
        Dtype::F6_E3M2 => DType::F6E3M2FN,
        Dtype::U8 => DType::U8,
        Dtype::I8 => DType::S8,
        Dtype::F8_E5M2 => DType::F8E5M2,
        Dtype::F8_E4M3 => DType::F8E4M3FN,
        Dtype::F8_E8M0 => DType::F8E8M0FNU,
        Dtype::F8_E4M3FNUZ => DType::F8E4M3FNUZ,
        Dtype::F8_E5M2FNUZ => DType::F8E5M2FNUZ,
        Dtype::I16 => DType::S16,
        Dtype::U16 => DType::U16,
        Dtype::F16 => DType::F16,
        Dtype::BF16 => DType::BF16,
        Dtype::I32 => DType::S32,
        Dtype::U32 => DType::U32,
        Dtype::F32 => DType::F32,
        Dtype::C64 => DType::C64,
        Dtype::F64 => DType::F64,
        Dtype::I64 => DType::S64,
        Dtype::U64 => DType::U64,
        _ => return None,
    })
}

/// The row-major layout as XLA writes it, for shapes that have too many dimensions for [`TiledSpec`] too.
fn row_major(tensor: &TensorInfo) -> String {
    let mut text = match element_type(tensor.dtype) {
        Some(dtype) => dtype.to_string(),
        None => tensor.dtype.to_string().to_lowercase(),
    };
    let list = |numbers: &mut dyn Iterator<Item = usize>| {
        numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
    };
    let dims = list(&mut tensor.shape.iter().copied());
    let order = list(&mut (0..tensor.shape.len()).rev());
    let _ = write!(text, "[{dims}]{{{order}");
    if tensor.dtype.bitsize() < 8 {
        let _ = write!(text, ":E({})", tensor.dtype.bitsize());
    }
    text + "}"
}
