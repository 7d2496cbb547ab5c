//! Packs and unpacks bits: moves elements between the host, where each has a byte, and storage, where several share one.

use super::element::{load_host, store};
use super::execute::{Block, MoveBlock};
use super::inner::{self, BitBuffers, Shape};
use super::regions::Axis;
use crate::cpu::{Cpu, Streaming};
use layout_core::dtype::DType;

/// Packs elements of one byte each into `bits` bits each.
pub(crate) struct PackBits<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) destination: &'a mut [u8],
    pub(crate) bits: usize,
    pub(crate) cpu: Cpu,
    /// Whether padding next to elements is zero, so that zeros may be written there together with elements.
    pub(crate) zero_padding: bool,
    pub(crate) streaming: Streaming,
    pub(crate) buffers: &'a mut BitBuffers,
}

impl MoveBlock for PackBits<'_> {
    fn move_block(&mut self, block: &Block) {
        let [_, tiles, outer, inner] = block.axes;
        let (cpu, bits) = (self.cpu, self.bits);
        let mut block = *block;
        let rows =
            rows(bits, inner, (outer.source, outer.destination), (inner.source, outer.count))
                .filter(|shape| self.zero_padding || shape.rows == shape.group)
                .filter(|_| inner.destination == 1)
                .map(|shape| join(shape, bits, (tiles.source, tiles.destination), &mut block));
        block.rectangles(|from, to| {
            if let (Some(shape), Some(byte)) = (&rows, byte(bits, to)) {
                let (source, destination) = (&self.source[from..], &mut self.destination[byte..]);
                return inner::pack_rows(
                    cpu,
                    bits,
                    shape,
                    source,
                    destination,
                    &self.streaming,
                    self.buffers,
                );
            }
            for i in 0..outer.count {
                let (from, to) = (from + i * outer.source, to + i * outer.destination);
                let mut done = 0;
                if let (1, 1, Some(byte)) = (inner.source, inner.destination, byte(bits, to)) {
                    let bytes = inner.count * bits / 8;
                    done = bytes * 8 / bits;
                    let source = &self.source[from..][..done];
                    self.buffers.look_at(source);
                    let destination = &mut self.destination[byte..][..bytes];
                    inner::pack_bits(cpu, bits, self.buffers, source, destination);
                }
                for j in done..inner.count {
                    let value = self.source[from + j * inner.source];
                    self.buffers.look_at(&[value]);
                    let value = self.buffers.value(value);
                    store(self.destination, bits, to + j * inner.destination, value.into());
                }
            }
        });
    }
}

/// Unpacks elements of `bits` bits each into one byte each, the host values of `dtype`.
pub(crate) struct UnpackBits<'a> {
    pub(crate) dtype: DType,
    pub(crate) source: &'a [u8],
    pub(crate) destination: &'a mut [u8],
    pub(crate) bits: usize,
    pub(crate) cpu: Cpu,
    pub(crate) streaming: Streaming,
    pub(crate) buffers: &'a mut BitBuffers,
}

impl MoveBlock for UnpackBits<'_> {
    fn move_block(&mut self, block: &Block) {
        let [_, tiles, outer, inner] = block.axes;
        let (cpu, bits, dtype) = (self.cpu, self.bits, self.dtype);
        let mut block = *block;
        let rows =
            rows(bits, outer, (inner.destination, inner.source), (outer.destination, inner.count))
                .filter(|_| outer.source == 1)
                // Into an array that stays in the caches, it is faster to write tile by tile.
                .map(|shape| match self.streaming.apart() {
                    true => join(shape, bits, (tiles.destination, tiles.source), &mut block),
                    false => shape,
                });
        block.rectangles(|from, to| {
            if let (Some(shape), Some(byte)) = (&rows, byte(bits, from)) {
                let (source, destination) = (&self.source[byte..], &mut self.destination[to..]);
                return inner::unpack_rows(
                    cpu,
                    (dtype, bits),
                    shape,
                    source,
                    destination,
                    &self.streaming,
                    self.buffers,
                );
            }
            for i in 0..outer.count {
                let (from, to) = (from + i * outer.source, to + i * outer.destination);
                let mut done = 0;
                if let (1, 1, Some(byte)) = (inner.source, inner.destination, byte(bits, from)) {
                    let bytes = inner.count * bits / 8;
                    done = bytes * 8 / bits;
                    inner::unpack_bits(
                        cpu,
                        (dtype, bits),
                        &self.source[byte..][..bytes],
                        &mut self.destination[to..][..done],
                    );
                }
                for j in done..inner.count {
                    let value = load_host(self.source, dtype, bits, from + j * inner.source);
                    self.destination[to + j * inner.destination] = value as u8;
                }
            }
        });
    }
}

/// The byte that starts with element number `at`; `None` if the element does not start a byte.
fn byte(bits: usize, at: usize) -> Option<usize> {
    let per_byte = (8 % bits == 0).then_some(8 / bits)?;
    at.is_multiple_of(per_byte).then_some(at / per_byte)
}

/// The rows of interleaved elements. `across` is the axis across the rows; `unit` and `group` are the strides between the
/// elements of a row, on the host and in storage; `stride` is the distance between rows, and `count` the number of elements of
/// a row.
fn rows(
    bits: usize,
    across: Axis,
    (unit, group): (usize, usize),
    (stride, count): (usize, usize),
) -> Option<Shape> {
    let size = across.size;
    let shape = Shape { rows: across.count, stride, group: size, count, width: count, next: 0 };
    (unit == 1 && group == across.size && shape.packed(bits).is_some()).then_some(shape)
}

/// The rows of all tiles of the block, if on the host the rows of each tile follow the rows of the previous tile; otherwise the
/// rows of one tile. `host` and `storage` are the strides from one tile to the next.
fn join(shape: Shape, bits: usize, (host, storage): (usize, usize), block: &mut Block) -> Shape {
    let tiles = &mut block.axes[1];
    if tiles.count == 1 || host != shape.count || !(storage * bits).is_multiple_of(8) {
        return shape;
    }
    let joined = Shape { count: shape.count * tiles.count, next: storage * bits / 8, ..shape };
    *tiles = Axis::UNIT;
    joined
}
