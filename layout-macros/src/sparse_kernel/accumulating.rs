//! Functions whose sparse output is combined with the entries of a given tensor: one returns a new output, and one adds it to a
//! given tensor, whose entries outside of a mask are kept or dropped.

use super::emit::Emit;
use super::function::{Function, Target};
use super::pair::Pair;
use super::sizes::StaticChecks;
use crate::flatten::TokenRange;
use layout_core::sparse_kernel::ir::{OutputMode, Reduction};
use layout_core::sparse_kernel::syntax::Kept;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

impl Function<'_> {
    pub(super) fn accumulating(
        &self,
        emit: &Emit<'_>,
        kept: Option<&Kept<TokenRange>>,
        sum: Option<&Kept<TokenRange>>,
    ) -> TokenStream {
        let kernel = emit.kernel;
        let names = self.pair_names();
        let (loops, called, (arguments, _)) = (names.loops, names.called, self.passed(emit));
        let output_type = self.output_type(&self.syntax.output);
        let given = self.operand_name(&self.syntax.output);
        let (wide, shape) = (emit.wide(), emit.shape(kernel.output));
        let written = &kernel.operands[kernel.output].name;
        let private = quote!(::tensor_layout::__private::sparse);
        let (values, old) = (emit.names.values(kernel.output), emit.names.other("old"));
        let (made, target, taken) = match kernel.result {
            OutputMode::Positions | OutputMode::Pattern(_) => {
                (self.made_in_place(emit), Target::Values, quote!(#values: &mut [#wide],))
            }
            _ if emit.reuses() => (
                quote!(#loops(#(#arguments,)* ::core::option::Option::None)),
                Target::Returned,
                quote!(#old: ::core::option::Option<#output_type>,),
            ),
            _ => (quote!(#loops(#(#arguments,)*)), Target::Returned, TokenStream::new()),
        };
        let (a, b) = (emit.names.other("a"), emit.names.other("b"));
        let combined = match kernel.accumulates {
            true => emit.reduced(quote!(#a), quote!(#b)),
            // Only one of the two is an entry, and the other a zero of its block.
            false => {
                quote!(if ::tensor_layout::sparse::SparseElement::is_zero(&#b) { #a } else { #b })
            }
        };
        let (function, remaining) = match kept.or(sum) {
            Some(kept) => self.kept(emit, kept),
            None => (TokenStream::new(), TokenStream::new()),
        };
        let combine = match (kept, sum) {
            (None, Some(_)) => quote! {
                *#given = #remaining;
                ::core::result::Result::Ok(())
            },
            _ => {
                let remaining = match kept {
                    Some(_) => quote!(::core::option::Option::Some(#remaining)),
                    None => quote!(::core::option::Option::None),
                };
                quote! {
                    let #values: ::core::result::Result<#output_type, ::tensor_layout::sparsify::KernelError> = { #made };
                    let #values = #values?;
                    let #old = #remaining;
                    #private::accumulate(#given, #old, #values, |#a: #wide, #b: #wide| -> #wide { #combined })
                }
            }
        };
        let pair = Pair {
            made: made.clone(),
            made_checks: StaticChecks::default(),
            given: quote! {
                #private::same_shape(#written, #given.shape(), #shape)?;
                #combine
            },
            given_checks: StaticChecks::default(),
            given_type: quote!(&mut #output_type),
            lifetime: TokenStream::new(),
            type_parameter: TokenStream::new(),
            does: does(emit, kept.is_some(), &called),
            errors: format!(
                "As [`{called}`], and if `{written}` has another shape or cannot store the entries of both. It is then left as it is."
            ),
            target,
            taken,
        };
        let pair = self.pair(emit, pair);
        quote!(#function #pair)
    }

    /// The function that reads the given output, and its call.
    fn kept(&self, emit: &Emit<'_>, kept: &Kept<TokenRange>) -> (TokenStream, TokenStream) {
        let called = format!("__{}_kept", self.pair_names().called);
        let called = Ident::new(&called, Span::mixed_site());
        let function =
            Function { flat: self.flat, syntax: &kept.syntax, called: Some(called.clone()) };
        let given = self.operand_name(&self.syntax.output);
        let arguments = kept.reads.iter().map(|operand| emit.names.operand(*operand));
        let call = quote!(#called(#(#arguments,)* &*#given)?);
        (function.emit(&kept.kernel, &kept.functions, None, None), call)
    }
}

/// The first sentences of the documentation of `f_into`.
fn does(emit: &Emit<'_>, has_kept: bool, called: &str) -> String {
    let kernel = emit.kernel;
    let written = &kernel.operands[kernel.output].name;
    let combined = match kernel.reduction {
        Reduction::Sum => "the sum",
        Reduction::Product => "the product",
        Reduction::Min => "the minimum",
        _ => "the maximum",
    };
    let both = format!("an element that both store becomes {combined} of the two");
    let condition = "the condition of the statement";
    let what = match (kernel.accumulates, has_kept) {
        (true, false) => format!("adds the entries to a given `{written}`: {both}"),
        (true, true) => format!(
            "adds the entries to a given `{written}`, whose entries where {condition} does not hold are dropped: {both}"
        ),
        _ => format!(
            "replaces the entries of a given `{written}` where {condition} holds; all others are kept"
        ),
    };
    format!(
        "As [`{called}`], but {what}. Takes time linear in the entries of both, and memory for the result."
    )
}
