//! Expressions as Python writes them, recognized so that the help is their translation.

use super::parse::Reader;
use super::{NameSyntax, ParameterSyntax, einsum};
use crate::dtype::DType;
use crate::sharding::ops;
use crate::syntax::{Cursor, Kind, Parsed, Span, Stop, element_type};
use crate::tiled::syntax::Size;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// A parameter, and its sizes where all are numbers.
pub(super) type Sizes = (String, Vec<i128>);

/// The sizes of a parameter, if all are numbers.
pub(super) fn sizes<S>(parameter: &ParameterSyntax<S>) -> Option<Sizes> {
    let sizes = parameter.array.dims.iter().map(|dim| match dim.size {
        Size::Literal(size) => Some(size),
        _ => None,
    });
    Some((parameter.name.text.clone(), sizes.collect::<Option<_>>()?))
}

/// Whether a word, which brackets follow, is a value rather than an element type.
pub(super) fn is_indexed<S: Span>(cursor: &Cursor<'_, S>, parameters: &[Sizes]) -> bool {
    let Some(Kind::Word(word)) = cursor.peek() else { return false };
    parameters.iter().any(|(name, _)| name == word)
        || (DType::from_name(word).is_none() && element_type(word).is_none())
}

impl<S: Span> Reader<'_, S> {
    /// Reports `x.T` and `x[0]`, of which `value` has been read.
    pub(super) fn of_value(&mut self, value: &NameSyntax<S>) -> Parsed<()> {
        let name = value.text.as_str();
        let parameter = self.parameters.iter().find(|(parameter, _)| parameter == name);
        let sizes = parameter.map(|(_, sizes)| &sizes[..]);
        let cursor = &mut self.cursor;
        let (message, help) = match (cursor.peek(), cursor.peek_nth(1)) {
            (Some(Kind::Symbol('.')), Some(Kind::Word(method))) => {
                cursor.take_many(2);
                let is_call = cursor.peek() == Some(&Kind::Open('('));
                let has_operands = is_call && !matches!(cursor.peek_nth(1), Some(Kind::Close(_)));
                if is_call {
                    cursor.skip_group();
                }
                let help = called(name, sizes, method, has_operands);
                ("an operation precedes its operands", help)
            }
            (Some(Kind::Open('[')), Some(Kind::Number(_) | Kind::Symbol(':' | '-' | '.'))) => {
                let help = match (cursor.peek_nth(1), cursor.peek_nth(2), sizes) {
                    (Some(Kind::Number(zero)), Some(Kind::Close(']')), Some([_, rest @ ..]))
                        if zero == "0" =>
                    {
                        let rest = joined(rest);
                        let sizes = if rest.is_empty() { "1".into() } else { format!("1, {rest}") };
                        format!("write `reshape(slice({name}, [{sizes}]), [{rest}])`")
                    }
                    _ => format!(
                        "`slice({name}, [..])` keeps the first elements, as many as the sizes say, and `reshape` leaves dimensions out"
                    ),
                };
                cursor.skip_group();
                ("a value has no indices", help)
            }
            _ => return Ok(()),
        };
        cursor.report(cursor.since(value.span), message, help);
        Err(Stop)
    }

    /// Reports a text among the arguments of `op`.
    pub(super) fn text(&mut self, op: &NameSyntax<S>) -> Parsed<()> {
        let Some(Kind::Text(text)) = self.cursor.peek() else { return Ok(()) };
        let operand = |nth| match self.cursor.peek_nth(nth) {
            Some(Kind::Word(name)) => name.as_str(),
            _ => "x",
        };
        if op.text == "einsum"
            && let Some(product) = einsum::translated(text, operand(2), operand(4))
        {
            self.cursor.skip_rest_of_group();
            let span = self.cursor.since(op.span);
            let message = "a product of arrays names the dimensions that it sums over";
            self.cursor.report(span, message, format!("write `{product}`"));
            return Err(Stop);
        }
        let help = match op.text.as_str() {
            "einsum" => "a product is `dot_general`, another order `transpose`, and a sum `reduce`",
            _ => "words stand without quotes: `direction=LT`",
        };
        Err(self.cursor.unexpected_with_help("a value or an operation", help))
    }
}

/// The help for `name.method` of a value that has these sizes, or for a call with other operands.
fn called(name: &str, sizes: Option<&[i128]>, method: &str, has_operands: bool) -> String {
    match method {
        "T" | "mT" => {
            let rank = sizes.map_or(2, <[_]>::len);
            let mut order: Vec<_> = (0..rank as i128).collect();
            // `mT` exchanges the last two dimensions alone.
            match rank.checked_sub(2) {
                Some(first) if method == "mT" => order[first..].reverse(),
                _ => order.reverse(),
            }
            format!("write `transpose({name}, [{}])`", joined(&order))
        }
        _ => ops::foreign_help(method).unwrap_or_else(|| match has_operands {
            true => format!("write `{method}({name}, ..)`"),
            false => format!("write `{method}({name})`"),
        }),
    }
}

fn joined(numbers: &[i128]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
