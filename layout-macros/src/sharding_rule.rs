use crate::error::compile_errors;
use crate::flatten::Flat;
use crate::mesh::named;
use crate::sharded::errors;
use layout_core::sharding::OpShardingRule;
use layout_core::sharding::syntax::{lower_rule, parse_rule};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if !is_item(&input) {
        let (flat, rule) = rule(input);
        return match rule {
            Ok(rule) => value(&rule),
            Err(diagnostics) => {
                let errors = compile_errors(&flat, diagnostics);
                quote!({ #(#errors;)* ::tensor_layout::__private::rule("()->()") })
            }
        };
    }
    let item = match named(input) {
        Ok(item) => item,
        Err((span, message)) => {
            return quote::quote_spanned!(span=> ::core::compile_error!(#message););
        }
    };
    let (attributes, visibility, name) = (&item.attributes, &item.visibility, &item.name);
    let (flat, rule) = rule(item.tokens.clone());
    let (errors, value, doc) = match rule {
        Ok(rule) => (quote!(), value(&rule), format!("The sharding rule `{rule}`.")),
        Err(diagnostics) => (
            errors(&flat, diagnostics),
            quote!(::tensor_layout::__private::rule("()->()")),
            String::new(),
        ),
    };
    let (reader, conditions) = (item.reader(), item.conditions());
    quote! {
        #errors
        #(#attributes)*
        #[doc = #doc]
        #visibility struct #name;
        #(#conditions)*
        impl #name {
            /// The rule.
            pub fn rule() -> ::tensor_layout::sharding::OpShardingRule {
                #value
            }
        }
        #reader
    }
}

/// Whether the input starts like an item: `pub Name =`, `Name =`.
fn is_item(input: &TokenStream) -> bool {
    let mut trees = input.clone().into_iter().filter(|tree| match tree {
        TokenTree::Group(group) => group.delimiter() != Delimiter::None,
        _ => true,
    });
    match (trees.next(), trees.next(), trees.next()) {
        (Some(TokenTree::Punct(hash)), ..) if hash.as_char() == '#' => true,
        (Some(TokenTree::Ident(word)), ..) if word == "pub" => true,
        (Some(TokenTree::Ident(_)), Some(TokenTree::Punct(equals)), _) => equals.as_char() == '=',
        _ => false,
    }
}

fn value(rule: &OpShardingRule) -> TokenStream {
    let text = rule.to_string();
    quote!(::tensor_layout::__private::rule(#text))
}

type Diagnostics = Vec<layout_core::syntax::Diagnostic<crate::flatten::Range>>;

/// The rule of a definition; `None` if it is none.
pub(crate) fn defined(definition: TokenStream) -> Option<OpShardingRule> {
    rule(definition).1.ok()
}

fn rule(input: TokenStream) -> (Flat, Result<OpShardingRule, Diagnostics>) {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_rule(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the rule");
    }
    let mut diagnostics = cursor.diagnostics;
    let rule = syntax.and_then(|syntax| lower_rule(&syntax, &mut diagnostics));
    let rule = match rule {
        Some(rule) if diagnostics.is_empty() => Ok(rule),
        _ => Err(diagnostics),
    };
    (flat, rule)
}
