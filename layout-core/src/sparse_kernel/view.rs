//! The levels of an access in terms of the indices of the statement.

use super::ir::{IndexId, Int, OperandId, Storage};
use super::statement::Subscript;
use crate::parts::Digit;
use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use alloc::vec::Vec;

/// An access, or the output, level by level.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The operand that contains the values: the named operand, or the operand to which it is converted.
    pub(super) operand: OperandId,
    pub(super) levels: Vec<LevelView>,
    pub(super) subscripts: Vec<Subscript>,
}

/// One level.
#[derive(Clone, Debug)]
pub(super) struct LevelView {
    /// The part of the indices that it stores; `None` for a level that counts.
    pub(super) holds: Option<Holds>,
    /// The number of its coordinates.
    pub(super) size: Int,
    /// Whether it may store coordinates past the end of an index.
    pub(super) overhangs: bool,
    /// Its smallest coordinate; `None` if no coordinate can be negative.
    pub(super) least: Option<Int>,
    pub(super) kind: LevelKind,
    pub(super) ordered: bool,
    pub(super) unique: bool,
    /// The dimensions that it depends on.
    pub(super) dims: Vec<usize>,
    /// For a packed operand, the operand and the dimension whose coordinates add to the offset.
    pub(super) packed: Option<(OperandId, usize)>,
}

/// A part of a sum of indices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Holds {
    pub(super) terms: Vec<(i64, IndexId)>,
    pub(super) constant: i64,
    pub(super) digit: Digit<i64>,
}

impl Holds {
    /// The index, if this is a part of a single index.
    pub(super) fn index(&self) -> Option<IndexId> {
        match self.terms[..] {
            [(1, index)] if self.constant == 0 => Some(index),
            _ => None,
        }
    }
}

/// How the positions of a level are iterated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LevelKind {
    /// Every coordinate has a position.
    Full,
    /// A segment of coordinates in which a coordinate can be searched for.
    Segment,
    /// A segment of gaps, which can only be read from its start.
    Gaps,
    /// One position for each position above.
    Single,
    /// A slot, which can be empty.
    Slot,
    /// A batch, which has separate levels below it.
    Batch,
}

impl View {
    /// The levels of `storage`, read with `subscripts`.
    pub(super) fn new(operand: OperandId, storage: &Storage, subscripts: &[Subscript]) -> Self {
        let levels = match storage {
            Storage::Sparse(encoding) => (0..encoding.levels().len())
                .map(|level| sparse_level(operand, encoding, level, subscripts))
                .collect(),
            Storage::Scalar => Vec::new(),
            Storage::Dense { .. } | Storage::Tiled { .. } => subscripts
                .iter()
                .enumerate()
                .map(|(dim, subscript)| LevelView {
                    holds: Some(Holds {
                        terms: subscript.terms.clone(),
                        constant: subscript.constant,
                        digit: Digit::<i64>::WHOLE,
                    }),
                    size: Int::DimSize(operand, dim),
                    overhangs: false,
                    least: None,
                    kind: LevelKind::Full,
                    ordered: true,
                    unique: true,
                    dims: [dim].into(),
                    packed: matches!(storage, Storage::Tiled { .. }).then_some((operand, dim)),
                })
                .collect(),
        };
        Self { operand, levels, subscripts: subscripts.to_vec() }
    }

    /// Whether the subscripts are distinct indices.
    pub(super) fn is_plain(&self) -> bool {
        let plain: Vec<_> = self.subscripts.iter().map(Subscript::plain).collect();
        plain.iter().all(Option::is_some)
            && (1..plain.len()).all(|at| !plain[..at].contains(&plain[at]))
    }

    /// Whether a level may store a coordinate several times while a level below it does not have one position for each of them. If
    /// so, the positions below cannot be iterated as one range.
    pub(super) fn forks(&self) -> bool {
        let pairs = self.levels.windows(2);
        pairs.into_iter().any(|pair| !pair[0].unique && pair[1].kind != LevelKind::Single)
    }

    /// Whether no two positions have the same index.
    pub(super) fn is_unique(&self) -> bool {
        self.levels.iter().all(|level| level.unique && level.kind != LevelKind::Slot)
    }

    pub(super) fn has(&self, kind: LevelKind) -> bool {
        self.levels.iter().any(|level| level.kind == kind)
    }

    /// Whether every index is stored.
    pub(super) fn is_full(&self) -> bool {
        self.levels.iter().all(|level| level.kind == LevelKind::Full)
    }
}

fn sparse_level(
    operand: OperandId,
    encoding: &SparseEncoding,
    level: usize,
    subscripts: &[Subscript],
) -> LevelView {
    let spec = &encoding.levels()[level];
    let kind = match spec.format {
        _ if encoding.is_padded(level) => LevelKind::Slot,
        LevelFormat::Dense | LevelFormat::Range => LevelKind::Full,
        LevelFormat::Batch => LevelKind::Batch,
        LevelFormat::Delta { .. } => LevelKind::Gaps,
        LevelFormat::Singleton => LevelKind::Single,
        LevelFormat::Compressed | LevelFormat::LooseCompressed | LevelFormat::Structured { .. } => {
            LevelKind::Segment
        }
    };
    let mut dims = Vec::new();
    let holds = match &spec.expr {
        LevelExpr::Count { .. } => None,
        LevelExpr::Part { form, div, modulus } => {
            let mut terms: Vec<(i64, IndexId)> = Vec::new();
            let mut constant = 0i64;
            for (dim, subscript) in subscripts.iter().enumerate() {
                let factor = form.coefficients[dim];
                if factor == 0 {
                    continue;
                }
                dims.push(dim);
                // Neither operation overflows, because coefficients and constants of subscripts are small.
                constant = constant.wrapping_add(factor.wrapping_mul(subscript.constant));
                for (coefficient, index) in &subscript.terms {
                    let product = factor.wrapping_mul(*coefficient);
                    match terms.iter_mut().find(|(_, other)| other == index) {
                        Some((sum, _)) => *sum = sum.wrapping_add(product),
                        None => terms.push((product, *index)),
                    }
                }
            }
            terms.retain(|(coefficient, _)| *coefficient != 0);
            let digit = Digit { div: *div as i64, size: modulus.map(|modulus| modulus as i64) };
            Some(Holds { terms, constant, digit })
        }
    };
    let size = match spec.expr {
        LevelExpr::Part { modulus: Some(modulus), .. } => Int::Const(modulus as i64),
        LevelExpr::Part { .. } => Int::LevelSize(operand, level),
        LevelExpr::Count { slots, .. } => Int::Const(slots as i64),
    };
    LevelView {
        holds,
        size,
        // The remainder within a block ends at the end of the block.
        overhangs: matches!(spec.format, LevelFormat::Structured { .. })
            && matches!(spec.expr, LevelExpr::Part { modulus: None, .. }),
        least: spec.expr.is_signed().then_some(Int::LevelLeast(operand, level)),
        kind,
        ordered: !spec.properties.nonordered,
        unique: encoding.is_unique(level),
        dims,
        packed: None,
    }
}
