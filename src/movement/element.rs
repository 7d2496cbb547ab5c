//! One stored element of any width, for `get` and `set` and for movements between rare widths.

use super::error::PackError;
use super::execute::{Block, MoveBlock};
use crate::element::{Element, HostValue};
use layout_core::dtype::{DType, Kind};
use layout_core::tiled::TiledSpec;

/// The byte in which element number `at` starts, and the bit within it. Elements have `bits` bits, fewer than 8, and element 0
/// is in the least significant bits.
#[inline]
pub(crate) const fn bit_position(bits: usize, at: usize) -> (usize, usize) {
    // Counts whole bytes first: the number of bits of an array can overflow even if its bytes fit.
    let rest = at % 8 * bits;
    (at / 8 * bits + rest / 8, rest % 8)
}

/// Element number `at`, zero-extended.
///
/// # Panics
/// If `bytes` ends before the element does.
#[inline]
pub(crate) fn load(bytes: &[u8], bits: usize, at: usize) -> u128 {
    if bits >= 8 {
        let width = bits / 8;
        let mut value = [0; 16];
        value[..width].copy_from_slice(&bytes[at * width..][..width]);
        return u128::from_le_bytes(value);
    }
    let (byte, shift) = bit_position(bits, at);
    let mut value = u32::from(bytes[byte]);
    if shift + bits > 8 {
        value |= u32::from(bytes[byte + 1]) << 8;
    }
    u128::from(value >> shift & mask(bits))
}

/// Writes the low bits of `value` to element number `at`.
///
/// # Panics
/// If `bytes` ends before the element does.
#[inline]
pub(crate) fn store(bytes: &mut [u8], bits: usize, at: usize, value: u128) {
    if bits >= 8 {
        let width = bits / 8;
        bytes[at * width..][..width].copy_from_slice(&value.to_le_bytes()[..width]);
        return;
    }
    let (byte, shift) = bit_position(bits, at);
    let (value, mask) = ((value as u32 & mask(bits)) << shift, mask(bits) << shift);
    bytes[byte] = bytes[byte] & !mask as u8 | value as u8;
    if shift + bits > 8 {
        bytes[byte + 1] = bytes[byte + 1] & !(mask >> 8) as u8 | (value >> 8) as u8;
    }
}

/// The mask of the low `bits` bits, for elements narrower than a byte.
#[inline]
pub(crate) const fn mask(bits: usize) -> u32 {
    (1 << bits) - 1
}

/// The bits of the host value of element number `at`. The element type may be narrower than its storage.
#[inline]
pub(crate) fn load_host(bytes: &[u8], dtype: DType, bits: usize, at: usize) -> u128 {
    let value = load(bytes, bits, at);
    match dtype.kind() {
        Kind::Pred => u128::from(value != 0),
        _ if dtype.bits() < 8 => u128::from(dtype.normalize(value as u8)),
        _ => value,
    }
}

/// Element number `at` of a packed array.
///
/// # Panics
/// If `bytes` ends before the element does.
#[inline]
pub(crate) fn get<E: Element>(bytes: &[u8], bits: usize, at: usize) -> E::Host {
    E::Host::from_le(&load_host(bytes, E::DTYPE, bits, at).to_le_bytes())
}

/// Writes element number `at` of a packed array. If the value does not fit its type, returns its byte as the error.
///
/// # Panics
/// If `bytes` ends before the element does.
#[inline]
pub(crate) fn set<E: Element>(
    bytes: &mut [u8],
    bits: usize,
    at: usize,
    value: E::Host,
) -> Result<(), u8> {
    let mut le = [0; 16];
    value.write_le(&mut le);
    if E::DTYPE.normalize(le[0]) != le[0] {
        return Err(le[0]);
    }
    store(bytes, bits, at, u128::from_le_bytes(le));
    Ok(())
}

/// The error for a value at `index` of the array that does not fit the element type.
#[cold]
pub(crate) fn misfit(spec: &TiledSpec, index: &[usize], byte: u8) -> PackError {
    let position = index.iter().zip(spec.dims()).fold(0, |position, (i, size)| position * size + i);
    PackError::Value { byte, position, dtype: spec.dtype() }
}

/// Moves elements one by one between any two widths.
pub(crate) struct AnyWidth<'a> {
    pub(crate) dtype: DType,
    pub(crate) source: &'a [u8],
    pub(crate) source_bits: usize,
    pub(crate) destination: &'a mut [u8],
    pub(crate) destination_bits: usize,
}

impl MoveBlock for AnyWidth<'_> {
    fn move_block(&mut self, block: &Block) {
        let [.., outer, inner] = block.axes;
        block.rectangles(|from, to| {
            for i in 0..outer.count {
                for j in 0..inner.count {
                    let from = from + i * outer.source + j * inner.source;
                    let to = to + i * outer.destination + j * inner.destination;
                    let value = load_host(self.source, self.dtype, self.source_bits, from);
                    store(self.destination, self.destination_bits, to, value);
                }
            }
        });
    }
}
