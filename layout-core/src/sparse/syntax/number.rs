use crate::sparse::{Scalar, ScalarType};
use crate::syntax::{
    Cursor, Kind, Parsed, Span, Stop, is_type_parameter, known_element_type, nearest,
};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

/// An integer in decimal or hexadecimal, with a sign.
pub(super) fn integer<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<i128> {
    let first = cursor.span();
    let negative = cursor.take_symbol('-');
    let text = unsigned(cursor, expected)?;
    match parse_integer(&text) {
        Some(value) => Ok(if negative { -value } else { value }),
        None => {
            let message = format!("expected an integer, found `{text}`");
            cursor.report(cursor.since(first), message, "write a whole number");
            Err(Stop)
        }
    }
}

fn parse_integer(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        // A bit pattern may have all 64 bits; no value has more.
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(i128::from),
        None => text.parse::<i64>().ok().map(i128::from),
    }
}

/// A number without a sign, as one text: rustc reads `1.0e-5` as one token, and the lexer for text reads it as several.
pub(crate) fn unsigned<S: Span>(cursor: &mut Cursor<'_, S>, expected: &str) -> Parsed<String> {
    let mut text = match cursor.peek() {
        Some(Kind::Number(digits)) => digits.to_owned(),
        Some(Kind::Other(literal)) if literal.starts_with(|c: char| c.is_ascii_digit()) => {
            let literal = literal.to_owned();
            cursor.next();
            return Ok(literal);
        }
        _ => return Err(cursor.unexpected(expected)),
    };
    cursor.next();
    if text == "0"
        && let Some(Kind::Word(word)) = cursor.peek()
        && word.starts_with('x')
    {
        cursor.next();
        return Ok(text + word);
    }
    if cursor.take_symbol('.') {
        text.push('.');
        if let Some(Kind::Number(digits)) = cursor.peek() {
            text.push_str(digits);
            cursor.next();
        }
    }
    if let Some(Kind::Word(word)) = cursor.peek()
        && word.starts_with(['e', 'E'])
    {
        text.push_str(word);
        cursor.next();
        if let Some(Kind::Symbol(sign @ ('+' | '-'))) = cursor.peek() {
            text.push(*sign);
            cursor.next();
            if let Some(Kind::Number(digits)) = cursor.peek() {
                text.push_str(digits);
                cursor.next();
            }
        }
    }
    Ok(text)
}

/// A value with its type: `1.0 : f32`, `-3`, `0x7FF0000000000000 : f64`, `#complex.number<:f32 1.0, 0.0>`.
pub(super) fn scalar<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Scalar> {
    let first = cursor.span();
    if cursor.take_symbol('#') {
        return complex(cursor);
    }
    for (bits, word) in [(0, "false"), (1, "true")] {
        if cursor.is_word(word) {
            cursor.next();
            return Ok(Scalar { ty: ScalarType::Integer(1), bits });
        }
    }
    let negative = cursor.take_symbol('-');
    if let Some(Kind::Word(_) | Kind::Text(_)) = cursor.peek() {
        let help = "write a number, `1`, or one with its type, `1.0 : f32`";
        return Err(cursor.unexpected_with_help("a number", help));
    }
    let text = unsigned(cursor, "a number")?;
    let whole = parse_integer(&text);
    let ty = match cursor.take_symbol(':') {
        true => scalar_type(cursor)?,
        false if whole.is_some() => ScalarType::Integer(64),
        false => ScalarType::F64,
    };
    match bits(ty, negative, &text, whole) {
        Some(bits) => Ok(Scalar { ty, bits }),
        None => {
            let sign = if negative { "-" } else { "" };
            cursor.report(
                cursor.since(first),
                format!("`{sign}{text}` is not a value of `{ty}`"),
                "",
            );
            Err(Stop)
        }
    }
}

fn bits(ty: ScalarType, negative: bool, text: &str, whole: Option<i128>) -> Option<u128> {
    if ty.is_float() {
        if text.starts_with("0x") {
            // A bit pattern includes the sign bit.
            return u128::try_from(whole?).ok().filter(|bits| !negative && bits >> ty.bits() == 0);
        }
        let value: f64 = text.parse().ok()?;
        return Some(ty.round(if negative { -value } else { value }));
    }
    let value = if negative { -whole? } else { whole? };
    let width = ty.bits();
    let fits = value >= -(1 << (width - 1)) && value < 1 << width;
    fits.then_some(value as u128 & (u128::MAX >> (128 - width)))
}

fn complex<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Scalar> {
    cursor.expect_word("complex")?;
    cursor.expect(&Kind::Symbol('.'))?;
    cursor.expect_word("number")?;
    cursor.expect(&Kind::Symbol('<'))?;
    cursor.expect(&Kind::Symbol(':'))?;
    let span = cursor.span();
    let ty = match scalar_type(cursor)? {
        ScalarType::F32 => ScalarType::Complex32,
        ScalarType::F64 => ScalarType::Complex64,
        other => {
            cursor.report(span, format!("a complex value cannot have parts of type `{other}`"), "");
            return Err(Stop);
        }
    };
    let part = |cursor: &mut Cursor<'_, S>| {
        let first = cursor.span();
        let negative = cursor.take_symbol('-');
        let text = unsigned(cursor, "a number")?;
        bits(ty.part(), negative, &text, parse_integer(&text)).ok_or_else(|| {
            cursor.report(
                cursor.since(first),
                format!("`{text}` is not a value of `{}`", ty.part()),
                "",
            );
            Stop
        })
    };
    let re = part(cursor)?;
    cursor.expect(&Kind::Symbol(','))?;
    let im = part(cursor)?;
    cursor.expect(&Kind::Symbol('>'))?;
    if cursor.take_symbol(':') {
        let span = cursor.span();
        let written = scalar_type(cursor)?;
        if written != ty {
            cursor.report(span, format!("the value has type `{ty}`, not `{written}`"), "");
        }
    }
    Ok(Scalar { ty, bits: re | (im << ty.bits()) })
}

/// The name of an element type, `complex<..>` included.
pub(super) fn scalar_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ScalarType> {
    let Some(Kind::Word(word)) = cursor.peek() else {
        return Err(cursor.unexpected("an element type"));
    };
    let span = cursor.span();
    cursor.next();
    if word == "complex" {
        cursor.expect(&Kind::Symbol('<'))?;
        let part = scalar_type(cursor)?;
        cursor.expect(&Kind::Symbol('>'))?;
        match part {
            ScalarType::F32 => return Ok(ScalarType::Complex32),
            ScalarType::F64 => return Ok(ScalarType::Complex64),
            _ => {}
        }
    }
    ScalarType::from_name(word).ok_or_else(|| {
        cursor.report(span, format!("unknown element type `{word}`"), instead_of(word));
        Stop
    })
}

/// The help for a word that is not the name of an element type in MLIR.
pub(super) fn instead_of(word: &str) -> String {
    // In MLIR, the names of integers and of `pred` differ from XLA's.
    let xla = known_element_type(word).unwrap_or_default().replace("pred", "i1").replace('s', "i");
    match ScalarType::from_name(&xla) {
        Some(_) => format!("did you mean `{xla}`?"),
        None if is_type_parameter(word) => {
            format!("with a parameter as the element type, a tensor is `SparseTensor<Csr, {word}>`, without sizes")
        }
        None if let Some(name) = nearest(word, &["f64", "f32", "bf16", "f16", "i1", "i8", "i16", "i32", "i64"]) => {
            format!("did you mean `{name}`?")
        }
        None => "element types are written as MLIR prints them: `f32`, `bf16`, `i8`, `index`, `complex<f64>`".to_owned(),
    }
}
