//! Calls as other languages write them, `np.zeros((3, 5), dtype=np.int8)`: their arguments, for translations.

use super::{Kind, Token};
use alloc::vec::Vec;

/// An argument of a call, with its keyword if it has one.
pub(crate) struct Argument<'t, S> {
    pub(crate) keyword: Option<&'t str>,
    pub(crate) value: &'t [Token<S>],
}

impl<'t, S> Argument<'t, S> {
    /// The arguments of the call whose opening parenthesis is the first token, and the tokens after it.
    pub(crate) fn of_call(tokens: &'t [Token<S>]) -> Option<(Vec<Self>, &'t [Token<S>])> {
        let len = group_len(tokens)?;
        let parts = between_commas(&tokens[1..len - 1]).into_iter();
        let arguments = parts.filter(|part| !part.is_empty()).map(|part| match part {
            [Token { kind: Kind::Word(keyword), .. }, equals, value @ ..]
                if equals.kind == Kind::Symbol('=') =>
            {
                Self { keyword: Some(keyword), value }
            }
            value => Self { keyword: None, value },
        });
        Some((arguments.collect(), &tokens[len..]))
    }

    /// Whether the value is a list in brackets.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.value, [Token { kind: Kind::Open('(' | '['), .. }, ..])
            && group_len(self.value) == Some(self.value.len())
    }

    /// The numbers and names in a value that is a list of them, `(3, 5)`, or one number.
    pub(crate) fn entries(&self) -> Option<Vec<&'t str>> {
        if let [Token { kind: Kind::Number(number), .. }] = self.value {
            return Some(Vec::from([number.as_str()]));
        }
        let inner = self.value.get(1..self.value.len().checked_sub(1)?)?;
        if !self.is_list() {
            return None;
        }
        let mut parts = between_commas(inner);
        // A comma may follow the last entry.
        parts.pop_if(|last| last.is_empty());
        let entries = parts.into_iter().map(|part| match part {
            [Token { kind: Kind::Number(entry) | Kind::Word(entry), .. }] => Some(entry.as_str()),
            _ => None,
        });
        entries.collect()
    }
}

/// The number of tokens of the group whose opening bracket is the first token; `None` if there is none, or if it is not closed.
pub(crate) fn group_len<S>(tokens: &[Token<S>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) => depth += 1,
            Kind::Close(_) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then_some(at + 1);
        }
    }
    None
}

/// The parts of a list between commas outside of brackets, `<` and `>` included. The `>` of an arrow is not a bracket.
pub(crate) fn between_commas<S>(tokens: &[Token<S>]) -> Vec<&[Token<S>]> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open(_) | Kind::Symbol('<') => depth += 1,
            Kind::Symbol('>') if at > 0 && tokens[at - 1].kind == Kind::Symbol('-') => {}
            Kind::Close(_) | Kind::Symbol('>') => depth = depth.saturating_sub(1),
            Kind::Symbol(',') if depth == 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}
