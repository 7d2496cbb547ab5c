//! The rules of valid encodings, each written once.

use super::encoding::{LevelSpec, SparseDraft};
use super::expr::LevelExpr;
use super::format::LevelFormat;
use super::problem::Problem;
use crate::parts::{Flaw, FormMap, Inverse, MAX_COEFFICIENT};

/// The possible widths of positions and coordinates, in bits; 0 is the width of a pointer.
pub const WIDTHS: [usize; 5] = [0, 8, 16, 32, 64];

/// The width of the coordinates of 2:4 sparsity, four to a byte.
pub const PACKED_WIDTH: usize = 2;

/// The largest `m` of `structured[n, m]`: MLIR stores it in eight bits.
pub const MAX_STRUCTURED: usize = 255;

/// The mistakes of one encoding, as [`SparseDraft::problems`] returns them.
pub type Problems = crate::list::Problems<Problem>;

impl SparseDraft {
    /// The mistakes of the draft, up to the capacity of [`Problems`].
    pub const fn problems(&self) -> Problems {
        self.check().0
    }

    /// Checks every rule, and returns the mistakes and the inverse of the map, if there is one.
    pub(super) const fn check(&self) -> (Problems, Option<Inverse>) {
        let mut problems = Problems::new(Problem::NoLevels);
        if self.levels.is_empty() {
            problems.push(Problem::NoLevels);
            return (problems, None);
        }
        let mut level = 0;
        while level < self.levels.len() {
            self.check_expr(level, &mut problems);
            level += 1;
        }
        let inverse = if problems.is_empty() { self.inverse(&mut problems) } else { None };
        level = 0;
        while level < self.levels.len() {
            self.check_level(level, &mut problems);
            level += 1;
        }
        self.check_entries(&mut problems);
        (problems, inverse)
    }

    /// The inverse of the map. If there is none, adds the reasons to `problems`.
    const fn inverse(&self, problems: &mut Problems) -> Option<Inverse> {
        let mut map = FormMap::new(self.rank);
        let mut level = 0;
        while level < self.levels.len() {
            map.push(self.level(level).expr.part());
            level += 1;
        }
        let flaws = match map.invert() {
            Ok(inverse) => return Some(inverse),
            Err(flaws) => flaws,
        };
        let mut i = 0;
        while i < flaws.len() {
            problems.push(match flaws.as_slice()[i] {
                Flaw::DimMissing { dim } => Problem::DimMissing { dim },
                Flaw::Scaled { part: level } => Problem::Scaled { level },
                Flaw::PartMissing { part: level, form, digit } => {
                    Problem::PartMissing { level, form, div: digit.div, modulus: digit.size }
                }
                Flaw::PartRedundant { part: level } => Problem::PartRedundant { level },
                Flaw::NotInvertible { part: level, forms, dims } => {
                    Problem::NotInvertible { level, forms, dims }
                }
            });
            i += 1;
        }
        None
    }

    const fn level(&self, level: usize) -> &LevelSpec {
        &self.levels.as_slice()[level]
    }

    const fn check_expr(&self, level: usize, problems: &mut Problems) {
        match &self.level(level).expr {
            LevelExpr::Part { form, div, modulus } => {
                let modulus = match *modulus {
                    Some(modulus) => modulus,
                    None => 1,
                };
                let largest = MAX_COEFFICIENT as usize;
                if *div == 0 || *div > largest {
                    return problems.push(Problem::Divisor { level, divisor: *div as i128 });
                }
                if modulus == 0 || modulus > largest {
                    return problems.push(Problem::Divisor { level, divisor: modulus as i128 });
                }
                if self.level(level).expr.is_split() && form.is_signed() {
                    return problems.push(Problem::SplitSigned { level });
                }
                let mut dim = 0;
                while dim < form.coefficients.len() {
                    let coefficient = form.coefficients[dim];
                    if coefficient != 0 && dim >= self.rank {
                        return problems.push(Problem::DimUnknown { level, dim });
                    }
                    if coefficient.unsigned_abs() > MAX_COEFFICIENT as u64 {
                        return problems
                            .push(Problem::Divisor { level, divisor: coefficient as i128 });
                    }
                    dim += 1;
                }
                if form.terms() == 0 {
                    problems.push(Problem::Constant { level });
                }
            }
            LevelExpr::Count { dim, slots } => {
                if !self.is_ell(level, *dim) {
                    problems.push(Problem::Count { level });
                } else if *slots == 0 || *slots > MAX_COEFFICIENT as usize {
                    problems.push(Problem::Divisor { level, divisor: *slots as i128 });
                }
            }
        }
    }

    /// Whether the encoding is ELL, as the counting level `level` requires: the counted dimension is a dense level, and the
    /// other dimension is the last level, a compressed one.
    const fn is_ell(&self, level: usize, dim: usize) -> bool {
        if self.rank != 2 || self.levels.len() != 3 || level == 2 || dim > 1 {
            return false;
        }
        let (row, last) = (self.level(1 - level), self.level(2));
        matches!(self.level(level).format, LevelFormat::Dense)
            && matches!(row.format, LevelFormat::Dense)
            && matches!(row.expr.plain(), Some(plain) if plain == dim)
            && matches!(last.format, LevelFormat::Compressed)
            && last.properties.is_empty()
            && matches!(last.expr.plain(), Some(plain) if plain != dim)
    }

    const fn check_level(&self, level: usize, problems: &mut Problems) {
        let this = self.level(level);
        if !this.properties.is_empty() && !this.format.takes_properties() {
            problems.push(Problem::Properties { level, format: this.format });
        } else if this.properties.soa && !matches!(this.format, LevelFormat::Singleton) {
            problems.push(Problem::SoaFormat { level });
        }
        match this.format {
            LevelFormat::Dense => {
                if level > 0 && matches!(self.level(level - 1).format, LevelFormat::Singleton) {
                    problems.push(Problem::DenseAfterSingleton { level });
                }
            }
            LevelFormat::Batch => {
                if level > 0 && !matches!(self.level(level - 1).format, LevelFormat::Batch) {
                    problems.push(Problem::BatchPosition { level });
                }
            }
            LevelFormat::Singleton => self.check_singleton(level, problems),
            LevelFormat::Structured { n, m } => self.check_structured(level, n, m, problems),
            LevelFormat::Range => {
                if !self.is_below_diagonal(level) {
                    problems.push(Problem::RangeParent { level });
                }
            }
            LevelFormat::Delta { bits } => {
                let most = match self.coordinate_bits {
                    0 | 64 => 63,
                    bits => bits,
                };
                if bits == 0 || bits > most {
                    problems.push(Problem::DeltaBits { level, bits, most });
                }
                if this.expr.is_signed() {
                    problems.push(Problem::DeltaSigned { level });
                }
            }
            LevelFormat::Compressed | LevelFormat::LooseCompressed => {}
        }
    }

    const fn check_singleton(&self, level: usize, problems: &mut Problems) {
        if level == 0 {
            return problems.push(Problem::SingletonParent { level });
        }
        let parent = self.level(level - 1);
        match parent.format {
            LevelFormat::Compressed | LevelFormat::LooseCompressed => {
                if !parent.properties.nonunique {
                    problems.push(Problem::SingletonUnique { level: level - 1 });
                }
            }
            LevelFormat::Singleton => {
                if parent.properties.soa != self.level(level).properties.soa {
                    problems.push(Problem::SingletonMixed { level });
                }
            }
            _ => problems.push(Problem::SingletonParent { level }),
        }
    }

    const fn check_structured(&self, level: usize, n: usize, m: usize, problems: &mut Problems) {
        if n == 0 || n > m || m > MAX_STRUCTURED {
            problems.push(Problem::StructuredSizes { level, n, m });
        }
        if level + 1 != self.levels.len() {
            problems.push(Problem::StructuredLast { level });
        }
        let mut before = 0;
        while before < level {
            if !matches!(self.level(before).format, LevelFormat::Dense | LevelFormat::Batch) {
                return problems.push(Problem::StructuredParent { level: before });
            }
            let block = match self.level(before).expr {
                LevelExpr::Part { div: 1, modulus: Some(block), .. } => block,
                LevelExpr::Part { div, modulus: None, .. } if div > 1 => div,
                _ => m,
            };
            if (block != m || self.level(before).expr.is_nested()) && !self.same_form(before, level)
            {
                return problems.push(Problem::StructuredBlocks { level: before, m });
            }
            before += 1;
        }
        match self.level(level).expr {
            LevelExpr::Part { div: 1, modulus: Some(modulus), .. } if modulus != m => {
                problems.push(Problem::StructuredBlock { level, m, block: modulus });
            }
            LevelExpr::Part { div: 1, .. } => {}
            _ => problems.push(Problem::StructuredBlock { level, m, block: 0 }),
        }
    }

    const fn same_form(&self, a: usize, b: usize) -> bool {
        match (self.level(a).expr.form(), self.level(b).expr.form()) {
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        }
    }

    /// Whether the level holds one of the dimensions of a sum that a level above it holds.
    const fn is_below_diagonal(&self, level: usize) -> bool {
        let Some(dim) = self.level(level).expr.plain() else { return false };
        let mut above = 0;
        while above < level {
            if let Some(form) = self.level(above).expr.form()
                && form.terms() > 1
                && form.coefficients[dim] != 0
            {
                return true;
            }
            above += 1;
        }
        false
    }

    const fn check_entries(&self, problems: &mut Problems) {
        if !is_width(self.position_bits) {
            problems.push(Problem::PositionWidth { bits: self.position_bits as i128 });
        }
        if self.coordinate_bits == PACKED_WIDTH {
            let mut level = 0;
            let mut structured = false;
            let mut other = None;
            while level < self.levels.len() {
                match self.level(level).format {
                    LevelFormat::Structured { m: ..=4, .. } => structured = true,
                    format if format.has_coordinates() => other = Some(level),
                    _ => {}
                }
                level += 1;
            }
            match other {
                Some(level) => problems.push(Problem::PackedCoordinates { level }),
                None if structured => {}
                None => problems.push(Problem::CoordinateWidth { bits: PACKED_WIDTH as i128 }),
            }
        } else if !is_width(self.coordinate_bits) {
            problems.push(Problem::CoordinateWidth { bits: self.coordinate_bits as i128 });
        }
        if let Some(implicit) = self.implicit
            && !implicit.is_zero()
        {
            problems.push(Problem::ImplicitNotZero);
        }
        if let Some(slices) = &self.slices {
            if self.levels.len() != self.rank {
                problems.push(Problem::SliceLevels { levels: self.levels.len(), dims: self.rank });
            }
            let mut dim = 0;
            while dim < self.rank {
                if let Some(0) = slices[dim].size {
                    problems.push(Problem::SliceZero { dim, what: "size" });
                }
                if let Some(0) = slices[dim].stride {
                    problems.push(Problem::SliceZero { dim, what: "stride" });
                }
                dim += 1;
            }
        }
    }
}

const fn is_width(bits: usize) -> bool {
    matches!(bits, 0 | 8 | 16 | 32 | 64)
}
