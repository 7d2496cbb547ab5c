//! The path by which generated code names the crate tensor-layout.
//!
//! The macros that users call are `macro_rules!` of that crate, which pass on `$crate`: `[$crate] input`. So a dependency can be
//! renamed or re-exported, and users need not specify its path. The code in this crate writes `::tensor_layout`.

use crate::rust::is_name;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Expands the part of `input` that follows the path of the crate.
pub(crate) fn expand(
    input: TokenStream,
    expand: impl FnOnce(TokenStream) -> TokenStream,
) -> TokenStream {
    let mut input = input.into_iter();
    match input.next() {
        Some(TokenTree::Group(root)) if root.delimiter() == Delimiter::Bracket => {
            rooted(expand(input.collect()), &root.stream())
        }
        _ => TokenStream::new(),
    }
}

/// The tokens with `root` instead of `::tensor_layout`.
fn rooted(tokens: TokenStream, root: &TokenStream) -> TokenStream {
    let mut output: Vec<TokenTree> = Vec::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), rooted(group.stream(), root));
                inner.set_span(group.span());
                output.push(inner.into());
            }
            TokenTree::Ident(name) if name == "tensor_layout" && is_leading(&output) => {
                output.truncate(output.len() - 2);
                // The position of the name, with the meaning of the path.
                output.extend(root.clone().into_iter().map(|mut tree| {
                    tree.set_span(name.span().resolved_at(tree.span()));
                    tree
                }));
            }
            tree => output.push(tree),
        }
    }
    output.into_iter().collect()
}

/// Whether the two colons at the end begin a path.
fn is_leading(before: &[TokenTree]) -> bool {
    let [before @ .., TokenTree::Punct(first), TokenTree::Punct(second)] = before else {
        return false;
    };
    // A name continues a path; a keyword such as `as`, or a lifetime, precedes a new one.
    let continued = match before {
        [.., TokenTree::Punct(quote), TokenTree::Ident(_)] if quote.as_char() == '\'' => false,
        [.., TokenTree::Ident(word)] => {
            let word = word.to_string();
            is_name(&word) || ["crate", "$crate", "self", "Self", "super"].contains(&word.as_str())
        }
        _ => false,
    };
    first.as_char() == ':' && second.as_char() == ':' && !continued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crate_is_named_where_a_path_begins_with_it() {
        let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
        for (written, expected) in [
            ("fn f() -> ::tensor_layout::A<::tensor_layout::B>", "fn f() -> x::y::A<x::y::B>"),
            ("<A as ::tensor_layout::B>::C", "<A as x::y::B>::C"),
            ("&'a ::tensor_layout::B", "&'a x::y::B"),
            ("&'a mut ::tensor_layout::B", "&'a mut x::y::B"),
            ("a::tensor_layout::B", "a::tensor_layout::B"),
            ("crate::tensor_layout::B", "crate::tensor_layout::B"),
            ("tensor_layout::B", "tensor_layout::B"),
        ] {
            let input = tokens(&format!("[x::y] {written}"));
            let output = expand(input, |input| input).to_string();
            assert_eq!(output.replace(' ', ""), expected.replace(' ', ""));
        }
    }
}
