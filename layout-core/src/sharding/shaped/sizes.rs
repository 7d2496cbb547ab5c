//! Whether the sizes of the tensors are those of the operation.
#![allow(clippy::result_large_err, reason = "const evaluation has no heap for the messages")]

use super::factors::{Factors, is_of};
use super::message::Checked;
use super::{ShapedCall, ShapedOp, ShapedTensor};
use crate::sharding::constant::contains;

impl ShapedCall<'_> {
    /// Checks the numbers of dimensions, and the ranks that follow from them.
    pub(super) const fn check_numbers(&self, result: &ShapedTensor<'_>) -> Checked<()> {
        let first = self.operands[0].dims.len();
        let second = if self.operands.len() > 1 { self.operands[1].dims.len() } else { first };
        let made = result.dims.len();
        let (lists, ranks, expected): ([&[usize]; 2], _, _) = match self.op {
            ShapedOp::Dot(dot) => {
                if let Err(message) = self.check_lists([dot.rhs_batch, dot.rhs_contracting], second)
                {
                    return Err(message);
                }
                let pairs = dot.lhs_batch.len() == dot.rhs_batch.len()
                    && dot.lhs_contracting.len() == dot.rhs_contracting.len();
                if !pairs {
                    let text = self.message().str("dimensions belong together in pairs: ");
                    return Err(text.str("give the same number for both operands"));
                }
                let (batch, inner) = (dot.lhs_batch.len(), dot.lhs_contracting.len());
                let rank = (first + second).saturating_sub(batch + 2 * inner);
                ([dot.lhs_batch, dot.lhs_contracting], (first, first), rank)
            }
            ShapedOp::Transpose(permutation) => {
                ([permutation, &[]], (first, permutation.len()), first)
            }
            ShapedOp::Broadcast(to) => {
                if to.len() != first {
                    return Err(self.wrong_rank(0, first, to.len()));
                }
                ([to, &[]], (made, made), made)
            }
            ShapedOp::Reduce(dims) => ([dims, &[]], (first, first), first - min(dims.len(), first)),
            ShapedOp::Reshape => ([&[], &[]], (first, first), made),
            ShapedOp::Rows | ShapedOp::Update if first == 0 => {
                return Err(self.wrong_rank(0, first, 1));
            }
            ShapedOp::Rows if second != 1 => return Err(self.wrong_rank(1, second, 1)),
            ShapedOp::Rows => ([&[], &[]], (first, first), first),
            ShapedOp::Along(dim) | ShapedOp::Concatenate(dim) if dim >= first => {
                return Err(self.no_dim(dim, first));
            }
            _ => ([&[], &[]], (second, first), first),
        };
        let (rank, same) = ranks;
        if let Err(message) = self.check_lists(lists, rank) {
            return Err(message);
        }
        if rank != same {
            return Err(self.wrong_rank(if self.operands.len() > 1 { 1 } else { 0 }, rank, same));
        }
        if made != expected {
            return Err(self.wrong_rank(2, made, expected));
        }
        Ok(())
    }

    /// Checks that dimensions exist and occur once.
    pub(super) const fn check_lists(&self, lists: [&[usize]; 2], rank: usize) -> Checked<()> {
        let mut list = 0;
        while list < 2 {
            let mut at = 0;
            while at < lists[list].len() {
                let dim = lists[list][at];
                if dim >= rank {
                    return Err(self.no_dim(dim, rank));
                }
                let (before, _) = lists[list].split_at(at);
                if contains(before, dim) || list == 1 && contains(lists[0], dim) {
                    return Err(self.message().str("dimension ").num(dim).str(" is given twice"));
                }
                at += 1;
            }
            list += 1;
        }
        Ok(())
    }

    /// Checks that each dimension has the size that follows from its factors.
    pub(super) const fn check_sizes(
        &self,
        factors: &Factors,
        result: &ShapedTensor<'_>,
    ) -> Checked<()> {
        if factors.is_empty() && !result.dims.is_empty() {
            let text = self.message().str("the number of elements of the result differs ");
            return Err(text.str("from that of the operand, or is 0"));
        }
        let mut tensor = 0;
        while tensor < 3 {
            if tensor == 2 || tensor < self.operands.len() {
                let dims = self.tensor(tensor, result).dims;
                let mut dim = 0;
                while dim < dims.len() {
                    let expected = match self.resized(dim, result) {
                        Some(true) => dims[dim],
                        Some(false) => return Err(self.does_not_fit(dim, result)),
                        None => product(factors, tensor, dim),
                    };
                    if dims[dim] != expected {
                        let text = self.dim(self.message(), tensor, dim).str(" has size ");
                        let text = text.num(dims[dim]).str(", but the other arrays give it size ");
                        let text = text.num(expected).str("\n\nhelp: give dimensions that ");
                        return Err(text.str("belong together the same size"));
                    }
                    dim += 1;
                }
            }
            tensor += 1;
        }
        Ok(())
    }

    /// Whether the sizes fit along a dimension whose size changes; `None` for any other.
    pub(super) const fn resized(&self, dim: usize, result: &ShapedTensor<'_>) -> Option<bool> {
        let (first, made) = (self.operands[0].dims, result.dims);
        match self.op {
            ShapedOp::Slice => Some(made[dim] <= first[dim]),
            ShapedOp::Concatenate(along) if along == dim => Some(
                matches!(first[dim].checked_add(self.operands[1].dims[dim]), Some(sum) if sum == made[dim]),
            ),
            ShapedOp::Update => {
                Some(self.operands[1].dims[dim] <= first[dim] && made[dim] == first[dim])
            }
            _ => None,
        }
    }
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The product of the factors of a dimension.
const fn product(factors: &Factors, tensor: usize, dim: usize) -> usize {
    let (mut size, mut at) = (1_usize, 0);
    while at < factors.len {
        if is_of(factors, at, tensor, dim) {
            size = size.saturating_mul(factors.items[at].size);
        }
        at += 1;
    }
    size
}
