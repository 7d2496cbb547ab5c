//! Statements, one by one.

use super::emit::{Emit, each_block};
use super::ints::literal;
use layout_core::sparse::LevelFormat;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::TokenStream;
use quote::quote;

impl Emit<'_> {
    pub(crate) fn block(&self, block: &Block) -> TokenStream {
        if let Some(strip) = self.strip(block) {
            return strip;
        }
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    pub(crate) fn stmt(&self, stmt: &Stmt) -> TokenStream {
        if let Some(lanes) = self.lanes(stmt) {
            return lanes;
        }
        match stmt {
            Stmt::Let { var, value } => {
                if !self.is_natural(value) {
                    self.signed.borrow_mut().insert(*var);
                }
                let (var, value) = (self.names.var(*var), self.typed(value));
                quote!(let #var = #value;)
            }
            Stmt::Range { var, to, hint, body } => self.range(*var, to, *hint, body),
            Stmt::Walk { iter, hint, body } => self.level_loop(iter, *hint, body),
            Stmt::Merge { .. } => self.merge(stmt),
            Stmt::Find { operand, level, segment, coordinate, place, end, found, absent } => {
                let (places, coordinate) =
                    (self.segment(*operand, *level, segment), self.int(coordinate));
                let level = self.level(*operand, *level);
                let (range, place) = (self.names.other("places"), self.names.var(*place));
                let group = end.map(|end| {
                    let end = self.names.var(end);
                    quote!(let #end = #level.group(#place, #range.end);)
                });
                let (found, absent) = (self.block(found), self.block(absent));
                let otherwise = if absent.is_empty() { quote!() } else { quote!(else { #absent }) };
                quote! {
                    let #range = #places;
                    if let ::core::option::Option::Some(#place) = #level.find(#range.clone(), #coordinate) {
                        #group
                        #found
                    } #otherwise
                }
            }
            Stmt::Inside { because: Because::Blocks(..), then, .. } if self.exact.get() => {
                self.block(then)
            }
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
                let touched = self.is_asked(*local).then(|| {
                    let touched = self.touched(*local);
                    quote!(let mut #touched = false;)
                });
                quote!(let mut #name: #wide = #value; #touched)
            }
            Stmt::Accumulate { local, value } => {
                let name = self.names.local(*local);
                let reduce = self.reduce_into(&quote!(#name), self.value(value));
                let touched = self.is_asked(*local).then(|| {
                    let touched = self.touched(*local);
                    quote!(#touched = true;)
                });
                quote!(#reduce #touched)
            }
            Stmt::IfTouched { local, then } => {
                let (touched, then) = (self.touched(*local), self.block(then));
                quote!(if #touched { #then })
            }
            Stmt::Store { at, reduce, value } => {
                let (target, value) = (self.output_at(at), self.value(value));
                match reduce {
                    true => self.write(&target, value),
                    false => quote!(#target = #value;),
                }
            }
            Stmt::Append { index, levels, value } => {
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
            Stmt::Scatter { workspace, at, value } => {
                let (name, at) = (self.names.workspace(*workspace), self.int(at));
                let value = self.value(value);
                match self.kernel.workspaces[*workspace].tracked {
                    true => {
                        let reduce = self.reducer();
                        quote!(#name.scatter(#at, #value, #reduce);)
                    }
                    false => self.reduce_into(&quote!(#name[#at]), value),
                }
            }
            Stmt::Drain { workspace, at, value, body } => {
                let (name, at) = (self.names.workspace(*workspace), self.names.var(*at));
                let value = self.names.local(*value);
                let ok = quote!(::core::result::Result::Ok);
                if self.is_segment(stmt) {
                    let push = self.push(body);
                    let drain = quote!(#name.drain(|#at, #value| { #push #ok(()) })?;);
                    return self.segment_of(stmt, quote!(#name.most()), drain);
                }
                let body = self.block(body);
                let error = quote!(::tensor_layout::sparsify::KernelError);
                quote!(#name.drain(|#at, #value| { #body #ok::<(), #error>(()) })?;)
            }
            Stmt::Clear { workspace } => {
                let (name, identity) = (self.names.workspace(*workspace), self.identity());
                quote!(#name.fill(#identity);)
            }
        }
    }

    fn range(&self, var: Var, to: &Int, hint: Hint, body: &Block) -> TokenStream {
        let (name, to, inner) = (self.names.var(var), self.typed(to), self.block(body));
        if self.is_parted(hint) {
            let rows = self.names.other("rows");
            return quote!(for #name in #rows { #inner });
        }
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
        self.parts.is_some() && hint.parallel
    }

    fn level_loop(&self, iter: &LevelIter, hint: Hint, body: &Block) -> TokenStream {
        self.holding(iter, body, &|| self.level_entries(iter, hint, body))
    }

    fn level_entries(&self, iter: &LevelIter, hint: Hint, body: &Block) -> TokenStream {
        if let Some(sum) = self.gathered(iter, body) {
            return sum;
        }
        let plain = iter.end.is_none() && is_as_stored(iter);
        self.note_sign(iter);
        let (place, coordinate) = (self.names.var(iter.place), self.names.var(iter.coordinate));
        let level = self.level(iter.operand, iter.level);
        if plain
            && let Segment::Below(above) = &iter.segment
            && self.format(iter.operand, iter.level) == Some(LevelFormat::Singleton)
        {
            let (above, body) = (self.int(above), self.block(body));
            return quote! {
                let #place = #above;
                let #coordinate = #level.coordinate(#place);
                #body
            };
        }
        let places = self.segment(iter.operand, iter.level, &iter.segment);
        if plain {
            let (loaded, mut asks) = (self.load_before(iter, body), self.ask_ahead(iter, body));
            asks.extend(self.ask_below(iter, body));
            if let (None, Some(scattered)) = (hint.unroll, self.scattered(iter, body)) {
                self.loaded.borrow_mut().clear();
                return quote!(#loaded #scattered);
            }
            let body = self.block(body);
            self.loaded.borrow_mut().clear();
            let Some(times) = hint.unroll else {
                return quote!(#loaded for (#place, #coordinate) in #level.entries(#places) { #asks #body });
            };
            let entries = self.names.other("entries");
            let next = quote! {
                let ::core::option::Option::Some((#place, #coordinate)) = #entries.next() else { break; };
            };
            let copies = (0..times).map(|_| quote!({ #next #asks #body }));
            return quote! {
                #loaded
                let mut #entries = #level.entries(#places);
                loop { #(#copies)* }
            };
        }
        let walk = self.walk_name(iter);
        let (new, bind, pass) = self.walk(iter, &quote!(#walk.coordinate()));
        let body = self.block(body);
        quote! {
            let mut #walk = #new;
            while #walk.coordinate() != ::core::primitive::i64::MAX {
                let #coordinate = #walk.coordinate() as usize;
                #bind
                #body
                #pass
            }
        }
    }

    /// What a loop that only scatters loads at places that it does not change: rustc cannot know that what is scattered to is
    /// not what is loaded.
    fn load_before(&self, iter: &LevelIter, body: &Block) -> TokenStream {
        let [Stmt::Scatter { value, .. }] = &body[..] else { return TokenStream::new() };
        let mut binds = TokenStream::new();
        super::leaf::loads(value, &mut |operand, at| {
            let changes = [Some(iter.place), Some(iter.coordinate), iter.end];
            let changes = changes.iter().flatten().any(|var| super::gather::mentions(at, *var));
            if changes || self.kernel.operands[operand].storage == Storage::Scalar {
                return;
            }
            let name = {
                let count = self.loaded.borrow().len();
                self.names.other(format!("{}_value{count}", self.kernel.operands[operand].name))
            };
            let value = self.value(&Value::Load { operand, at: at.clone() });
            binds.extend(quote!(let #name = #value;));
            self.loaded.borrow_mut().push((operand, at.clone(), name));
        });
        binds
    }

    /// A loop over a segment in order that only scatters to its coordinates: the first and the last one tell between which.
    fn scattered(&self, iter: &LevelIter, body: &Block) -> Option<TokenStream> {
        let [Stmt::Scatter { workspace, at, value }] = &body[..] else { return None };
        let encoding = self.encoding(iter.operand)?;
        let of = encoding.levels()[iter.level];
        let ordered = of.format == LevelFormat::Compressed && !of.properties.nonordered;
        let tracked = self.kernel.workspaces[*workspace].tracked;
        if !(ordered && tracked && *at == Int::Var(iter.coordinate) && !encoding.is_signed()) {
            return None;
        }
        let places = self.segment(iter.operand, iter.level, &iter.segment);
        let (place, coordinate) = (self.names.var(iter.place), self.names.var(iter.coordinate));
        let (level, range) = (self.level(iter.operand, iter.level), self.names.other("places"));
        let (name, value, reduce) =
            (self.names.workspace(*workspace), self.value(value), self.reducer());
        Some(quote! {
            let #range = #places;
            if !#range.is_empty() {
                #name.cover(#level.coordinate(#range.start), #level.coordinate(#range.end - 1));
            }
            for (#place, #coordinate) in #level.entries(#range) {
                #name.add(#coordinate, #value, #reduce);
            }
        })
    }

    /// In a loop over the entries of a level, each of which reads a segment of another operand: asks for one of those that
    /// are read later.
    fn ask_below(&self, iter: &LevelIter, body: &Block) -> Option<TokenStream> {
        let [Stmt::Walk { iter: inner, .. }] = &body[..] else { return None };
        let Segment::Below(Int::Var(above)) = &inner.segment else { return None };
        let last = self.encoding(inner.operand)?.levels().len() == inner.level + 1;
        (*above == iter.coordinate && last).then(|| {
            let (level, place) = (self.level(iter.operand, iter.level), self.names.var(iter.place));
            let (below, values) =
                (self.level(inner.operand, inner.level), self.names.values(inner.operand));
            quote!(::tensor_layout::__private::sparse::ask_below(#level, #place, #below, #values);)
        })
    }

    /// The places of a segment.
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

    pub(crate) fn note_sign(&self, iter: &LevelIter) {
        let signed = self.encoding(iter.operand).is_some_and(|encoding| encoding.is_signed());
        if signed || iter.shift.is_some() {
            self.signed.borrow_mut().insert(iter.coordinate);
        }
    }

    /// Whether a kernel asks if something was accumulated in a local.
    pub(crate) fn is_asked(&self, local: Local) -> bool {
        fn asks(block: &Block, local: Local) -> bool {
            block.iter().any(|stmt| {
                let mut found =
                    matches!(stmt, Stmt::IfTouched { local: asked, .. } if *asked == local);
                each_block(stmt, &mut |inner| found |= asks(inner, local));
                found
            })
        }
        asks(&self.kernel.body, local)
    }

    pub(crate) fn touched(&self, local: Local) -> proc_macro2::Ident {
        self.names.other(format!("{}_touched", self.kernel.locals[local.0]))
    }
}

/// Whether coordinates are those that are stored.
pub(crate) fn is_as_stored(iter: &LevelIter) -> bool {
    iter.div == 1 && iter.modulus.is_none() && iter.shift.is_none()
}
