use crate::editor;
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::mesh::UNKNOWN;
use crate::rust::{Item, error, is_named, named};
use crate::warning::{is_lint, warning};
use layout_core::sharding::OpShardingRule;
use layout_core::sharding::syntax::{RuleSyntax, lower_rule, parse_rule};
use layout_core::syntax::Cursor;
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let grammar = |cursor: &mut Cursor<'_, TokenRange>| editor::read("sharding_rule", cursor);
    if !is_named(input.clone()) {
        let offers = editor::before_value(&input, grammar);
        let Read { flat, rule, warnings } = read(input);
        return match rule {
            Ok(rule) => {
                let value = value(&rule);
                quote!({ #offers #warnings #value })
            }
            Err(diagnostics) => {
                let errors = compile_errors(&flat, diagnostics);
                quote!({ #offers #(#errors;)* ::tensor_layout::__private::rule("()->()") })
            }
        };
    }
    let item = match named(input.clone(), "pub Attention = (i,k),(k,j)->(i,j)") {
        Ok(item) => item,
        Err(mistake) => {
            let error = error(&mistake, "");
            let meant = Item::meant(input).map(|item| {
                let Item { visibility, name, .. } = &item;
                let reader =
                    Item { tokens: UNKNOWN.parse().unwrap_or_default(), ..item.clone() }.reader();
                quote!(#visibility struct #name; #reader)
            });
            return quote!(#error #meant);
        }
    };
    let (attributes, visibility, name) = (&item.attributes, &item.visibility, &item.name);
    let offers = match editor::before_items(&item.tokens, grammar) {
        Ok(offers) => offers,
        Err(alone) => return alone,
    };
    let Read { flat, rule, warnings } = read(item.tokens.clone());
    let (errors, value, doc) = match rule {
        Ok(rule) => (Vec::new(), value(&rule), format!("The sharding rule `{rule}`.")),
        Err(diagnostics) => (
            compile_errors(&flat, diagnostics).collect(),
            quote!(::tensor_layout::__private::rule("()->()")),
            String::new(),
        ),
    };
    // What uses a rule with mistakes is not reported too.
    let reader = match errors.is_empty() {
        true => item.reader(),
        false => Item { tokens: UNKNOWN.parse().unwrap_or_default(), ..item.clone() }.reader(),
    };
    let conditions = item.conditions();
    let errors = errors.iter().map(|error| quote!(#(#conditions)* #error;));
    let warnings = (!warnings.is_empty()).then(|| {
        let allowed = attributes.iter().filter(|attribute| is_lint(attribute));
        quote! {
            #(#conditions)*
            #(#allowed)*
            const _: () = { #warnings };
        }
    });
    quote! {
        #offers
        #warnings
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

/// Warns about factors that the operation certainly sums over but that are not declared as reductions.
fn warnings(flat: &Flat, syntax: &RuleSyntax<TokenRange>) -> TokenStream {
    let forgotten = syntax.forgotten_reductions();
    let names: Vec<_> = forgotten.iter().map(|factor| factor.name.as_str()).collect();
    let warnings = forgotten.iter().map(|factor| {
        let text = format!(
            "several operands have the factor `{}`, and no result has it\n\nhelp: if the operation sums over it, write `reduction={{{}}}` after the rule",
            factor.name,
            names.join(", ")
        );
        warning("reduction", flat.span(factor.span), &text)
    });
    quote!(#(#warnings;)*)
}

fn value(rule: &OpShardingRule) -> TokenStream {
    let text = rule.to_string();
    quote!(::tensor_layout::__private::rule(#text))
}

type Diagnostics = Vec<layout_core::syntax::Diagnostic<crate::flatten::TokenRange>>;

/// A rule that has been read.
struct Read {
    flat: Flat,
    rule: Result<OpShardingRule, Diagnostics>,
    /// The warnings about it.
    warnings: TokenStream,
}

/// The rule of a definition, if it is one.
pub(crate) fn defined(definition: TokenStream) -> Option<OpShardingRule> {
    read(definition).rule.ok()
}

fn read(input: TokenStream) -> Read {
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_rule(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the rule");
    }
    let mut diagnostics = cursor.diagnostics;
    let rule = syntax.as_ref().and_then(|syntax| lower_rule(syntax, &mut diagnostics));
    let warnings = syntax.as_ref().map(|syntax| warnings(&flat, syntax)).unwrap_or_default();
    match rule {
        Some(rule) if diagnostics.is_empty() => Read { rule: Ok(rule), warnings, flat },
        _ => Read { rule: Err(diagnostics), warnings: TokenStream::new(), flat },
    }
}
