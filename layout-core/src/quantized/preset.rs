//! The public formats that have names.

use super::spec::Arrangement;
use crate::dtype::DType;

/// A public format with a name: an element type, scales, a block and an arrangement.
///
/// | name | notation | defined by |
/// |---|---|---|
/// | `q8_0` | `s8[M,K] by f16[1,32] in blocks` | GGUF: 34 bytes a block |
/// | `q4_0` | `s4[M,K] by f16[1,32] in blocks` | GGUF: 18 bytes a block |
/// | `mxfp4_gguf` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in blocks` | GGUF's MXFP4: 17 bytes a block |
/// | `mxfp4` | `f4e2m1fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP Microscaling Formats 1.0 |
/// | `mxfp8` | `f8e4m3fn[M,K] by f8e8m0fnu[1,32] in planes` | OCP Microscaling Formats 1.0 |
/// | `mxfp8_e5m2` | `f8e5m2[M,K] by f8e8m0fnu[1,32] in planes` | OCP Microscaling Formats 1.0 |
/// | `nvfp4` | `f4e2m1fn[M,K] by f8e4m3fn[1,16] by f32 in planes` | NVIDIA's FP4 |
/// | `nvfp4_gguf` | `f4e2m1fn[M,K] by f8e4m3fn[1,16] in blocks` | GGUF's NVFP4: 36 bytes for four blocks |
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::quantized::Preset;
/// let preset = Preset::from_name("mxfp4").unwrap();
/// assert_eq!((preset.element(), preset.name()), (DType::F4E2M1FN, "mxfp4"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the table above documents each variant")]
pub enum Preset {
    Q8_0,
    Q4_0,
    Mxfp4Gguf,
    Mxfp4,
    Mxfp8,
    Mxfp8E5m2,
    Nvfp4,
    Nvfp4Gguf,
}

impl Preset {
    /// All presets, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::Q8_0,
        Self::Q4_0,
        Self::Mxfp4Gguf,
        Self::Mxfp4,
        Self::Mxfp8,
        Self::Mxfp8E5m2,
        Self::Nvfp4,
        Self::Nvfp4Gguf,
    ];

    /// The names of [`Preset::ALL`].
    pub const NAMES: [&'static str; Self::ALL.len()] =
        ["q8_0", "q4_0", "mxfp4_gguf", "mxfp4", "mxfp8", "mxfp8_e5m2", "nvfp4", "nvfp4_gguf"];

    /// The name in the notation.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The preset of this name, in lower or upper case; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name().eq_ignore_ascii_case(name))
    }

    /// The type of the elements.
    pub const fn element(self) -> DType {
        match self {
            Self::Q8_0 => DType::S8,
            Self::Q4_0 => DType::S4,
            Self::Mxfp4Gguf | Self::Mxfp4 | Self::Nvfp4 | Self::Nvfp4Gguf => DType::F4E2M1FN,
            Self::Mxfp8 => DType::F8E4M3FN,
            Self::Mxfp8E5m2 => DType::F8E5M2,
        }
    }

    /// The type of the scales of blocks.
    pub const fn scale(self) -> DType {
        match self {
            Self::Q8_0 | Self::Q4_0 => DType::F16,
            Self::Nvfp4 | Self::Nvfp4Gguf => DType::F8E4M3FN,
            _ => DType::F8E8M0FNU,
        }
    }

    /// The number of elements of a block.
    pub const fn block(self) -> usize {
        if matches!(self, Self::Nvfp4 | Self::Nvfp4Gguf) { 16 } else { 32 }
    }

    /// Whether one more scale, an `f32`, applies to the whole array.
    pub const fn has_tensor_scale(self) -> bool {
        matches!(self, Self::Nvfp4)
    }

    /// How the bytes are arranged.
    pub const fn arrangement(self) -> Arrangement {
        match self {
            Self::Q8_0 | Self::Q4_0 | Self::Mxfp4Gguf | Self::Nvfp4Gguf => Arrangement::Blocks,
            _ => Arrangement::Planes,
        }
    }
}

impl core::fmt::Display for Preset {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}
