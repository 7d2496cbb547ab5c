//! Loops over the entries of a level.

use super::emit::Emit;
use layout_core::sparse::LevelFormat;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Emit<'_> {
    /// A loop that one iterator drives.
    pub(crate) fn level_loop(&self, iter: &LevelIter, hint: Hint, body: &Body) -> TokenStream {
        let plain = iter.end.is_none() && iter.is_as_stored();
        let (position, coordinate) =
            (self.names.var(iter.position), self.names.var(iter.coordinate));
        let level = self.level(iter.operand, iter.level);
        if plain
            && let Segment::Below(above) = &iter.segment
            && self.format(iter.operand, iter.level) == Some(LevelFormat::Singleton)
        {
            let (above, body) = (self.int(above), self.block(body));
            return quote! {
                let #position = #above;
                let #coordinate = #level.coordinate(#position);
                #body
            };
        }
        let positions = self.segment(iter.operand, iter.level, &iter.segment);
        if plain {
            let body = self.block(body);
            let Some(times) = hint.unroll else {
                return quote!(for (#position, #coordinate) in #level.entries(#positions) { #body });
            };
            let entries = self.names.other("entries");
            let next = quote! {
                let ::core::option::Option::Some((#position, #coordinate)) = #entries.next() else { break; };
            };
            let copies = (0..times).map(|_| quote!({ #next #body }));
            return quote! {
                let mut #entries = #level.entries(#positions);
                loop { #(#copies)* }
            };
        }
        let cursor = self.cursor_name(iter);
        let (new, bind, pass) = self.cursor(iter, &quote!(#cursor.coordinate()));
        let body = self.block(body);
        quote! {
            let mut #cursor = #new;
            while #cursor.coordinate() != ::core::primitive::i64::MAX {
                let #coordinate = #cursor.coordinate() as usize;
                #bind
                #body
                #pass
            }
        }
    }

    /// `s += a_row.reduce_below(i, 0.0, |a, [x]| a * x, |s, t| s + t);`
    pub(crate) fn gather(
        &self,
        local: Local,
        iter: &LevelIter,
        vectors: &[OperandId],
        term: &Value,
    ) -> TokenStream {
        let operand = self.names.operand(iter.operand);
        let gather = self.names.other(format!("{operand}_row"));
        let known = self.uses.borrow().gathers.get(&(iter.operand, vectors.to_vec())).cloned();
        let gather = known.unwrap_or_else(|| {
            let count = self.uses.borrow().gathers.len();
            let name =
                if count == 0 { gather } else { self.names.other(format!("{operand}_row{count}")) };
            self.uses.borrow_mut().gathers.insert((iter.operand, vectors.to_vec()), name.clone());
            name
        });
        // In the closure, the names of the operands denote their values at the position.
        let parameters: Vec<_> = vectors.iter().map(|vector| self.names.operand(*vector)).collect();
        let term = self.value_in(term, 0, &|value| match value {
            Value::Load { operand, at: Int::Var(var) } => {
                let here = *var == iter.position || *var == iter.coordinate;
                let name = self.names.operand(*operand);
                here.then(|| self.widen_from(*operand, quote!(#name)))
            }
            _ => None,
        });
        let (identity, reduce) = (self.identity(), self.reducer());
        let arguments = quote!(#identity, |#operand, [#(#parameters),*]| #term, #reduce);
        let local_name = quote::ToTokens::to_token_stream(&self.names.local(local));
        if let Segment::Below(above) = &iter.segment
            && !self.is_asked(local)
            && !self.made.contains(&iter.operand)
        {
            let above = self.int(above);
            let sum = quote!(#gather.reduce_below(#above, #arguments));
            return self.reduce_into(&local_name, sum);
        }
        let positions = self.segment(iter.operand, iter.level, &iter.segment);
        let range = self.names.other("positions");
        let touched = self.is_asked(local).then(|| {
            let touched = self.touched(local);
            quote!(#touched |= !#range.is_empty();)
        });
        let reduce = self.reduce_into(&local_name, quote!(#gather.reduce(#range, #arguments)));
        quote!(let #range = #positions; #touched #reduce)
    }

    /// The first and the last coordinate of the segment bound the part of the workspace that is written.
    pub(crate) fn scatter_segment(
        &self,
        workspace: WorkspaceId,
        iter: &LevelIter,
        value: &Value,
    ) -> TokenStream {
        let positions = self.segment(iter.operand, iter.level, &iter.segment);
        let (position, coordinate) =
            (self.names.var(iter.position), self.names.var(iter.coordinate));
        let (level, range) = (self.level(iter.operand, iter.level), self.names.other("positions"));
        let (name, value, reduce) =
            (self.names.workspace(workspace), self.value(value), self.reducer());
        quote! {
            let #range = #positions;
            if !#range.is_empty() {
                #name.cover(#level.coordinate(#range.start), #level.coordinate(#range.end - 1));
            }
            for (#position, #coordinate) in #level.entries(#range) {
                #name.add(#coordinate, #value, #reduce);
            }
        }
    }

    /// The positions of a segment.
    pub(crate) fn segment(
        &self,
        operand: OperandId,
        level: usize,
        segment: &Segment,
    ) -> TokenStream {
        match segment {
            Segment::Below(above) => {
                let (level, above) = (self.level(operand, level), self.int(above));
                quote!(#level.below(#above))
            }
            Segment::Group(from, to) => {
                let (from, to) = (self.names.var(*from), self.names.var(*to));
                quote!(#from..#to)
            }
        }
    }

    fn format(&self, operand: OperandId, level: usize) -> Option<LevelFormat> {
        Some(self.encoding(operand)?.levels()[level].format)
    }
}
