//! Functions whose sparse output has positions and coordinates that are known before the loops run: one that returns the
//! output, and one that recomputes the values of a given output.

use super::emit::Emit;
use super::function::{Function, Target, docs, sizes, sizes_and_checks};
use crate::rust::unraw;
use layout_core::sparse_kernel::ir::OutputMode;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Function<'_> {
    /// `f` and `f_into`, which share their loops.
    pub(super) fn in_place(&self, emit: &Emit<'_>) -> TokenStream {
        let kernel = emit.kernel;
        let (attributes, visibility, name) = self.head();
        let called = unraw(&name);
        let into = Ident::new(&format!("{called}_into"), name.span());
        let loops = format_ident!("__{called}_loops");
        let conditions = self.conditions();
        // The documentation is that of the function.
        let others = attributes.iter().filter(|attribute| !attribute.path().is_ident("doc"));
        let parameters = self.syntax.parameters.iter().map(|operand| self.parameter(operand));
        let parameters: Vec<_> = parameters.collect();
        let (returned, generics) = (self.returned(), self.generics());
        let (views, (arguments, typed)) = (self.views(emit), self.passed(emit));
        let (work, sizes) = (self.work(emit, Target::Values), sizes(emit, false));
        let (all, docs, ranks) = (sizes_and_checks(emit), docs(kernel), self.ranks());
        let known = self.static_checks(kernel);
        let (traits, bounds) = (self.sizes([&known]), known.bounds);
        let output_name = self.operand_name(&self.syntax.output);
        let output_type = self.output_type(&self.syntax.output);
        let (output, values) =
            (emit.names.operand(kernel.output), emit.names.values(kernel.output));
        let (shape, wide, identity) = (emit.shape(kernel.output), emit.wide(), emit.identity());
        let private = quote!(::tensor_layout::__private::sparse);
        let written = &kernel.operands[kernel.output].name;
        // A tensor with the positions and coordinates of the output, the check that a given one has them, and the docs of that.
        let (made, check, same) = match kernel.result {
            OutputMode::Pattern(of) => (
                {
                    let of = emit.names.operand(of);
                    quote!(#of.clone())
                },
                {
                    let (of, read) = (emit.names.operand(of), &kernel.operands[of].name);
                    quote!(#private::same_pattern((#written, #output), (#read, #of))?;)
                },
                format!(
                    "has the shape, the positions and the coordinates of `{}`",
                    kernel.operands[of].name
                ),
            ),
            _ => {
                let (encoding, element) = (&emit.encodings[kernel.output], &emit.element);
                let levels = emit.encoding(kernel.output).map_or(0, |e| e.levels().len());
                (
                    quote!(#private::full::<#encoding, #element, #levels>(#shape)?),
                    quote!(#private::same_shape(#written, #output.shape(), #shape)?;),
                    "has the shape that is computed".to_string(),
                )
            }
        };
        let recomputes = format!(
            "As [`{called}`], but recomputes the values of a given `{written}`: what they were does not matter, even where the \
             statement says `+=`. Allocates no output if the elements have 32 bits or more."
        );
        let errors = format!(
            "As [`{called}`], and unless `{written}` {same}, as one does that [`{called}`] made of such operands. A `{written}` \
             that does not is left as it is."
        );
        quote! {
            #ranks
            #traits
            #(#attributes)*
            #docs
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused_variables, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned
            where
                #bounds
            {
                #views
                #sizes
                #all
                let #output = #made;
                let mut #values = #private::filled::<#wide>(#output.values().len(), #identity)?;
                #loops(#(#arguments,)* &mut #values)?;
                ::core::result::Result::Ok(#private::with_values(#output, #values))
            }

            #(#others)*
            #[doc = #recomputes]
            ///
            /// # Errors
            #[doc = #errors]
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused_variables, non_snake_case, non_camel_case_types)]
            #visibility fn #into<#generics>(
                #(#parameters,)*
                #output_name: &mut #output_type,
            ) -> ::core::result::Result<(), ::tensor_layout::sparsify::KernelError>
            where
                #bounds
            {
                let #output = #output_name;
                #views
                #sizes
                #all
                #check
                #private::in_wide(#output.values_mut(), |#values| {
                    #values.fill(#identity);
                    #loops(#(#arguments,)* #values)
                })
            }

            #(#conditions)*
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case)]
            fn #loops(
                #(#typed,)*
                #values: &mut [#wide],
            ) -> ::core::result::Result<(), ::tensor_layout::sparsify::KernelError> {
                #sizes
                #work
            }
        }
    }
}
