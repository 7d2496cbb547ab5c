//! Loops over storage from the first element to the last, compiled for each instruction set.
//!
//! Results that do not fit the caches are computed block by block and stored with streaming stores: an ordinary store would
//! first read each line of the destination.
#![allow(unsafe_code, reason = "lines are stored past the caches")]

use crate::cpu::{self, Baseline, Instructions, LINE, Stores, Streaming, Work};
use crate::element::HostValue;

/// The number of elements that are computed before they are streamed: a small part of the L1 cache.
const BLOCK: usize = 512;

/// Writes `f` of each element of `xs` to `to`.
pub(super) fn map<X: HostValue, T: HostValue>(xs: &[X], to: &mut [T], f: impl FnMut(X) -> T) {
    let streaming = Stores::of(size_of_val(xs), size_of_val(to)).begin();
    cpu::run(Map { xs, to, f, streaming });
}

/// Writes `f` of each pair of elements to `to`.
pub(super) fn zip<X: HostValue, Y: HostValue, T: HostValue>(
    xs: &[X],
    ys: &[Y],
    to: &mut [T],
    f: impl FnMut(X, Y) -> T,
) {
    let streaming = Stores::of(size_of_val(xs) + size_of_val(ys), size_of_val(to)).begin();
    cpu::run(Zip { xs, ys, to, f, streaming });
}

/// Replaces each element by `f` of the element.
pub(super) fn map_in_place<X: Copy>(xs: &mut [X], f: impl FnMut(X) -> X) {
    cpu::run(MapInPlace { xs, f });
}

/// Replaces each element of `xs` by `f` of the element and that of `ys`.
pub(super) fn zip_in_place<X: Copy, Y: Copy>(xs: &mut [X], ys: &[Y], f: impl FnMut(X, Y) -> X) {
    cpu::run(ZipInPlace { xs, ys, f });
}

struct Map<'a, X, T, F> {
    xs: &'a [X],
    to: &'a mut [T],
    f: F,
    streaming: Streaming,
}

impl<X: HostValue, T: HostValue, F: FnMut(X) -> T> Work for Map<'_, X, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { xs, to, mut f, streaming } = self;
        let mut compute = |xs: &[X], to: &mut [T]| {
            for (to, x) in to.iter_mut().zip(xs) {
                *to = f(*x);
            }
        };
        match to.first() {
            Some(&first) if streaming.in_order() => {
                let mut block = [first; BLOCK];
                for (to, xs) in to.chunks_mut(BLOCK).zip(xs.chunks(BLOCK)) {
                    compute(xs, &mut block[..to.len()]);
                    stream(&block[..to.len()], to, &streaming);
                }
            }
            _ => compute(xs, to),
        }
    }
}

struct Zip<'a, X, Y, T, F> {
    xs: &'a [X],
    ys: &'a [Y],
    to: &'a mut [T],
    f: F,
    streaming: Streaming,
}

impl<X: HostValue, Y: HostValue, T: HostValue, F: FnMut(X, Y) -> T> Work for Zip<'_, X, Y, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { xs, ys, to, mut f, streaming } = self;
        let mut compute = |xs: &[X], ys: &[Y], to: &mut [T]| {
            for (to, (x, y)) in to.iter_mut().zip(xs.iter().zip(ys)) {
                *to = f(*x, *y);
            }
        };
        match to.first() {
            Some(&first) if streaming.in_order() => {
                let mut block = [first; BLOCK];
                let both = xs.chunks(BLOCK).zip(ys.chunks(BLOCK));
                for (to, (xs, ys)) in to.chunks_mut(BLOCK).zip(both) {
                    compute(xs, ys, &mut block[..to.len()]);
                    stream(&block[..to.len()], to, &streaming);
                }
            }
            _ => compute(xs, ys, to),
        }
    }
}

struct MapInPlace<'a, X, F> {
    xs: &'a mut [X],
    f: F,
}

impl<X: Copy, F: FnMut(X) -> X> Work for MapInPlace<'_, X, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for x in self.xs {
            *x = (self.f)(*x);
        }
    }
}

struct ZipInPlace<'a, X, Y, F> {
    xs: &'a mut [X],
    ys: &'a [Y],
    f: F,
}

impl<X: Copy, Y: Copy, F: FnMut(X, Y) -> X> Work for ZipInPlace<'_, X, Y, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        for (x, y) in self.xs.iter_mut().zip(self.ys) {
            *x = (self.f)(*x, *y);
        }
    }
}

/// Copies a block, with streaming stores where it is aligned to lines.
#[inline(always)]
fn stream<T: HostValue>(from: &[T], to: &mut [T], _: &Streaming) {
    let lines = if to.as_ptr().addr().is_multiple_of(LINE) { size_of_val(to) / LINE } else { 0 };
    let per_line = LINE / size_of::<T>();
    for line in 0..lines.min(from.len() / per_line) {
        // SAFETY: both slices contain the line. Its elements fill it, and `HostValue` promises that they can be copied as
        // bytes. The destination is aligned to lines.
        unsafe {
            let line = line * per_line;
            let bytes = Baseline.load(from.as_ptr().add(line).cast());
            Baseline.stream(to.as_mut_ptr().add(line).cast(), bytes);
        }
    }
    let rest = lines * per_line;
    to[rest..].copy_from_slice(&from[rest..]);
}
