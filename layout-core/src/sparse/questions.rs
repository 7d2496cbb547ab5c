//! Properties of encodings that decide how tensors are built and read.

use super::encoding::{MAX_LEVELS, SparseEncoding};
use super::expr::LevelExpr;
use super::format::LevelFormat;

impl SparseEncoding {
    /// Whether entries can be appended one by one: no level adds padding.
    #[doc(hidden)]
    pub const fn grows(&self) -> bool {
        let mut level = 0;
        while level < self.levels().len() {
            let format = self.levels()[level].format;
            if matches!(
                format,
                LevelFormat::Structured { .. } | LevelFormat::Delta { .. } | LevelFormat::Batch
            ) {
                return false;
            }
            level += 1;
        }
        !self.counts()
    }

    /// Whether several entries with the same index can be stored: whether, on some level, each of them has its own position.
    #[doc(hidden)]
    pub const fn keeps(&self) -> bool {
        let mut level = 0;
        while level < self.levels().len() {
            let this = &self.levels()[level];
            if this.properties.nonunique
                && matches!(this.format, LevelFormat::Compressed | LevelFormat::LooseCompressed)
            {
                return true;
            }
            level += 1;
        }
        false
    }

    /// Whether an `Appender` accepts whole segments of the last level: entries that have the same coordinates on the levels
    /// above, in the order of their different coordinates on the last.
    pub const fn appends_segments(&self) -> bool {
        let levels = self.levels();
        let mut level = 0;
        while level < levels.len() {
            if levels[level].properties.nonunique {
                return false;
            }
            level += 1;
        }
        let last = &levels[levels.len() - 1];
        self.grows()
            && matches!(last.format, LevelFormat::Compressed)
            && !last.properties.nonordered
            && self.draft().coordinate_bits != 2
    }

    /// Whether tensors that are adjacent along the first level can be joined by concatenating their arrays level by level.
    #[doc(hidden)]
    pub const fn joins(&self) -> bool {
        let levels = self.levels();
        let mut level = 0;
        while level < levels.len() {
            if !matches!(
                levels[level].format,
                LevelFormat::Dense | LevelFormat::Compressed | LevelFormat::Singleton
            ) {
                return false;
            }
            level += 1;
        }
        self.grows() && self.draft().coordinate_bits != 2
    }

    /// Whether the last levels are dense and hold a block of `dims` in row-major order.
    #[doc(hidden)]
    pub const fn has_blocks_of(&self, dims: &[usize]) -> bool {
        let levels = self.levels();
        if levels.len() <= dims.len() {
            return false;
        }
        let mut at = 0;
        while at < dims.len() {
            let level = &levels[levels.len() - dims.len() + at];
            let held = match level.expr {
                LevelExpr::Part { div: 1, modulus: Some(modulus), .. } => modulus == dims[at],
                _ => false,
            };
            if !held || !matches!(level.format, LevelFormat::Dense) {
                return false;
            }
            at += 1;
        }
        true
    }

    /// The coordinates of all levels at `index`.
    #[doc(hidden)]
    #[inline(always)]
    pub fn target(&self, index: &[usize]) -> [i64; MAX_LEVELS] {
        let mut target = [0; MAX_LEVELS];
        for (coordinate, level) in target.iter_mut().zip(self.levels()) {
            *coordinate = level.expr.of(index);
        }
        target
    }
}
