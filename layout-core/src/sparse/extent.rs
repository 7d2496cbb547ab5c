use super::encoding::SparseEncoding;
use super::expr::LevelExpr;
use super::format::LevelFormat;
use super::problem::Problem;
use super::scalar::ScalarType;
use crate::parts::{Digit, FormPart};
use alloc::vec::Vec;

/// The range of the coordinates of a level, for an array of known sizes: `size` coordinates, starting at `least`.
///
/// ```
/// use tensor_layout::sparse::{Extent, SparseEncoding};
/// let diagonals: SparseEncoding = "(i, j) -> (j - i : compressed, i : range)".parse()?;
/// assert_eq!(diagonals.levels()[0].expr.extent(&[4, 6]), Some(Extent { least: -3, size: 9 }));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The least coordinate: below zero for a diagonal.
    pub least: i64,
    /// The number of coordinates.
    pub size: usize,
}

impl LevelExpr {
    /// The range of the coordinates of the level for an array of sizes `dims`; `None` if their number overflows.
    pub fn extent(&self, dims: &[usize]) -> Option<Extent> {
        let (form, div, modulus) = match self {
            Self::Count { slots, .. } => return Some(Extent { least: 0, size: *slots }),
            Self::Part { form, div, modulus } => (form, *div, *modulus),
        };
        if let Some(size) = modulus {
            return Some(Extent { least: 0, size });
        }
        let empty = dims.iter().zip(form.coefficients).any(|(&size, c)| size == 0 && c != 0);
        if empty {
            return Some(Extent { least: 0, size: 0 });
        }
        let (least, largest) = form.range(dims)?;
        // Only sums that are never negative are split.
        let values = usize::try_from(largest.checked_sub(least)?).ok()? / div;
        Some(Extent { least, size: values.checked_add(1)? })
    }

    /// The coordinate at `index`; 0 for a count, which depends on other entries.
    #[inline]
    pub fn of(&self, index: &[usize]) -> i64 {
        match self {
            Self::Count { .. } => 0,
            Self::Part { form, div, modulus } => {
                FormPart { form: *form, digit: Digit { div: *div, size: *modulus } }.of(index)
            }
        }
    }
}

impl SparseEncoding {
    /// The reasons why the encoding cannot store an array of sizes `dims` (`None` for a size that is not known) and of this
    /// element type; empty if it can.
    pub fn array_problems(
        &self,
        dims: &[Option<usize>],
        element: Option<ScalarType>,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        if dims.len() != self.rank() {
            problems.push(Problem::Rank { rank: self.rank(), dims: dims.len() });
            return problems;
        }
        for (implicit, value) in [(false, self.draft().explicit), (true, self.draft().implicit)] {
            if let (Some(value), Some(element)) = (value, element)
                && value.ty != element
            {
                problems.push(Problem::ValueType { implicit, value: value.ty, element });
            }
        }
        for (dim, size) in dims.iter().enumerate() {
            let Some(size) = *size else { continue };
            if let Some(slice) = self.slices().and_then(|slices| slices[dim].size)
                && slice != size
            {
                problems.push(Problem::SliceSize { dim, size, slice });
            }
            if let Some(limit) = self.inverse().limit(dim)
                && size > limit
            {
                let level = self.levels().iter().position(|level| {
                    level.expr.form().is_some_and(|form| form.coefficients[dim] != 0)
                });
                problems.push(Problem::Limit { level: level.unwrap_or(0), dim, size, limit });
            }
        }
        let known: Option<Vec<usize>> = dims.iter().copied().collect();
        for level in 0..self.levels().len() {
            self.level_problems(level, dims, known.as_deref(), &mut problems);
        }
        problems
    }

    /// Whether a position in storage may have no index in an array of `shape`: always with a diagonal or another sum of
    /// dimensions, otherwise if blocks do not divide a dimension, if one is less than the `m` of a structured level, or if the
    /// slots of an encoding that counts belong to an empty array.
    #[doc(hidden)]
    pub fn is_ragged(&self, shape: &[usize]) -> bool {
        let empty = shape.contains(&0);
        self.levels().iter().any(|level| match (&level.expr, level.format) {
            (LevelExpr::Count { .. }, _) => empty,
            (LevelExpr::Part { form, div, modulus }, format) => {
                let size = form.first().and_then(|dim| shape.get(dim)).copied().unwrap_or(0);
                let structured = match format {
                    LevelFormat::Structured { m, .. } => modulus.is_none() && size < m,
                    _ => false,
                };
                form.terms() > 1 || structured || (modulus.is_none() && !size.is_multiple_of(*div))
            }
        })
    }

    fn level_problems(
        &self,
        level: usize,
        dims: &[Option<usize>],
        known: Option<&[usize]>,
        problems: &mut Vec<Problem>,
    ) {
        let this = &self.levels()[level];
        if let LevelExpr::Part { form, div, modulus } = &this.expr
            && form.terms() == 1
            && let Some(dim) = form.first()
            && let Some(size) = dims[dim]
        {
            if self.draft().exact && modulus.is_none() && !size.is_multiple_of(*div) {
                problems.push(Problem::Indivisible { level, dim, size, block: *div });
            }
            if let LevelFormat::Structured { m, .. } = this.format
                && modulus.is_none()
                && size > m
            {
                problems.push(Problem::StructuredDim { level, m, size });
            }
        }
        let Some(known) = known else { return };
        let Some(extent) = this.expr.extent(known) else {
            problems.push(Problem::Overflow { level });
            return;
        };
        if let LevelFormat::Structured { m, .. } = this.format
            && this.expr.form().is_some_and(|form| form.terms() > 1)
            && (extent.least < 0 || extent.size > m)
        {
            let Extent { least, size } = extent;
            problems.push(Problem::StructuredSum { level, m, least, size });
        }
        let largest = i128::from(extent.least) + extent.size as i128 - 1;
        let bits = match self.draft().coordinate_bits {
            0 => usize::BITS as usize,
            bits => bits,
        };
        let stores = this.format.has_coordinates()
            && !matches!(this.format, LevelFormat::Delta { .. })
            && extent.size > 0;
        let (low, high) = match self.is_signed() {
            true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            false => (0, (1i128 << bits) - 1),
        };
        if stores && (i128::from(extent.least) < low || largest > high) {
            let largest = if largest > high { largest } else { extent.least.into() };
            problems.push(Problem::CoordinateRange { level, largest, bits });
        }
    }
}
