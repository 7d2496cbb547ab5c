use crate::parts::{Digit, Form, FormPart};

/// The part of an index that a level holds: `(y floordiv div) mod size` for a dimension or a sum of dimensions `y`, or the number
/// of the entry within its row.
///
/// ```
/// use tensor_layout::sparse::{LevelExpr, SparseEncoding};
/// let blocks: SparseEncoding = "(i) -> (i floordiv 4 : compressed, i mod 4 : dense)".parse()?;
/// assert!(matches!(blocks.levels()[0].expr, LevelExpr::Part { div: 4, modulus: None, .. }));
/// assert_eq!(blocks.levels()[1].expr.of(&[11]), 3);               // the coordinate of element 11
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LevelExpr {
    /// A part of a form.
    Part {
        /// The form that is split.
        form: Form,
        /// The divisor of the form.
        div: usize,
        /// The modulus of the quotient; `None` if there is none.
        modulus: Option<usize>,
    },
    /// `c * slots * d`, with the free symbol `c`: the number of an entry among the entries with the same index in dimension
    /// `dim`. Each index has `slots` slots for entries.
    Count {
        /// The dimension whose entries are counted.
        dim: usize,
        /// The number of slots of each index of the dimension.
        slots: usize,
    },
}

impl LevelExpr {
    /// A whole dimension.
    pub const fn dim(dim: usize) -> Self {
        Self::Part { form: Form::dim(dim), div: 1, modulus: None }
    }

    /// The form that is split; `None` for a count.
    pub const fn form(&self) -> Option<&Form> {
        match self {
            Self::Part { form, .. } => Some(form),
            Self::Count { .. } => None,
        }
    }

    /// The expression as a part of a form; `None` for a count.
    #[inline]
    pub const fn part(&self) -> Option<FormPart> {
        match *self {
            Self::Part { form, div, modulus } => {
                Some(FormPart { form, digit: Digit { div, size: modulus } })
            }
            Self::Count { .. } => None,
        }
    }

    /// The dimension, if the expression is a whole dimension.
    pub const fn plain(&self) -> Option<usize> {
        match self {
            Self::Part { form, div: 1, modulus: None } => match form.first() {
                Some(dim) if form.same(&Form::dim(dim)) => Some(dim),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the value can be negative.
    pub const fn is_signed(&self) -> bool {
        match self {
            Self::Part { form, .. } => form.is_signed(),
            Self::Count { .. } => false,
        }
    }

    /// Whether the expression is a middle part of a form that is split into three or more parts.
    pub const fn is_nested(&self) -> bool {
        matches!(self, Self::Part { div: 2.., modulus: Some(_), .. })
    }

    /// Whether the expression is a part of a form and not the whole form.
    pub const fn is_split(&self) -> bool {
        matches!(self, Self::Part { div: 2.., .. } | Self::Part { modulus: Some(_), .. })
    }
}
