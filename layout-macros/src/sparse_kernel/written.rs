//! Functions that the statement writes out: bound by their tokens in front of the loops, so that rustc checks each of them where
//! it is written.

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

    /// Where it starts and ends, for what is not written by the user but is about it.
    fn spans(&self) -> (Span, Span) {
        let here = |tree: Option<TokenTree>| {
            tree.map_or_else(Span::mixed_site, |tree| Span::mixed_site().located_at(tree.span()))
        };
        (here(self.0.clone().into_iter().next()), here(self.0.clone().into_iter().last()))
    }
}

impl Emit<'_> {
    /// A function of the statement, or the value of one without arguments.
    pub(crate) fn function(&self, function: usize) -> TokenStream {
        self.uses.borrow_mut().functions.insert(function);
        let name = self.function_name(function);
        quote!(#name)
    }

    /// Binds the functions that are used.
    pub(crate) fn functions(&self) -> TokenStream {
        let used = self.uses.borrow();
        used.functions.iter().map(|function| self.bind(*function)).collect()
    }

    /// What the output is filled with where no loops are: as an expression of its own.
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

    /// A pointer to the function: its type is what rustc compares with in one short error, and it is called as if it stood there
    /// once the loops are compiled.
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
