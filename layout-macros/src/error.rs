use crate::flatten::Flat;
use layout_core::DType;
use layout_core::syntax::Diagnostic;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

/// A type in place of the layout: every error, each under its token, and the names that were written.
///
/// In type position several `compile_error!` in a row do not parse; a tuple of them does. The names behind them are
/// for the editor, which resolves and completes what it can see.
pub(crate) fn types(flat: &Flat, diagnostics: Vec<Diagnostic<Span>>) -> TokenStream {
    let errors = diagnostics.into_iter().map(|Diagnostic { span, message, help }| {
        let text = if help.is_empty() { message } else { format!("{message}\n\nhelp: {help}") };
        quote_spanned!(span=> ::core::compile_error!(#text))
    });
    let elements = flat.words().filter_map(|(word, span)| element(DType::from_name(word)?, span));
    quote!((#(#errors,)* #(#elements,)*))
}

/// The marker of an element type at the place where its name was written.
pub(crate) fn element(dtype: DType, span: Span) -> Option<TokenStream> {
    let name = Ident::new(&format!("{dtype:?}"), span);
    Some(quote!(::tensor_layout::#name))
}
