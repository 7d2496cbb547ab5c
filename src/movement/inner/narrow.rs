//! Packs bits, from bytes with one element each to bytes that several elements share, and unpacks them.
//!
//! To pack `s4` in tiles of `(8,1)E(4)`, 8 rows are interleaved: one element of each row makes a group of 8 x 4 bits, which is
//! 4 bytes. Rows 0 and 1 are packed into the first byte of each group, `row0 | row1 << 4`, rows 2 and 3 into the second, and so
//! on, each pair into a separate row of bytes; then the four rows of bytes are interleaved.

use super::copy::{self, Mode};
use super::interleave::{RowGroup, deinterleave, interleave};
use crate::cpu::{Cpu, Instructions, LINE, Streaming, for_cpu, prefetch};
use core::ops::Range;
use layout_core::dtype::{DType, Kind};

/// The number of columns that are packed at a time: the elements of a row that are streamed before the next row.
const CHUNK: usize = 1024;
/// The largest number of rows of packed bytes.
const ROWS: usize = 8;
/// The number of rows between the row that is read and the row that is prefetched: the L1 cache has no room for more.
const ROWS_AHEAD: usize = 4;

/// Buffers for the columns that are packed at a time: their packed bytes, and the values of one row.
#[repr(align(64))]
pub(crate) struct BitBuffers {
    packed: [u8; CHUNK * ROWS],
    values: [u8; CHUNK],
    /// How packed bytes are checked, if they may not be values of their type.
    check: Option<Normalize>,
    /// Whether all bytes that were checked are values.
    valid: bool,
    /// The largest value that a byte represents: in `pred`, each nonzero byte is 1.
    most: u8,
}

impl BitBuffers {
    pub(crate) fn new() -> Self {
        let most = u8::MAX;
        Self { packed: [0; CHUNK * ROWS], values: [0; CHUNK], check: None, valid: true, most }
    }

    /// Buffers for bytes of storage, which may not be values of the type.
    pub(crate) fn of_stored(dtype: DType) -> Self {
        Self { most: Normalize::of(dtype).most, ..Self::new() }
    }

    /// Buffers that check whether bytes are values of the type immediately before they are packed, because packing reads them
    /// anyway.
    pub(crate) fn checking(dtype: DType) -> Self {
        Self { check: Some(Normalize::of(dtype)), ..Self::new() }
    }

    /// Whether all bytes that were checked are values of the type.
    pub(crate) fn is_valid(&self) -> bool {
        self.valid
    }

    /// The value that a byte represents; its low bits are packed.
    #[inline]
    pub(crate) fn value(&self, byte: u8) -> u8 {
        byte.min(self.most)
    }

    /// Checks bytes that are to be packed, if these buffers check bytes.
    #[inline]
    pub(crate) fn look_at(&mut self, bytes: &[u8]) {
        if let Some(fix) = &self.check {
            self.valid &= fix.fits(bytes);
        }
    }
}

/// Rows of elements that are interleaved in storage.
pub(crate) struct Shape {
    /// The number of rows that exist, and the bytes from one row to the next.
    pub(crate) rows: usize,
    pub(crate) stride: usize,
    /// The number of interleaved rows, missing ones included.
    pub(crate) group: usize,
    /// The number of elements of a row.
    pub(crate) count: usize,
    /// The number of elements of a row whose packed bytes are contiguous, and the distance in bytes to the packed bytes of the next
    /// `width` elements.
    pub(crate) width: usize,
    pub(crate) next: usize,
}

impl Shape {
    /// The bytes of a group, which is one element of each row, if there is a kernel for that number.
    pub(crate) fn packed(&self, bits: usize) -> Option<usize> {
        let bytes = (self.group * bits).is_multiple_of(8).then_some(self.group * bits / 8)?;
        (matches!(bits, 1 | 2 | 4) && matches!(bytes, 1 | 2 | 4 | 8)).then_some(bytes)
    }

    /// Splits the columns from `at` to `end` where their packed bytes are not contiguous. Yields the columns of each piece,
    /// counted from `at`, and the byte at which it starts, with `bytes` bytes for each column.
    fn pieces(
        &self,
        at: usize,
        end: usize,
        bytes: usize,
    ) -> impl Iterator<Item = (Range<usize>, usize)> {
        let mut next = at;
        core::iter::from_fn(move || {
            let first = next;
            let (number, inside) = (first / self.width, first % self.width);
            next = end.min(first + self.width - inside);
            (first < end).then(|| (first - at..next - at, number * self.next + inside * bytes))
        })
    }
}

/// Packs rows with one byte for each element into `destination`, whose elements have `bits` bits, and interleaves the rows;
/// missing rows count as zeros.
pub(crate) fn pack_rows(
    cpu: Cpu,
    bits: usize,
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    streaming: &Streaming,
    buffers: &mut BitBuffers,
) {
    for_cpu!(cpu, pack_rows_with(bits: usize, shape: &Shape, source: &[u8], destination: &mut [u8], streaming: &Streaming, buffers: &mut BitBuffers));
}

#[inline(always)]
fn pack_rows_with<I: Instructions>(
    simd: I,
    bits: usize,
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    streaming: &Streaming,
    buffers: &mut BitBuffers,
) {
    // SAFETY: this function has the `streaming` of its caller.
    unsafe {
        match streaming.apart() {
            true => pack_rows_mode::<I, true>(simd, bits, shape, source, destination, buffers),
            false => pack_rows_mode::<I, false>(simd, bits, shape, source, destination, buffers),
        }
    }
}

/// # Safety
/// If `STREAM`, the caller must have a [`Streaming`].
#[inline(always)]
unsafe fn pack_rows_mode<I: Instructions, const STREAM: bool>(
    simd: I,
    bits: usize,
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    buffers: &mut BitBuffers,
) {
    let bytes = shape.group * bits / 8;
    let BitBuffers { packed, check, valid, most, .. } = buffers;
    let most = *most;
    for at in (0..shape.count).step_by(CHUNK) {
        let n = CHUNK.min(shape.count - at);
        for row in 0..shape.group {
            let (byte, shift) = (row * bits / 8, row * bits % 8);
            let packed = &mut packed[byte * CHUNK..][..n];
            if row >= shape.rows {
                if shift == 0 {
                    packed.fill(0);
                }
                continue;
            }
            if STREAM {
                let (row, at) = match row + ROWS_AHEAD {
                    next if next < shape.rows => (next, at),
                    next => (next - shape.rows, at + CHUNK),
                };
                prefetch_part(source.as_ptr().wrapping_add(row * shape.stride + at), n);
            }
            let source = &source[row * shape.stride + at..][..n];
            if let Some(fix) = check {
                *valid &= fix.fits(source);
            }
            let mask = (1u8 << bits) - 1;
            if shift == 0 {
                packed
                    .iter_mut()
                    .zip(source)
                    .for_each(|(packed, value)| *packed = (*value).min(most) & mask);
            } else {
                packed
                    .iter_mut()
                    .zip(source)
                    .for_each(|(packed, value)| *packed |= ((*value).min(most) & mask) << shift);
            }
        }
        for (columns, start) in shape.pieces(at, at + n, bytes) {
            let to = &mut destination[start..][..columns.len() * bytes];
            let group = RowGroup { rows: bytes, row_stride: CHUNK, count: columns.len() };
            let (from, to) = (packed[columns.start..].as_ptr(), to.as_mut_ptr());
            // SAFETY: the rows are `CHUNK` bytes apart and contain the columns, and `to` has a byte of each row for each
            // column.
            unsafe {
                match bytes {
                    1 => copy::run::<I, STREAM, _>(simd, from, to, columns.len(), Mode::NEAR),
                    2 => interleave::<I, 1, 2, STREAM, _>(simd, from, to, group, Mode::NEAR),
                    4 => interleave::<I, 1, 4, STREAM, _>(simd, from, to, group, Mode::NEAR),
                    _ => interleave::<I, 1, 8, STREAM, _>(simd, from, to, group, Mode::NEAR),
                }
            }
        }
    }
}

/// Prefetches `len` bytes.
#[inline(always)]
fn prefetch_part(from: *const u8, len: usize) {
    for line in (0..len).step_by(LINE) {
        prefetch(from.wrapping_add(line));
    }
}

/// The reverse of [`pack_rows`]: unpacks elements of `bits` bits from interleaved rows into rows with one byte for each
/// element.
pub(crate) fn unpack_rows(
    cpu: Cpu,
    (dtype, bits): (DType, usize),
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    streaming: &Streaming,
    buffers: &mut BitBuffers,
) {
    let stored = (bits, &Normalize::of(dtype));
    for_cpu!(cpu, unpack_rows_with(stored: (usize, &Normalize), shape: &Shape, source: &[u8], destination: &mut [u8], streaming: &Streaming, buffers: &mut BitBuffers));
}

#[inline(always)]
fn unpack_rows_with<I: Instructions>(
    simd: I,
    (bits, fix): (usize, &Normalize),
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    streaming: &Streaming,
    buffers: &mut BitBuffers,
) {
    // SAFETY: this function has the `streaming` of its caller.
    unsafe {
        match streaming.apart() {
            true => {
                unpack_rows_mode::<I, true>(simd, bits, fix, shape, source, destination, buffers)
            }
            false => {
                unpack_rows_mode::<I, false>(simd, bits, fix, shape, source, destination, buffers)
            }
        }
    }
}

/// # Safety
/// If `STREAM`, the caller must have a [`Streaming`].
#[inline(always)]
unsafe fn unpack_rows_mode<I: Instructions, const STREAM: bool>(
    simd: I,
    bits: usize,
    fix: &Normalize,
    shape: &Shape,
    source: &[u8],
    destination: &mut [u8],
    buffers: &mut BitBuffers,
) {
    let bytes = shape.group * bits / 8;
    let BitBuffers { packed, values, .. } = buffers;
    for at in (0..shape.count).step_by(CHUNK) {
        let n = CHUNK.min(shape.count - at);
        for (columns, start) in shape.pieces(at, at + n, bytes) {
            let from = &source[start..][..columns.len() * bytes];
            if STREAM {
                prefetch_part(from.as_ptr().wrapping_add(from.len()), from.len());
            }
            let group = RowGroup { rows: bytes, row_stride: CHUNK, count: columns.len() };
            let (from, to) = (from.as_ptr(), packed[columns.start..].as_mut_ptr());
            // SAFETY: `from` has a byte of each row for each column, and the rows are `CHUNK` bytes apart and have room for the
            // columns.
            unsafe {
                match bytes {
                    1 => copy::run::<I, false, _>(simd, from, to, columns.len(), Mode::NEAR),
                    2 => deinterleave::<I, 1, 2, false, _>(simd, from, to, group, Mode::NEAR),
                    4 => deinterleave::<I, 1, 4, false, _>(simd, from, to, group, Mode::NEAR),
                    _ => deinterleave::<I, 1, 8, false, _>(simd, from, to, group, Mode::NEAR),
                }
            }
        }
        for row in 0..shape.rows {
            let (byte, shift) = (row * bits / 8, row * bits % 8);
            let mask = (1u8 << bits) - 1;
            let unpacked =
                packed[byte * CHUNK..][..n].iter().map(|packed| fix.apply(packed >> shift & mask));
            values[..n].iter_mut().zip(unpacked).for_each(|(to, value)| *to = value);
            let to = &mut destination[row * shape.stride + at..][..n];
            // SAFETY: both slices have at least `n` bytes.
            unsafe {
                copy::run::<I, STREAM, _>(simd, values.as_ptr(), to.as_mut_ptr(), n, Mode::NEAR)
            };
        }
    }
}

/// Packs adjacent elements: `source` has one byte for each, and `destination` all of them in whole bytes.
pub(crate) fn pack_bits(
    cpu: Cpu,
    bits: usize,
    buffers: &BitBuffers,
    source: &[u8],
    destination: &mut [u8],
) {
    // A byte of `pred` becomes one bit, whether it is nonzero; of any other type, the low bits of the byte.
    let truth = buffers.most == 1;
    for_cpu!(cpu, pack_bits_with(bits: usize, truth: bool, source: &[u8], destination: &mut [u8]))
}

#[inline(always)]
fn pack_bits_with<I: Instructions>(
    _: I,
    bits: usize,
    truth: bool,
    source: &[u8],
    destination: &mut [u8],
) {
    macro_rules! by_word { ($($bits:literal $Word:ty)*) => { match bits { $(
        $bits => for (to, word) in destination.iter_mut().zip(source.as_chunks::<{ 8 / $bits }>().0) {
            let mut word = <$Word>::from_le_bytes(*word);
            if truth {
                // Sets the highest bit of each nonzero byte: either its own highest bit, or the carry of adding 0x7F to its low
                // bits.
                let (ones, low) = (<$Word>::MAX / 0xFF, <$Word>::MAX / 0xFF * 0x7F);
                word = ((word & low) + low | word) >> 7 & ones;
            }
            // Element q starts at bit 8q of the word, and moves to bit q * bits of the byte.
            *to = (0..8 / $bits).fold(0, |byte, q| {
                byte | (word >> (q * (8 - $bits))) as u8 & ((1u8 << $bits) - 1) << (q * $bits)
            });
        },
    )* _ => unreachable!("narrow widths that divide a byte") } } }
    by_word!(1 u64 2 u32 4 u16);
}

/// The reverse of [`pack_bits`].
pub(crate) fn unpack_bits(
    cpu: Cpu,
    (dtype, bits): (DType, usize),
    source: &[u8],
    destination: &mut [u8],
) {
    let fix = &Normalize::of(dtype);
    for_cpu!(cpu, unpack_bits_with(bits: usize, fix: &Normalize, source: &[u8], destination: &mut [u8]))
}

#[inline(always)]
fn unpack_bits_with<I: Instructions>(
    _: I,
    bits: usize,
    fix: &Normalize,
    source: &[u8],
    destination: &mut [u8],
) {
    macro_rules! by_byte { ($($bits:literal)*) => { match bits { $(
        $bits => for (to, byte) in destination.as_chunks_mut::<{ 8 / $bits }>().0.iter_mut().zip(source) {
            for (q, to) in to.iter_mut().enumerate() {
                *to = fix.apply(byte >> (q * $bits) & ((1u8 << $bits) - 1));
            }
        },
    )* _ => unreachable!("narrow widths that divide a byte") } } }
    by_byte!(1 2 4);
}

/// [`DType::normalize`] without branches, so that it can be vectorized.
struct Normalize {
    mask: u8,
    most: u8,
    sign: u8,
}

impl Normalize {
    fn of(dtype: DType) -> Self {
        let bits = dtype.bits() as u32;
        let mask = u8::MAX.checked_shr(8u32.saturating_sub(bits)).unwrap_or(0);
        match dtype.kind() {
            Kind::Pred => Self { mask: u8::MAX, most: 1, sign: 0 },
            Kind::Signed => Self { mask, most: u8::MAX, sign: mask ^ mask >> 1 },
            _ => Self { mask, most: u8::MAX, sign: 0 },
        }
    }

    #[inline(always)]
    fn apply(&self, byte: u8) -> u8 {
        ((byte & self.mask).min(self.most) ^ self.sign).wrapping_sub(self.sign)
    }

    /// Whether each byte is a host value of the type.
    #[inline(always)]
    fn fits(&self, bytes: &[u8]) -> bool {
        let over = !self.mask.min(self.most);
        bytes.iter().fold(0, |wrong, &byte| wrong | (byte.wrapping_add(self.sign) & over)) == 0
    }
}

/// Whether each byte is a host value of the type.
pub(crate) fn are_values(dtype: DType, bytes: &[u8]) -> bool {
    Normalize::of(dtype).fits(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_as_the_type_does() {
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.bits() < 8) {
            for byte in 0..=u8::MAX {
                assert_eq!(
                    Normalize::of(dtype).apply(byte),
                    dtype.normalize(byte),
                    "{dtype} {byte}"
                );
                let fits = Normalize::of(dtype).fits(&[byte]);
                assert_eq!(fits, dtype.normalize(byte) == byte, "{dtype} {byte}");
            }
        }
    }
}
