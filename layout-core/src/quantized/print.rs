use super::spec::QuantizedSpec;
use core::fmt;

/// Prints the canonical text: the whole notation, even of a preset.
impl fmt::Display for QuantizedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.element())?;
        for (at, size) in self.dims().iter().enumerate() {
            write!(f, "{}{size}", if at > 0 { "," } else { "" })?;
        }
        write!(f, "] by {}[", self.scale())?;
        for _ in 1..self.dims().len() {
            f.write_str("1,")?;
        }
        write!(f, "{}]", self.block())?;
        f.write_str(if self.has_tensor_scale() { " by f32" } else { "" })?;
        write!(f, " in {}", self.arrangement().name())
    }
}

impl fmt::Debug for QuantizedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
