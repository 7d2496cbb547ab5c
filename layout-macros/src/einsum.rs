//! `einsum!`: expands to a function for one call, whose bounds state which sizes are equal.
//!
//! `einsum!("ij,jk->ik", a, b)` expands to a call of
//! `fn einsum<Left, Right, Product, const size_i: usize, const size_j: usize, const size_k: usize>(..)`, with bounds that require
//! that `Left` has the letters `i` and `j`, `Right` has `j` and `k`, and `Product` has `i` and `k`.

use crate::emit::with_arguments;
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
    let named = |operand: &Expr| {
        let operand = match operand {
            Expr::Reference(reference) => &reference.expr,
            operand => operand,
        };
        match operand {
            Expr::Path(path) => path.path.get_ident().map(|name| format!("`{name}`")),
            _ => None,
        }
    };
    let names = operands
        .iter()
        .zip(["the first array", "the second array"])
        .map(|(operand, nth)| named(operand).unwrap_or_else(|| nth.into()));
    let arrays = Arrays { text: text.value(), names: names.collect() };
    let function = function(&einsum, &arrays);
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
    if let Some(mistake) = options(operands) {
        return Some(mistake);
    }
    if written == given {
        return in_brackets(operands);
    }
    let help = match (operands, written.cmp(&given)) {
        ([Expr::Array(ExprArray { elems, .. }) | Expr::Tuple(ExprTuple { elems, .. })], _) => {
            let arrays = elems.to_token_stream().to_string().replace(" ,", ",");
            format!("write the arrays without brackets: `einsum!({text:?}, {arrays})`")
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

/// All mistakes as one; `None` if there are none.
fn together(mistakes: impl Iterator<Item = syn::Error>) -> Option<syn::Error> {
    mistakes.reduce(|mut all, next| {
        all.combine(next);
        all
    })
}

/// The mistake of arrays that have brackets around them: `[a], [b]`.
fn in_brackets(operands: &[Expr]) -> Option<syn::Error> {
    let mistakes = operands.iter().filter_map(|operand| match operand {
        Expr::Array(ExprArray { elems, .. }) if elems.len() == 1 => {
            let array = elems.to_token_stream();
            let message = format!("expected an array, found a list\n\nhelp: write `{array}`");
            Some(syn::Error::new(operand.span(), message))
        }
        _ => None,
    });
    together(mistakes)
}

/// The mistake of a call with options of other libraries, `optimize=true`.
fn options(operands: &[Expr]) -> Option<syn::Error> {
    let options = operands.iter().filter_map(|operand| match operand {
        Expr::Assign(option) => {
            let name = option.left.to_token_stream();
            let message = format!(
                "`{name}` is not an array\n\nhelp: leave `{name}` out: two arrays are multiplied in one way"
            );
            Some(syn::Error::new(option.span(), message))
        }
        Expr::Array(ExprArray { elems, .. }) | Expr::Tuple(ExprTuple { elems, .. })
            if operands.iter().any(|other| matches!(other, Expr::Assign(_))) =>
        {
            let arrays = elems.to_token_stream().to_string().replace(" ,", ",").replace("& ", "&");
            let message = format!("expected an array, found a list\n\nhelp: write the arrays without brackets: `{arrays}`");
            Some(syn::Error::new(operand.span(), message))
        }
        _ => None,
    });
    together(options)
}

/// The arrays of a call as it names them, for errors.
struct Arrays {
    text: String,
    names: Vec<String>,
}

/// The function for one call, with a const parameter for each dimension. Traits of its own require that the dimensions of a letter
/// have one size: an error about the sizes of an operand names all of its letters that other arrays have.
fn function(einsum: &Einsum, arrays: &Arrays) -> TokenStream {
    let lists: Vec<&[char]> =
        einsum.operands().iter().map(Vec::as_slice).chain([einsum.result()]).collect();
    let sizes: Vec<Vec<Ident>> =
        lists.iter().enumerate().map(|(at, list)| names_of(at, list)).collect();
    let all: Vec<_> = sizes.iter().flatten().collect();
    let all_of_operands = all.len() - einsum.result().len();
    let labelled: Vec<_> = lists.iter().zip(&sizes).map(|(letters, sizes)| {
        quote!(::tensor_layout::__private::Labelled<(#(::tensor_layout::__private::Letter<#letters, #sizes>,)*)>)
    }).collect();
    let bytes =
        |letters: &[char]| Literal::byte_string(letters.iter().collect::<String>().as_bytes());
    let result = lists.len() - 1;
    let all: Vec<_> = all.into_iter().take(all_of_operands).collect();
    let product_text = bytes(einsum.result());
    let (left, left_text) = (&labelled[0], bytes(lists[0]));
    if result == 1 {
        let Bound { definition: product_trait, bound: product } =
            result_shape(einsum, arrays, &quote!(Text));
        return quote! {
            struct Text;
            #product_trait
            #[allow(non_upper_case_globals)]
            fn einsum<Left, Product, #(const #all: usize),*>(
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
        };
    }
    let (right, right_text) = (&labelled[1], bytes(lists[1]));
    let Bound { definition: right_trait, bound: right_bound } = sizes_of_right(einsum, arrays);
    let Bound { definition: product_trait, bound: product } =
        result_shape(einsum, arrays, &quote!(Of));
    quote! {
        struct Text;
        impl ::tensor_layout::__private::Equation for Text {
            const LABELS: ::tensor_layout::__private::Labels =
                ::tensor_layout::__private::Labels::new(#left_text, #right_text, #product_text);
        }
        #right_trait
        #product_trait
        #[allow(non_upper_case_globals)]
        fn einsum<Left, Right, Product, Of, #(const #all: usize),*>(
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
            Right: ::tensor_layout::Operand<Layout: ::tensor_layout::Layout<Shape: #right>> + #right_bound,
            Product: ::tensor_layout::Layout<
                Shape: #product,
                Element: ::tensor_layout::RoundedFrom<::tensor_layout::__private::SumOf<Left, Right>>,
            >,
        {
            ::tensor_layout::__private::einsum::<Text, _, _, _>(left, right)
        }
    }
}

/// A trait of one call, and the bound that uses it.
struct Bound {
    definition: TokenStream,
    bound: TokenStream,
}

/// The bound that the letters of both operands have the same sizes in both. Only then is `Of` known to be `Text`: otherwise rustc
/// does not report the sizes of the result as well.
fn sizes_of_right(einsum: &Einsum, arrays: &Arrays) -> Bound {
    let [left, right] = [0, 1].map(|at| &einsum.operands()[at]);
    let shared: Vec<char> = right.iter().filter(|letter| left.contains(letter)).copied().collect();
    let [of_left, of_right] = [0, 1].map(|at| names_of(at, &shared));
    let says = shared.iter().zip(of_left.iter().zip(&of_right)).map(|(letter, (left, right))| {
        let [first, second] = [&arrays.names[0], &arrays.names[1]];
        format!("`{letter}` is {{{left}}} in {first} and {{{right}}} in {second}")
    });
    let says: Vec<_> = says.collect();
    let message = format!("the sizes of {} do not fit: {}", arrays.names[1], says.join(", "));
    let label = format!("not the sizes of \"{}\"", arrays.text.trim());
    let definition = quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #NOTE)]
        #[allow(non_upper_case_globals)]
        trait SizesOfRight<Of, #(const #of_right: usize, const #of_left: usize),*> {}
        #[allow(non_upper_case_globals)]
        #[diagnostic::do_not_recommend]
        impl<Array: ?::core::marker::Sized, #(const #of_left: usize),*>
            SizesOfRight<Text, #(#of_left, #of_left),*> for Array {}
    };
    Bound { definition, bound: quote!(SizesOfRight<Of, #(#of_right, #of_left),*>) }
}

/// The bound that the shape of the result has the sizes of the operands. `of` is the type `Text`.
fn result_shape(einsum: &Einsum, arrays: &Arrays, of: &TokenStream) -> Bound {
    let operand = |letter: &char| {
        einsum.operands().iter().position(|letters| letters.contains(letter)).unwrap_or_default()
    };
    let letters = einsum.result();
    let sizes = letters.iter().map(|letter| size(operand(letter), *letter).into_token_stream());
    let sizes: Vec<_> = sizes.collect();
    let says = letters.iter().zip(&sizes).map(|(letter, size)| {
        format!("`{letter}` is {{{size}}} in {}", arrays.names[operand(letter)])
    });
    let says: Vec<_> = says.collect();
    let says = if says.is_empty() { "it has no dimensions".into() } else { says.join(", ") };
    let message =
        format!("the result of `{}` is not of shape `{{Self}}`: {says}", arrays.text.trim());
    let label = "not the sizes of the result";
    let shape = with_arguments("Shape", letters.len(), Span::call_site(), &sizes);
    let definition = quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #NOTE)]
        #[allow(non_upper_case_globals)]
        trait ShapeOfResult<Of, #(const #sizes: usize),*> {}
        #[allow(non_upper_case_globals)]
        #[diagnostic::do_not_recommend]
        impl<#(const #sizes: usize),*> ShapeOfResult<Text, #(#sizes),*> for #shape {}
        // With one implementation, rustc would quote it.
        #[allow(non_upper_case_globals)]
        #[diagnostic::do_not_recommend]
        impl<#(const #sizes: usize),*> ShapeOfResult<(), #(#sizes),*> for #shape {}
        // While `Of` is unknown, any shape may be that of the result.
        #[allow(non_upper_case_globals)]
        #[diagnostic::do_not_recommend]
        impl<AnyShape, #(const #sizes: usize),*> ShapeOfResult<(Text,), #(#sizes),*> for AnyShape {}
    };
    Bound { definition, bound: quote!(ShapeOfResult<#of, #(#sizes),*>) }
}

/// What a letter stands for.
const NOTE: &str = "in `einsum!` a letter has one size in all arrays; letters or arrays in another order may be meant";

/// The const parameters of the dimensions of array number `at`.
fn names_of(at: usize, letters: &[char]) -> Vec<Ident> {
    letters.iter().map(|letter| size(at, *letter)).collect()
}

/// The const parameter of a letter in array number `at`.
fn size(at: usize, letter: char) -> Ident {
    Ident::new(&format!("size_{letter}_{at}"), Span::call_site())
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
    if let Some(call) = with_numbers(&parts) {
        return format!("the text comes first, with a letter for each dimension: `{call}`");
    }
    let arrow = parts.iter().position(|part| part.contains("->"));
    let text = parts.iter().position(|part| part.starts_with('"'));
    match (text, arrow) {
        (Some(0), _) => {
            let rest = trees.split_first().map_or(&[][..], |(_, rest)| rest);
            let arrays = separated(&rest[usize::from(rest.first().is_some_and(is_comma))..]);
            format!("the arrays are separated by commas: `einsum!({}, {arrays})`", trees[0])
        }
        (Some(at), _) => {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: Vec<_> = others.map(|(_, part)| part.as_str()).collect();
            format!("the text comes first: `einsum!({}, {})`", parts[at], others.join(", "))
        }
        (None, Some(at)) if !parts[at].contains('"') => {
            let text = parts[..=at].join(",").replace(' ', "");
            let others = parts[at + 1..].iter().map(|part| format!(", {part}"));
            format!("the text has quotes: `einsum!({text:?}{})`", others.collect::<String>())
        }
        _ => {
            let first = parts.first().filter(|_| parts.len() > 2).map_or("", String::as_str);
            // Three parts are a text and two arrays.
            match parts.len() == 3
                || first.contains(['!', '('])
                || first.chars().any(char::is_uppercase)
            {
                true => format!(
                    "write the text itself in place of `{first}`: macros do not know the values of expressions"
                ),
                false => "write it as `einsum!(\"bqd,bkd->bqk\", q, k)`".into(),
            }
        }
    }
}

/// The call for arrays that are each followed by the numbers of their dimensions, as NumPy also takes them: `a, [0, 1], b, [1, 2], [0, 2]`.
fn with_numbers(parts: &[String]) -> Option<String> {
    let letters = |list: &String| -> Option<String> {
        let list = list.strip_prefix('[')?.strip_suffix(']')?;
        let letter = |number: &str| {
            Some(char::from(b'a' + number.trim().parse::<u8>().ok().filter(|n| *n < 26)?))
        };
        list.split(',').map(letter).collect()
    };
    let (result, operands) = parts.split_last()?;
    let operands: Vec<_> = operands
        .chunks_exact(2)
        .map(|pair| Some((pair[0].as_str(), letters(&pair[1])?)))
        .collect::<Option<_>>()?;
    if operands.len() * 2 + 1 != parts.len() {
        return None;
    }
    let (arrays, texts): (Vec<_>, Vec<_>) = operands.into_iter().unzip();
    Some(format!("einsum!(\"{}->{}\", {})", texts.join(","), letters(result)?, arrays.join(", ")))
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

/// A mistake, with a mark below its letter.
fn shown(text: &str, mistake: &Mistake) -> String {
    let Mistake { column, message, help, .. } = mistake;
    format!("{message}\n\n    {text}\n    {:>column$}\n\nhelp: {help}", "^")
}
