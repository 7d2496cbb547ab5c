//! Register strips: rows of sums as arrays of a fixed length, and the vectors that are added to them.

use super::emit::Emit;
use super::ints::literal;
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Emit<'_> {
    /// The sums of a strip.
    pub(crate) fn sums(&self) -> Ident {
        self.names.other("sums")
    }

    /// The name of the number of lanes of a strip.
    pub(crate) fn lanes(&self) -> Ident {
        self.names.other("LANES")
    }

    /// Sums and the statements that use them; for lanes of an index, once for each width. With the widths 16, 4 and 1, an index of
    /// size 39 has two strips of 16 lanes, one of 4, and three of 1.
    pub(crate) fn strips(
        &self,
        lanes: &Lanes,
        rows: i64,
        groups: Option<(Var, i64)>,
        body: &Body,
    ) -> TokenStream {
        let (identity, sums, count) = (self.identity(), self.sums(), self.lanes());
        let (rows, body) = (literal(rows as u64), self.block(body));
        let usize = quote!(::core::primitive::usize);
        let one = quote! {
            let mut #sums = [[#identity; #count]; #rows];
            #body
        };
        let one = match groups {
            Some((group, number)) => {
                let (group, number) = (self.names.var(group), literal(number as u64));
                quote!(for #group in 0..#number { #one })
            }
            None => one,
        };
        match lanes {
            Lanes::Block { size } => {
                let size = literal(*size as u64);
                quote!({ const #count: #usize = #size; #one })
            }
            Lanes::Index { first, to, widths } => {
                let (first, to) = (self.names.var(*first), self.int(to));
                let widths = widths.iter().map(|width| literal(*width as u64));
                let widths: Vec<_> = widths.collect();
                quote! {{
                    let mut #first = 0usize;
                    #(while #first + #widths <= #to {
                        const #count: #usize = #widths;
                        #one
                        #first += #count;
                    })*
                }}
            }
        }
    }

    /// Writes a row of sums to the output.
    pub(crate) fn store_lanes(&self, at: &Int, lane: Var, row: &Int, reduce: bool) -> TokenStream {
        let (values, at) = (self.names.values(self.kernel.output), self.output_position(at));
        let (sums, lane, lanes, row) =
            (self.sums(), self.names.var(lane), self.lanes(), self.int(row));
        let write = self.write(&quote!(out[#lane]), reduce, quote!(#sums[#row][#lane]));
        quote! {
            let out = ::tensor_layout::__private::sparse::lanes_mut::<_, #lanes>(#values, #at);
            for #lane in 0..#lanes { #write }
        }
    }

    /// Loads a vector, and widens its elements once for all uses.
    pub(crate) fn vector(&self, vector: VectorId, at: &Int) -> TokenStream {
        let Vector { name, operand, len } = &self.kernel.vectors[vector];
        let (name, values, at) =
            (self.names.other(name), self.names.values(*operand), self.position(*operand, at));
        let private = quote!(::tensor_layout::__private::sparse);
        let widened = |vector: TokenStream| match self.is_wide(*operand) {
            true => quote!(let #name = #vector;),
            false => {
                let wide = self.widen_from(*operand, quote!(value));
                quote!(let #name = #private::each(#vector, |value| #wide);)
            }
        };
        match len {
            VectorLen::One => {
                let value = self.widen_from(*operand, quote!(#values[#at]));
                quote!(let #name = #value;)
            }
            VectorLen::Lanes => {
                let lanes = self.lanes();
                widened(quote!(#private::lanes::<_, #lanes>(#values, #at)))
            }
            VectorLen::Fixed(len) => {
                let len = literal(*len as u64);
                // The values of sparse operands are consecutive.
                let lanes = match self.encoding(*operand) {
                    Some(_) => quote!(stored_lanes),
                    None => quote!(lanes),
                };
                widened(quote!(#private::#lanes::<_, #len>(#values, #at)))
            }
        }
    }

    /// Whether the elements of an operand already have the type in which the kernel computes.
    fn is_wide(&self, operand: OperandId) -> bool {
        let element = ElementType::parse(&self.kernel.operands[operand].element);
        !self.kernel.is_mixed(operand) && element.is_some_and(|element| element.wide() == element)
    }

    /// An element of a vector.
    pub(crate) fn vector_value(&self, vector: VectorId, at: &Int) -> TokenStream {
        let Vector { name, len, .. } = &self.kernel.vectors[vector];
        let name = self.names.other(name);
        match len {
            VectorLen::One => quote!(#name),
            VectorLen::Lanes | VectorLen::Fixed(_) => {
                let at = self.int(at);
                quote!(#name[#at])
            }
        }
    }
}
