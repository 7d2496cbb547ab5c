//! `#[cfg(..)]`, as far as a macro can say what becomes of it.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// What `#[cfg(..)]` asks for; `None` of any other attribute.
pub(crate) fn of(attribute: &TokenStream) -> Option<TokenStream> {
    let group = attribute.clone().into_iter().find_map(|tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => Some(group.stream()),
        _ => None,
    })?;
    let mut trees = group.into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(asked))) if name == "cfg" => {
            Some(asked.stream())
        }
        _ => None,
    }
}

/// What is asked for in front of an item or a call of a macro, from its end.
pub(crate) fn before(mut trees: &[TokenTree]) -> Vec<TokenStream> {
    // The path of the macro, and the visibility of the item.
    while let [rest @ .., TokenTree::Ident(_), TokenTree::Punct(a), TokenTree::Punct(b)] = trees
        && a.as_char() == ':'
        && b.as_char() == ':'
    {
        trees = rest;
    }
    if let [rest @ .., TokenTree::Ident(word), TokenTree::Group(_)] = trees
        && word == "pub"
    {
        trees = rest;
    } else if let [rest @ .., TokenTree::Ident(word)] = trees
        && word == "pub"
    {
        trees = rest;
    }
    let mut conditions = Vec::new();
    while let [rest @ .., TokenTree::Punct(hash), TokenTree::Group(group)] = trees
        && hash.as_char() == '#'
        && group.delimiter() == Delimiter::Bracket
    {
        conditions.extend(of(&TokenTree::Group(group.clone()).into()));
        trees = rest;
    }
    conditions
}

/// What is asked for at the start of a file, `#![cfg(..)]`.
pub(crate) fn of_file(mut trees: &[TokenTree]) -> Vec<TokenStream> {
    let mut conditions = Vec::new();
    while let [TokenTree::Punct(hash), TokenTree::Punct(bang), TokenTree::Group(group), rest @ ..] =
        trees
        && hash.as_char() == '#'
        && bang.as_char() == '!'
    {
        conditions.extend(of(&TokenTree::Group(group.clone()).into()));
        trees = rest;
    }
    conditions
}

/// Whether it holds; `None` if only rustc knows. Tests are not part of a crate.
pub(crate) fn holds(asked: &TokenStream) -> Option<bool> {
    let trees: Vec<_> = asked.clone().into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Ident(word)] => match word.to_string().as_str() {
            "true" => Some(true),
            "false" | "test" => Some(false),
            _ => None,
        },
        [TokenTree::Ident(word), TokenTree::Group(group)] => {
            let inner: Vec<_> = group.stream().into_iter().collect();
            let parts = inner
                .split(|tree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ','));
            let parts = parts.filter(|part| !part.is_empty());
            let mut parts = parts.map(|part| holds(&part.iter().cloned().collect()));
            let (mut known, decides) = (true, word == "any");
            if word == "not" {
                return parts.next().flatten().map(|holds| !holds);
            }
            if word != "any" && word != "all" {
                return None;
            }
            for part in parts {
                match part {
                    Some(holds) if holds == decides => return Some(decides),
                    Some(_) => {}
                    None => known = false,
                }
            }
            known.then_some(!decides)
        }
        _ => None,
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
    fn conditions_stand_in_front_of_what_they_are_for() {
        let found = |text: &str| {
            let trees: Vec<_> = text.parse::<TokenStream>().expect("tokens").into_iter().collect();
            before(&trees).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(found("#[cfg(a)] mod x {} #[cfg(b)] #[doc = \"\"] pub(crate)"), ["b"]);
        assert_eq!(found("#[cfg(a)] #[cfg(b)] tensor_layout::"), ["b", "a"]);
        assert_eq!(found("#[cfg(a)] fn f() {}"), [""; 0]);
    }
}
