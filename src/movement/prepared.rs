//! Movements that rustc plans: the part of a plan that a program contains, and the code that all layouts share.

use super::compact::{AnyStep, CompactPart, CompactSpec, RowStep};
use super::error::PackError;
use super::host::aligned;
use super::inner::WholeBytes;
use super::padding::{self, Padding};
use super::step::Step;
use super::transfer;
use crate::cpu::Cpu;
use alloc::vec::Vec;

/// The movement of elements of whole bytes between a row-major array and a packed one.
pub(crate) struct Prepared {
    pub(crate) spec: CompactSpec,
    /// Bytes of an element.
    pub(crate) width: usize,
    /// Bytes of the row-major array.
    pub(crate) row_major: usize,
    /// Bytes of the packed array.
    pub(crate) packed: usize,
    /// Writes the padding of a packed array. A function pointer, so that a program contains only the functions that it needs.
    pub(crate) write_padding: fn(&Self, &mut [u8]),
    /// The input of the search for padding, if there is one.
    pub(crate) padding: PaddingTree,
    pub(crate) steps: Steps,
}

/// The parts and the bounds of an index map without combined dimensions, from which its padding follows.
pub(crate) struct PaddingTree {
    pub(crate) parts: &'static [CompactPart],
    pub(crate) bounds: &'static [usize],
}

/// The steps of a movement.
pub(crate) enum Steps {
    Rows(&'static [RowStep]),
    /// Some steps have more axes.
    Any(&'static [AnyStep]),
    /// Some of their numbers do not fit 32 bits.
    Wide(&'static [Step]),
}

impl Prepared {
    /// Packs a row-major array into a new one. Returns its memory and the index of the first aligned byte.
    #[inline(never)]
    pub(crate) fn pack_new(&self, row_major: &[u8]) -> Result<(Vec<u8>, usize), PackError> {
        let Some((mut bytes, start)) = aligned(self.packed) else {
            return Err(self.out_of_memory());
        };
        self.pack(row_major, &mut bytes[start..][..self.packed])?;
        Ok((bytes, start))
    }

    /// Packs a row-major array.
    #[inline(never)]
    pub(crate) fn pack(&self, row_major: &[u8], packed: &mut [u8]) -> Result<(), PackError> {
        if row_major.len() != self.row_major || packed.len() != self.packed {
            return self.check_lengths(row_major.len(), packed.len());
        }
        (self.write_padding)(self, packed);
        self.steps.run(row_major, packed);
        Ok(())
    }

    /// Unpacks into a row-major array.
    #[inline(never)]
    pub(crate) fn unpack(&self, packed: &[u8], row_major: &mut [u8]) -> Result<(), PackError> {
        if row_major.len() != self.row_major || packed.len() != self.packed {
            return self.check_lengths(row_major.len(), packed.len());
        }
        self.steps.run(packed, row_major);
        Ok(())
    }

    #[cold]
    fn check_lengths(&self, row_major: usize, packed: usize) -> Result<(), PackError> {
        transfer::check_lengths(&self.spec.spec(), row_major / self.width, packed)
    }

    #[cold]
    fn out_of_memory(&self) -> PackError {
        PackError::OutOfMemory { bytes: self.packed, layout: self.spec.spec().into() }
    }

    /// For arrays without padding.
    pub(crate) fn no_padding(&self, _: &mut [u8]) {}

    /// For arrays whose padding is not searched for.
    pub(crate) fn all_zeros(&self, packed: &mut [u8]) {
        packed.fill(0);
    }

    /// For arrays whose padding is zero and searched for.
    pub(crate) fn zeros(&self, packed: &mut [u8]) {
        let PaddingTree { parts, bounds } = self.padding;
        Padding::of(parts, bounds, self.width, packed).write();
    }

    /// For arrays whose padding must be found from the whole layout.
    pub(crate) fn padding_of_spec(&self, packed: &mut [u8]) {
        padding::write(&self.spec.spec(), packed);
    }
}

impl Steps {
    fn run(&self, source: &[u8], destination: &mut [u8]) {
        match *self {
            Self::Wide(steps) => transfer::run(steps, source, destination),
            Self::Rows(steps) => whole_bytes(source, destination).run_compact(steps),
            Self::Any(steps) => whole_bytes(source, destination).run_compact(steps),
        }
    }
}

fn whole_bytes<'a>(source: &'a [u8], destination: &'a mut [u8]) -> WholeBytes<'a> {
    WholeBytes::new(source, destination, Cpu::detect())
}
