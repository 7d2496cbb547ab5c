//! Reads the Rust in the input of the macros: items, attributes, visibilities, paths, types and expressions.

use crate::flatten::{Flat, TokenRange};
use layout_core::syntax::{Head, ReadRust, RustMistake, TypeParts};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, GenericParam, Generics, LitStr, Path, PathArguments, Token, Type, Visibility,
    parse_quote,
};

/// A definition: `pub type Csr = ..;`, or `pub Pod = ..` for macros that define one thing.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    /// The tokens after the equals sign.
    pub(crate) tokens: TokenStream,
}

impl Item {
    /// `pub type W<const N: usize> = ..;`. The last semicolon may be absent. A definition that ends otherwise is one of the
    /// `mistakes`, and is read.
    fn alias(input: ParseStream<'_>, mistakes: &mut Option<syn::Error>) -> syn::Result<Self> {
        let (attributes, visibility) = (input.call(Attribute::parse_outer)?, input.parse()?);
        if starts_other_item(input) {
            let keyword: Ident = input.call(Ident::parse_any)?;
            let help = instead_of(&keyword, input);
            let message = format!("expected `type`, found `{keyword}`{help}");
            return Err(syn::Error::new(keyword.span(), message));
        }
        if let Err(mistake) = input.parse::<Token![type]>() {
            if input.peek(Ident::peek_any) && input.peek2(Token![=]) {
                let name: Ident = input.call(Ident::parse_any)?;
                let message = format!("{mistake}\n\nhelp: write `type {name}`");
                return Err(syn::Error::new(mistake.span(), message));
            }
            let rest = input.fork().parse()?;
            let Some(Self { name, .. }) = Self::meant(rest) else { return Err(mistake) };
            // `pub` may be misspelled.
            let is_private =
                matches!(visibility, Visibility::Inherited) && !input.peek2(Token![type]);
            let public = if is_private { "" } else { "pub " };
            let message = format!("{mistake}\n\nhelp: write `{public}type {name} = ..;`");
            return Err(syn::Error::new(mistake.span(), message));
        }
        let name = name(input)?;
        let generics = input.parse()?;
        let is_colon = input.peek(Token![:]);
        if let Err(mistake) = input.parse::<Token![=]>() {
            if !is_colon {
                return Err(mistake);
            }
            let message = format!("{mistake}\n\nhelp: write `type {name} = ..;`");
            return Err(syn::Error::new(mistake.span(), message));
        }
        let mut tokens = TokenStream::new();
        while !input.is_empty() && !input.peek(Token![;]) {
            let is_comma = input.peek(Token![,]);
            let after = input.fork();
            if is_comma {
                after.parse::<Token![,]>()?;
            }
            // `#sparse_tensor` of MLIR is not an attribute.
            let attribute = after.peek(Token![#]) && after.peek2(syn::token::Bracket);
            let begins = attribute || after.peek(Token![type]) || after.peek(Token![pub]);
            if begins
                || is_comma
                    && (after.is_empty() || after.peek(Token![#]) || starts_other_item(&after))
            {
                let message = match is_comma {
                    true => "expected `;`, found `,`\n\nhelp: definitions end with semicolons",
                    false => {
                        "expected `;` before the next definition\n\nhelp: definitions end with semicolons"
                    }
                };
                add(mistakes, input.error(message));
                if is_comma {
                    input.parse::<Token![,]>()?;
                }
                return Ok(Self { attributes, visibility, name, generics, tokens });
            }
            tokens.extend([input.parse::<proc_macro2::TokenTree>()?]);
        }
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
        Ok(Self { attributes, visibility, name, generics, tokens })
    }

    /// `pub Pod = ..`, up to the end or to a semicolon there.
    fn named(input: ParseStream<'_>, example: &str) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let is_private = matches!(visibility, Visibility::Inherited);
        let start = input.span();
        let Ok(mut name) = name(input) else {
            let is_at = input.peek(Token![@]);
            let keyword: Option<Ident> = input.call(Ident::parse_any).ok();
            let is_item = keyword.as_ref().is_some_and(|word| {
                ["let", "const", "static", "struct", "type", "enum", "fn"]
                    .iter()
                    .any(|item| word == item)
            });
            let help = match keyword.filter(|_| is_item) {
                Some(keyword) if input.peek2(Token![=]) || input.peek2(Token![:]) => {
                    format!("leave the `{keyword}` out")
                }
                Some(_) => format!("write `{example}`"),
                None if is_at => "leave the `@` out".into(),
                None if is_private => {
                    "the macro defines an item, and cannot be used as a type or a value".into()
                }
                None => "the name comes before the `=`".into(),
            };
            let message = format!("expected a name: `{example}`\n\nhelp: {help}");
            return Err(syn::Error::new(start, message));
        };
        // `sdy.mesh @Pod = ..`, as in a module of MLIR.
        if name == "sdy" && input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            input.parse::<Ident>()?;
            input.parse::<Token![@]>()?;
            name = self::name(input)?;
        }
        let equals = if input.is_empty() { name.span() } else { input.span() };
        if input.parse::<Token![=]>().is_err() {
            let begins = input.peek(syn::token::Bracket) || input.peek(Token![<]);
            let help = match begins || input.peek(syn::token::Paren) {
                true => "write `=` before it".into(),
                false if input.peek(Token![:]) => "write `=`".into(),
                false => format!("write `{example}`"),
            };
            let message = format!("expected `=` and the definition after the name\n\nhelp: {help}");
            return Err(syn::Error::new(equals, message));
        }
        let mut tokens = TokenStream::new();
        while !input.is_empty() {
            let tree: proc_macro2::TokenTree = input.parse()?;
            let semicolon =
                matches!(&tree, proc_macro2::TokenTree::Punct(end) if end.as_char() == ';');
            if !(semicolon && input.is_empty()) {
                tokens.extend([tree]);
            }
        }
        Ok(Self { attributes, visibility, name, generics: Generics::default(), tokens })
    }

    /// What a definition with a mistake, which has been reported, probably defines: the last name before its equals sign or its
    /// first brackets, and what follows.
    ///
    /// ```text
    /// pub tpye Csr = (i, j) -> (..)     pub Pod ["data" = 2]
    ///          ^^^   ^^^^^^^^^^^^^^         ^^^ ^^^^^^^^^^^^
    /// ```
    pub(crate) fn meant(input: TokenStream) -> Option<Self> {
        let mut trees = input.into_iter().peekable();
        let (mut name, mut is_public) = (None, false);
        let begins = |tree: &TokenTree| match tree {
            TokenTree::Group(_) => true,
            TokenTree::Punct(angle) => angle.as_char() == '<',
            _ => false,
        };
        while let Some(tree) = trees.next_if(|tree| !begins(tree)) {
            match tree {
                TokenTree::Ident(word) if word == "pub" => is_public = true,
                TokenTree::Ident(word) if is_name(&word.to_string()) => name = Some(word),
                TokenTree::Punct(punct) if matches!(punct.as_char(), '=' | ':' | ';') => break,
                _ => {}
            }
        }
        // `struct Csr { .. }` defines something else.
        if matches!(trees.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace)
        {
            return None;
        }
        let mut name = name?;
        name.set_span(name.span().resolved_at(Span::call_site()));
        let is_end =
            |tree: &TokenTree| matches!(tree, TokenTree::Punct(end) if end.as_char() == ';');
        let tokens = trees.take_while(|tree| !is_end(tree)).collect();
        let visibility = if is_public { parse_quote!(pub) } else { Visibility::Inherited };
        Some(Self {
            attributes: Vec::new(),
            visibility,
            name,
            generics: Generics::default(),
            tokens,
        })
    }

    /// The attributes that decide whether the definition exists. All items of its expansion have them.
    pub(crate) fn conditions(&self) -> Vec<Attribute> {
        crate::conditions::of_item(&self.attributes)
    }

    /// Whether it has parameters that must be given.
    pub(crate) fn is_generic(&self) -> bool {
        self.generics.params.iter().any(|parameter| match parameter {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(parameter) => parameter.default.is_none(),
            GenericParam::Const(parameter) => parameter.default.is_none(),
        })
    }

    pub(crate) fn is_public(&self) -> bool {
        matches!(self.visibility, Visibility::Public(_))
    }
}

/// A name that is resolved where the macro is called: both the type and the macro of this name are the user's.
fn name(input: ParseStream<'_>) -> syn::Result<Ident> {
    let mut name: Ident = input.parse()?;
    name.set_span(name.span().resolved_at(Span::call_site()));
    Ok(name)
}

/// The name without `r#`, for names that are derived from it.
pub(crate) fn unraw(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Whether a word can be the name of a generated item.
pub(crate) fn is_name(word: &str) -> bool {
    // `gen` is a keyword of the edition of this crate that syn accepts as a name.
    word != "gen" && syn::parse_str::<Ident>(word).is_ok()
}

/// A word as a name, raw if it is a keyword.
pub(crate) fn name_of(word: &str, span: Span) -> Ident {
    // `r#self` is not a name.
    let raw = !is_name(word) && !["self", "Self", "super", "crate", "_"].contains(&word);
    if raw { Ident::new_raw(word, span) } else { Ident::new(word, span) }
}

/// The attributes at `ranges`.
pub(crate) fn attributes(flat: &Flat, ranges: &[TokenRange]) -> Vec<Attribute> {
    let tokens: TokenStream = ranges.iter().map(|range| flat.tokens(*range)).collect();
    Attribute::parse_outer.parse2(tokens).unwrap_or_default()
}

/// Whether the input starts as an item does rather than as a notation: `#[..]`, `pub`, `type`, or the keyword of another item.
fn starts_item(input: ParseStream<'_>) -> bool {
    let attribute = input.peek(Token![#]) && input.peek2(syn::token::Bracket);
    // A misspelled `pub`.
    let misspelled = input.peek(Ident::peek_any) && input.peek2(Token![type]);
    let starts = input.peek(Token![pub]) || input.peek(Token![type]) || misspelled;
    attribute || starts || starts_without_type(input) || starts_other_item(input)
}

/// Whether the next definition is `Csr = (i, j) -> ..` or `W = tiled!(..)`, without `type`, rather than an attribute of an encoding,
/// `map = (i, j) -> ..`.
fn starts_without_type(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    let named = ahead.call(Ident::parse_any).is_ok_and(|name| name != "map");
    let defined = named && ahead.parse::<Token![=]>().is_ok();
    let is_macro = ahead.peek(Ident::peek_any) && ahead.peek2(Token![!]);
    defined && (is_macro || ahead.peek(syn::token::Paren) || ahead.peek(Token![#]))
}

/// Whether the next item is not an alias.
fn starts_other_item(input: ParseStream<'_>) -> bool {
    input.peek(Token![struct])
        || input.peek(Token![enum])
        || input.peek(Token![let])
        || input.peek(Token![const])
        || input.peek(Token![static])
        || input.peek(Token![fn])
        || input.peek(Token![use])
        || input.peek(Token![mod])
}

/// The definitions in the input of a macro, and the mistakes in those that could not be read.
pub(crate) struct Aliases {
    pub(crate) items: Vec<Item>,
    /// What those with mistakes probably define, so that their uses are not reported too.
    pub(crate) meant: Vec<Item>,
    pub(crate) mistakes: Option<syn::Error>,
}

/// The aliases in `input`; `None` if it does not start like an item.
pub(crate) fn aliases(input: TokenStream) -> Option<Aliases> {
    let parse = |input: ParseStream<'_>| {
        if !starts_item(input) {
            input.parse::<TokenStream>()?;
            return Ok(None);
        }
        let (mut items, mut meant, mut mistakes) = (Vec::new(), Vec::new(), None::<syn::Error>);
        while !input.is_empty() {
            let start = input.fork();
            match Item::alias(input, &mut mistakes) {
                Ok(item) => items.push(item),
                // Reading continues after the semicolon.
                Err(mistake) => {
                    while !input.is_empty() && input.parse::<Token![;]>().is_err() {
                        input.parse::<proc_macro2::TokenTree>()?;
                    }
                    meant.extend(Item::meant(start.parse()?));
                    add(&mut mistakes, mistake);
                }
            }
        }
        Ok(Some(Aliases { items, meant, mistakes }))
    };
    parse.parse2(input).unwrap_or_else(|mistake| {
        let (items, meant) = (Vec::new(), Vec::new());
        Some(Aliases { items, meant, mistakes: Some(mistake) })
    })
}

/// What to write instead of an item that is not an alias, as the end of a message; empty if only an example helps.
fn instead_of(keyword: &Ident, input: ParseStream<'_>) -> String {
    if ["let", "struct"].iter().all(|known| keyword != known) {
        return "\n\nhelp: write other items outside of the macro".into();
    }
    let ahead = input.fork();
    let Ok(name) = ahead.parse::<Ident>() else { return String::new() };
    if ahead.peek(Token![=]) {
        format!("\n\nhelp: write `type {name} = ..`")
    } else {
        String::new()
    }
}

/// Adds a mistake to those that were found.
fn add(mistakes: &mut Option<syn::Error>, mistake: syn::Error) {
    match mistakes {
        Some(mistakes) => mistakes.combine(mistake),
        None => *mistakes = Some(mistake),
    }
}

/// `pub Pod = ..`; `example` shows how it is written.
pub(crate) fn named(input: TokenStream, example: &str) -> syn::Result<Item> {
    (|input: ParseStream<'_>| Item::named(input, example)).parse2(input)
}

/// Whether the input is `pub Name = ..` instead of only the part after the equals sign.
pub(crate) fn is_named(input: TokenStream) -> bool {
    let parse = |input: ParseStream<'_>| {
        // A colon in place of the equals sign is reported where the definition is read.
        let equals = input.peek2(Token![=]) || input.peek2(Token![:]) && !input.peek2(Token![::]);
        let named = starts_item(input) || input.peek(syn::Ident::peek_any) && equals;
        input.parse::<TokenStream>()?;
        Ok(named)
    };
    parse.parse2(input).unwrap_or(false)
}

/// The path at the start of `input`, unless it is called.
pub(crate) fn leading_path(input: TokenStream) -> Option<Path> {
    let parse = |input: ParseStream<'_>| {
        let path = input.call(Path::parse_mod_style)?;
        if input.peek(syn::token::Paren) {
            return Err(input.error("a call"));
        }
        input.parse::<TokenStream>()?;
        Ok(path)
    };
    parse.parse2(input).ok()
}

/// The path, if `input` consists of one.
pub(crate) fn module_path(input: TokenStream) -> Option<Path> {
    Path::parse_mod_style.parse2(input).ok()
}

/// Whether a path has the same meaning in every module.
pub(crate) fn is_absolute(path: &Path) -> bool {
    let first = path.segments.first();
    path.leading_colon.is_some()
        || first.is_some_and(|first| first.ident == "crate" || first.ident == "$crate")
}

/// The text and the expressions after it: `"ij,jk->ik", a, b`.
pub(crate) fn text_and_expressions(input: TokenStream) -> syn::Result<(LitStr, Vec<Expr>)> {
    let parse = |input: ParseStream<'_>| {
        let text = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let expressions = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        Ok((text, expressions.into_iter().collect()))
    };
    parse.parse2(input)
}

/// Whether an expression is a closure.
pub(crate) fn is_closure(expression: &TokenStream) -> bool {
    matches!(syn::parse2(expression.clone()), Ok(Expr::Closure(_)))
}

/// Mistakes in Rust code, as items: the parser's message, and what to write instead.
pub(crate) fn error(error: &syn::Error, help: &str) -> TokenStream {
    let mistakes = error.into_iter().map(|error| {
        let message = plain(error.to_string());
        let has_help = help.is_empty() || message.contains("\n\nhelp: ");
        let text = if has_help { message } else { format!("{message}\n\nhelp: {help}") };
        // In braces, it can be an item, a type or an expression, wherever the macro is called.
        quote_spanned!(error.span()=> ::core::compile_error! { #text })
    });
    mistakes.collect()
}

/// A message of the parser, in which `a type` replaces the list of all tokens that can start a type.
fn plain(message: String) -> String {
    if message.starts_with("expected one of: `for`, parentheses") {
        return "expected a type".into();
    }
    message
}

/// The tokens that a grammar reads; syn reads the Rust among them.
impl ReadRust for Flat {
    fn head(&self, at: usize) -> Result<Head, RustMistake> {
        let parse = |input: ParseStream<'_>| {
            Ok((input.call(Attribute::parse_outer)?, input.parse::<Visibility>()?))
        };
        let ((attributes, visibility), _) = self.parse(at, parse)?;
        let attributes = attributes.iter().map(count).collect();
        Ok(Head { attributes, visibility: count(&visibility) })
    }

    fn ty(&self, at: usize) -> Result<TypeParts, RustMistake> {
        let (ty, len) = self.parse(at, Type::without_plus)?;
        let mut parts = TypeParts { len, path: len, arguments: Vec::new() };
        if let Type::Path(ty) = &ty
            && ty.qself.is_none()
            && let Some(last) = ty.path.segments.last()
            && let PathArguments::AngleBracketed(brackets) = &last.arguments
        {
            parts.path = len - count(brackets);
            // The tokens that open the brackets, `<` or `::<`.
            let mut start = parts.path + count(&brackets.colon2_token) + 1;
            for argument in &brackets.args {
                let end = start + count(argument);
                parts.arguments.push(start..end);
                start = end + 1;
            }
            if brackets.args.is_empty() {
                parts.arguments.push(start..start);
            }
        }
        Ok(parts)
    }

    fn expression(&self, at: usize) -> Result<usize, RustMistake> {
        Ok(self.parse(at, Expr::parse)?.1)
    }
}

impl Flat {
    /// Parses Rust from token `at` to the end of its group at most; returns the number of its tokens.
    fn parse<T>(
        &self,
        at: usize,
        parse: impl Fn(ParseStream<'_>) -> syn::Result<T>,
    ) -> Result<(T, usize), RustMistake> {
        let parse = |input: ParseStream<'_>| Ok((parse(input)?, input.parse::<TokenStream>()?));
        // syn copies what it is given, which begins with what matters and may end long after it.
        let mut trees = 4 * LOOKED_AT;
        loop {
            let end = self.end_of_trees(at, trees);
            let stream = match at < end {
                true => self.tokens(TokenRange::of(at, end - 1)),
                false => TokenStream::new(),
            };
            let is_all = self.is_end(end);
            match parse.parse2(stream) {
                Ok((parsed, rest))
                    if is_all || rest.clone().into_iter().nth(LOOKED_AT).is_some() =>
                {
                    return Ok((parsed, end - at - count(&rest)));
                }
                Err(error) if is_all => {
                    let at = self.at(error.span(), at..end).unwrap_or(end);
                    return Err(RustMistake { at, message: plain(error.to_string()) });
                }
                _ => trees = trees.saturating_mul(4),
            }
        }
    }
}

/// The most trees after the end of some Rust that syn looks at to know that it ends: three tokens of three characters.
const LOOKED_AT: usize = 9;

/// The number of tokens of the grammar in `tokens`.
fn count(tokens: &impl ToTokens) -> usize {
    Flat::new(tokens.to_token_stream()).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(text: &str) -> Flat {
        Flat::new(text.parse().expect("tokens"))
    }

    #[test]
    fn what_stands_in_a_notation_ends_where_rust_does() {
        for (written, tokens) in [
            ("f64::max, x", 4),
            ("move |x, y| x + y, a[i]", 9),
            ("|#[a] x: Map<u8, u8>| -> f64 { x.0 }, y", 22),
            ("clamp::<f64, 0, 1>, x", 10),
            ("<T as Number<u8, u16>>::double, x", 13),
            ("if x <= y { x } else { y }, z", 11),
        ] {
            assert_eq!(flat(written).expression(0), Ok(tokens), "{written}");
        }
        let head = flat("#[a] #[doc = \"b\"] pub(in a::b) fn f").head(0);
        assert_eq!(head, Ok(Head { attributes: vec![4, 6], visibility: 8 }));
        assert_eq!(flat("x fn f").head(1), Ok(Head::default()));
    }

    #[test]
    fn types_have_paths_and_arguments() {
        let parts = |written: &str| flat(written).ty(0).expect("a type");
        let of = |len, path, argument: Option<_>| {
            let arguments = argument.into_iter().collect();
            TypeParts { len, path, arguments }
        };
        assert_eq!(parts("f64[i]"), of(1, 1, None));
        assert_eq!(parts("a::Csr<f64>[i]"), of(7, 4, Some(5..6)));
        assert_eq!(parts("Csr::<<T as A<B, C>>::D>[i]"), of(18, 1, Some(4..17)));
        assert_eq!(parts("A<u8, u16>").arguments, [2..3, 4..5]);
        assert_eq!(parts("A<>"), of(3, 1, Some(2..2)));
        assert_eq!(parts("<T as A<B>>::C[i]"), of(11, 11, None));
    }

    #[test]
    fn keywords_are_names_when_they_are_raw() {
        assert_eq!(name_of("type", Span::call_site()).to_string(), "r#type");
        assert_eq!(name_of("gen", Span::call_site()).to_string(), "r#gen");
        assert_eq!(name_of("x", Span::call_site()).to_string(), "x");
        assert!(!is_name("self") && !is_name("gen") && !is_name("yield") && is_name("union"));
        assert_eq!(unraw(&name_of("type", Span::call_site())), "type");
    }
}
