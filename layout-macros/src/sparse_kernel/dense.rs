//! Functions with a dense or packed output: one returns the output, and one writes to a given output.

use super::emit::Emit;
use super::function::{Function, Target};
use super::pair::Pair;
use super::sizes::StaticChecks;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// The differences between dense and packed outputs.
struct Output {
    made: TokenStream,
    made_checks: StaticChecks,
    given: TokenStream,
    given_type: TokenStream,
    lifetime: TokenStream,
    /// The bound on the type of a given output.
    accepts: TokenStream,
}

impl Function<'_> {
    pub(super) fn dense(&self, emit: &Emit<'_>) -> TokenStream {
        let kernel = emit.kernel;
        let Output { made, made_checks, given, given_type, lifetime, accepts } =
            match self.layout(&self.syntax.output) {
                Some(layout) => self.packed_output(emit, &layout),
                None => self.dense_output(emit),
            };
        let ty = self.type_parameter(&self.syntax.output);
        let element = &emit.element;
        let output = emit.names.operand(kernel.output);
        let (called, name) = (self.pair_names().called, &kernel.operands[kernel.output].name);
        let does = match kernel.accumulates {
            true => format!(
                "As [`{called}`], but adds to what `{name}` holds. Allocates no output if the elements have 32 bits or more."
            ),
            false => format!("As [`{called}`], but overwrites a given `{name}`."),
        };
        let pair = Pair {
            made,
            made_checks,
            given,
            given_checks: self.static_checks_of_output(kernel),
            given_type,
            lifetime,
            type_parameter: quote!(#ty: #accepts,),
            does,
            errors: "If sizes disagree.".to_string(),
            target: Target::Elements,
            taken: quote!(#output: &mut [#element],),
        };
        self.pair(emit, pair)
    }

    fn dense_output(&self, emit: &Emit<'_>) -> Output {
        let kernel = emit.kernel;
        let (loops, (arguments, _)) = (self.pair_names().loops, self.passed(emit));
        let (shape, identity) = (emit.shape(kernel.output), emit.identity_alone());
        let output = emit.names.operand(kernel.output);
        let given = self.operand_name(&self.syntax.output);
        let ty = self.type_parameter(&self.syntax.output);
        let (element, rank) = (&emit.element, kernel.output_shape.len());
        Output {
            made: quote! {
                let mut #output = ::tensor_layout::sparsify::Dense::filled(#shape, #identity)?;
                #loops(#(#arguments,)* #output.values_mut())?;
                ::core::result::Result::Ok(#output)
            },
            made_checks: StaticChecks::default(),
            given: quote! {
                let #given = #given.into();
                ::tensor_layout::__private::sparse::same_shape(
                    ::core::stringify!(#given), #given.shape(), #shape,
                )?;
                #loops(#(#arguments,)* #given.into_values())
            },
            given_type: quote!(#ty),
            lifetime: quote!('o,),
            accepts: quote_spanned! {given.span().resolved_at(Span::call_site())=>
                ::tensor_layout::sparsify::DenseOutput<'o, #element, #rank>
            },
        }
    }

    fn packed_output(&self, emit: &Emit<'_>, layout: &TokenStream) -> Output {
        let kernel = emit.kernel;
        let (loops, (arguments, _)) = (self.pair_names().loops, self.passed(emit));
        let (shape, identity) = (emit.shape(kernel.output), emit.identity_alone());
        let (output, values) =
            (emit.names.operand(kernel.output), emit.names.values(kernel.output));
        let given = self.operand_name(&self.syntax.output);
        let ty = self.type_parameter(&self.syntax.output);
        let rank = kernel.output_shape.len();
        let private = quote!(::tensor_layout::__private::sparse);
        let old = match kernel.accumulates {
            true => quote!(#private::unpacked::<#layout>(#output.as_ref())?),
            false => quote!(#private::row_major(#shape, #identity)?),
        };
        // The sizes of a packed output follow from its layout.
        let packed = quote!(::tensor_layout::Packed<#layout>);
        Output {
            made: quote! {
                let mut #output = #private::packed_output::<#layout, #rank>(
                    ::core::stringify!(#given), #shape,
                )?;
                let mut #values = #private::row_major(#shape, #identity)?;
                #loops(#(#arguments,)* &mut #values)?;
                #private::pack::<#layout>(#output.as_mut(), &#values)?;
                ::core::result::Result::Ok(#output)
            },
            made_checks: self.static_checks_of_result(kernel, &packed),
            given: quote! {
                let #output = ::tensor_layout::sparsify::PackedOutput::<#layout>::packed_mut(#given);
                #private::same_packed_shape(
                    ::core::stringify!(#given), #output.as_ref(), #shape,
                )?;
                let mut #values = #old;
                #loops(#(#arguments,)* &mut #values)?;
                #private::pack::<#layout>(#output, &#values)
            },
            given_type: quote!(&mut #ty),
            lifetime: TokenStream::new(),
            // An error about the bound is reported at the output.
            accepts: quote_spanned! {given.span().resolved_at(Span::call_site())=>
                ::tensor_layout::sparsify::PackedOutput<#layout>
                    + ::tensor_layout::sparsify::StaticSizes<#rank>
            },
        }
    }
}
