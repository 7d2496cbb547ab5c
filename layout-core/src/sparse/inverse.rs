use super::MAX_RANK;
use super::encoding::MAX_LEVELS;

/// How the dimensions follow from the coordinates of the levels: each is a sum of coordinates with weights, of which
/// a linearised dimension is a digit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inverse {
    pub(super) weights: [[i64; MAX_LEVELS]; MAX_RANK],
    pub(super) digits: [Digit; MAX_RANK],
}

/// `(sum floordiv unit) mod limit`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[doc(hidden)]
pub struct Digit {
    pub unit: i64,
    /// `None` for the most major digit.
    pub limit: Option<i64>,
}

impl Digit {
    pub(super) const WHOLE: Self = Self { unit: 1, limit: None };

    #[inline(always)]
    #[doc(hidden)]
    pub const fn of(self, sum: i64) -> i64 {
        let quotient = if self.unit == 1 { sum } else { sum.div_euclid(self.unit) };
        match self.limit {
            Some(limit) => quotient.rem_euclid(limit),
            None => quotient,
        }
    }
}

impl Inverse {
    /// What one unit of the coordinate of `level` adds to the sum of dimension `dim`.
    #[inline(always)]
    pub const fn weight(&self, dim: usize, level: usize) -> i64 {
        self.weights[dim][level]
    }

    /// Which digit of its sum dimension `dim` is.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn digit(&self, dim: usize) -> Digit {
        self.digits[dim]
    }

    /// The largest size that dimension `dim` can have, if a linearised level limits it.
    pub const fn limit(&self, dim: usize) -> Option<usize> {
        match self.digits[dim].limit {
            Some(limit) => Some(limit as usize),
            None => None,
        }
    }
}
