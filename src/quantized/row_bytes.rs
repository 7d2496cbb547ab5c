//! Where the bytes of rows of weights are.

use super::lanes::Tables;
use super::row_kernel::{GROUP, Rows, ahead};
use super::view::{DynQuantizedRef, tensor_scale};
use crate::movement::host::zeroed;
use alloc::vec::Vec;
use layout_core::quantized::QuantizedSpec;

/// The bytes of a row, without padding.
pub(super) fn row_bytes(spec: &QuantizedSpec) -> usize {
    spec.columns() / spec.block() * (spec.block_element_bytes() + spec.scale().byte_width())
}

/// The bytes of some rows of weights, from the first on.
pub(super) struct RowBytes<'a> {
    elements: &'a [u8],
    /// The bytes from the elements of one block to those of the next or, if some blocks are stored together, from those of one of
    /// these groups to those of the next.
    element_stride: usize,
    scales: &'a [u8],
    scale_stride: usize,
    /// The number of blocks of a row.
    blocks: usize,
    /// The number of blocks that are stored together, see [`QuantizedSpec::blocks_together`].
    together: usize,
}

impl<'b> RowBytes<'b> {
    /// The rows of `weights` from `first` on.
    pub(super) fn of(weights: &DynQuantizedRef<'b>, first: usize) -> Self {
        let (spec, bytes) = (weights.spec(), weights.bytes());
        let blocks = spec.columns() / spec.block();
        Self {
            elements: &bytes[spec.elements_at(first * blocks)..],
            element_stride: spec.element_stride(),
            scales: &bytes[spec.scale_at(first * blocks)..],
            scale_stride: spec.scale_stride(),
            blocks,
            together: spec.blocks_together(),
        }
    }

    /// The number of blocks of a row.
    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    /// Whether loops can read the rows where they are: they consist of whole groups, and each block has its scale.
    pub(super) fn has_whole_groups(&self, spec: &QuantizedSpec) -> bool {
        self.blocks.is_multiple_of(GROUP.div_ceil(spec.block())) && self.together == 1
    }

    /// The number of bytes of a copy of `count` rows that has whole groups.
    pub(super) fn copy_len(&self, spec: &QuantizedSpec, count: usize) -> usize {
        let block = spec.block_element_bytes() + spec.scale().byte_width();
        count * self.blocks.next_multiple_of(GROUP.div_ceil(spec.block())) * block
    }

    /// A copy of `count` rows that has whole groups; `None` if there is no memory. With an odd number of blocks of 16, a block of zeros
    /// at the end of each row completes the last pair.
    pub(super) fn copy(&self, spec: &QuantizedSpec, count: usize) -> Option<Copied> {
        let blocks = self.blocks.next_multiple_of(GROUP.div_ceil(spec.block()));
        let (block, width) = (spec.block_element_bytes(), spec.scale().byte_width());
        let mut bytes = zeroed::<u8>(self.copy_len(spec, count))?;
        let (elements, scales) = bytes.split_at_mut(count * blocks * block);
        let strides = self.blocks / self.together;
        let (some_elements, some_scales) = (self.together * block, self.together * width);
        for row in 0..count {
            let elements = elements[row * blocks * block..].chunks_exact_mut(some_elements);
            let scales = scales[row * blocks * width..].chunks_exact_mut(some_scales);
            for (i, (elements, scales)) in elements.zip(scales).enumerate().take(strides) {
                let at = row * strides + i;
                elements
                    .copy_from_slice(&self.elements[at * self.element_stride..][..some_elements]);
                scales.copy_from_slice(&self.scales[at * self.scale_stride..][..some_scales]);
            }
        }
        Some(Copied { bytes, scales_at: count * blocks * block, block, width, blocks })
    }

    /// `count` rows, in the form that the loops read. Blocks of 16 are read in pairs, each of which is a group. Blocks that are
    /// stored together are one block of several groups.
    pub(super) fn rows<'a>(
        &self,
        weights: &DynQuantizedRef<'_>,
        tables: &'a Tables,
        count: usize,
    ) -> Rows<'a> {
        let spec = weights.spec();
        let (block, width) = (spec.block_element_bytes(), spec.scale().byte_width());
        // The strides of a row.
        let strides = self.blocks / self.together;
        let (element_row, scale_row) = (strides * self.element_stride, strides * self.scale_stride);
        // If blocks are stored with their scales, the last row ends with its elements; no scale follows them.
        let ends =
            |row: usize, stride: usize, len: usize| count * row - stride + self.together * len;
        assert!(
            count * strides == 0
                || ends(element_row, self.element_stride, block) <= self.elements.len()
                    && ends(scale_row, self.scale_stride, width) <= self.scales.len()
        );
        let merged = GROUP.div_ceil(spec.block()).max(self.together);
        Rows {
            elements: self.elements.as_ptr(),
            scales: self.scales.as_ptr(),
            element_row,
            scale_row,
            ahead: ahead(element_row),
            scales_ahead: ahead(element_row) / element_row.max(1) * scale_row,
            blocks: self.blocks / merged,
            element_stride: merged / self.together * self.element_stride,
            scale_stride: merged / self.together * self.scale_stride,
            groups: spec.block() * merged / GROUP,
            group_scales: if self.together > 1 { GROUP / spec.block() * width } else { 0 },
            tensor_scale: tensor_scale(spec, weights.bytes()),
            tables,
        }
    }
}

/// A copy of rows, whose elements and scales are planes.
pub(super) struct Copied {
    bytes: Vec<u8>,
    scales_at: usize,
    /// The bytes of the elements of a block, and those of a scale.
    block: usize,
    width: usize,
    /// The number of blocks of a row.
    blocks: usize,
}

impl Copied {
    pub(super) fn bytes(&self) -> RowBytes<'_> {
        let (elements, scales) = self.bytes.split_at(self.scales_at);
        let (element_stride, scale_stride, blocks) = (self.block, self.width, self.blocks);
        RowBytes { elements, element_stride, scales, scale_stride, blocks, together: 1 }
    }
}
