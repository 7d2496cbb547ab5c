//! Functions whose sparse output is appended to: one that returns the output, and one that makes it in the memory of a given
//! tensor.

use super::emit::Emit;
use super::function::{Function, Target, docs, sizes, sizes_and_checks};
use crate::rust::unraw;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Function<'_> {
    /// `f` and `f_into`, which share their loops.
    pub(super) fn reusing(&self, emit: &Emit<'_>) -> TokenStream {
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
        let (work, sizes) = (self.work(emit, Target::Returned), sizes(emit, false));
        let (all, docs, ranks) = (sizes_and_checks(emit), docs(kernel), self.ranks());
        let known = self.static_checks(kernel);
        let (traits, bounds) = (self.sizes([&known]), known.bounds);
        let output_name = self.operand_name(&self.syntax.output);
        let output_type = self.output_type(&self.syntax.output);
        let (output, old) = (emit.names.operand(kernel.output), emit.names.other("old"));
        let private = quote!(::tensor_layout::__private::sparse);
        let written = &kernel.operands[kernel.output].name;
        let replaces = format!(
            "As [`{called}`], but makes the output in the memory of a given `{written}`, whose shape and entries do not matter. \
             Allocates no arrays for entries where those of `{written}` have room for them."
        );
        let errors = format!(
            "As [`{called}`]. A `{written}` is left as it is if the operands do not fit, and has no entries after other errors."
        );
        quote! {
            #ranks
            #traits
            #(#attributes)*
            #docs
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned
            where
                #bounds
            {
                #views
                #sizes
                #all
                #loops(#(#arguments,)* ::core::option::Option::None)
            }

            #(#others)*
            #[doc = #replaces]
            ///
            /// # Errors
            #[doc = #errors]
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case, non_camel_case_types)]
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
                let #old = ::core::option::Option::Some(#private::taken(#output)?);
                *#output = #loops(#(#arguments,)* #old)?;
                ::core::result::Result::Ok(())
            }

            #(#conditions)*
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case)]
            fn #loops(
                #(#typed,)*
                #old: ::core::option::Option<#output_type>,
            ) -> #returned {
                #sizes
                #work
            }
        }
    }
}
