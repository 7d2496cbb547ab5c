//! `#[cfg(..)]` and `#[cfg_attr(..)]`, as far as a macro can evaluate them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprLit, Lit, LitBool, Meta, MetaList, MetaNameValue, Token, parse_quote,
};

/// The conditions in `attributes`, each as the argument of a `cfg`: an item exists if all of them hold.
pub(crate) fn asked(attributes: &[Attribute]) -> Vec<TokenStream> {
    attributes.iter().flat_map(|attribute| asked_by(&attribute.meta)).collect()
}

/// The same conditions as attributes, for the items of an expansion.
pub(crate) fn of_item(attributes: &[Attribute]) -> Vec<Attribute> {
    asked(attributes).iter().map(|asked| parse_quote!(#[cfg(#asked)])).collect()
}

fn asked_by(attribute: &Meta) -> Vec<TokenStream> {
    match attribute {
        Meta::List(list) if list.path.is_ident("cfg") => vec![list.tokens.clone()],
        // `cfg_attr(unix, cfg(test))` is `cfg(any(not(unix), test))`.
        _ => conditional(attribute).map_or_else(Vec::new, |(condition, attributes)| {
            let asked = attributes.iter().flat_map(asked_by);
            asked.map(|asked| quote!(any(not(#condition), #asked))).collect()
        }),
    }
}

/// The files that `#[path = ".."]` names, with the conditions of each.
pub(crate) fn paths(attributes: &[Attribute]) -> Vec<(Vec<TokenStream>, String)> {
    attributes.iter().flat_map(|attribute| paths_in(&attribute.meta)).collect()
}

fn paths_in(attribute: &Meta) -> Vec<(Vec<TokenStream>, String)> {
    if let Meta::NameValue(MetaNameValue { path, value, .. }) = attribute
        && path.is_ident("path")
        && let Expr::Lit(ExprLit { lit: Lit::Str(file), .. }) = value
    {
        return vec![(Vec::new(), file.value())];
    }
    conditional(attribute).map_or_else(Vec::new, |(condition, attributes)| {
        let files = attributes.iter().flat_map(paths_in);
        let on = |(mut conditions, file): (Vec<_>, _)| {
            conditions.push(condition.clone());
            (conditions, file)
        };
        files.map(on).collect()
    })
}

/// The condition of a `cfg_attr`, and the attributes that it adds.
fn conditional(attribute: &Meta) -> Option<(TokenStream, Vec<Meta>)> {
    let Meta::List(list) = attribute else { return None };
    if !list.path.is_ident("cfg_attr") {
        return None;
    }
    let mut arguments = arguments(list)?.into_iter();
    let condition = arguments.next()?;
    Some((quote!(#condition), arguments.collect()))
}

fn arguments(list: &MetaList) -> Option<Vec<Meta>> {
    let parse =
        |input: ParseStream<'_>| Punctuated::<Meta, Token![,]>::parse_terminated_with(input, meta);
    Some(parse.parse2(list.tokens.clone()).ok()?.into_iter().collect())
}

/// Reads a condition; `true` and `false` are conditions too.
fn meta(input: ParseStream<'_>) -> syn::Result<Meta> {
    if !input.peek(LitBool) {
        return input.parse();
    }
    let value: LitBool = input.parse()?;
    Ok(Meta::Path(Ident::new(&value.value.to_string(), value.span).into()))
}

/// Whether the argument of a `cfg` holds; `None` if only rustc can decide. `test` does not hold, because the crate is read without
/// its tests.
pub(crate) fn holds(asked: &TokenStream) -> Option<bool> {
    decided(&meta.parse2(asked.clone()).ok()?)
}

fn decided(asked: &Meta) -> Option<bool> {
    let list = match asked {
        Meta::Path(word) if word.is_ident("true") => return Some(true),
        Meta::Path(word) if word.is_ident("false") || word.is_ident("test") => return Some(false),
        Meta::List(list) => list,
        _ => return None,
    };
    let mut parts = arguments(list)?.into_iter();
    if list.path.is_ident("not") {
        return decided(&parts.next()?).map(|holds| !holds);
    }
    let any = list.path.is_ident("any");
    if !any && !list.path.is_ident("all") {
        return None;
    }
    let parts: Vec<_> = parts.map(|part| decided(&part)).collect();
    match parts.contains(&Some(any)) {
        true => Some(any),
        false => (!parts.contains(&None)).then_some(!any),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rustc_alone_knows_is_not_decided() {
        for (asked, expected) in [
            ("any()", Some(false)),
            ("all()", Some(true)),
            ("true", Some(true)),
            ("test", Some(false)),
            ("not(test)", Some(true)),
            ("feature = \"x\"", None),
            ("all(test, feature = \"x\")", Some(false)),
            ("any(not(any()), feature = \"x\")", Some(true)),
            ("all(not(test), unix)", None),
            ("not(unix)", None),
        ] {
            assert_eq!(holds(&asked.parse().expect("tokens")), expected, "{asked}");
        }
    }

    #[test]
    fn attributes_on_a_condition_are_conditions() {
        let item: syn::ItemMod = parse_quote! {
            #[cfg(a)]
            #[doc = ""]
            #[cfg_attr(b, cfg(c), path = "d.rs", inline)]
            #[cfg_attr(e, cfg_attr(f, path = "g.rs"))]
            #[path = "h.rs"]
            mod m;
        };
        let found: Vec<_> = asked(&item.attrs).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["a", "any (not (b) , c)"]);
        let found: Vec<_> = paths(&item.attrs)
            .into_iter()
            .map(|(conditions, file)| (quote!(#(#conditions),*).to_string(), file))
            .collect();
        let expected = [("b", "d.rs"), ("f , e", "g.rs"), ("", "h.rs")];
        assert_eq!(found, expected.map(|(conditions, file)| (conditions.into(), file.into())));
    }
}
