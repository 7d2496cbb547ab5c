//! Statements, one by one.

use super::emit::Emit;
use super::ints::literal;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The largest number of rows of a strip for which statements are written out one by one, because rustc does not keep the sums
/// of a loop over rows in registers.
const MAX_WRITTEN: i64 = 8;

impl Emit<'_> {
    pub(crate) fn block(&self, block: &Body) -> TokenStream {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    pub(crate) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let { var, value } => {
                let (var, value) = (self.names.var(*var), self.typed(value));
                quote!(let #var = #value;)
            }
            Stmt::Range { var, to, hint, body } => self.range(*var, to, *hint, body),
            Stmt::Entries { iter, hint, body } => {
                let entries = self.level_loop(iter, *hint, body);
                match self.marked_alone(body) {
                    Some(segment) => quote!(if !(#segment).is_empty() { #entries }),
                    None => entries,
                }
            }
            Stmt::Merge { .. } => self.merge(stmt),
            Stmt::Find { .. } => self.find(stmt),
            Stmt::Inside { value, limit, then, otherwise, .. } => {
                let (value, limit) = (self.int(value), self.int(limit));
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                let otherwise =
                    if otherwise.is_empty() { quote!() } else { quote!(else { #otherwise }) };
                quote!(if #value < #limit { #then } #otherwise)
            }
            Stmt::When { condition, then } => {
                let zero = self.value(&Value::Zero);
                let (condition, then) = (self.value_in(condition, 3, &|_| None), self.block(then));
                quote!(if #condition != #zero { #then })
            }
            Stmt::Local { local, value } => {
                let (name, wide, value) =
                    (self.names.local(*local), self.wide(), self.value(value));
                let touched = self.set_touched(*local, |touched| quote!(let mut #touched = false;));
                quote!(let mut #name: #wide = #value; #touched)
            }
            Stmt::Accumulate { local, value } => {
                let name = self.names.local(*local);
                let reduce = self.reduce_into(&quote!(#name), self.value(value));
                let touched = self.set_touched(*local, |touched| quote!(#touched = true;));
                quote!(#reduce #touched)
            }
            Stmt::IfTouched { local, then } => {
                let (touched, then) = (self.touched(*local), self.block(then));
                quote!(if #touched { #then })
            }
            Stmt::Store { at, reduce, value } => {
                let (target, value) = (self.output_at(at), self.value(value));
                self.write(&target, *reduce, value)
            }
            Stmt::Append(entry) => self.append(entry),
            Stmt::Scatter { workspace, at, value } => self.scatter(*workspace, at, value),
            Stmt::Drain { workspace, at, value, body } => {
                let (name, at) = (self.names.workspace(*workspace), self.names.var(*at));
                let value = self.names.local(*value);
                let ok = quote!(::core::result::Result::Ok);
                let body = self.block(body);
                let error = quote!(::tensor_layout::sparsify::KernelError);
                quote!(#name.drain(|#at, #value| { #body #ok::<(), #error>(()) })?;)
            }
            Stmt::Fill => {
                let (values, identity) = (self.names.values(self.kernel.output), self.identity());
                quote!(#values.fill(#identity);)
            }
            Stmt::IfDivides { blocks, then, otherwise } => {
                let even = blocks.iter().map(|(index, block)| {
                    let (size, block) = (self.size_name(*index), literal(*block as u64));
                    quote!(#size % #block == 0)
                });
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                quote!(if #(#even)&&* { #then } else { #otherwise })
            }
            Stmt::Gather { local, iter, vectors, term, .. } => {
                self.gather(*local, iter, vectors, term)
            }
            Stmt::ScatterSegment { workspace, iter, value } => {
                self.scatter_segment(*workspace, iter, value)
            }
            Stmt::DrainSegment { workspace, at, value, entry } => {
                self.drain_segment(*workspace, *at, *value, entry)
            }
            Stmt::Union { var, iters, levels, values, .. } => {
                self.union(*var, iters, levels, values)
            }
            Stmt::Panels { product, body } => self.panels(product, body),
            Stmt::Strips { lanes, rows, groups, body } => self.strips(lanes, *rows, *groups, body),
            Stmt::Lanes { lane, body } => {
                let (lane, lanes) = (self.names.var(*lane), self.lanes());
                let body = self.block(body);
                quote!(for #lane in 0..#lanes { #body })
            }
            Stmt::Add { row, lane, value } => {
                let (sums, row, lane) = (self.sums(), self.int(row), self.int(lane));
                self.reduce_into(&quote!(#sums[#row][#lane]), self.value_in(value, 2, &|_| None))
            }
            Stmt::StoreLanes { at, lane, row, reduce } => self.store_lanes(at, *lane, row, *reduce),
            Stmt::Vector { vector, at } => self.vector(*vector, at),
            Stmt::Prefetch { .. } => self.prefetch(stmt),
            Stmt::PrefetchBelow { operand, level, position, below: (of, last) } => {
                let (level, position) = (self.level(*operand, *level), self.names.var(*position));
                let (below, values) = (self.level(*of, *last), self.names.values(*of));
                quote!(::tensor_layout::__private::sparse::ask_below(#level, #position, #below, #values);)
            }
        }
    }

    /// A search for a coordinate.
    fn find(&self, stmt: &Stmt) -> TokenStream {
        let Stmt::Find { operand, level, segment, coordinate, position, end, found, absent } = stmt
        else {
            return TokenStream::new();
        };
        let (positions, coordinate) =
            (self.segment(*operand, *level, segment), self.int(coordinate));
        let level = self.level(*operand, *level);
        let (range, position) = (self.names.other("positions"), self.names.var(*position));
        let group = end.map(|end| {
            let end = self.names.var(end);
            quote!(let #end = #level.group(#position, #range.end);)
        });
        let (found, absent) = (self.block(found), self.block(absent));
        let otherwise = if absent.is_empty() { quote!() } else { quote!(else { #absent }) };
        quote! {
            let #range = #positions;
            if let ::core::option::Option::Some(#position) = #level.find(#range.clone(), #coordinate) {
                #group
                #found
            } #otherwise
        }
    }

    fn append(&self, Entry { index, levels, value }: &Entry) -> TokenStream {
        let name = self.names.operand(self.kernel.output);
        let (index, value) = (index.iter().map(|x| self.int(x)), self.value(value));
        match self.kernel.result {
            OutputMode::Append => {
                let levels = levels.iter().map(|x| self.int(x));
                let value = self.narrow(value);
                quote!(#name.push([#(#index),*], [#(#levels),*], #value)?;)
            }
            _ => quote!(#name.push(([#(#index),*], #value));),
        }
    }

    fn scatter(&self, workspace: WorkspaceId, at: &Int, value: &Value) -> TokenStream {
        let (name, at) = (self.names.workspace(workspace), self.int(at));
        let value = self.value(value);
        match self.kernel.workspaces[workspace].tracked {
            true => {
                let reduce = self.reducer();
                quote!(#name.scatter(#at, #value, #reduce);)
            }
            false => self.reduce_into(&quote!(#name[#at]), value),
        }
    }

    /// The statement that records whether something was accumulated in a local, if the kernel checks that.
    fn set_touched(
        &self,
        local: Local,
        set: impl FnOnce(Ident) -> TokenStream,
    ) -> Option<TokenStream> {
        self.is_asked(local).then(|| set(self.touched(local)))
    }

    fn prefetch(&self, stmt: &Stmt) -> TokenStream {
        let Stmt::Prefetch { operand, level, position, coordinate, of, at } = stmt else {
            return TokenStream::new();
        };
        let (level, values) = (self.level(*operand, *level), self.names.values(*of));
        let (position, coordinate) = (self.names.var(*position), self.names.var(*coordinate));
        let (lanes, at) = (self.lanes(), self.int(at));
        quote! {
            ::tensor_layout::__private::sparse::ask_ahead::<_, _, _, #lanes>(
                #level, #position, #values, |#coordinate| #at,
            );
        }
    }

    fn range(&self, var: Var, to: &Int, hint: Hint, body: &Body) -> TokenStream {
        let (name, inner) = (self.names.var(var), self.block(body));
        if self.is_parted(hint) {
            let rows = self.names.other("rows");
            return quote!(for #name in #rows { #inner });
        }
        if let (Int::Const(rows), [stmt]) = (to, &body[..])
            && (1..=MAX_WRITTEN).contains(rows)
            && is_row(stmt)
        {
            let rows = (0..*rows as u64).map(literal);
            return quote!(#({ let #name: usize = #rows; #inner })*);
        }
        let to = self.typed(to);
        match hint.unroll {
            Some(times) => {
                let (next, end) = (self.names.other("next"), self.names.other("end"));
                let count = literal(times as u64);
                let copies = (0..times as u64).map(|copy| {
                    let copy = literal(copy);
                    quote!({ let #name = #next + #copy; #inner })
                });
                quote! {
                    let (mut #next, #end) = (0, #to);
                    while #next + #count <= #end {
                        #(#copies)*
                        #next += #count;
                    }
                    for #name in #next..#end { #inner }
                }
            }
            _ => quote!(for #name in 0..#to { #inner }),
        }
    }

    /// Whether this is the loop that runs in parts.
    pub(crate) fn is_parted(&self, hint: Hint) -> bool {
        self.kernel.parts.is_some() && hint.parallel
    }

    /// Whether a kernel checks if something was accumulated in a local.
    pub(crate) fn is_asked(&self, local: Local) -> bool {
        let asks =
            |stmt: &Stmt| matches!(stmt, Stmt::IfTouched { local: asked, .. } if *asked == local);
        self.kernel.body.iter().any(|stmt| stmt.any(&mut |stmt| asks(stmt)))
    }

    pub(crate) fn touched(&self, local: Local) -> Ident {
        self.names.other(format!("{}_touched", self.kernel.locals[local.0]))
    }
}

/// Whether a statement reads or writes a row of sums.
fn is_row(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Lanes { .. } | Stmt::StoreLanes { .. } => true,
        Stmt::Store { value, .. } => value.any(&|value| matches!(value, Value::SumOfLanes { .. })),
        _ => false,
    }
}
