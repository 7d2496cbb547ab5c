//! Warnings. A macro on stable Rust cannot emit any: instead, it uses something deprecated at the token that the warning is
//! about. `#[allow(deprecated)]` on the item around it suppresses the warning.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Attribute;

/// An expression of type `()` that rustc warns about at `span`: "use of deprecated constant `..::name`: text".
pub(crate) fn warning(name: &str, span: Span, text: &str) -> TokenStream {
    let text = format!("\n\n{text}\n\nallow it with `#[allow(deprecated)]`");
    let (defined, used) = (Ident::new(name, Span::call_site()), Ident::new(name, span));
    let defined = quote! {
        #[deprecated(note = #text)]
        #[allow(non_upper_case_globals)]
        const #defined: () = ();
    };
    quote_spanned!(span=> { #defined #used })
}

/// Whether an attribute sets how a lint is reported.
#[cfg_attr(not(feature = "sharding"), allow(dead_code))]
pub(crate) fn is_lint(attribute: &Attribute) -> bool {
    let names = ["allow", "expect", "warn", "deny", "forbid"];
    names.iter().any(|name| attribute.path().is_ident(name))
}
