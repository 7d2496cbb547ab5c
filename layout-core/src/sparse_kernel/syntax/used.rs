//! What the body of a kernel tells about its signature: the names of dimensions, and the output.

use crate::syntax::{Cursor, Kind, Span, Token};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The subscripts with which the tokens use an operand, if they are different names: `i` and `j` in `a[i, j]`.
pub(super) fn subscripts<S: Span>(tokens: &[Token<S>], name: &str) -> Option<Vec<String>> {
    let is_used = |at: &usize| {
        let (word, next) = (&tokens[*at].kind, tokens.get(at + 1).map(|next| &next.kind));
        matches!(word, Kind::Word(word) if word == name)
            && matches!(next, Some(Kind::Open('[' | '(')))
    };
    (0..tokens.len()).filter(is_used).find_map(|at| names(&tokens[at + 1..]))
}

/// The different names in the group at the start.
fn names<S: Span>(tokens: &[Token<S>]) -> Option<Vec<String>> {
    let len = Cursor::new(tokens, tokens.first()?.span).group_len();
    let mut names = Vec::new();
    for (at, token) in tokens.get(1..len.checked_sub(1)?)?.iter().enumerate() {
        match &token.kind {
            Kind::Word(word) if at % 2 == 0 && !names.contains(word) => names.push(word.clone()),
            Kind::Symbol(',') if at % 2 == 1 => {}
            _ => return None,
        }
    }
    (!names.is_empty()).then_some(names)
}

/// The name and the subscripts of the element that the first statement of the body computes; the body begins at the first brace.
pub(super) fn target<S: Span>(tokens: &[Token<S>]) -> Option<(String, Vec<String>)> {
    let body = tokens.iter().position(|token| token.kind == Kind::Open('{'))? + 1;
    let Kind::Word(name) = &tokens.get(body)?.kind else { return None };
    let (subscripts, next) = match tokens.get(body + 1)?.kind {
        Kind::Open('[' | '(') => {
            let len = Cursor::new(&tokens[body + 1..], tokens[body].span).group_len();
            (names(&tokens[body + 1..])?, body + 1 + len)
        }
        _ => (Vec::new(), body + 1),
    };
    let assigns = |at: usize| tokens.get(at).is_some_and(|token| token.kind == Kind::Symbol('='));
    let word =
        matches!(&tokens.get(next)?.kind, Kind::Word(word) if word == "min" || word == "max");
    let sign = matches!(tokens.get(next)?.kind, Kind::Symbol('+' | '*')) || word;
    (assigns(next) || sign && assigns(next + 1)).then(|| (name.clone(), subscripts))
}

/// `[i, j]`; nothing for one value.
pub(super) fn in_brackets(names: &[impl ToString]) -> String {
    let names: Vec<_> = names.iter().map(ToString::to_string).collect();
    if names.is_empty() { String::new() } else { alloc::format!("[{}]", names.join(", ")) }
}
