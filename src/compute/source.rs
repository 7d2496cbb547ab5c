//! The sources from which kernels read elements.

use super::array::{Array, HostOf, stored_bits, stored_len};
use super::blocks::LANES;
use crate::element::Element;
use crate::movement::element::get;
use core::marker::PhantomData;

/// Stored elements, by their number.
pub(super) trait Source<H>: Copy {
    fn len(self) -> usize;
    /// # Panics
    /// If the element is past the end.
    fn one(self, offset: usize) -> H;
    /// The block of elements that starts at `offset`; `None` if it reaches past the end.
    fn block(self, offset: usize) -> Option<[H; LANES]>;
}

impl<H: Copy> Source<H> for &[H] {
    #[inline(always)]
    fn len(self) -> usize {
        <[H]>::len(self)
    }
    #[inline(always)]
    fn one(self, offset: usize) -> H {
        self[offset]
    }
    #[inline(always)]
    fn block(self, offset: usize) -> Option<[H; LANES]> {
        self.get(offset..)?.first_chunk().copied()
    }
}

/// Elements that are not stored as host values.
pub(super) struct Stored<'a, E> {
    bytes: &'a [u8],
    bits: usize,
    len: usize,
    element: PhantomData<E>,
}

impl<E> Clone for Stored<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Stored<'_, E> {}

impl<E: Element> Source<E::Host> for Stored<'_, E> {
    #[inline]
    fn len(self) -> usize {
        self.len
    }
    #[inline]
    fn one(self, offset: usize) -> E::Host {
        get::<E>(self.bytes, self.bits, offset)
    }
    #[inline]
    fn block(self, offset: usize) -> Option<[E::Host; LANES]> {
        (self.len.checked_sub(LANES)? >= offset)
            .then(|| crate::cpu::array(|lane| self.one(offset + lane)))
    }
}

/// A function of a source; it is a trait because a closure cannot be generic.
pub(super) trait WithSource<H> {
    type Output;
    fn call(self, source: impl Source<H>) -> Self::Output;
}

/// Calls `f` with the elements of an array.
pub(super) fn with_source<A: Array, F: WithSource<HostOf<A>>>(array: A, f: F) -> F::Output {
    let len = stored_len(&array);
    match array.elements() {
        Some(elements) => f.call(&elements[..len]),
        None => f.call(Stored::<A::Element> {
            bytes: array.bytes(),
            bits: stored_bits(&array),
            len,
            element: PhantomData,
        }),
    }
}
