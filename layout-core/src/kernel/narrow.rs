//! Moves elements between the host's bytes and storage in which several share a byte.

use super::element::{load_host, mask, place, store};
use super::execute::{Axis, Mover};
use crate::dtype::DType;

/// From one byte each to `bits` bits each.
pub(super) struct Squeeze<'a> {
    pub(super) source: &'a [u8],
    pub(super) destination: &'a mut [u8],
    pub(super) bits: usize,
}

impl Mover for Squeeze<'_> {
    fn rectangle(&mut self, from: usize, to: usize, outer: Axis, inner: Axis) {
        for i in 0..outer.count {
            let source = &self.source[from + i * outer.source..];
            let values = (0..inner.count).map(|j| source[j * inner.source]);
            let to = to + i * outer.destination;
            if inner.destination == 1 {
                self.row(to, values);
            } else {
                for (j, value) in values.enumerate() {
                    let to = to + j * inner.destination;
                    store(self.destination, self.bits, to, value.into());
                }
            }
        }
    }
}

impl Squeeze<'_> {
    /// Writes elements one after the other; what shares the first and the last byte with them stays.
    fn row(&mut self, to: usize, values: impl Iterator<Item = u8>) {
        let bits = self.bits;
        let (mut byte, mut filled) = place(bits, to);
        let mut word =
            if filled > 0 { u32::from(self.destination[byte]) & mask(filled) } else { 0 };
        for value in values {
            word |= (u32::from(value) & mask(bits)) << filled;
            filled += bits;
            if filled >= 8 {
                self.destination[byte] = word as u8;
                byte += 1;
                word >>= 8;
                filled -= 8;
            }
        }
        if filled > 0 {
            let after = self.destination[byte] & !mask(filled) as u8;
            self.destination[byte] = word as u8 | after;
        }
    }
}

/// From `bits` bits each to one byte each, as the host holds the values of `dtype`.
pub(super) struct Spread<'a> {
    pub(super) dtype: DType,
    pub(super) source: &'a [u8],
    pub(super) destination: &'a mut [u8],
    pub(super) bits: usize,
}

impl Mover for Spread<'_> {
    fn rectangle(&mut self, from: usize, to: usize, outer: Axis, inner: Axis) {
        for i in 0..outer.count {
            let (from, to) = (from + i * outer.source, to + i * outer.destination);
            let destination = &mut self.destination[to..];
            for j in 0..inner.count {
                let from = from + j * inner.source;
                destination[j * inner.destination] =
                    load_host(self.source, self.dtype, self.bits, from) as u8;
            }
        }
    }
}
