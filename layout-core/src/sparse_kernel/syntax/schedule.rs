use super::{Name, name};
use crate::syntax::{Cursor, Kind, Number, Parsed, Span, Stop, list, nearest, number};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The words that a schedule starts with.
pub(super) const WORDS: [&str; 9] =
    ["order", "split", "unroll", "parallel", "vectorize", "gallop", "size", "keep", "replace"];

/// How the loops should run.
#[derive(Clone, Debug)]
pub enum ScheduleSyntax<S> {
    /// `order(i, k, j)`: the loops, outermost first.
    Order(Vec<PartSyntax<S>>, S),
    /// `split(i, 4)`: in blocks of four.
    Split(Name<S>, Number<S>),
    /// `unroll(j, 4)`: four iterations in one.
    Unroll(PartSyntax<S>, Option<Number<S>>),
    /// `parallel(i)`: on all threads.
    Parallel(PartSyntax<S>),
    /// `vectorize(k)`: in chunks of vector registers.
    Vectorize(PartSyntax<S>),
    /// `gallop(j)`: search in steps that double if two sparse operands meet.
    Gallop(PartSyntax<S>),
    /// `size(i, 4)`: the size of an index that is not a dimension of any operand.
    Size(Name<S>, Number<S>),
    /// `keep`, `replace`: what happens to the entries of a given output where the condition of the statement does not hold.
    Outside(Outside, S),
}

/// What happens to the entries of a given output where the condition of the statement does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// `keep`: they remain, as in GraphBLAS without `replace`.
    Keep,
    /// `replace`: they are dropped.
    Replace,
}

impl Outside {
    /// The word in a schedule.
    pub fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Replace => "replace",
        }
    }
}

/// `i`, `i floordiv 4`, `i mod 4`, `i floordiv 2 mod 2`
#[derive(Clone, Debug)]
pub struct PartSyntax<S> {
    /// The index.
    pub index: Name<S>,
    /// The divisor.
    pub div: Option<Number<S>>,
    /// The modulus.
    pub modulus: Option<Number<S>>,
    /// The location of the part.
    pub span: S,
}

impl<S> ScheduleSyntax<S> {
    /// The part of an index to which a hint applies, if this is a hint.
    pub(super) fn part(&self) -> Option<&PartSyntax<S>> {
        match self {
            Self::Unroll(part, _)
            | Self::Parallel(part)
            | Self::Vectorize(part)
            | Self::Gallop(part) => Some(part),
            Self::Order(..) | Self::Split(..) | Self::Size(..) | Self::Outside(..) => None,
        }
    }
}

/// The words of other compilers for schedules, and ours.
const OTHER_WORDS: [(&str, &str); 12] = [
    ("par", "parallel"),
    ("parallelize", "parallel"),
    ("prange", "parallel"),
    ("threads", "parallel"),
    ("simd", "vectorize"),
    ("vector", "vectorize"),
    ("tile", "split"),
    ("block", "split"),
    ("strip_mine", "split"),
    ("reorder", "order"),
    ("loop_order", "order"),
    ("unrolled", "unroll"),
];

pub(super) fn schedule<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ScheduleSyntax<S>> {
    let first = cursor.span();
    let word = name(cursor, "a schedule")?;
    if word.text == "return" {
        let help = "leave it out: what is returned is the output that the signature names";
        cursor.report(first, "a kernel has no `return`", help);
        return Err(Stop);
    }
    if !WORDS.contains(&word.text.as_str()) {
        let known = nearest(&word.text, &WORDS).or_else(|| {
            let other = OTHER_WORDS.iter().find(|(other, _)| word.text.eq_ignore_ascii_case(other));
            other.map(|(_, known)| *known)
        });
        let help = match known {
            Some(known) => format!("did you mean `{known}`?"),
            None => String::from(
                "the schedules are `order(..)`, `split(i, 4)`, `unroll(j, 4)`, `parallel(i)`, `vectorize(k)`, `gallop(j)`, `size(i, 4)`, `keep` and `replace`",
            ),
        };
        cursor.report(first, format!("unknown schedule `{}`", word.text), help);
        return Err(Stop);
    }
    let mut outside = [Outside::Keep, Outside::Replace].into_iter();
    if let Some(outside) = outside.find(|outside| outside.word() == word.text) {
        return Ok(ScheduleSyntax::Outside(outside, word.span));
    }
    cursor.expect(&Kind::Open('('))?;
    let schedule = match word.text.as_str() {
        "order" => {
            let parts = list(cursor, ')', part)?;
            return Ok(ScheduleSyntax::Order(parts, cursor.since(first)));
        }
        "split" | "size" => {
            let index = name(cursor, "an index")?;
            if !cursor.take_symbol(',') {
                let help = format!("write `{}({}, 4)`", word.text, index.text);
                return Err(cursor.unexpected_with_help("`,`", &help));
            }
            let size = number(cursor)?;
            match word.text.as_str() {
                "split" => ScheduleSyntax::Split(index, size),
                _ => ScheduleSyntax::Size(index, size),
            }
        }
        "unroll" => {
            let part = part(cursor)?;
            let times = if cursor.take_symbol(',') { Some(number(cursor)?) } else { None };
            ScheduleSyntax::Unroll(part, times)
        }
        "parallel" => ScheduleSyntax::Parallel(part(cursor)?),
        "vectorize" => ScheduleSyntax::Vectorize(part(cursor)?),
        _ => ScheduleSyntax::Gallop(part(cursor)?),
    };
    cursor.expect_close(')')?;
    Ok(schedule)
}

fn part<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<PartSyntax<S>> {
    let index = name(cursor, "an index")?;
    let mut factor = |word: &str| -> Parsed<Option<Number<S>>> {
        match cursor.is_word(word) {
            true => {
                cursor.next();
                number(cursor).map(Some)
            }
            false => Ok(None),
        }
    };
    let div = factor("floordiv")?;
    let modulus = factor("mod")?;
    let span = cursor.since(index.span);
    Ok(PartSyntax { index, div, modulus, span })
}
