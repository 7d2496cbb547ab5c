//! The functions of a kernel: `f`, which returns the output, `f_into`, which is given an output, and the loops that they share.

use super::emit::Emit;
use super::function::{Function, Target, docs, sizes, sizes_and_checks};
use super::sizes::StaticChecks;
use crate::rust::unraw;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The names of `f_into` and of the function with the loops.
pub(super) struct PairNames {
    pub(super) called: String,
    pub(super) into: Ident,
    pub(super) loops: Ident,
}

/// The parts that differ between kinds of outputs. The sizes are known and checked before both bodies.
pub(super) struct Pair {
    /// The code by which `f` makes the output, and the checks of sizes that only `f` has.
    pub(super) made: TokenStream,
    pub(super) made_checks: StaticChecks,
    /// The code that `f_into` runs for a given output, and the checks of sizes that only `f_into` has.
    pub(super) given: TokenStream,
    pub(super) given_checks: StaticChecks,
    /// The type of the given output, and the generic parameters that it names, each followed by a comma.
    pub(super) given_type: TokenStream,
    pub(super) lifetime: TokenStream,
    pub(super) type_parameter: TokenStream,
    /// The documentation of `f_into`: what it does, and when it fails.
    pub(super) does: String,
    pub(super) errors: String,
    /// The destination of the loops' values, and the arguments for it besides the operands.
    pub(super) target: Target,
    pub(super) taken: TokenStream,
}

impl Function<'_> {
    pub(super) fn pair_names(&self) -> PairNames {
        let name = self.called();
        let called = unraw(&name);
        PairNames {
            into: Ident::new(&format!("{called}_into"), name.span()),
            loops: format_ident!("__{called}_loops"),
            called,
        }
    }

    /// `f`, `f_into` and their loops.
    pub(super) fn pair(&self, emit: &Emit<'_>, pair: Pair) -> TokenStream {
        let PairNames { into, loops, .. } = self.pair_names();
        let (attributes, visibility, name) = self.head();
        let conditions = self.conditions();
        // The documentation belongs to the function.
        let others = attributes.iter().filter(|attribute| !attribute.path().is_ident("doc"));
        let parameters = self.syntax.parameters.iter().map(|operand| self.parameter(operand));
        let parameters: Vec<_> = parameters.collect();
        let (returned, generics) = (self.returned(), self.generics());
        let (ranks, named) = (self.ranks(), self.named_bounds());
        let (views, (_, typed)) = (self.views(emit), self.passed(emit));
        let (work, sizes) = (self.work(emit, pair.target), sizes(emit, false));
        let (checks, docs) = (sizes_and_checks(emit), docs(emit.kernel));
        let known = self.static_checks(emit.kernel);
        let traits = self.sizes([&known, &pair.made_checks, &pair.given_checks]);
        let (bounds, made_bounds) = (known.bounds, pair.made_checks.bounds);
        let given_bounds = pair.given_checks.bounds;
        let output = self.operand_name(&self.syntax.output);
        let Pair { made, given, given_type, lifetime, type_parameter, does, errors, taken, .. } =
            pair;
        let looped = match pair.target {
            Target::Returned => returned.clone(),
            Target::Elements | Target::Values => {
                quote!(::core::result::Result<(), ::tensor_layout::sparsify::KernelError>)
            }
        };
        quote! {
            #ranks
            #named
            #traits
            #(#attributes)*
            #docs
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned
            where
                #bounds
                #made_bounds
            {
                #views
                #sizes
                #checks
                #made
            }

            #(#others)*
            #[doc = #does]
            ///
            /// # Errors
            #[doc = #errors]
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case, non_camel_case_types)]
            #visibility fn #into<#lifetime #generics #type_parameter>(
                #(#parameters,)*
                #output: #given_type,
            ) -> ::core::result::Result<(), ::tensor_layout::sparsify::KernelError>
            where
                #bounds
                #given_bounds
            {
                #views
                #sizes
                #checks
                #given
            }

            #(#conditions)*
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case)]
            fn #loops(#(#typed,)* #taken) -> #looped {
                #sizes
                #work
            }
        }
    }

    /// A function whose loops create its output, without an `f_into`.
    pub(super) fn alone(&self, emit: &Emit<'_>) -> TokenStream {
        let (attributes, visibility, name) = self.head();
        // Not generic, so that the loops are compiled once.
        let loops = self.pair_names().loops;
        let parameters = self.syntax.parameters.iter().map(|operand| self.parameter(operand));
        let (returned, generics) = (self.returned(), self.generics());
        let (ranks, named) = (self.ranks(), self.named_bounds());
        let (views, (arguments, typed)) = (self.views(emit), self.passed(emit));
        let (work, sizes) = (self.work(emit, Target::Returned), sizes(emit, false));
        let (checks, docs) = (sizes_and_checks(emit), docs(emit.kernel));
        let known = self.static_checks(emit.kernel);
        let (traits, bounds) = (self.sizes([&known]), known.bounds);
        quote! {
            #ranks
            #named
            #traits
            #(#attributes)*
            #docs
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned
            where
                #bounds
            {
                #[inline]
                fn #loops(#(#typed),*) -> #returned {
                    #sizes
                    #work
                }
                #views
                #sizes
                #checks
                #loops(#(#arguments),*)
            }
        }
    }
}
