//! `einsum!`: expands to a function for one call, whose bounds state which sizes are equal.
//!
//! `einsum!("ij,jk->ik", a, b)` expands to a call of
//! `fn einsum<Left, Right, Product, const size_i: usize, const size_j: usize, const size_k: usize>(..)`, with bounds that require
//! that `Left` has the letters `i` and `j`, `Right` has `j` and `k`, and `Product` has `i` and `k`.

use crate::rust::{error, text_and_expressions};
use layout_core::einsum::Einsum;
use layout_core::syntax::Mistake;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::cmp::Ordering;
use syn::spanned::Spanned;
use syn::{Expr, ExprArray, ExprTuple, LitStr};

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let written = input.clone();
    let (text, operands) = match text_and_expressions(input) {
        Ok(parsed) => parsed,
        Err(mistake) => {
            let error = error(&mistake, &rewritten(written));
            return quote!({ #error; ::tensor_layout::__private::no_array() });
        }
    };
    let failed = |messages: &[String]| {
        let span = text.span();
        let errors = messages
            .iter()
            .map(|message| quote::quote_spanned!(span=> ::core::compile_error!(#message);));
        quote!({ #(#errors)* ::tensor_layout::__private::no_array() })
    };
    let einsum: Einsum = match text.value().parse() {
        Ok(einsum) => einsum,
        Err(error) => {
            let messages: Vec<_> =
                error.mistakes().iter().map(|mistake| shown(&text.value(), mistake)).collect();
            return failed(&messages);
        }
    };
    if let Some(mistake) = wrong_count(&text, einsum.operands().len(), &operands) {
        let error = mistake.to_compile_error();
        return quote!({ #error; ::tensor_layout::__private::no_array() });
    }
    let function = function(&einsum);
    // An error about an operand is reported at the operand.
    let arguments: Vec<_> = ["left", "right"]
        .into_iter()
        .zip(&operands)
        .map(|(name, operand)| Ident::new(name, operand.span().resolved_at(Span::mixed_site())))
        .collect();
    // The operands are evaluated outside the scope of this macro's names.
    quote! {
        match (#(&#operands,)*) {
            (#(#arguments,)*) => {
                #function
                einsum(#(#arguments),*)
            }
        }
    }
}

/// The mistake in a call whose number of operands differs from `written`, the number in its text.
fn wrong_count(literal: &LitStr, written: usize, operands: &[Expr]) -> Option<syn::Error> {
    let (text, given) = (literal.value(), operands.len());
    let mut span = literal.span();
    let help = match (operands, written.cmp(&given)) {
        (_, Ordering::Equal) => return None,
        ([Expr::Array(ExprArray { elems, .. }) | Expr::Tuple(ExprTuple { elems, .. })], _) => {
            let arrays = elems.to_token_stream().to_string().replace(" ,", ",");
            format!("write the arrays without brackets: `einsum!({text:?}, {arrays})`")
        }
        ([.., Expr::Assign(option)], Ordering::Less) => {
            let name = option.left.to_token_stream();
            span = option.span();
            format!("leave `{name}` out: two arrays are multiplied in one way")
        }
        ([.., extra], Ordering::Less) if written > 1 => {
            span = extra.span();
            let extra = extra.to_token_stream();
            format!("leave `{extra}` out, and multiply by it in another call")
        }
        (_, Ordering::Less) => "separate the letters of operands by commas: `bqd,bkd->bqk`".into(),
        _ => "the arrays follow the text: `einsum!(\"bqd,bkd->bqk\", q, k)`".into(),
    };
    let noun = if written == 1 { "operand" } else { "operands" };
    let message = format!("the text has letters for {written} {noun}, but the call has {given}");
    Some(syn::Error::new(span, format!("{message}\n\nhelp: {help}")))
}

/// The function for one call, with a const parameter for each letter.
fn function(einsum: &Einsum) -> TokenStream {
    let mut letters: Vec<char> = einsum.operands().iter().flatten().copied().collect();
    letters.sort_unstable();
    letters.dedup();
    let sizes: Vec<_> = letters.iter().map(|letter| name(*letter)).collect();
    let labelled = |letters: &[char]| {
        let sizes = letters.iter().map(|letter| name(*letter));
        quote!(::tensor_layout::__private::Labelled<(#(::tensor_layout::__private::Letter<#letters, #sizes>,)*)>)
    };
    let bytes =
        |letters: &[char]| Literal::byte_string(letters.iter().collect::<String>().as_bytes());
    let (product, product_text) = (labelled(einsum.result()), bytes(einsum.result()));
    match einsum.operands() {
        [only] => {
            let (left, left_text) = (labelled(only), bytes(only));
            quote! {
                #[allow(non_upper_case_globals)]
                fn einsum<Left, Product, #(const #sizes: usize),*>(
                    left: &Left,
                ) -> ::tensor_layout::Packed<Product>
                where
                    Left: ::tensor_layout::Operand<Layout: ::tensor_layout::Layout<Shape: #left>>,
                    Product: ::tensor_layout::Layout<
                        Shape: #product,
                        Element: ::tensor_layout::SameElement<
                            <<Left as ::tensor_layout::Operand>::Layout as ::tensor_layout::Layout>::Element,
                        >,
                    >,
                {
                    ::tensor_layout::__private::permuted(left, #left_text, #product_text)
                }
            }
        }
        _ => {
            let [left, right] = [0, 1].map(|i| labelled(&einsum.operands()[i]));
            let [left_text, right_text] = [0, 1].map(|i| bytes(&einsum.operands()[i]));
            quote! {
                struct Text;
                impl ::tensor_layout::__private::Equation for Text {
                    const LABELS: ::tensor_layout::__private::Labels =
                        ::tensor_layout::__private::Labels::new(#left_text, #right_text, #product_text);
                }
                #[allow(non_upper_case_globals)]
                fn einsum<Left, Right, Product, #(const #sizes: usize),*>(
                    left: &Left,
                    right: &Right,
                ) -> ::tensor_layout::Packed<Product>
                where
                    Left: ::tensor_layout::Operand<
                        Layout: ::tensor_layout::Layout<
                            Shape: #left,
                            Element: ::tensor_layout::MatmulElement<::tensor_layout::__private::ElementOf<Right>>,
                        >,
                    >,
                    Right: ::tensor_layout::Operand<Layout: ::tensor_layout::Layout<Shape: #right>>,
                    Product: ::tensor_layout::Layout<
                        Shape: #product,
                        Element: ::tensor_layout::RoundedFrom<::tensor_layout::__private::SumOf<Left, Right>>,
                    >,
                {
                    ::tensor_layout::__private::einsum::<Text, _, _, _>(left, right)
                }
            }
        }
    }
}

/// The help for a call that does not start with its text: the call with the text first and in quotes, if the text can be found.
fn rewritten(input: TokenStream) -> String {
    let is_comma =
        |tree: &TokenTree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ',');
    let trees: Vec<_> = input.into_iter().collect();
    let join = |trees: &[TokenTree]| trees.iter().cloned().collect::<TokenStream>().to_string();
    let parts: Vec<_> = trees.split(is_comma).map(join).collect();
    if let [TokenTree::Literal(text), TokenTree::Punct(other), arrays @ ..] = trees.as_slice()
        && other.as_char() != ','
    {
        return format!("a comma follows the text: `einsum!({text}, {})`", join(arrays));
    }
    let arrow = parts.iter().position(|part| part.contains("->"));
    let text = parts.iter().position(|part| part.starts_with('"'));
    match (text, arrow) {
        (Some(0), _) => {
            let arrays = separated(&trees[1..]);
            format!("the arrays are separated by commas: `einsum!({}{arrays})`", parts[0])
        }
        (Some(at), _) => {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: Vec<_> = others.map(|(_, part)| part.as_str()).collect();
            format!("the text comes first: `einsum!({}, {})`", parts[at], others.join(", "))
        }
        (None, Some(at)) => {
            let text = parts[..=at].join(",").replace(' ', "");
            let others = parts[at + 1..].iter().map(|part| format!(", {part}"));
            format!("the text has quotes: `einsum!({text:?}{})`", others.collect::<String>())
        }
        (None, None) => "write it as `einsum!(\"bqd,bkd->bqk\", q, k)`".into(),
    }
}

/// The tokens of arrays, with commas where one array follows another without.
fn separated(trees: &[TokenTree]) -> String {
    let mut tokens = TokenStream::new();
    let mut ends = false;
    for tree in trees {
        let begins = matches!(tree, TokenTree::Ident(_))
            || matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '&');
        if ends && begins {
            tokens.extend(quote!(,));
        }
        ends = !matches!(tree, TokenTree::Punct(_));
        tokens.extend([tree.clone()]);
    }
    tokens.to_string().replace(" ,", ",")
}

/// The const parameter of a letter.
fn name(letter: char) -> Ident {
    Ident::new(&format!("size_{letter}"), Span::call_site())
}

/// A mistake, with a mark below its letter.
fn shown(text: &str, mistake: &Mistake) -> String {
    let Mistake { column, message, help, .. } = mistake;
    format!("{message}\n\n    {text}\n    {:>column$}\n\nhelp: {help}", "^")
}
