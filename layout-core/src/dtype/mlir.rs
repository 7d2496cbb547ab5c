//! Element types as MLIR names them.

use super::{DType, Kind};
use alloc::borrow::Cow;
use alloc::format;

impl DType {
    /// The name that MLIR prints. A signed integer is `i8` and the like: signless in MLIR, but signed in StableHLO.
    ///
    /// ```
    /// use tensor_layout::DType;
    /// assert_eq!(DType::S4.mlir_name(), "i4");
    /// assert_eq!(DType::F8E4M3FN.mlir_name(), "f8E4M3FN");
    /// ```
    pub fn mlir_name(self) -> Cow<'static, str> {
        match self {
            Self::PRED => "i1".into(),
            Self::C64 => "complex<f32>".into(),
            Self::C128 => "complex<f64>".into(),
            _ => match self.kind() {
                Kind::Signed => format!("i{}", self.bits()).into(),
                Kind::Unsigned => format!("ui{}", self.bits()).into(),
                // MLIR writes `f8e4m3fn` as `f8E4M3FN`, but leaves `f32` and `bf16` as they are.
                _ => match self.name().split_at_checked(2) {
                    Some((bits @ ("f4" | "f6" | "f8"), rest)) => {
                        format!("{bits}{}", rest.to_uppercase()).into()
                    }
                    _ => self.name().into(),
                },
            },
        }
    }

    /// The element type with this name in MLIR, the reverse of [`DType::mlir_name`]; `None` if there is none.
    pub fn from_mlir_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.mlir_name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for dtype in DType::ALL {
            // `i1` is `pred`, as in StableHLO; a signed integer of one bit has no name of its own.
            let named = if dtype == DType::S1 { DType::PRED } else { dtype };
            assert_eq!(DType::from_mlir_name(&dtype.mlir_name()), Some(named), "{dtype}");
        }
        assert_eq!(DType::from_mlir_name("s8"), None);
    }
}
