//! The value of a `macro_rules!` variable arrives as a group without delimiters. The grammars do not have such groups, and
//! rustc drops them when it parses the tokens again. So next to an operator they become parentheses; elsewhere they are
//! replaced by their contents.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// The tokens without groups that have no delimiters.
pub(crate) fn visible(input: TokenStream) -> TokenStream {
    if !hides(&input) {
        return input;
    }
    let trees: Vec<TokenTree> = input.into_iter().collect();
    let mut output = TokenStream::new();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            output.extend([tree.clone()]);
            continue;
        };
        let inner = visible(group.stream());
        let delimiter = match group.delimiter() {
            Delimiter::None => {
                let several = inner.clone().into_iter().nth(1).is_some();
                let torn = several && (ends(&trees[..at]) || starts(&trees[at + 1..]));
                if !torn {
                    output.extend(inner);
                    continue;
                }
                Delimiter::Parenthesis
            }
            // Left unchanged, so that its delimiters keep their spans.
            _ if !hides(&group.stream()) => {
                output.extend([tree.clone()]);
                continue;
            }
            delimiter => delimiter,
        };
        let mut group_seen = Group::new(delimiter, inner);
        group_seen.set_span(group.span());
        output.extend([TokenTree::Group(group_seen)]);
    }
    output
}

/// Whether the tokens contain a group without delimiters.
fn hides(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::None || hides(&group.stream()),
        _ => false,
    })
}

/// Whether the tokens end with an operator.
fn ends(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(word)] => ["floordiv", "ceildiv", "mod"].iter().any(|w| word == w),
        [.., TokenTree::Punct(first), TokenTree::Punct(second)]
            if first.spacing() == Spacing::Joint && second.as_char() == '=' =>
        {
            "=!".contains(first.as_char())
        }
        [.., TokenTree::Punct(last)] => "+-*/%^&|!.".contains(last.as_char()),
        _ => false,
    }
}

/// Whether the tokens start with an operator other than an assignment or an arrow.
fn starts(after: &[TokenTree]) -> bool {
    match after {
        [TokenTree::Ident(word), ..] => {
            ["floordiv", "ceildiv", "mod", "as"].iter().any(|w| word == w)
        }
        [TokenTree::Punct(first), TokenTree::Punct(second), ..]
            if first.spacing() == Spacing::Joint && "=>".contains(second.as_char()) =>
        {
            second.as_char() == '=' && "=!".contains(first.as_char())
        }
        [TokenTree::Punct(first), ..] => "+-*/%^&|?.".contains(first.as_char()),
        _ => false,
    }
}
