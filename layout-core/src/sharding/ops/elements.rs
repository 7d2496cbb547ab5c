//! The element types that the operations of StableHLO accept.

use super::error::{Result, Subject, wrong_with_help};
use super::input::Input;
use crate::dtype::{DType, Kind};
use alloc::format;
use alloc::string::String;

/// The element types that an operand may have.
#[derive(Clone, Copy)]
pub(super) struct Elements {
    kinds: &'static [Kind],
    name: &'static str,
}

impl Elements {
    const fn new(kinds: &'static [Kind], name: &'static str) -> Self {
        Self { kinds, name }
    }

    pub(super) const ANY: Self = Self::new(
        &[Kind::Pred, Kind::Signed, Kind::Unsigned, Kind::Float, Kind::Complex],
        "any type",
    );
    pub(super) const PRED: Self = Self::new(&[Kind::Pred], "`pred`");
    pub(super) const INTEGER: Self = Self::new(&[Kind::Signed, Kind::Unsigned], "an integer type");
    pub(super) const PRED_OR_INTEGER: Self =
        Self::new(&[Kind::Pred, Kind::Signed, Kind::Unsigned], "`pred` or an integer type");
    pub(super) const FLOAT: Self = Self::new(&[Kind::Float], "a floating-point type");
    pub(super) const FLOAT_OR_COMPLEX: Self =
        Self::new(&[Kind::Float, Kind::Complex], "a floating-point or complex type");
    pub(super) const REAL: Self = Self::new(
        &[Kind::Signed, Kind::Unsigned, Kind::Float],
        "an integer or floating-point type",
    );
    pub(super) const NUMBER: Self = Self::new(
        &[Kind::Signed, Kind::Unsigned, Kind::Float, Kind::Complex],
        "an integer, floating-point or complex type",
    );
    pub(super) const SIGNED: Self = Self::new(
        &[Kind::Signed, Kind::Float, Kind::Complex],
        "a signed integer, floating-point or complex type",
    );
}

/// The help for an operand whose elements can be converted.
fn converted(to: DType) -> String {
    format!("write `convert(.., type={to})` around it")
}

fn unexpected<T>(at: usize, expected: &str, dtype: DType, help: String) -> Result<T> {
    let message = format!("expected elements of {expected}, found `{dtype}`");
    wrong_with_help(Subject::Operand(at), message, help)
}

impl Input<'_> {
    /// Checks that operand `at`, if it exists, has elements of one of these types.
    pub(super) fn elements(&self, at: usize, elements: Elements) -> Result<()> {
        match self.operands.get(at) {
            Some(operand) if !elements.kinds.contains(&operand.dtype.kind()) => {
                let has = |kind| elements.kinds.contains(&kind);
                let help = if has(Kind::Float) {
                    converted(DType::F32)
                } else if has(Kind::Signed) {
                    converted(DType::S32)
                } else {
                    "`compare(x, y, direction=NE)` computes elements of `pred`".into()
                };
                unexpected(at, elements.name, operand.dtype, help)
            }
            _ => Ok(()),
        }
    }

    /// Checks that operand `at` has one of these element types.
    pub(super) fn one_of(&self, at: usize, dtypes: &[DType]) -> Result<()> {
        let dtype = self.operands[at].dtype;
        if dtypes.contains(&dtype) {
            return Ok(());
        }
        let names: alloc::vec::Vec<_> = dtypes.iter().map(|dtype| format!("`{dtype}`")).collect();
        let help = dtypes.first().map(|first| converted(*first)).unwrap_or_default();
        unexpected(at, &format!("type {}", names.join(" or ")), dtype, help)
    }

    /// Checks that operands have the element type of operand `reference`.
    pub(super) fn same_elements(
        &self,
        reference: usize,
        operands: impl IntoIterator<Item = usize>,
    ) -> Result<()> {
        let expected = self.operands[reference].dtype;
        for at in operands {
            let dtype = self.operands[at].dtype;
            if dtype != expected {
                return unexpected(at, &format!("type `{expected}`"), dtype, converted(expected));
            }
        }
        Ok(())
    }

    /// Checks that all operands have the same element type.
    pub(super) fn all_same_elements(&self) -> Result<()> {
        self.same_elements(0, 1..self.operands.len())
    }
}
