//! Loops that run in parts on several threads: the work for any range of iterations of the outermost loop, and how the parts
//! are combined into the output.

use super::emit::Emit;
use layout_core::sparse_kernel::ir::*;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// How the parts of a loop are combined into the output.
struct Combination {
    /// Whether each part writes to a slice of the output.
    writes_slice: bool,
    /// The statement that computes the first position of that slice.
    start: TokenStream,
    /// The type that a part returns.
    part: TokenStream,
    /// The statements that run all parts and make the output.
    made: TokenStream,
}

impl Emit<'_> {
    /// The loops as work for a range of iterations, each of which writes `height` rows, and a call of it for all of them.
    /// `fields` are the names and types of the operands.
    pub(crate) fn parts(
        &self,
        height: i64,
        fields: &[(Ident, TokenStream)],
        sizes: &TokenStream,
    ) -> TokenStream {
        let (kernel, body) = (self.kernel, self.body());
        let private = quote!(::tensor_layout::__private::sparse);
        let (result, error) =
            (quote!(::core::result::Result), quote!(::tensor_layout::sparsify::KernelError));
        let (element, wide) = (&self.element, self.wide());
        let values = self.names.values(kernel.output);
        let (life, rows) = (self.names.other("life"), self.names.other("rows"));
        let Combination { writes_slice, start, part, made } = self.combination(height, &rows);
        let (names, types): (Vec<_>, Vec<_>) = fields.iter().cloned().unzip();
        let (field, taken) = match writes_slice {
            true => (quote!(output: &'a mut [#wide],), quote!(output: #values,)),
            false => (quote!(), quote!()),
        };
        let dense = matches!(kernel.operands[kernel.output].storage, Storage::Dense { .. });
        // A part that is appended to uses the memory of a part that has been joined.
        let appends = !writes_slice
            && kernel.result == OutputMode::Append
            && self.encoding(kernel.output).is_some();
        let old = self.names.other("old");
        let (field, taken, given, passed) = match appends {
            true => {
                let field = quote!(old: ::core::option::Option<#part>,);
                (field, quote!(old: #old,), quote!(old), quote!(, old))
            }
            false => (field, taken, quote!(_), quote!()),
        };
        let run = match (dense, writes_slice) {
            (true, _) => computes_rows(
                element,
                &quote!(#private::in_wide(output, |output| {
                    #private::run(__Part { kernel: *self, rows, output })
                })),
            ),
            (false, true) => {
                computes_rows(&wide, &quote!(#private::run(__Part { kernel: *self, rows, output })))
            }
            (false, false) => quote! {
                impl #private::Parts for __Kernel<'_> {
                    type Part = #part;
                    #[inline]
                    fn part(
                        &self,
                        rows: ::core::ops::Range<usize>,
                        #given: ::core::option::Option<Self::Part>,
                    ) -> #result<Self::Part, #error> {
                        #private::run(__Part { kernel: *self, rows #passed })
                    }
                }
            },
        };
        quote! {
            #[derive(Clone, Copy)]
            struct __Kernel<'a> { #(#names: #types,)* #life: ::core::marker::PhantomData<&'a ()> }
            struct __Part<'a> {
                kernel: __Kernel<'a>,
                rows: ::core::ops::Range<usize>,
                #field
            }
            #run
            impl #private::Work for __Part<'_> {
                type Output = #result<#part, #error>;
                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Self { kernel: __Kernel { #(#names,)* .. }, rows: #rows, #taken } = self;
                    #sizes
                    #start
                    #body
                }
            }
            #sizes
            let kernel = __Kernel { #(#names,)* #life: ::core::marker::PhantomData };
            #made
        }
    }

    /// How the parts are combined, if each iteration writes `height` rows. `rows` is the name of the range of a part.
    fn combination(&self, height: i64, rows: &Ident) -> Combination {
        let kernel = self.kernel;
        let private = quote!(::tensor_layout::__private::sparse);
        let result = quote!(::core::result::Result);
        let (element, wide, height) =
            (&self.element, self.wide(), super::ints::literal(height as u64));
        let (output, values) =
            (self.names.operand(kernel.output), self.names.values(kernel.output));
        let (first, count) = (self.names.other("first"), self.iterations());
        let (writes_slice, start, part, made) = match (
            &kernel.operands[kernel.output].storage,
            kernel.result,
        ) {
            (Storage::Dense { .. } | Storage::Tiled { .. }, _) => {
                let mut shape = kernel.output_shape.iter().map(|size| self.int(size));
                let (count, widths) = (shape.next(), shape.collect::<Vec<_>>());
                let width = quote!(#height #(* #widths)*);
                // Each part of a product from panels copies these for itself.
                let is_panels = |stmt: &Stmt| matches!(stmt, Stmt::Panels { .. });
                let in_parts = match kernel.body.iter().any(|stmt| stmt.any(&mut |s| is_panels(s)))
                {
                    true => quote!(in_few_parts),
                    false => quote!(in_parts),
                };
                let made = quote! {
                    #private::#in_parts(&kernel, (#count).div_ceil(#height), #width, #output)
                };
                (true, quote!(let #first = #rows.start * (#width);), quote!(()), made)
            }
            (Storage::Scalar, _) => {
                let (identity, reduce) = (self.identity(), self.reduced(quote!(s), quote!(t)));
                let number = self.narrow(quote!(#output));
                let functions = self.functions();
                let made = quote! {
                    #functions
                    let #output = #private::sum_of_parts(&kernel, #count, |s: #wide, t: #wide| #reduce)?
                        .unwrap_or(#identity);
                    #result::Ok(#number)
                };
                (false, quote!(), wide.clone(), made)
            }
            (Storage::Sparse(_), OutputMode::Collect { unique }) => {
                let reduce = self.reduced(quote!(s), quote!(t));
                let shape = self.shape(kernel.output);
                let (encoding, functions) = (&self.encodings[kernel.output], self.functions());
                let rank = kernel.output_shape.len();
                let made = quote! {
                    #functions
                    let #output = #private::parts(&kernel, #count)?;
                    #private::collected::<#encoding, #element>(
                        #shape, #private::listed(#output)?, #unique, |s: #wide, t: #wide| #reduce,
                    )
                };
                let entry = quote!(([::core::primitive::usize; #rank], #wide));
                (false, quote!(), quote!(#private::Vec<#entry>), made)
            }
            (Storage::Sparse(encoding), OutputMode::Append) => {
                let (ty, levels) = (&self.encodings[kernel.output], encoding.levels().len());
                let shape = self.shape(kernel.output);
                let appender = quote!(#private::Appender::<#ty, #element, #levels>);
                let made = quote!(#private::joined(#shape, &kernel, #count));
                (false, quote!(), appender, made)
            }
            (Storage::Sparse(_), OutputMode::Positions | OutputMode::Pattern(_)) => {
                let of = match kernel.result {
                    OutputMode::Pattern(of) => self.names.operand(of),
                    _ => output.clone(),
                };
                let run = quote!(#private::in_parts_of(&kernel, #of, #count, #height, #values));
                let start = quote!(let #first = #private::first_value(#of, #rows.start * #height););
                (true, start, quote!(()), run)
            }
        };
        Combination { writes_slice, start, part, made }
    }

    /// The number of iterations of the loop that runs in parts.
    pub(crate) fn iterations(&self) -> TokenStream {
        let parted = |stmt: &Stmt| match stmt {
            Stmt::Range { to, hint, .. } if self.is_parted(*hint) => Some(self.typed(to)),
            _ => None,
        };
        let mut found = None;
        for stmt in &self.kernel.body {
            stmt.any(&mut |stmt| {
                found = found.take().or_else(|| parted(stmt));
                found.is_some()
            });
        }
        found.unwrap_or_else(|| quote!(0))
    }
}

/// A kernel that computes any rows of an array of `element`, by the expression `run`.
pub(super) fn computes_rows(element: &TokenStream, run: &TokenStream) -> TokenStream {
    quote! {
        impl ::tensor_layout::__private::sparse::Rows<#element> for __Kernel<'_> {
            #[inline]
            fn rows(
                &self,
                rows: ::core::ops::Range<usize>,
                output: &mut [#element],
            ) -> ::core::result::Result<(), ::tensor_layout::sparsify::KernelError> {
                #run
            }
        }
    }
}
