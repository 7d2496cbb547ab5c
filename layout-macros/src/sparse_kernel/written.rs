//! The Rust functions in a statement. Each is bound to a name before the loops, with its own tokens, so that rustc reports
//! mistakes in it where it is written.

use super::emit::Emit;
use crate::rust::is_closure;
use layout_core::sparse_kernel::{Literal, ir::Reduction};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// The tokens of a function.
pub(crate) struct Written(TokenStream);

impl Written {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        Self(tokens)
    }

    /// The spans of its start and end, for generated tokens that belong to it.
    fn spans(&self) -> (Span, Span) {
        let here = |tree: Option<TokenTree>| {
            tree.map_or_else(Span::mixed_site, |tree| Span::mixed_site().located_at(tree.span()))
        };
        (here(self.0.clone().into_iter().next()), here(self.0.clone().into_iter().last()))
    }
}

impl Emit<'_> {
    /// A function of the statement, or the value of a function without arguments.
    pub(crate) fn function(&self, function: usize) -> TokenStream {
        self.uses.borrow_mut().functions.insert(function);
        let name = self.function_name(function);
        quote!(#name)
    }

    /// Binds the functions that the loops use.
    pub(crate) fn functions(&self) -> TokenStream {
        let used = self.uses.borrow();
        used.functions.iter().map(|function| self.bind(*function)).collect()
    }

    /// The value that fills the output outside of the loops.
    pub(crate) fn identity_alone(&self) -> TokenStream {
        match self.kernel.reduction {
            Reduction::Custom { identity, .. } => {
                let (bind, name) = (self.bind(identity), self.function_name(identity));
                quote!({ #bind #name })
            }
            _ => self.identity_element(),
        }
    }

    fn function_name(&self, function: usize) -> proc_macro2::Ident {
        self.names.other(match self.kernel.reduction {
            Reduction::Custom { function: reduce, .. } if reduce == function => "reduce".into(),
            Reduction::Custom { identity, .. } if identity == function => "identity".into(),
            _ => format!("function{function}"),
        })
    }

    /// Binds a pointer to the function. With the type of a pointer, rustc prints one short error, and the optimizer calls the
    /// function directly.
    fn bind(&self, function: usize) -> TokenStream {
        let (name, element) = (self.function_name(function), &self.element);
        let (known, written) = (&self.kernel.functions[function], &self.functions[function]);
        let tokens = &written.0;
        let arguments = (0..known.arity).map(|_| element);
        let (first, last) = written.spans();
        let ty = quote_spanned!(first=> fn(#(#arguments),*) -> #element);
        if known.arity > 0 {
            return quote!(let #name: #ty = #tokens;);
        }
        if Literal::parse(&known.text).is_some() {
            let number = self.number(&known.text);
            return quote!(let #name = #number;);
        }
        if is_closure(tokens) {
            return quote!(let #name: #ty = #tokens; let #name = #name(););
        }
        let mut argument = Group::new(proc_macro2::Delimiter::Parenthesis, tokens.clone());
        argument.set_span(last);
        let value = quote_spanned!(first=> ::tensor_layout::__private::sparse::constant::<#element, _> #argument);
        quote!(let #name = #value;)
    }
}
