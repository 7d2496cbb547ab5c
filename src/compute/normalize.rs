//! Normalizations along one dimension: softmax, layer norm and root-mean-square norm, in one pass over the array. With the feature
//! `parallel`, the threads of rayon's current pool share the lines of a large array.

use super::array::{Array, ArrayMut, HostOf};
use super::dims::{Dim, Dims};
use super::parallel;
use super::real::{Float, Real, sqrt};
use super::reduce::Ordered;
use super::windows::replace_lines;
use crate::cpu::{self, Work};
use crate::movement::PackError;
use crate::movement::run_time::allocate;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};

/// The type of the scales of an array: `f64` for `f64`, else `f32`.
type Scale<L> = <Host<L> as Real>::Compute;
/// The same for an array in the form in which kernels use it.
type ScaleOf<T> = <HostOf<T> as Real>::Compute;

impl<L: Layout> PackedMut<'_, L>
where
    Host<L>: Real,
{
    /// Replaces the elements along dimension `dim` by their softmax: `exp(x - max) / sum`, computed in `f32` (in `f64` for
    /// `f64`) and rounded once. If all elements are negative infinity, or any is positive infinity or NaN, the results are NaN.
    ///
    /// With the feature `parallel`, the threads of rayon's current pool share the lines of a large array. This also holds for the
    /// other normalizations, and does not change the results.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let mut scores = <tpu!(f32[2,3])>::pack(&[0.0, 0.0, 0.0, 1.0, f32::NEG_INFINITY, 1.0]).unwrap();
    /// scores.softmax_in_place(1);
    /// let third = 1.0 / 3.0;
    /// assert_eq!(scores.unpack(), [third, third, third, 0.5, 0.0, 0.5]);
    /// ```
    ///
    /// All normalizations take one pass over the array, window by window, and memory for one window.
    ///
    /// # Panics
    /// If there is no dimension `dim`. If memory for a window of the array cannot be allocated, as collections do; see
    /// [`PackedMut::try_softmax_in_place`]. The other normalizations have such variants too.
    #[track_caller]
    pub fn softmax_in_place(&mut self, dim: impl Dim) {
        or_end(self.try_softmax_in_place(dim));
    }

    /// [`PackedMut::softmax_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for a window of the array cannot be allocated; nothing has then been written.
    ///
    /// # Panics
    /// If there is no dimension `dim`.
    #[track_caller]
    pub fn try_softmax_in_place(&mut self, dim: impl Dim) -> Result<(), PackError> {
        softmax(self, dim)
    }

    /// Normalizes the elements along dimension `dim` to mean 0 and variance 1, then multiplies them by `scale` and adds
    /// `shift`, which have one number for each index of the dimension: `(x - mean) / sqrt(var + epsilon) * scale + shift`.
    ///
    /// Squares are computed in `f32` (in `f64` for `f64`). If one overflows, which it does from 2^64 on (2^512 for `f64`), the
    /// quotients are zero.
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let mut acts = <tpu!(f32[1,4])>::pack(&[1.0, 3.0, 1.0, 3.0]).unwrap();
    /// acts.layer_norm_in_place(1, &[1.0, 1.0, 1.0, 2.0], &[0.0, 0.0, 10.0, 0.0], 0.0);
    /// assert_eq!(acts.unpack(), [-1.0, 1.0, 9.0, 2.0]);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedMut::softmax_in_place`], or if `scale` or `shift` has another length.
    #[track_caller]
    pub fn layer_norm_in_place(
        &mut self,
        dim: impl Dim,
        scale: &[Scale<L>],
        shift: &[Scale<L>],
        epsilon: f64,
    ) {
        or_end(self.try_layer_norm_in_place(dim, scale, shift, epsilon));
    }

    /// [`PackedMut::layer_norm_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`PackedMut::try_softmax_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::layer_norm_in_place`], except for a lack of memory.
    #[track_caller]
    pub fn try_layer_norm_in_place(
        &mut self,
        dim: impl Dim,
        scale: &[Scale<L>],
        shift: &[Scale<L>],
        epsilon: f64,
    ) -> Result<(), PackError> {
        layer_norm(self, dim, scale, shift, epsilon)
    }

    /// Divides the elements along dimension `dim` by the root of the mean of their squares, and multiplies them by `scale`,
    /// which has one number for each index of the dimension: `x / sqrt(mean(x²) + epsilon) * scale`. Squares overflow as in
    /// [`PackedMut::layer_norm_in_place`].
    ///
    /// ```
    /// use tensor_layout::{Layout, tpu};
    /// let mut acts = <tpu!(f32[1,2])>::pack(&[3.0, -3.0]).unwrap();
    /// acts.rms_norm_in_place(1, &[1.0, 2.0], 0.0);
    /// assert_eq!(acts.unpack(), [1.0, -2.0]);
    /// ```
    ///
    /// # Panics
    /// As for [`PackedMut::layer_norm_in_place`].
    #[track_caller]
    pub fn rms_norm_in_place(&mut self, dim: impl Dim, scale: &[Scale<L>], epsilon: f64) {
        or_end(self.try_rms_norm_in_place(dim, scale, epsilon));
    }

    /// [`PackedMut::rms_norm_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// As for [`PackedMut::try_softmax_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::rms_norm_in_place`], except for a lack of memory.
    #[track_caller]
    pub fn try_rms_norm_in_place(
        &mut self,
        dim: impl Dim,
        scale: &[Scale<L>],
        epsilon: f64,
    ) -> Result<(), PackError> {
        rms_norm(self, dim, scale, epsilon)
    }
}

impl<L: Layout> PackedRef<'_, L>
where
    Host<L>: Real,
{
    /// A new array with the result of [`PackedMut::softmax_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::softmax_in_place`].
    #[track_caller]
    pub fn softmax(self, dim: impl Dim) -> Packed<L> {
        or_end(self.try_softmax(dim))
    }

    /// [`PackedRef::softmax`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array or a window of it cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedMut::try_softmax_in_place`].
    #[track_caller]
    pub fn try_softmax(self, dim: impl Dim) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.as_mut().try_softmax_in_place(dim)?;
        Ok(packed)
    }

    /// A new array with the result of [`PackedMut::layer_norm_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::layer_norm_in_place`].
    #[track_caller]
    pub fn layer_norm(
        self,
        dim: impl Dim,
        scale: &[Scale<L>],
        shift: &[Scale<L>],
        epsilon: f64,
    ) -> Packed<L> {
        or_end(self.try_layer_norm(dim, scale, shift, epsilon))
    }

    /// [`PackedRef::layer_norm`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array or a window of it cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedMut::try_layer_norm_in_place`].
    #[track_caller]
    pub fn try_layer_norm(
        self,
        dim: impl Dim,
        scale: &[Scale<L>],
        shift: &[Scale<L>],
        epsilon: f64,
    ) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.as_mut().try_layer_norm_in_place(dim, scale, shift, epsilon)?;
        Ok(packed)
    }

    /// A new array with the result of [`PackedMut::rms_norm_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::rms_norm_in_place`].
    #[track_caller]
    pub fn rms_norm(self, dim: impl Dim, scale: &[Scale<L>], epsilon: f64) -> Packed<L> {
        or_end(self.try_rms_norm(dim, scale, epsilon))
    }

    /// [`PackedRef::rms_norm`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array or a window of it cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedMut::try_rms_norm_in_place`].
    #[track_caller]
    pub fn try_rms_norm(
        self,
        dim: impl Dim,
        scale: &[Scale<L>],
        epsilon: f64,
    ) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.as_mut().try_rms_norm_in_place(dim, scale, epsilon)?;
        Ok(packed)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedRef::softmax(dim: impl Dim) -> Packed<L> where [Host<L>: Real]; // x.softmax(1)
        #[track_caller]
        PackedRef::try_softmax(dim: impl Dim) -> Result<Packed<L>, PackError> where [Host<L>: Real];
        #[track_caller]
        PackedMut::softmax_in_place(dim: impl Dim) where [Host<L>: Real];
        #[track_caller]
        PackedMut::try_softmax_in_place(dim: impl Dim) -> Result<(), PackError> where [Host<L>: Real];
        #[track_caller]
        PackedRef::layer_norm[C](dim: impl Dim, scale: &[C], shift: &[C], epsilon: f64) -> Packed<L> where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedRef::try_layer_norm[C](
            dim: impl Dim, scale: &[C], shift: &[C], epsilon: f64
        ) -> Result<Packed<L>, PackError> where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedMut::layer_norm_in_place[C](dim: impl Dim, scale: &[C], shift: &[C], epsilon: f64) where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedMut::try_layer_norm_in_place[C](
            dim: impl Dim, scale: &[C], shift: &[C], epsilon: f64
        ) -> Result<(), PackError> where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedRef::rms_norm[C](dim: impl Dim, scale: &[C], epsilon: f64) -> Packed<L> where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedRef::try_rms_norm[C](dim: impl Dim, scale: &[C], epsilon: f64) -> Result<Packed<L>, PackError> where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedMut::rms_norm_in_place[C](dim: impl Dim, scale: &[C], epsilon: f64) where [Host<L>: Real<Compute = C>];
        #[track_caller]
        PackedMut::try_rms_norm_in_place[C](dim: impl Dim, scale: &[C], epsilon: f64) -> Result<(), PackError> where [Host<L>: Real<Compute = C>];
    }
}

/// See [`PackedMut::try_softmax_in_place`].
#[track_caller]
pub(super) fn softmax<T: ArrayMut>(array: &mut T, dim: impl Dim) -> Result<(), PackError>
where
    HostOf<T>: Real,
{
    along(array, number(array, dim), &Softmax)
}

/// See [`PackedMut::try_layer_norm_in_place`].
#[track_caller]
pub(super) fn layer_norm<T: ArrayMut>(
    array: &mut T,
    dim: impl Dim,
    scale: &[ScaleOf<T>],
    shift: &[ScaleOf<T>],
    epsilon: f64,
) -> Result<(), PackError>
where
    HostOf<T>: Real,
{
    let dim = number(array, dim);
    check_scale(array, dim, scale.len());
    check_scale(array, dim, shift.len());
    along(array, dim, &LayerNorm { scale, shift, epsilon })
}

/// See [`PackedMut::try_rms_norm_in_place`].
#[track_caller]
pub(super) fn rms_norm<T: ArrayMut>(
    array: &mut T,
    dim: impl Dim,
    scale: &[ScaleOf<T>],
    epsilon: f64,
) -> Result<(), PackError>
where
    HostOf<T>: Real,
{
    let dim = number(array, dim);
    check_scale(array, dim, scale.len());
    along(array, dim, &RmsNorm { scale, epsilon })
}

/// The number of a dimension, counted from 0.
#[track_caller]
fn number(array: &impl ArrayMut, dim: impl Dim) -> usize {
    dim.number(array.as_array().sizes().len())
}

/// Checks that there is one number for each index of a dimension.
#[track_caller]
fn check_scale(array: &impl ArrayMut, dim: usize, len: usize) {
    let (_, size) = [dim].of(array.as_array().sizes());
    assert!(len == size, "{len} numbers are given, but dimension {dim} has {size} indices");
}

/// A function of all elements along one dimension.
trait Line<C>: Sync {
    /// Replaces the elements by the results. Must be `#[inline(always)]`, like every [`Work`].
    fn replace(&self, line: &mut [C]);
}

struct Softmax;

impl<C: Float> Line<C> for Softmax {
    #[inline(always)]
    fn replace(&self, line: &mut [C]) {
        let largest = largest(line);
        for x in &mut *line {
            *x = C::exp(*x - largest);
        }
        let total = C::of_f64(total(line, |x| x));
        for x in line {
            *x = *x / total;
        }
    }
}

struct LayerNorm<'a, C> {
    scale: &'a [C],
    shift: &'a [C],
    epsilon: f64,
}

impl<C: Float> Line<C> for LayerNorm<'_, C> {
    #[inline(always)]
    fn replace(&self, line: &mut [C]) {
        let count = line.len() as f64;
        let mean = C::of_f64(total(line, |x| x) / count);
        for x in &mut *line {
            *x = *x - mean;
        }
        let variance = total(line, |x| x * x) / count;
        let factor = C::of_f64(1.0 / sqrt(variance + self.epsilon));
        for ((x, scale), shift) in line.iter_mut().zip(self.scale).zip(self.shift) {
            *x = *x * factor * *scale + *shift;
        }
    }
}

struct RmsNorm<'a, C> {
    scale: &'a [C],
    epsilon: f64,
}

impl<C: Float> Line<C> for RmsNorm<'_, C> {
    #[inline(always)]
    fn replace(&self, line: &mut [C]) {
        let mean = total(line, |x| x * x) / line.len() as f64;
        let factor = C::of_f64(1.0 / sqrt(mean + self.epsilon));
        for (x, scale) in line.iter_mut().zip(self.scale) {
            *x = *x * factor * *scale;
        }
    }
}

/// The number of elements that are accumulated independently.
const LANES: usize = 16;
/// The number of elements that are added up in their own type, 256 in each lane, before they are added to the sum in `f64`.
const CARRY: usize = 256 * LANES;

/// The largest of the numbers, without those that are NaN.
#[inline(always)]
fn largest<C: Float>(line: &[C]) -> C {
    let larger = |a: C, b: C| if b > a { b } else { a };
    let (blocks, rest) = line.as_chunks::<LANES>();
    let mut lanes = [C::LOWEST; LANES];
    for block in blocks {
        for lane in 0..LANES {
            lanes[lane] = larger(lanes[lane], block[lane]);
        }
    }
    lanes.iter().chain(rest).fold(C::LOWEST, |a, b| larger(a, *b))
}

/// The sum of `term` of each number.
#[inline(always)]
fn total<C: Float>(line: &[C], term: impl Fn(C) -> C) -> f64 {
    let mut total = 0.0;
    for part in line.chunks(CARRY) {
        let (blocks, rest) = part.as_chunks::<LANES>();
        let mut lanes = [C::default(); LANES];
        for block in blocks {
            for lane in 0..LANES {
                lanes[lane] = lanes[lane] + term(block[lane]);
            }
        }
        for (lane, x) in lanes.iter_mut().zip(rest) {
            *lane = *lane + term(*x);
        }
        total += lanes.iter().map(|lane| C::to_f64(*lane)).sum::<f64>();
    }
    total
}

/// Computes all lines of an array along a dimension, window by window. Threads share the lines of a large window.
#[track_caller]
fn along<T: ArrayMut>(
    array: &mut T,
    dim: usize,
    function: &impl Line<ScaleOf<T>>,
) -> Result<(), PackError>
where
    HostOf<T>: Real,
{
    let from = array.as_array();
    let (_, size) = [dim].of(from.sizes());
    let threads = parallel::threads(from.sizes().iter().product());
    let mut lines = allocate::<ScaleOf<T>>(from.spec(), size.saturating_mul(threads))?;
    replace_lines(array, dim, |elements, _, stride| {
        #[cfg(feature = "parallel")]
        if threads > 1 && parallel::threads(elements.len()) > 1 {
            use rayon::prelude::*;
            let slab = size * stride;
            let share = (elements.len() / slab).div_ceil(threads) * slab;
            let shares = elements.par_chunks_mut(share).zip(lines.par_chunks_mut(size));
            return shares.for_each(|(elements, line)| {
                cpu::run(Lines { elements, stride, line, function });
            });
        }
        cpu::run(Lines { elements, stride, line: &mut lines[..size], function });
    })
}

/// The lines of a row-major window.
struct Lines<'a, H: Real, F> {
    elements: &'a mut [H],
    /// The distance between the elements of a line.
    stride: usize,
    line: &'a mut [H::Compute],
    function: &'a F,
}

impl<H: Real, F: Line<H::Compute>> Work for Lines<'_, H, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { elements, stride, line, function } = self;
        for slab in elements.chunks_exact_mut(line.len() * stride) {
            for first in 0..stride {
                if stride == 1 {
                    for (to, x) in line.iter_mut().zip(&*slab) {
                        *to = H::widen(*x);
                    }
                } else {
                    for (to, x) in line.iter_mut().zip(slab[first..].iter().step_by(stride)) {
                        *to = H::widen(*x);
                    }
                }
                function.replace(line);
                if stride == 1 {
                    for (to, x) in slab.iter_mut().zip(&*line) {
                        *to = <H as Ordered>::narrow(*x);
                    }
                } else {
                    for (to, x) in slab[first..].iter_mut().step_by(stride).zip(&*line) {
                        *to = <H as Ordered>::narrow(*x);
                    }
                }
            }
        }
    }
}
