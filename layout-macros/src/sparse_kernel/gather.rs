//! Sums along the last level of an operand, the innermost loop of most kernels: made by the runtime in four lanes.

use super::emit::Emit;
use super::stmts::is_as_stored;
use layout_core::sparse::{LevelFormat, SparseEncoding};
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Emit<'_> {
    /// `for (p, j) in a.level1[i] { s += a[p] * x[j]; }` as one call.
    pub(crate) fn gathered(&self, iter: &LevelIter, body: &Block) -> Option<TokenStream> {
        let [Stmt::Accumulate { local, value }] = body.as_slice() else { return None };
        let encoding = self.encoding(iter.operand)?;
        let last = iter.level + 1 == encoding.levels().len();
        let known = !matches!(self.kernel.reduction, Reduction::Custom { .. });
        if !(last && known && is_as_stored(iter) && iter.end.is_none() && is_covered(encoding)) {
            return None;
        }
        let mut vectors = Vec::new();
        if !self.gathers(iter, value, &mut vectors) {
            return None;
        }
        let operand = self.names.operand(iter.operand);
        let gather = self.names.other(format!("{operand}_row"));
        let known = self.uses.borrow().gathers.get(&(iter.operand, vectors.clone())).cloned();
        let gather = known.unwrap_or_else(|| {
            let count = self.uses.borrow().gathers.len();
            let name =
                if count == 0 { gather } else { self.names.other(format!("{operand}_row{count}")) };
            self.uses.borrow_mut().gathers.insert((iter.operand, vectors.clone()), name.clone());
            name
        });
        // In the closure, the operands' names stand for their values at the place.
        let parameters: Vec<_> = vectors.iter().map(|vector| self.names.operand(*vector)).collect();
        let term = self.value_in(value, 0, &|value| match value {
            Value::Load { operand, at: Int::Var(var) } => {
                let here = *var == iter.place || *var == iter.coordinate;
                let name = self.names.operand(*operand);
                here.then(|| self.widen(quote!(#name)))
            }
            _ => None,
        });
        let (identity, reduce) = (self.identity(), self.reducer());
        let arguments = quote!(#identity, |#operand, [#(#parameters),*]| #term, #reduce);
        let local_name = quote::ToTokens::to_token_stream(&self.names.local(*local));
        if let Segment::Below(above) = &iter.segment
            && !self.is_asked(*local)
        {
            let above = self.int(above);
            return Some(
                self.reduce_into(&local_name, quote!(#gather.reduce_below(#above, #arguments))),
            );
        }
        let places = self.segment(iter.operand, iter.level, &iter.segment);
        let range = self.names.other("places");
        let touched = self.is_asked(*local).then(|| {
            let touched = self.touched(*local);
            quote!(#touched |= !#range.is_empty();)
        });
        let reduce = self.reduce_into(&local_name, quote!(#gather.reduce(#range, #arguments)));
        Some(quote!(let #range = #places; #touched #reduce))
    }

    /// Whether a value reads its operand at the place, vectors at the coordinate, and nothing else that changes.
    fn gathers(&self, iter: &LevelIter, value: &Value, vectors: &mut Vec<OperandId>) -> bool {
        let varies = |int: &Int| mentions(int, iter.place) || mentions(int, iter.coordinate);
        match value {
            Value::Load { operand, at: Int::Var(var) } if *var == iter.place => {
                *operand == iter.operand
            }
            Value::Load { operand, at: Int::Var(var) } if *var == iter.coordinate => {
                let vector = self.kernel.operands[*operand].storage == (Storage::Dense { rank: 1 });
                if vector && !vectors.contains(operand) {
                    vectors.push(*operand);
                }
                vector && *operand != self.kernel.output
            }
            Value::Load { at, operand } => !varies(at) && *operand != self.kernel.output,
            Value::Literal(_) | Value::Zero | Value::Identity => true,
            Value::Unary(_, a) => self.gathers(iter, a, vectors),
            Value::Binary(_, a, b) => {
                self.gathers(iter, a, vectors) && self.gathers(iter, b, vectors)
            }
            Value::Select(c, a, b) => [c, a, b].iter().all(|v| self.gathers(iter, v, vectors)),
            Value::Call(_, arguments) => arguments.iter().all(|v| self.gathers(iter, v, vectors)),
            Value::LoadSum { .. } | Value::Local(_) | Value::Workspace { .. } | Value::Index(_) => {
                false
            }
        }
    }
}

/// Whether every place of the last level is below one of the level above, so that its coordinate was checked.
fn is_covered(encoding: &SparseEncoding) -> bool {
    let format = encoding.levels().last().map(|level| level.format);
    matches!(
        format,
        Some(LevelFormat::Compressed | LevelFormat::Singleton | LevelFormat::Structured { .. })
    ) && !encoding.counts()
        && encoding.batch_levels() == 0
        && !encoding.is_signed()
}

pub(crate) fn mentions(int: &Int, var: Var) -> bool {
    match int {
        Int::Var(other) => *other == var,
        Int::Const(_)
        | Int::Size(_)
        | Int::DimSize(..)
        | Int::LevelSize(..)
        | Int::LevelLeast(..) => false,
        Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Max(a, b) => {
            mentions(a, var) || mentions(b, var)
        }
        Int::Div(a, _) | Int::Rem(a, _) => mentions(a, var),
    }
}
