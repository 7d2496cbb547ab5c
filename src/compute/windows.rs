//! Windows of an array, one after the other, each small enough for the caches. Functions that are not a loop over storage use
//! them to traverse arrays of any layout.
//!
//! A window is unpacked to a row-major buffer and processed there. The result is packed, perhaps in another layout and element
//! type, so the movement kernels do the shuffles of both layouts.
#![allow(unsafe_code, reason = "slices of host values are written as bytes")]

use super::array::{Array, ArrayMut, HostOf, Known};
use super::dims::Dims;
use super::used::lines;
use crate::element::{Element, HostValue};
use crate::movement::run_time::allocate;
use crate::movement::window::{self, WindowLoops};
use crate::movement::{PackError, bytes_of, bytes_of_mut};
use core::marker::PhantomData;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

/// The largest number of elements of a window that does not span a whole dimension: a few windows of 4-byte elements fit in an
/// L2 cache.
pub(super) const ELEMENTS: usize = 32 << 10;
/// The smallest sizes of a window along its two most minor dimensions: tiles are rarely larger, so each tile is moved once.
const TILE: [usize; 2] = [128, 32];
/// The smallest number of lines of a window that spans a whole dimension, if there are that many.
const LINES: usize = 8;

/// A part of an array: its first index and its shape.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) first: [usize; MAX_RANK],
    pub(super) shape: [usize; MAX_RANK],
    rank: usize,
}

impl Window {
    pub(super) fn elements(&self) -> usize {
        self.shape[..self.rank].iter().product()
    }

    /// The position of the window in an array that contains this array from `first` on.
    pub(super) fn within(mut self, first: &[usize]) -> Self {
        self.first.iter_mut().zip(first).for_each(|(at, first)| *at += first);
        self
    }
}

/// The windows of an array; together they cover it exactly once.
#[derive(Clone)]
pub(super) struct Windows {
    sizes: [usize; MAX_RANK],
    /// The first window: no other is larger.
    pub(super) largest: Window,
    next: Option<[usize; MAX_RANK]>,
}

impl Windows {
    /// The windows of the first `sizes` indices of an array; each spans the whole dimension `whole`.
    pub(super) fn new(spec: &TiledSpec, sizes: &[usize], whole: Option<usize>) -> Self {
        let mut bounds = [1; MAX_RANK];
        bounds[..sizes.len()].copy_from_slice(sizes);
        let (mut shape, mut elements) = ([1; MAX_RANK], ELEMENTS);
        if let Some(dim) = whole {
            shape[dim] = bounds[dim];
            elements = elements.max(bounds[dim].saturating_mul(LINES));
        }
        let mut grow = |dim: usize, most: usize| {
            let others = shape.iter().product::<usize>() / shape[dim].max(1);
            let most = most.min(elements / others.max(1));
            if most >= bounds[dim] {
                shape[dim] = bounds[dim];
            } else if most > shape[dim] {
                shape[dim] = most - most % shape[dim];
            }
        };
        let order = spec.minor_to_major();
        for (&dim, most) in order.iter().zip(TILE) {
            grow(dim, most);
        }
        for &dim in order {
            grow(dim, usize::MAX);
        }
        let next = (!sizes.contains(&0)).then_some([0; MAX_RANK]);
        let largest = Window { first: [0; MAX_RANK], shape, rank: sizes.len() };
        Self { sizes: bounds, largest, next }
    }
}

impl Iterator for Windows {
    type Item = Window;

    fn next(&mut self) -> Option<Window> {
        let first = self.next?;
        let Window { shape: most, rank, .. } = self.largest;
        let mut after = first;
        self.next = (0..rank)
            .rev()
            .any(|dim| {
                after[dim] += most[dim];
                let inside = after[dim] < self.sizes[dim];
                if !inside {
                    after[dim] = 0;
                }
                inside
            })
            .then_some(after);
        let shape = core::array::from_fn(|dim| most[dim].min(self.sizes[dim] - first[dim]));
        Some(Window { first, shape, rank })
    }
}

/// Replaces the elements of an array, window by window; each window spans the whole dimension `dim`. `replace` gets the elements of
/// a window in row-major order, or some contiguous lines in place, the number of elements of a line, and the distance between them.
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for a window cannot be allocated. Nothing has then been written.
///
/// # Panics
/// If there is no dimension `dim`.
#[track_caller]
pub(super) fn replace_lines<T: ArrayMut>(
    array: &mut T,
    dim: usize,
    mut replace: impl FnMut(&mut [HostOf<T>], usize, usize),
) -> Result<(), PackError> {
    let from = array.as_array();
    let (_, size) = [dim].of(from.sizes());
    // Contiguous lines are replaced in place.
    if let Some((lines, elements)) = lines(&from, dim).zip(array.elements_mut()) {
        lines.parts().for_each(|part| replace(&mut elements[part], size, 1));
        return Ok(());
    }
    let from = array.as_array();
    let windows = Windows::new(from.spec(), from.sizes(), Some(dim));
    let mut elements = allocate::<HostOf<T>>(from.spec(), windows.largest.elements())?;
    let array_windows = WindowsOf::<T>::new(array.as_array().spec());
    for window in windows {
        let elements = &mut elements[..window.elements()];
        array_windows.read_back(array, &window, elements);
        replace(elements, size, window.shape[dim + 1..].iter().product());
        array_windows.write(array, &window, elements);
    }
    Ok(())
}

/// Reads and writes windows of an array. The common part of their plans is planned once, and for layout types by rustc.
pub(super) struct WindowsOf<A> {
    /// The loops, if the layout is only known at run time.
    loops: Option<WindowLoops>,
    array: PhantomData<A>,
}

impl<A: Known> WindowsOf<A> {
    const LOOPS: Option<WindowLoops> = match A::LAYOUT {
        Some(spec) => WindowLoops::of(spec),
        None => None,
    };
    const KNOWN: Option<&'static WindowLoops> = Self::LOOPS.as_ref();

    /// For arrays of this layout.
    pub(super) fn new(spec: &TiledSpec) -> Self {
        let known = const { A::LAYOUT.is_some() };
        Self { loops: if known { None } else { WindowLoops::of(spec) }, array: PhantomData }
    }

    fn loops(&self) -> Option<&WindowLoops> {
        match const { A::LAYOUT } {
            Some(_) => const { Self::KNOWN },
            None => self.loops.as_ref(),
        }
    }
}

impl<A: Array> WindowsOf<A> {
    /// Reads a window.
    pub(super) fn read(&self, from: A, window: &Window, to: &mut [HostOf<A>]) {
        read_by(self.loops(), from, window, to);
    }
}

impl<T: ArrayMut> WindowsOf<T> {
    /// Reads a window of an array that is also written.
    pub(super) fn read_back(&self, from: &T, window: &Window, to: &mut [HostOf<T>]) {
        read_by(self.loops(), from.as_array(), window, to);
    }

    /// Writes a window. Values of types narrower than a byte keep the low bits.
    pub(super) fn write(&self, to: &mut T, window: &Window, from: &mut [HostOf<T>]) {
        if const { <T::Element as Element>::DTYPE.bits() < 8 } {
            for value in &mut *from {
                *value = low_bits::<T::Element>(*value);
            }
        }
        let (first, shape) = (&window.first[..window.rank], &window.shape[..window.rank]);
        let (spec, bytes) = to.spec_and_bytes();
        let result = window::pack_by(self.loops(), spec, (first, shape), bytes_of(from), bytes);
        result.expect("the window lies within the array, and all values fit");
    }
}

fn read_by<A: Array>(loops: Option<&WindowLoops>, from: A, window: &Window, to: &mut [HostOf<A>]) {
    // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it writes.
    let to = unsafe { bytes_of_mut(to) };
    let (first, shape) = (&window.first[..window.rank], &window.shape[..window.rank]);
    let result = window::unpack_by(loops, from.spec(), (first, shape), from.bytes(), to);
    result.expect("the window lies within the array");
}

/// The low bits of a value that a type narrower than a byte stores.
pub(super) fn low_bits<E: Element>(value: E::Host) -> E::Host {
    let mut le = [0; 16];
    value.write_le(&mut le);
    le[0] = E::DTYPE.normalize(le[0]);
    E::Host::from_le(&le)
}
