use crate::error::compile_errors;
use crate::flatten::Flat;
use crate::rust::{error, is_named, named};
use layout_core::sharding::OpShardingRule;
use layout_core::sharding::syntax::{lower_rule, parse_rule};
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    if !is_named(input.clone()) {
        let (flat, rule) = rule(input);
        return match rule {
            Ok(rule) => value(&rule),
            Err(diagnostics) => {
                let errors = compile_errors(&flat, diagnostics);
                quote!({ #(#errors;)* ::tensor_layout::__private::rule("()->()") })
            }
        };
    }
    let item = match named(input, "pub Attention = (i,k),(k,j)->(i,j)") {
        Ok(item) => item,
        Err(mistake) => return error(&mistake, ""),
    };
    let (attributes, visibility, name) = (&item.attributes, &item.visibility, &item.name);
    let (flat, rule) = rule(item.tokens.clone());
    let (errors, value, doc) = match rule {
        Ok(rule) => (Vec::new(), value(&rule), format!("The sharding rule `{rule}`.")),
        Err(diagnostics) => (
            compile_errors(&flat, diagnostics).collect(),
            quote!(::tensor_layout::__private::rule("()->()")),
            String::new(),
        ),
    };
    let (reader, conditions) = (item.reader(), item.conditions());
    let errors = errors.iter().map(|error| quote!(#(#conditions)* #error;));
    quote! {
        #(#errors)*
        #(#attributes)*
        #[doc = #doc]
        #visibility struct #name;
        #(#conditions)*
        #[allow(deprecated)]
        impl #name {
            /// The rule.
            pub fn rule() -> ::tensor_layout::sharding::OpShardingRule {
                #value
            }
        }
        #reader
    }
}

fn value(rule: &OpShardingRule) -> TokenStream {
    let text = rule.to_string();
    quote!(::tensor_layout::__private::rule(#text))
}

type Diagnostics = Vec<layout_core::syntax::Diagnostic<crate::flatten::TokenRange>>;

/// The rule of a definition, if it is one.
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
