//! `sparse_tensor!`: a tensor of sizes, an element type and an encoding, in MLIR's text or in the short form.

use super::encoding::{EncodingSyntax, parse_encoding};
use super::foreign::encoding_named;
use super::name::name;
use super::number::scalar_type;
use super::tensor::tensor_type;
use crate::sparse::ScalarType;
use crate::syntax::{
    Argument, Cursor, Kind, Offer, Parsed, Span, Stop, Token, known_element_type, list, written,
};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A size of a sparse tensor as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SparseSize {
    /// A number.
    Literal(usize),
    /// `?`: known at run time.
    Dynamic,
    /// A name that only rustc can resolve.
    Name(String),
    /// An expression in braces.
    Expression,
}

/// The encoding of a sparse tensor as written.
#[derive(Clone, Debug)]
pub enum EncodingName<S> {
    /// `#CSR`: an encoding that is defined elsewhere, by its name in MLIR.
    Alias(String, S),
    /// The whole encoding, which contains the tensor's type.
    Inline(EncodingSyntax<S>),
    /// A type of Rust.
    Type(S),
}

/// A tensor as written.
#[derive(Clone, Debug)]
pub struct SizedSyntax<S> {
    /// The sizes, and the tokens of each.
    pub sizes: Vec<(SparseSize, S)>,
    /// The tokens of all sizes.
    pub sizes_span: S,
    /// The type of the elements.
    pub element: ScalarType,
    /// The encoding.
    pub encoding: EncodingName<S>,
}

/// Reads `tensor<4x6xf64, #CSR>`, the same with a whole encoding, or `f64[4,6] Csr`. `None` if reading could not continue;
/// the cursor has the diagnostics.
pub fn parse_sized<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<SizedSyntax<S>> {
    cursor.reads("a sparse tensor is its elements, sizes and encoding: `f64[4,6] Csr`");
    match cursor.peek_nth(1) == Some(&Kind::Symbol('<')) && is_tensor(cursor) {
        true => mlir(cursor).ok(),
        false => short(cursor).ok(),
    }
}

/// Whether the next word is `tensor`, or stands for it.
fn is_tensor<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    let words = ["tensor", "memref", "vector", "ranked_tensor", "Tensor"];
    words.iter().any(|word| cursor.is_word(word))
}

fn mlir<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SizedSyntax<S>> {
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    let syntax = tensor_type(&mut ahead);
    let tensor = match syntax {
        Ok(tensor) => tensor,
        Err(Stop) => {
            cursor.finish(ahead);
            return Err(Stop);
        }
    };
    let sized = |encoding| SizedSyntax {
        sizes: tensor.dims.iter().map(|size| (known(*size), tensor.span)).collect(),
        sizes_span: tensor.span,
        element: tensor.element,
        encoding,
    };
    let whole = ahead.peek_nth(1) == Some(&Kind::Word("sparse_tensor".into()))
        && ahead.peek_nth(2) == Some(&Kind::Symbol('.'));
    if whole {
        return match parse_encoding(cursor) {
            Some(syntax) => Ok(sized(EncodingName::Inline(syntax))),
            None => Err(Stop),
        };
    }
    cursor.finish(ahead);
    if !cursor.take_symbol('#') {
        let help = match cursor.peek() {
            Some(Kind::Word(name)) => format!("the name of an encoding follows a `#`: `#{name}`"),
            _ => "write `#CSR`, the name of a type `Csr`, or `#sparse_tensor.encoding<{ .. }>`"
                .into(),
        };
        return Err(cursor.unexpected_with_help("an encoding", &help));
    }
    cursor.offer(Offer::Type);
    // A misspelled `#sparse_tensor.encoding<..>`
    if let (
        Some(Kind::Word(_)),
        Some(Kind::Symbol('.')),
        Some(Kind::Word(_)),
        Some(Kind::Symbol('<')),
    ) = (cursor.peek(), cursor.peek_nth(1), cursor.peek_nth(2), cursor.peek_nth(3))
    {
        let help = "write `#sparse_tensor.encoding<{ .. }>`";
        return Err(cursor.unexpected_with_help("an encoding", help));
    }
    let Some((name, span)) = name(cursor) else {
        return Err(cursor.unexpected("the name of an encoding"));
    };
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(sized(EncodingName::Alias(name, span)))
}

fn known(size: Option<usize>) -> SparseSize {
    size.map_or(SparseSize::Dynamic, SparseSize::Literal)
}

fn short<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SizedSyntax<S>> {
    named(cursor)?;
    called(cursor)?;
    if cursor.peek() == Some(&Kind::Symbol('&')) {
        let help = "leave it out: `&` comes before the type of the tensor, `&Matrix`";
        cursor.unexpected_with_help("an element type", help);
        while cursor.take_symbol('&') {}
    }
    // `Csr<f64>[4,6]`
    if cursor.peek_nth(1) == Some(&Kind::Symbol('<')) && !cursor.is_word("complex") {
        let help = "the element type comes first, and the encoding last: `f64[4,6] Csr`";
        return Err(cursor.unexpected_with_help("an element type", help));
    }
    let order = "a sparse tensor is its element type, its sizes and its encoding: `f64[4,6] Csr`";
    let is_type =
        matches!(cursor.peek(), Some(Kind::Word(word)) if ScalarType::from_name(word).is_some());
    // `Csr f64[4,6]`
    if let (false, Some(Kind::Word(encoding)), Some(Kind::Word(element))) =
        (is_type, cursor.peek(), cursor.peek_nth(1))
        && ScalarType::from_name(element).is_some()
    {
        let help = format!(
            "the element type comes first, and the encoding last: `{element}[4,6] {encoding}`"
        );
        return Err(cursor.unexpected_with_help("an element type", &help));
    }
    let is_call = !is_type && cursor.peek_nth(1) == Some(&Kind::Open('('));
    if is_call || !matches!(cursor.peek(), Some(Kind::Word(_))) {
        return Err(cursor.unexpected_with_help("an element type", order));
    }
    if !is_type && let Some(sizes) = sizes_alone(cursor) {
        let Some(Kind::Word(word)) = cursor.peek() else { return Err(Stop) };
        let help =
            format!("the element type comes first, and the encoding last: `f64{sizes} {word}`");
        return Err(cursor.unexpected_with_help("an element type", &help));
    }
    // The sizes are read even if the type has a mistake.
    let element = cursor.part(|cursor| cursor.peek() == Some(&Kind::Open('[')), scalar_type);
    let start = cursor.taken();
    let Some(open) = cursor.take(&Kind::Open('[')) else {
        return Err(if element.is_ok() { cursor.unexpected_with_help("`[`", order) } else { Stop });
    };
    let sizes = in_parentheses(cursor).map_or_else(|| list(cursor, ']', size), Err);
    let (element, sizes) = (element?, sizes?);
    if let (Some(Kind::Open('[')), Some(Kind::Number(_))) = (cursor.peek(), cursor.peek_nth(1)) {
        let first = written(cursor.from(start)).unwrap_or_default();
        let len = cursor.group_len();
        let more = written(&cursor.rest()[1..len.max(2) - 1]).unwrap_or_default();
        let help = format!("write `{},{more}]`", first.trim_end_matches(']'));
        let span = cursor.take_many(len).unwrap_or(open);
        cursor.report(open.to(span), "all sizes go in one pair of brackets", help);
        return Err(Stop);
    }
    let sizes_span = cursor.since(open);
    let help = "the encoding follows the sizes: `f64[4,6] Csr`";
    if matches!(cursor.peek(), None | Some(Kind::Symbol(',' | ';'))) {
        return Err(cursor.unexpected_with_help("an encoding", help));
    }
    not_an_encoding(cursor, help)?;
    cursor.offer(Offer::Type);
    let parts = cursor.rust(help, |rust, at| rust.ty(at))?;
    let Some(span) = cursor.take_many(parts.len) else {
        return Err(cursor.unexpected_with_help("an encoding", help));
    };
    Ok(SizedSyntax { sizes, sizes_span, element, encoding: EncodingName::Type(span) })
}

/// Reports `size=(4, 6), dtype=f64, layout=Csr`, as in PyTorch, and `shape=..`, in any order.
fn named<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let is_named = matches!(cursor.peek(), Some(Kind::Word(_)))
        && cursor.peek_nth(1) == Some(&Kind::Symbol('='));
    if !is_named {
        return Ok(());
    }
    let (mut sizes, mut element, mut encoding) = (None, None, None);
    let mut ahead = Cursor::new(cursor.rest(), cursor.end());
    while let (Some(Kind::Word(key)), Some(Kind::Symbol('='))) = (ahead.peek(), ahead.peek_nth(1)) {
        ahead.take_many(2);
        let first = ahead.taken();
        ahead.skip_to(Cursor::at_separator);
        let value = written(ahead.from(first)).unwrap_or_default();
        match key.as_str() {
            "size" | "shape" | "dims" => {
                sizes =
                    Some(value.trim_matches(['(', ')', '[', ']']).trim_end_matches(',').to_owned())
            }
            "dtype" | "element" | "type" => {
                element = Some(value.rsplit('.').next().unwrap_or_default().to_owned())
            }
            "layout" | "format" | "encoding" => encoding = Some(value),
            _ => {}
        }
        ahead.take_symbol(',');
    }
    let help =
        match (sizes, element, encoding) {
            (Some(sizes), Some(element), Some(encoding)) => {
                let element = match ScalarType::from_name(&element) {
                    Some(_) => element,
                    None => crate::syntax::element_type(&element)
                        .map_or(element.clone(), ToOwned::to_owned),
                };
                format!("write `{element}[{sizes}] {encoding}`")
            }
            _ => "a sparse tensor is its element type, its sizes and its encoding: `f64[4,6] Csr`"
                .into(),
        };
    let first = cursor.span();
    let span = cursor.take_many(cursor.rest().len()).unwrap_or(first);
    cursor.report(span, "the parts of a sparse tensor have no names", help);
    Err(Stop)
}

/// Reports `csr_array((4, 6), dtype=float64)` and `torch.sparse_coo_tensor(..)`.
fn called<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let rest = cursor.rest();
    let path = |token: &&Token<S>| matches!(token.kind, Kind::Word(_) | Kind::Symbol('.'));
    let name = rest.iter().take_while(path).count();
    let Some((Token { kind: Kind::Word(function), .. }, [open, arguments @ ..])) =
        rest.get(..name).and_then(<[_]>::last).zip(rest.get(name..))
    else {
        return Ok(());
    };
    if open.kind != Kind::Open('(') || name == 1 && ScalarType::from_name(function).is_some() {
        return Ok(());
    }
    let element = arguments.iter().find_map(|token| match &token.kind {
        Kind::Word(word) | Kind::Text(word) => {
            known_element_type(word).filter(|word| ScalarType::from_name(word).is_some())
        }
        _ => None,
    });
    let sizes = Argument::of_call(&rest[name..]).and_then(|(arguments, _)| {
        let named = arguments.iter().find(|own| matches!(own.keyword, Some("shape" | "size")));
        // Several lists are positions, coordinates and values.
        let mut lists = arguments.iter().filter(|own| own.keyword.is_none() && own.is_list());
        let list = named.or_else(|| lists.next().filter(|_| lists.next().is_none()))?;
        let is_size = |size: &&str| size.parse::<u64>().is_ok();
        let is_tuple = named.is_some() || list.value[0].kind == Kind::Open('(');
        let sizes = list.entries().filter(|sizes| is_tuple && sizes.iter().all(is_size))?;
        (!sizes.is_empty()).then(|| sizes.join(","))
    });
    let help = match (element, sizes, encoding_named(function)) {
        (Some(element), Some(sizes), Some(encoding)) => {
            format!("write `{element}[{sizes}] {encoding}`")
        }
        _ => {
            "a sparse tensor is its element type, its sizes and its encoding: `f64[4,6] Csr`".into()
        }
    };
    let first = cursor.span();
    let span = cursor.take_many(rest.len()).unwrap_or(first);
    cursor.report(span, "expected a sparse tensor, found a call", help);
    Err(Stop)
}

/// Reports the sizes of `f64[(4, 6)]`, whose `[` has been read.
fn in_parentheses<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<Stop> {
    let (Some(Kind::Open('(')), len) = (cursor.peek(), cursor.group_len()) else { return None };
    let sizes = written(&cursor.rest()[1..len.max(2) - 1]).unwrap_or_default();
    let first = cursor.span();
    let span = cursor.take_many(len).unwrap_or(first);
    cursor.report(span, "the sizes are not in separate parentheses", format!("write `{sizes}`"));
    cursor.skip_rest_of_group();
    Some(Stop)
}

/// The sizes of `Csr[4,6]`, if no further token follows.
fn sizes_alone<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let sizes = Cursor::new(cursor.rest().get(1..)?, cursor.end());
    let is_all = sizes.peek() == Some(&Kind::Open('[')) && sizes.group_len() == sizes.rest().len();
    if is_all { written(sizes.rest()) } else { None }
}

/// Reports a word, a sign or a layout before the encoding.
fn not_an_encoding<S: Span>(cursor: &mut Cursor<'_, S>, help: &str) -> Parsed<()> {
    let help = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Word(word)), Some(Kind::Word(name)))
            if matches!(word.as_str(), "as" | "in" | "with" | "of" | "by") =>
        {
            format!("leave the `{word}` out: `f64[4,6] {name}`")
        }
        (Some(Kind::Open('{')), Some(Kind::Number(_))) => {
            "leave the layout out: the encoding says in which order the dimensions are stored"
                .into()
        }
        (Some(Kind::Symbol(':')), Some(Kind::Symbol(':'))) => return Ok(()),
        (Some(Kind::Symbol(':' | '#' | '@' | '=' | '-' | '+')), _) => help.into(),
        _ => return Ok(()),
    };
    Err(cursor.unexpected_with_help("an encoding", &help))
}

fn size<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(SparseSize, S)> {
    cursor.offer(Offer::Size);
    let first = cursor.span();
    let size = match cursor.peek() {
        Some(Kind::Symbol('?')) => SparseSize::Dynamic,
        Some(Kind::Word(name)) => SparseSize::Name(name.clone()),
        Some(Kind::Number(digits)) => match digits.parse::<isize>() {
            Ok(size) => SparseSize::Literal(size.unsigned_abs()),
            Err(_) => {
                cursor.report(first, format!("the size {digits} is too large"), "");
                return Err(Stop);
            }
        },
        Some(Kind::Open('{')) => {
            cursor.skip_group();
            return Ok((SparseSize::Expression, cursor.since(first)));
        }
        Some(Kind::Other(text)) if text.split('x').all(|size| size.parse::<u64>().is_ok()) => {
            let help = format!("write `{}`", text.replace('x', ","));
            return Err(cursor.unexpected_with_help("a size", &help));
        }
        _ => {
            let help = "write a number, the name of a constant, or `?` for a size that is known only at run time";
            return Err(
                cursor.unexpected_with_help("a size: a number, a name, `{..}` or `?`", help)
            );
        }
    };
    cursor.next();
    Ok((size, first))
}
