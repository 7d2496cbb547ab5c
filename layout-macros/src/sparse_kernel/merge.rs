//! Loops over several iterators at once.

use super::emit::Emit;
use super::ints::literal;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emit<'_> {
    pub(crate) fn cursor_name(&self, iter: &LevelIter) -> Ident {
        let operand = &self.kernel.operands[iter.operand].name;
        self.names.other(format!("{operand}_{}", self.kernel.vars[iter.coordinate.0]))
    }

    /// A cursor: the expression that creates it, the statements that bind its variables, and the statement that moves it past a
    /// coordinate.
    pub(crate) fn cursor(
        &self,
        iter: &LevelIter,
        coordinate: &TokenStream,
    ) -> (TokenStream, TokenStream, TokenStream) {
        let (name, level) = (self.cursor_name(iter), self.level(iter.operand, iter.level));
        let segment = self.segment(iter.operand, iter.level, &iter.segment);
        let groups = iter.end.is_some();
        let map = match iter.is_as_stored() {
            true => quote!(::tensor_layout::__private::sparse::CoordinateMap::AS_STORED),
            false => {
                let div = literal(iter.digit.div as u64);
                let size = match iter.digit.size.map(|size| literal(size as u64)) {
                    Some(size) => quote!(::core::option::Option::Some(#size)),
                    None => quote!(::core::option::Option::None),
                };
                let shift = iter.shift.as_ref().map_or(quote!(0), |shift| self.int(shift));
                quote! {
                    ::tensor_layout::__private::sparse::CoordinateMap {
                        digit: ::tensor_layout::__private::sparse::Digit { div: #div, size: #size },
                        shift: (#shift) as i64,
                    }
                }
            }
        };
        let new = quote!(::tensor_layout::__private::sparse::LevelCursor::new(#level, #segment, #map, #groups));
        let position = self.names.var(iter.position);
        let end = iter.end.map(|end| {
            let end = self.names.var(end);
            quote!(let #end = #name.group();)
        });
        let bind = quote!(let #position = #name.position(); #end);
        (new, bind, quote!(#name.pass(#coordinate, #groups);))
    }

    pub(crate) fn merge(&self, stmt: &Stmt) -> TokenStream {
        let Stmt::Merge { var, iters, range, cases, gallop, marked, .. } = stmt else {
            return quote!();
        };
        if let Some(marked) = *marked {
            return self.marked(*var, iters, marked, cases);
        }
        let at = self.names.other("at");
        let cursors: Vec<_> = iters.iter().map(|iter| self.cursor(iter, &quote!(#at))).collect();
        let names: Vec<_> = iters.iter().map(|iter| self.cursor_name(iter)).collect();
        let starts =
            names.iter().zip(&cursors).map(|(name, (new, ..))| quote!(let mut #name = #new;));
        let starts: TokenStream = starts.collect();
        let var = self.names.var(*var);
        let arms = cases.iter().map(|case| {
            let present = &case.present;
            let bound = iters.iter().zip(&cursors).zip(present).filter(|(_, present)| **present);
            let binds = bound.map(|((iter, (_, bind, _)), _)| {
                let coordinate = self.names.var(iter.coordinate);
                quote!(let #coordinate = #var; #bind)
            });
            let binds: TokenStream = binds.collect();
            let body = self.block(&case.body);
            quote!((#(#present,)*) => { #binds #body })
        });
        let arms: Vec<_> = arms.collect();
        let otherwise = match arms.len() < 1 << iters.len() {
            true => quote!(_ => {}),
            false => quote!(),
        };
        let pass = cursors.iter().map(|(_, _, pass)| pass);
        let step = quote! {
            match (#(#names.coordinate() == #at,)*) { #(#arms)* #otherwise }
            #(#pass)*
        };
        if let Some(to) = range {
            let to = self.typed(to);
            return quote! {
                #starts
                for #var in 0..#to {
                    let #at = #var as i64;
                    #step
                }
            };
        }
        // If all must have the coordinate, the loop ends with the first cursor that ends, and each cursor advances to the
        // largest coordinate. Cursors at 2, 5 and 3 all advance to 5 or past it.
        let conjunction = cases.iter().all(|case| case.present.iter().all(|present| *present));
        if conjunction {
            let moves = names.iter().zip(iters).map(|(name, iter)| {
                let groups = iter.end.is_some();
                match gallop {
                    true => quote!(#name.gallop(#at, #groups);),
                    false => quote! {
                        while #name.coordinate() < #at { #name.pass(#name.coordinate(), #groups); }
                    },
                }
            });
            let largest = most(&names, "max");
            return quote! {
                #starts
                loop {
                    let #at = #largest;
                    if #at == ::core::primitive::i64::MAX { break; }
                    #(#moves)*
                    if !(#(#names.coordinate() == #at)&&*) { continue; }
                    let #var = #at as usize;
                    #step
                }
            };
        }
        let least = most(&names, "min");
        quote! {
            #starts
            loop {
                let #at = #least;
                if #at == ::core::primitive::i64::MAX { break; }
                let #var = #at as usize;
                #step
            }
        }
    }

    /// The marked segment of a merge, if the rest of a block does nothing, and nothing happens either if that segment is empty.
    pub(crate) fn marked_alone(&self, block: &Body) -> Option<TokenStream> {
        let mut rest = block.iter().filter(|stmt| !matches!(stmt, Stmt::PrefetchBelow { .. }));
        let (Some(Stmt::Merge { iters, cases, marked: Some(marked), .. }), None) =
            (rest.next(), rest.next())
        else {
            return None;
        };
        let iter = &iters[*marked];
        let needed = cases.iter().all(|case| case.present[*marked]);
        needed.then(|| self.segment(iter.operand, iter.level, &iter.segment))
    }

    /// A merge in which the coordinates of one iterator are looked up in the marked segment of the other one.
    fn marked(&self, var: Var, iters: &[LevelIter], marked: usize, cases: &[Case]) -> TokenStream {
        let (here, other) = (&iters[marked], &iters[1 - marked]);
        let marks = self.marks(here.operand, here.level);
        let segment = self.segment(here.operand, here.level, &here.segment);
        let range = self.segment(other.operand, other.level, &other.segment);
        let other_level = self.level(other.operand, other.level);
        let level = self.level(here.operand, here.level);
        let [at_here, at_other] = [here, other].map(|iter| self.names.var(iter.position));
        let var = self.names.var(var);
        let body = |both: bool| {
            let case = cases.iter().find(|case| case.present[marked] == both);
            let bound = iters.iter().enumerate().filter(|(at, _)| both || *at != marked);
            let names = bound.map(|(_, iter)| self.names.var(iter.coordinate));
            let body = self.block(&case?.body);
            Some(quote!(#(let #names = #var;)* #body))
        };
        let (both, only) = (body(true), body(false));
        if only.is_none() {
            return quote! {
                #marks.meet((#level, #segment), (#other_level, #range), |#at_here, #at_other, #var| {
                    #both
                    ::core::result::Result::Ok::<(), ::tensor_layout::sparsify::KernelError>(())
                })?;
            };
        }
        let positions = self.names.other("positions");
        quote! {
            let #positions = #segment;
            for (#at_other, #var) in #other_level.entries(#range) {
                match #marks.find(#level, &#positions, #var) {
                    ::core::option::Option::Some(#at_here) => { #both }
                    ::core::option::Option::None => { #only }
                }
            }
        }
    }
}

/// The smallest or the largest coordinate of all cursors.
fn most(names: &[Ident], which: &str) -> TokenStream {
    let which = Ident::new(which, proc_macro2::Span::mixed_site());
    let mut names = names.iter();
    let first = names.next();
    let first = quote!(#first.coordinate());
    names.fold(first, |most, name| quote!(::core::cmp::Ord::#which(#most, #name.coordinate())))
}
