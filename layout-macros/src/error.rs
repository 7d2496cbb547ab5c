use crate::emit::{braced, element, literal, with_arguments};
use crate::flatten::{Flat, TokenRange};
use crate::rust::is_name;
use layout_core::syntax::Diagnostic;
use layout_core::{DType, TiledSpec};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

/// The largest number of mistakes of one invocation that are reported: rustc prints many errors slowly, especially on one line.
const MAX_ERRORS: usize = 100;

/// A placeholder for a layout with mistakes. Each error is reported at its token. No further errors follow from it, because the
/// placeholder has the written element type and shape, as far as they can be read.
pub(crate) fn layout(flat: &Flat, diagnostics: Vec<Diagnostic<TokenRange>>) -> TokenStream {
    let errors = compile_errors(flat, diagnostics);
    let (dtype, span) = flat
        .words()
        .find_map(|(word, span)| Some((DType::from_name(word)?, span)))
        .unwrap_or((DType::U8, Span::call_site()));
    let element = element(dtype, span);
    let dims = dims(flat, dtype);
    let order: Vec<_> = (0..dims.len()).rev().map(|dim| literal(dim, Span::call_site())).collect();
    let shape = with_arguments("Shape", dims.len(), Span::call_site(), &dims);
    let order = with_arguments("Order", order.len(), Span::call_site(), &order);
    // Only a const argument of a type can contain statements.
    let tile = with_arguments("Tile", 1, Span::call_site(), &[quote!({ #(#errors;)* 1 })]);
    quote!(::tensor_layout::Tiled::<#element, #shape, #order, (#tile,)>)
}

/// An error for each mistake, in the order of the text.
pub(crate) fn compile_errors(
    flat: &Flat,
    mut diagnostics: Vec<Diagnostic<TokenRange>>,
) -> impl Iterator<Item = TokenStream> {
    diagnostics.sort_by_key(|diagnostic| diagnostic.span);
    diagnostics.dedup();
    let more = diagnostics.len().saturating_sub(MAX_ERRORS);
    diagnostics.truncate(MAX_ERRORS);
    if let Some(last) = diagnostics.last_mut().filter(|_| more > 0) {
        last.help = format!("{more} more mistakes follow\n\n{}", last.help).trim_end().into();
    }
    diagnostics.into_iter().map(move |diagnostic| compile_error(flat, diagnostic))
}

/// One error at its own token.
fn compile_error(flat: &Flat, mistake: Diagnostic<TokenRange>) -> TokenStream {
    let Diagnostic { span, message, help } = mistake;
    let text = if help.is_empty() { message } else { format!("{message}\n\nhelp: {help}") };
    let (first, last) = (flat.span(span), flat.last_span(span));
    // rustc underlines a macro call from its path to its delimiter, which get the spans of the first and the last token of the
    // mistake.
    let mut text = Group::new(Delimiter::Parenthesis, quote!(#text));
    text.set_span(last);
    quote_spanned!(first=> ::core::compile_error! #text)
}

/// The sizes in the first brackets, with 1 for everything that is not a size, or for all sizes if the array is too large.
fn dims(flat: &Flat, dtype: DType) -> Vec<TokenStream> {
    let Some(brackets) = flat.brackets() else { return Vec::new() };
    let trees: Vec<_> = brackets.stream().into_iter().collect();
    let mut written: Vec<&[TokenTree]> = trees
        .split(|tree| matches!(tree, TokenTree::Punct(comma) if comma.as_char() == ','))
        .collect();
    written.retain(|size| !size.is_empty());
    written.truncate(layout_core::parts::MAX_RANK);
    let known: Vec<_> = written.iter().map(|size| number(size).unwrap_or(1)).collect();
    let fits = TiledSpec::row_major(dtype, &known).is_some();
    // The words beside a text, `Float32[Array, "8 128"]`, are not constants.
    let has_text = written.iter().any(
        |size| matches!(size, [TokenTree::Literal(text)] if text.to_string().starts_with('"')),
    );
    let size = |(size, known): (&&[TokenTree], &usize)| match size {
        // The `None` of Python, not that of Rust's `Option`; `_` and keywords, which are not expressions; and an element type.
        [TokenTree::Ident(name)]
            if has_text
                || name == "None"
                || !is_name(&name.to_string())
                || DType::from_name(&name.to_string()).is_some() =>
        {
            literal(1, Span::call_site())
        }
        [name @ TokenTree::Ident(_)] => braced(name.clone()),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Brace => {
            group.to_token_stream()
        }
        _ => literal(if fits { *known } else { 1 }, Span::call_site()),
    };
    written.iter().zip(&known).map(size).collect()
}

/// The number in `3` or `<=3`.
fn number(size: &[TokenTree]) -> Option<usize> {
    match size {
        [TokenTree::Literal(number)] => number.to_string().parse().ok(),
        [TokenTree::Punct(less), TokenTree::Punct(_), TokenTree::Literal(bound)]
            if less.as_char() == '<' =>
        {
            bound.to_string().parse().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_of_very_many_mistakes_are_shown() {
        let flat = Flat::new("f32[3]".parse().expect("tokens"));
        let mistake = |at: usize| Diagnostic {
            span: flat.cursor().span(),
            message: format!("mistake {at}"),
            help: String::new(),
        };
        for (count, shown) in [(0, 0), (1, 1), (MAX_ERRORS, MAX_ERRORS), (20_000, MAX_ERRORS)] {
            let errors: Vec<_> = compile_errors(&flat, (0..count).map(mistake).collect()).collect();
            assert_eq!(errors.len(), shown);
            let says = errors.last().is_some_and(|last| last.to_string().contains("more mistakes"));
            assert_eq!(says, count > shown);
        }
    }
}
