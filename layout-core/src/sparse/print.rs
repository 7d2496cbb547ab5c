//! Printing: the canonical text, and the expressions in error messages.

use super::MAX_RANK;
use super::encoding::{DimSlice, SparseEncoding};
use super::expr::LevelExpr;
use super::format::Properties;
use crate::parts::Form;
use crate::text::Text;
use core::fmt;

/// The names of the dimensions in the canonical text.
pub(crate) const NAMES: [&str; MAX_RANK] = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"];

/// The name of dimension `dim`, or its canonical name if it has none.
pub(super) const fn name<'a>(names: &[&'a str], dim: usize) -> &'a str {
    if dim < names.len() {
        names[dim]
    } else if dim < MAX_RANK {
        NAMES[dim]
    } else {
        "?"
    }
}

impl LevelExpr {
    /// The expression as MLIR prints it, with the dimensions named `names`.
    pub(crate) const fn named(&self, names: &[&str]) -> Text {
        self.write(Text::new(), names)
    }

    /// Appends the expression as MLIR prints it, with the dimensions named `names`.
    pub(super) const fn write(&self, text: Text, names: &[&str]) -> Text {
        match self {
            Self::Count { dim, slots: 1 } => text.str(name(names, *dim)).str(" * s0"),
            Self::Count { dim, slots } => {
                text.str(name(names, *dim)).str(" * (s0 * ").num(*slots).str(")")
            }
            Self::Part { form, div, modulus } => {
                let both = *div > 1 && modulus.is_some();
                let mut text = if both { text.str("(") } else { text };
                text = write_form(text, form, names, *div > 1 || modulus.is_some());
                if *div > 1 {
                    text = text.str(" floordiv ").num(*div);
                }
                if both {
                    text = text.str(")");
                }
                match modulus {
                    Some(modulus) => text.str(" mod ").num(*modulus),
                    None => text,
                }
            }
        }
    }
}

/// Appends a sum of dimensions, positive terms first.
pub(super) const fn write_form(mut text: Text, form: &Form, names: &[&str], nested: bool) -> Text {
    let plain = match form.first() {
        Some(dim) => form.terms() == 1 && form.coefficients[dim] == 1,
        None => true,
    };
    if nested && !plain {
        text = text.str("(");
    }
    let mut written = false;
    let mut negative = false;
    loop {
        let mut dim = 0;
        while dim < MAX_RANK {
            let coefficient = form.coefficients[dim];
            if coefficient != 0 && (coefficient < 0) == negative {
                text = match (written, negative) {
                    (true, true) => text.str(" - "),
                    (true, false) => text.str(" + "),
                    (false, true) => text.str("-"),
                    (false, false) => text,
                };
                text = text.str(name(names, dim));
                if coefficient.unsigned_abs() > 1 {
                    text = text.str(" * ").int(coefficient.unsigned_abs() as i128);
                }
                written = true;
            }
            dim += 1;
        }
        if negative {
            break;
        }
        negative = true;
    }
    if nested && !plain { text.str(")") } else { text }
}

/// Prints MLIR's canonical text; parsing it returns the same encoding.
impl fmt::Display for SparseEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draft = self.draft();
        f.write_str("#sparse_tensor.encoding<{ map = ")?;
        if self.counts() {
            f.write_str("[s0]")?;
        }
        f.write_str("(")?;
        for dim in 0..self.rank() {
            write!(f, "{}{}", if dim > 0 { ", " } else { "" }, NAMES[dim])?;
            if let Some(slices) = self.slices() {
                write!(f, " : {}", slices[dim])?;
            }
        }
        f.write_str(") -> (")?;
        for (at, level) in self.levels().iter().enumerate() {
            let text = Text::new().str(if at > 0 { ", " } else { "" });
            let text = level.format.write(level.expr.write(text, &NAMES).str(" : "));
            write!(f, "{text}{}", level.properties)?;
        }
        f.write_str(")")?;
        if draft.position_bits != 0 {
            write!(f, ", posWidth = {}", draft.position_bits)?;
        }
        if draft.coordinate_bits != 0 {
            write!(f, ", crdWidth = {}", draft.coordinate_bits)?;
        }
        if let Some(explicit) = draft.explicit {
            write!(f, ", explicitVal = {explicit}")?;
        }
        if let Some(implicit) = draft.implicit {
            write!(f, ", implicitVal = {implicit}")?;
        }
        if draft.exact {
            f.write_str(", padded = false")?;
        }
        f.write_str(" }>")
    }
}

impl fmt::Display for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return Ok(());
        }
        let mut separator = "(";
        for (name, _) in Self::NAMES.iter().zip(self.given()).filter(|(_, given)| *given) {
            write!(f, "{separator}{name}")?;
            separator = ", ";
        }
        f.write_str(")")
    }
}

impl fmt::Display for DimSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("#sparse_tensor<slice(")?;
        for (at, number) in [self.offset, self.size, self.stride].into_iter().enumerate() {
            f.write_str(if at > 0 { ", " } else { "" })?;
            match number {
                Some(number) => write!(f, "{number}")?,
                None => f.write_str("?")?,
            }
        }
        f.write_str(")>")
    }
}
