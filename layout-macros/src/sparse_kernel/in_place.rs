//! Functions whose sparse output has positions and coordinates that are known before the loops run: one returns the output, and
//! one recomputes the values of a given output.

use super::emit::Emit;
use super::function::{Function, Target};
use super::pair::Pair;
use super::sizes::StaticChecks;
use layout_core::sparse_kernel::ir::OutputMode;
use proc_macro2::TokenStream;
use quote::quote;

impl Function<'_> {
    pub(super) fn in_place(&self, emit: &Emit<'_>) -> TokenStream {
        let kernel = emit.kernel;
        let names = self.pair_names();
        let (loops, called, (arguments, _)) = (names.loops, names.called, self.passed(emit));
        let output_type = self.output_type(&self.syntax.output);
        let given = self.operand_name(&self.syntax.output);
        let (output, values) =
            (emit.names.operand(kernel.output), emit.names.values(kernel.output));
        let (shape, wide, identity) = (emit.shape(kernel.output), emit.wide(), emit.identity());
        let private = quote!(::tensor_layout::__private::sparse);
        let written = &kernel.operands[kernel.output].name;
        // The check that a given tensor has the positions and coordinates of the output, and the documentation of that check.
        let (check, same) = match kernel.result {
            OutputMode::Pattern(of) => (
                {
                    let (of, read) = (emit.names.operand(of), &kernel.operands[of].name);
                    quote!(#private::same_pattern((#written, #output), (#read, #of))?;)
                },
                format!(
                    "has the shape, the positions and the coordinates of `{}`",
                    kernel.operands[of].name
                ),
            ),
            _ => (
                quote!(#private::same_shape(#written, #output.shape(), #shape)?;),
                "has the shape that is computed".to_string(),
            ),
        };
        let pair = Pair {
            made: self.made_in_place(emit),
            made_checks: StaticChecks::default(),
            given: quote! {
                let #output = #given;
                #check
                #private::in_wide(#output.values_mut(), |#values| {
                    #values.fill(#identity);
                    #loops(#(#arguments,)* #values)
                })
            },
            given_checks: StaticChecks::default(),
            given_type: quote!(&mut #output_type),
            lifetime: TokenStream::new(),
            type_parameter: TokenStream::new(),
            does: format!(
                "As [`{called}`], but recomputes the values of a given `{written}`: what they were does not matter. Allocates no \
                 output if the elements have 32 bits or more."
            ),
            errors: format!(
                "As [`{called}`], and unless `{written}` {same}, as one does that [`{called}`] made of such operands. A \
                 `{written}` that does not is left as it is."
            ),
            target: Target::Values,
            taken: quote!(#values: &mut [#wide],),
        };
        self.pair(emit, pair)
    }
    /// The code that makes the output.
    pub(super) fn made_in_place(&self, emit: &Emit<'_>) -> TokenStream {
        let kernel = emit.kernel;
        let (loops, (arguments, _)) = (self.pair_names().loops, self.passed(emit));
        let (output, values) =
            (emit.names.operand(kernel.output), emit.names.values(kernel.output));
        let (wide, identity) = (emit.wide(), emit.identity());
        let private = quote!(::tensor_layout::__private::sparse);
        // A tensor with the positions and coordinates of the output.
        let pattern = match kernel.result {
            OutputMode::Pattern(of) => {
                let of = emit.names.operand(of);
                quote!(#of.clone())
            }
            _ => {
                let (encoding, element) = (&emit.encodings[kernel.output], &emit.element);
                let levels = emit.encoding(kernel.output).map_or(0, |e| e.levels().len());
                let shape = emit.shape(kernel.output);
                quote!(#private::full::<#encoding, #element, #levels>(#shape)?)
            }
        };
        quote! {
            let #output = #pattern;
            let mut #values = #private::filled::<#wide>(#output.values().len(), #identity)?;
            #loops(#(#arguments,)* &mut #values)?;
            ::core::result::Result::Ok(#private::with_values(#output, #values))
        }
    }
}
