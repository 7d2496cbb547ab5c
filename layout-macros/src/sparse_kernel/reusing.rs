//! Functions whose sparse output is appended to: one returns the output, and one makes it in the memory of a given tensor.

use super::emit::Emit;
use super::function::{Function, Target};
use super::pair::Pair;
use super::sizes::StaticChecks;
use proc_macro2::TokenStream;
use quote::quote;

impl Function<'_> {
    pub(super) fn reusing(&self, emit: &Emit<'_>) -> TokenStream {
        let kernel = emit.kernel;
        let names = self.pair_names();
        let (loops, called, (arguments, _)) = (names.loops, names.called, self.passed(emit));
        let output_type = self.output_type(&self.syntax.output);
        let (given, old) = (self.operand_name(&self.syntax.output), emit.names.other("old"));
        let written = &kernel.operands[kernel.output].name;
        let pair = Pair {
            made: quote!(#loops(#(#arguments,)* ::core::option::Option::None)),
            made_checks: StaticChecks::default(),
            given: quote! {
                let #old = ::core::option::Option::Some(::tensor_layout::__private::sparse::taken(#given)?);
                *#given = #loops(#(#arguments,)* #old)?;
                ::core::result::Result::Ok(())
            },
            given_checks: StaticChecks::default(),
            given_type: quote!(&mut #output_type),
            lifetime: TokenStream::new(),
            type_parameter: TokenStream::new(),
            does: format!(
                "As [`{called}`], but makes the output in the memory of a given `{written}`, whose shape and entries do not \
                 matter. Allocates no arrays for entries where those of `{written}` have room for them."
            ),
            errors: format!(
                "As [`{called}`]. A `{written}` is left as it is if the operands do not fit, and has no entries after other \
                 errors."
            ),
            target: Target::Returned,
            taken: quote!(#old: ::core::option::Option<#output_type>,),
        };
        self.pair(emit, pair)
    }
}
