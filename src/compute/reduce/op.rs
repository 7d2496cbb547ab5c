//! The operations of reductions: sum, variance, maximum and minimum and their positions, and closures.

use super::host::{Ordered, Plus, Summand};
use core::marker::PhantomData;

/// A reduction: elements are accumulated in lanes, and lanes in totals.
pub(in crate::compute) trait Op<H> {
    type Lane: Copy;
    type Total: Copy;
    /// Whether a step depends on the position.
    const POSITIONS: bool = false;
    /// Whether a step may also be applied to padding, in a lane that is not added to the result. It must not fail then.
    const PADDING: bool = true;

    /// A lane without elements.
    fn lane(&self) -> Self::Lane;
    /// A total without elements.
    fn total(&self) -> Self::Total;
    /// Adds an element to a lane. `at` is its row-major position in the dimensions that are reduced.
    fn step(&self, lane: Self::Lane, x: H, at: usize) -> Self::Lane;
    fn carry(&self, lane: Self::Lane) -> Self::Total;
    fn merge(&self, a: Self::Total, b: Self::Total) -> Self::Total;
}

pub(super) struct Sum;

impl<H: Summand> Op<H> for Sum {
    type Lane = H::Lane;
    type Total = H::Total;

    #[inline(always)]
    fn lane(&self) -> H::Lane {
        H::Lane::default()
    }
    #[inline(always)]
    fn total(&self) -> H::Total {
        H::Total::default()
    }
    #[inline(always)]
    fn step(&self, lane: H::Lane, x: H, _: usize) -> H::Lane {
        H::Lane::plus(lane, H::lane(x))
    }
    #[inline(always)]
    fn carry(&self, lane: H::Lane) -> H::Total {
        H::carry(lane)
    }
    #[inline(always)]
    fn merge(&self, a: H::Total, b: H::Total) -> H::Total {
        H::Total::plus(a, b)
    }
}

/// The sum of which a mean is computed; that of integers does not wrap.
pub(super) struct MeanSum;

impl<H: Summand> Op<H> for MeanSum {
    type Lane = H::MeanLane;
    type Total = H::MeanTotal;

    #[inline(always)]
    fn lane(&self) -> H::MeanLane {
        H::MeanLane::default()
    }
    #[inline(always)]
    fn total(&self) -> H::MeanTotal {
        H::MeanTotal::default()
    }
    #[inline(always)]
    fn step(&self, lane: H::MeanLane, x: H, _: usize) -> H::MeanLane {
        H::MeanLane::plus(lane, H::mean_lane(x))
    }
    #[inline(always)]
    fn carry(&self, lane: H::MeanLane) -> H::MeanTotal {
        H::mean_carry(lane)
    }
    #[inline(always)]
    fn merge(&self, a: H::MeanTotal, b: H::MeanTotal) -> H::MeanTotal {
        H::MeanTotal::plus(a, b)
    }
}

pub(super) struct Max;

impl<H: Ordered> Op<H> for Max {
    type Lane = H::Wide;
    type Total = H::Wide;

    #[inline(always)]
    fn lane(&self) -> H::Wide {
        H::LOWEST
    }
    #[inline(always)]
    fn total(&self) -> H::Wide {
        H::LOWEST
    }
    #[inline(always)]
    fn step(&self, lane: H::Wide, x: H, _: usize) -> H::Wide {
        H::larger(lane, H::widen(x))
    }
    #[inline(always)]
    fn carry(&self, lane: H::Wide) -> H::Wide {
        lane
    }
    #[inline(always)]
    fn merge(&self, a: H::Wide, b: H::Wide) -> H::Wide {
        H::larger(a, b)
    }
}

pub(super) struct Min;

impl<H: Ordered> Op<H> for Min {
    type Lane = H::Wide;
    type Total = H::Wide;

    #[inline(always)]
    fn lane(&self) -> H::Wide {
        H::HIGHEST
    }
    #[inline(always)]
    fn total(&self) -> H::Wide {
        H::HIGHEST
    }
    #[inline(always)]
    fn step(&self, lane: H::Wide, x: H, _: usize) -> H::Wide {
        H::smaller(lane, H::widen(x))
    }
    #[inline(always)]
    fn carry(&self, lane: H::Wide) -> H::Wide {
        lane
    }
    #[inline(always)]
    fn merge(&self, a: H::Wide, b: H::Wide) -> H::Wide {
        H::smaller(a, b)
    }
}

/// The position of the maximum, or of the minimum if `MIN`. Value and position are one number whose maximum is the result: the
/// key of the value is in the high bits, and the position in the low bits, from the last to the first, so that the first one
/// wins.
pub(super) struct Extreme<C, const MIN: bool>(pub(super) PhantomData<C>);

/// A number for a key and a position.
pub(super) trait Code: Copy + Ord {
    const NONE: Self;
    fn of(key: i64, at: usize) -> Self;
    fn at(self) -> usize;
}

/// For keys and positions of 32 bits.
impl Code for i64 {
    const NONE: Self = Self::MIN;

    #[inline(always)]
    fn of(key: i64, at: usize) -> Self {
        key << 32 | i64::from(!(at as u32))
    }
    fn at(self) -> usize {
        !(self as u32) as usize
    }
}

impl Code for i128 {
    const NONE: Self = Self::MIN;

    #[inline(always)]
    fn of(key: i64, at: usize) -> Self {
        Self::from(key) << 64 | Self::from(!(at as u64))
    }
    fn at(self) -> usize {
        !(self as u64) as usize
    }
}

impl<H: Ordered, C: Code, const MIN: bool> Op<H> for Extreme<C, MIN> {
    type Lane = C;
    type Total = C;
    const POSITIONS: bool = true;

    #[inline(always)]
    fn lane(&self) -> C {
        C::NONE
    }
    #[inline(always)]
    fn total(&self) -> C {
        C::NONE
    }
    #[inline(always)]
    fn step(&self, lane: C, x: H, at: usize) -> C {
        lane.max(C::of(if MIN { H::reverse_key(x) } else { H::key(x) }, at))
    }
    #[inline(always)]
    fn carry(&self, lane: C) -> C {
        lane
    }
    #[inline(always)]
    fn merge(&self, a: C, b: C) -> C {
        a.max(b)
    }
}

/// The operation of closures: `step` with an element, `merge` with two results.
pub(super) struct Fold<A, S, M> {
    pub(super) start: A,
    pub(super) step: S,
    pub(super) merge: M,
}

impl<H, A: Copy, S: Fn(A, H) -> A, M: Fn(A, A) -> A> Op<H> for Fold<A, S, M> {
    type Lane = A;
    type Total = A;
    const PADDING: bool = false;

    #[inline(always)]
    fn lane(&self) -> A {
        self.start
    }
    #[inline(always)]
    fn total(&self) -> A {
        self.start
    }
    #[inline(always)]
    fn step(&self, lane: A, x: H, _: usize) -> A {
        (self.step)(lane, x)
    }
    #[inline(always)]
    fn carry(&self, lane: A) -> A {
        lane
    }
    #[inline(always)]
    fn merge(&self, a: A, b: A) -> A {
        (self.merge)(a, b)
    }
}

/// Squared distances from the mean. A lane measures them from its first element, which is near the mean if the data is far from
/// zero, so that little cancels.
pub(super) struct Variance;

/// The statistics of a lane.
#[derive(Clone, Copy)]
pub(super) struct Distances {
    count: f64,
    first: f64,
    /// The sums of `x - first`, and of its squares.
    sum: f64,
    squares: f64,
}

/// A set of elements as their number, their mean and their squared distances from it.
#[derive(Clone, Copy)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    pub(super) fn variance(self) -> f64 {
        self.squares / self.count
    }
}

impl<H: Ordered> Op<H> for Variance {
    type Lane = Distances;
    type Total = Moments;

    #[inline(always)]
    fn lane(&self) -> Distances {
        Distances { count: 0.0, first: 0.0, sum: 0.0, squares: 0.0 }
    }
    #[inline(always)]
    fn total(&self) -> Moments {
        Moments { count: 0.0, mean: 0.0, squares: 0.0 }
    }
    #[inline(always)]
    fn step(&self, lane: Distances, x: H, _: usize) -> Distances {
        let x = H::to_f64(x);
        let first = if lane.count == 0.0 { x } else { lane.first };
        let distance = x - first;
        Distances {
            count: lane.count + 1.0,
            first,
            sum: lane.sum + distance,
            squares: lane.squares + distance * distance,
        }
    }
    #[inline(always)]
    fn carry(&self, lane: Distances) -> Moments {
        if lane.count == 0.0 {
            return Moments { count: 0.0, mean: 0.0, squares: 0.0 };
        }
        let shift = lane.sum / lane.count;
        // Rounding can make this negative; a NaN stays NaN.
        let squares = lane.squares - lane.sum * shift;
        let squares = if squares < 0.0 { 0.0 } else { squares };
        Moments { count: lane.count, mean: lane.first + shift, squares }
    }
    #[inline(always)]
    fn merge(&self, a: Moments, b: Moments) -> Moments {
        if a.count == 0.0 {
            return b;
        }
        if b.count == 0.0 {
            return a;
        }
        let (count, apart) = (a.count + b.count, b.mean - a.mean);
        let part = b.count / count;
        let between = apart * apart * (a.count * part);
        Moments { count, mean: a.mean + apart * part, squares: a.squares + b.squares + between }
    }
}
