//! The numbers of a tiled layout.

use crate::draw::{Facts, percent, tuple};
use crate::tiled::TiledSpec;
use alloc::format;

/// Lanes of a register of a TPU, of 32 bits each, in 8 rows.
const LANES: usize = 128;
/// Bytes of a register.
const REGISTER_BYTES: usize = 8 * LANES * 4;

pub(super) fn facts(spec: &TiledSpec) -> Facts {
    let mut facts = Facts::default();
    facts.code("layout", spec);
    if (0..spec.rank()).any(|dim| spec.draft().is_unbounded(dim)) {
        // Without the sizes, no other fact can be computed.
        return facts;
    }
    facts.code("logical shape", tuple(spec.dims().iter().copied()));
    facts.code("physical shape", tuple(spec.physical_shape()));
    facts.number("elements", spec.elements());
    facts.number("stored elements", spec.len());
    facts.number("bytes", spec.storage_bytes());
    if spec.bytes() != spec.storage_bytes() {
        facts.number("bytes in each memory", spec.bytes());
    }
    let padding = spec.padding_bytes();
    facts.number("padding bytes", padding);
    facts.words("padding", percent(padding, spec.storage_bytes()));
    if !spec.is_empty() {
        facts.code("index", spec.formula());
    }
    let element = |offset| spec.index(offset).map(|index| tuple(index.iter().copied()));
    if let (Some(first), Some(last)) = (element(0), spec.extent().checked_sub(1).and_then(element))
    {
        facts.code("first", format!("{first} -> 0"));
        facts.code("last", format!("{last} -> {}", spec.extent() - 1));
    }
    if is_tpu(spec) {
        let bits = spec.stored_bits();
        if bits <= 32 {
            facts.words("packing", format!("{} in a word of 32 bits", 32 / bits));
        } else {
            facts.words("packing", format!("{} words of 32 bits each", bits.div_ceil(32)));
        }
        facts.number("registers", spec.storage_bytes().div_ceil(REGISTER_BYTES));
    }
    if spec.memory_space() > 0 {
        facts.number("memory space", spec.memory_space());
    }
    facts
}

/// Whether a row of a tile fills the lanes of a register.
fn is_tpu(spec: &TiledSpec) -> bool {
    let lanes = |tile: &crate::tiled::Tile| tile.as_slice().last().copied();
    spec.tiles().first().and_then(lanes).is_some_and(|lanes| lanes.is_multiple_of(LANES))
}

impl TiledSpec {
    /// The number of bytes of padding in the storage.
    ///
    /// ```
    /// let spec: tensor_layout::TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    /// assert_eq!(spec.padding_bytes(), 36);
    /// ```
    pub const fn padding_bytes(&self) -> usize {
        // Half a byte at the end of an odd number of nibbles does not count as padding.
        self.storage_bytes().saturating_sub(self.logical_bytes())
    }
}
