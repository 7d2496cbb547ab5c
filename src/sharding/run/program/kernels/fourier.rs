//! Discrete Fourier transforms of any size, in time n log n.

use super::complex::{Complex, polar};
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::PI;

/// A row-major array of complex numbers.
pub(super) struct Lines {
    pub(super) numbers: Vec<Complex>,
    pub(super) dims: Vec<usize>,
}

impl Lines {
    /// Replaces each line along a dimension by a line of this length.
    pub(super) fn each(
        &mut self,
        (dim, made): (usize, usize),
        with: impl Fn(Vec<Complex>) -> Vec<Complex>,
    ) {
        let size = self.dims[dim];
        let inner: usize = self.dims[dim + 1..].iter().product();
        let outer: usize = self.dims[..dim].iter().product();
        let lines = (0..outer * inner).map(|line| {
            let first = line / inner * inner * size + line % inner;
            with((0..size).map(|at| self.numbers[first + at * inner]).collect())
        });
        let lines: Vec<_> = lines.collect();
        let mut numbers = vec![Complex::default(); outer * inner * made];
        for (line, own) in lines.into_iter().enumerate() {
            let first = line / inner * inner * made + line % inner;
            own.into_iter().enumerate().for_each(|(at, own)| numbers[first + at * inner] = own);
        }
        self.dims[dim] = made;
        self.numbers = numbers;
    }
}

/// The discrete Fourier transform of a line, or its inverse.
pub(super) fn transformed(mut line: Vec<Complex>, is_inverse: bool) -> Vec<Complex> {
    let count = line.len();
    if is_inverse {
        // The inverse of x is the conjugate of the transform of its conjugate, over n.
        line.iter_mut().for_each(|x| *x = x.conj());
        let made = transformed(line, false);
        return made.into_iter().map(|x| x.conj() / count.max(1) as f64).collect();
    }
    if !count.is_power_of_two() {
        return chirped(&line);
    }
    let bits = count.trailing_zeros();
    for at in 0..count {
        let other = at.reverse_bits().checked_shr(usize::BITS - bits).unwrap_or(0);
        if at < other {
            line.swap(at, other);
        }
    }
    let mut half = 1;
    while half < count {
        let factors: Vec<_> = (0..half).map(|k| polar(1.0, -PI * k as f64 / half as f64)).collect();
        for pair in line.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for ((low, high), factor) in low.iter_mut().zip(high).zip(&factors) {
                let turned = *high * factor;
                (*low, *high) = (*low + turned, *low - turned);
            }
        }
        half *= 2;
    }
    line
}

/// The transform of a line of any length, as a convolution with a chirp (Bluestein 1970), whose length is a power of two.
fn chirped(line: &[Complex]) -> Vec<Complex> {
    let count = line.len();
    if count == 0 {
        return Vec::new();
    }
    // The square is taken modulo the period, so that large angles lose no digits.
    let chirp = |k: usize| {
        let square = (k as u128 * k as u128) % (2 * count as u128);
        polar(1.0, -PI * square as f64 / count as f64)
    };
    let size = (2 * count - 1).next_power_of_two();
    let (mut a, mut b) = (vec![Complex::default(); size], vec![Complex::default(); size]);
    for (k, x) in line.iter().enumerate() {
        a[k] = x * chirp(k);
        b[k] = chirp(k).conj();
        b[(size - k) % size] = b[k];
    }
    let (a, b) = (transformed(a, false), transformed(b, false));
    let both = transformed(a.into_iter().zip(b).map(|(a, b)| a * b).collect(), true);
    both.into_iter().take(count).enumerate().map(|(k, x)| x * chirp(k)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum that defines the transform.
    fn plain(line: &[Complex]) -> Vec<Complex> {
        let count = line.len();
        let of = |k: usize| {
            let term = |(at, x): (usize, &Complex)| {
                x * polar(1.0, -2.0 * PI * (k * at % count) as f64 / count as f64)
            };
            line.iter().enumerate().map(term).sum()
        };
        (0..count).map(of).collect()
    }

    #[test]
    fn transforms_of_all_small_sizes_are_the_sums_that_define_them() {
        for count in 0..40 {
            let number = |at: usize| ((at * 37 + 11) % 29) as f64 / 7.0 - 2.0;
            let line: Vec<_> =
                (0..count).map(|at| Complex::new(number(at), number(3 * at + 1))).collect();
            let found = transformed(line.clone(), false);
            assert_eq!(found.len(), count);
            for (found, expected) in found.iter().zip(plain(&line)) {
                assert!((found - expected).norm_sqr() < 1e-18, "{count}: {found} {expected}");
            }
            for (found, expected) in transformed(found, true).iter().zip(line) {
                assert!((found - expected).norm_sqr() < 1e-18, "{count}: {found} {expected}");
            }
        }
    }
}
