//! The notations that other tools print for an array, recognized so that the help is the translation.

use super::keywords;
use super::shape::{ShapeSyntax, parse_shape};
use crate::dtype::DType;
use crate::syntax::{
    Cursor, Kind, Parsed, Span, Stop, Token, element_type, known_element_type, written,
};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The longest string that a help repeats.
const MAX_TEXT: usize = 400;

/// Reports a string, a line of HLO, or a type of MLIR instead of an array.
pub(super) fn foreign<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let span = cursor.span();
    let (message, help) = match (cursor.peek(), cursor.peek_nth(1)) {
        (Some(Kind::Text(text)), _) => {
            cursor.next();
            let help = match text.trim() {
                text if (1..MAX_TEXT).contains(&text.len()) => {
                    format!("write it without quotes: `{text}`")
                }
                _ => "write it without quotes".to_string(),
            };
            ("expected an array, found a string", help)
        }
        (Some(Kind::Word(word)), Some(Kind::Symbol('<')))
            if matches!(word.as_str(), "tensor" | "memref" | "vector") =>
        {
            let (help, len) = mlir(cursor.rest());
            cursor.take_many(len);
            ("expected an array as XLA writes it, found a type of MLIR", help)
        }
        (Some(Kind::Word(word)), Some(Kind::Symbol('=')))
            if matches!(
                word.as_str(),
                "shape" | "dtype" | "order" | "size" | "dims" | "layout" | "element_type"
            ) =>
        {
            let help = match keywords::array(cursor.rest()) {
                Some(array) => format!("write `{array}`"),
                None => "the element type comes first, then the sizes: `f32[3,5]`".into(),
            };
            let message = format!("expected an array, found `{word}`");
            return Err(report_rest(cursor, &message, &help));
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('.'))) if in_module(cursor).is_some() => {
            let (name, len) = in_module(cursor).unwrap_or_default();
            cursor.take_many(len);
            ("an element type has no module", format!("write `{name}`"))
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('<' | '.') | Kind::Open('(' | '[')))
            if let Some((found, array)) = listed(cursor.rest()) =>
        {
            let message = format!("expected an array as XLA writes it, found {found}");
            return Err(report_rest(cursor, &message, &format!("write `{array}`")));
        }
        (Some(Kind::Word(_)), Some(Kind::Symbol('.' | ':')))
            if !cursor
                .rest()
                .iter()
                .any(|token| matches!(token.kind, Kind::Symbol('=') | Kind::Open('['))) =>
        {
            let found = match cursor.rest().iter().any(|token| token.kind == Kind::Open('(')) {
                true => "a call",
                false => "a path",
            };
            let message = format!("expected an array as XLA writes it, found {found}");
            let help = "an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`";
            return Err(report_rest(cursor, &message, help));
        }
        (Some(Kind::Open('[')), Some(Kind::Word(_) | Kind::Open('['))) => {
            let mut len = cursor.group_len();
            let behind = Cursor::new(&cursor.rest()[len..], cursor.end());
            if behind.peek() == Some(&Kind::Open('{')) {
                len += behind.group_len();
            }
            let help = rust_array(&cursor.rest()[..len]);
            cursor.take_many(len);
            ("expected an array as XLA writes it, found a type of Rust", help)
        }
        (Some(Kind::Open('(')), Some(Kind::Number(_) | Kind::Word(_)))
        | (Some(Kind::Word(_)), Some(Kind::Open('(') | Kind::Symbol('<'))) => {
            if let Some(array) = sizes_first(cursor.rest()) {
                let message = "expected an array as XLA writes it, found its sizes first";
                return Err(report_rest(cursor, message, &format!("write `{array}`")));
            }
            match cute(cursor.rest()) {
                Some(help) => {
                    let message = "expected an array as XLA writes it, found a layout of CuTe";
                    return Err(report_rest(cursor, message, &help));
                }
                None => return Ok(()),
            }
        }
        (Some(Kind::Symbol('%')), _) | (Some(Kind::Word(_)), Some(Kind::Symbol('=' | '.')))
            if cursor.rest().iter().any(|token| token.kind == Kind::Symbol('=')) =>
        {
            hlo(cursor)?
        }
        (Some(Kind::Word(word)), Some(Kind::Symbol('%') | Kind::Word(_))) if word == "ROOT" => {
            hlo(cursor)?
        }
        (Some(Kind::Open('[')), Some(Kind::Number(_))) => {
            let len = cursor.group_len();
            let dtype = cursor
                .peek_nth(len + usize::from(cursor.peek_nth(len) == Some(&Kind::Symbol(','))));
            let dtype = match dtype {
                Some(Kind::Word(word)) => known_element_type(word),
                _ => None,
            };
            let Some((dtype, sizes)) = dtype.zip(written(&cursor.rest()[..len])) else {
                return Ok(());
            };
            let message = "expected an array as XLA writes it, found its sizes first";
            return Err(report_rest(cursor, message, &format!("write `{dtype}{sizes}`")));
        }
        (Some(Kind::Symbol(symbol @ ('*' | '&'))), Some(Kind::Word(_))) => {
            let message = format!("expected an element type, found `{symbol}`");
            cursor.next();
            cursor.report(
                span,
                message,
                format!("leave the `{symbol}` out: an array is not a pointer"),
            );
            return Ok(());
        }
        _ => return Ok(()),
    };
    cursor.report(cursor.since(span), message, help);
    Err(Stop)
}

/// Reports all tokens that remain within the brackets around them.
fn report_rest<S: Span>(cursor: &mut Cursor<'_, S>, message: &str, help: &str) -> Stop {
    let first = cursor.span();
    cursor.skip_to(|_| false);
    let span = cursor.since(first);
    cursor.report(span, message, help);
    Stop
}

/// `torch.float32` and `jnp.bfloat16`: what XLA calls the type, and the number of tokens.
fn in_module<S: Span>(cursor: &Cursor<'_, S>) -> Option<(&'static str, usize)> {
    let mut len = 1;
    while cursor.peek_nth(len) == Some(&Kind::Symbol('.')) {
        len += 2;
    }
    let Some(Kind::Word(name)) = cursor.peek_nth(len - 1) else { return None };
    // A line of HLO assigns a value to such a name: `fusion.f32 = ..`.
    let is_type = cursor.peek_nth(len) != Some(&Kind::Symbol('='));
    let name = DType::from_name(name).map(DType::name).or_else(|| element_type(name));
    name.filter(|_| is_type).map(|name| (name, len))
}

/// A list of an element type and sizes (a call of Python, or a generic type), and its translation: `f32[3,5]` for
/// `torch.empty(3, 5, dtype=torch.float32)` and for `Tensor<f32, 3, 5>`. `None` if the list is ambiguous.
fn listed<S>(tokens: &[Token<S>]) -> Option<(&'static str, String)> {
    let path = |token: &&Token<S>| matches!(token.kind, Kind::Word(_) | Kind::Symbol('.'));
    let name = tokens.iter().take_while(path).count();
    let found = match tokens.get(name).map(|token| &token.kind)? {
        Kind::Open('(') => "a call",
        Kind::Symbol('<') => "a generic type",
        // `tl.tensor[128, tl.float16]`
        Kind::Open('[') if name > 1 => "a type of Python",
        _ => return None,
    };
    // A call of an element type, `f32(3,5)` or `float(..)`, is not the type of a tensor.
    if matches!(tokens, [Token { kind: Kind::Word(word), .. }, ..] if name == 1 && known_element_type(word).is_some())
    {
        return None;
    }
    let (mut dtype, mut sizes, mut ends) = (None, Vec::new(), false);
    for (at, token) in tokens.iter().enumerate().skip(name + 1) {
        match &token.kind {
            Kind::Word(word) => {
                // Keywords that describe the layout, which is not translated.
                if matches!(word.as_str(), "order" | "strides" | "stride") {
                    return None;
                }
                dtype = dtype.or_else(|| known_element_type(word));
                // The value of a keyword is not a size, unless the keyword is `shape`.
                let is_keyword =
                    tokens.get(at + 1).map(|token| &token.kind) == Some(&Kind::Symbol('='));
                ends |=
                    !sizes.is_empty() || is_keyword && !matches!(word.as_str(), "shape" | "size");
            }
            Kind::Text(text) => dtype = dtype.or_else(|| known_element_type(text)),
            Kind::Number(size) if !ends => sizes.push(size.as_str()),
            // The sizes end before a layout.
            Kind::Open('{') if ends => break,
            Kind::Close(_) => ends |= !sizes.is_empty(),
            Kind::Number(_) => return None,
            _ => {}
        }
    }
    let dtype = dtype.filter(|_| !sizes.is_empty())?;
    Some((found, format!("{dtype}[{}]", sizes.join(","))))
}

/// The translation of `(3, 5), f32`.
fn sizes_first<S>(tokens: &[Token<S>]) -> Option<String> {
    let [Token { kind: Kind::Open('('), .. }, sizes @ .., close, comma, dtype] = tokens else {
        return None;
    };
    let Kind::Word(dtype) = &dtype.kind else { return None };
    if close.kind != Kind::Close(')') || comma.kind != Kind::Symbol(',') {
        return None;
    }
    let dtype = known_element_type(dtype)?;
    let is_size = |token: &Token<S>| matches!(token.kind, Kind::Number(_) | Kind::Symbol(','));
    sizes
        .iter()
        .all(is_size)
        .then(|| written(sizes))
        .flatten()
        .map(|sizes| format!("{dtype}[{sizes}]"))
}

/// The translation of `[[f32; 5]; 3]`, whose innermost size is the last one.
fn rust_array<S>(tokens: &[Token<S>]) -> String {
    let dtype = tokens.iter().find_map(|token| match &token.kind {
        Kind::Word(word) => element_type(word),
        _ => None,
    });
    let mut sizes: Vec<&str> = Vec::new();
    // A layout may follow.
    let layout = tokens.iter().position(|token| token.kind == Kind::Open('{'));
    let (tokens, layout) = tokens.split_at(layout.unwrap_or(tokens.len()));
    let layout = written(layout);
    for token in tokens {
        match &token.kind {
            Kind::Number(size) => sizes.push(size),
            Kind::Open('[') | Kind::Close(']') | Kind::Symbol(';') | Kind::Word(_) => {}
            _ => sizes.clear(),
        }
    }
    sizes.reverse();
    match dtype.filter(|_| !sizes.is_empty()) {
        Some(dtype) => {
            format!("write `{dtype}[{}]{}`", sizes.join(","), layout.unwrap_or_default())
        }
        None => "an array is its element type, its sizes and its layout: `f32[3,5]{1,0}`".into(),
    }
}

/// The translation of `(3,5):(5,1)`, `f32((3,5),(5,1))` or `Layout<Shape<_3,_5>, Stride<_5,_1>>`, whose strides determine the order
/// of the dimensions.
fn cute<S>(tokens: &[Token<S>]) -> Option<String> {
    let mut lists: Vec<Vec<u64>> = Vec::new();
    let mut dtype = None;
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Open('(') | Kind::Symbol('<') => lists.push(Vec::new()),
            Kind::Number(number) => lists.last_mut()?.push(number.parse().ok()?),
            Kind::Word(word) => match word.strip_prefix('_').map(str::parse) {
                Some(Ok(number)) => lists.last_mut()?.push(number),
                _ if at == 0 && word != "Layout" => dtype = Some(element_type(word)?),
                _ if matches!(word.as_str(), "Layout" | "Shape" | "Stride" | "Int") => {}
                _ => return None,
            },
            Kind::Close(')') | Kind::Symbol(':' | ',' | '>') => {}
            _ => return None,
        }
    }
    lists.retain(|list| !list.is_empty());
    let [sizes, strides] = &lists[..] else { return None };
    if sizes.len() != strides.len() {
        return None;
    }
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|dim| (strides[*dim], core::cmp::Reverse(*dim)));
    let mut len = Some(1_u64);
    for dim in &order {
        if len != Some(strides[*dim]) && sizes[*dim] != 1 {
            let help = "strides follow from the order of the dimensions, the one of stride 1 first, `{1,0}`; `padded to [3,8]` makes rows longer";
            return Some(help.into());
        }
        len = len.and_then(|len| len.checked_mul(sizes[*dim]));
    }
    let join = |numbers: Vec<String>| numbers.join(",");
    let sizes = join(sizes.iter().map(ToString::to_string).collect());
    let order = join(order.iter().map(ToString::to_string).collect());
    Some(match dtype {
        Some(dtype) => format!("write `{dtype}[{sizes}]{{{order}}}`"),
        None => format!(
            "write the element type before the sizes, and the order of the strides, least first: `f32[{sizes}]{{{order}}}`"
        ),
    })
}

/// `%x = f32[8,128]{1,0} add(%a, %b)`: the array after the equals sign.
fn hlo<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(&'static str, String)> {
    let tokens = cursor.rest();
    let message = "expected an array, found a line of HLO";
    let equals = tokens.iter().position(|token| token.kind == Kind::Symbol('='));
    let shape = equals.and_then(|equals| {
        let mut ahead = Cursor::new(&tokens[equals + 1..], cursor.end());
        let shape = parse_shape(&mut ahead).filter(|_| ahead.diagnostics.is_empty())?;
        matches!(shape, ShapeSyntax::Array(_)).then(|| written(ahead.from(0)))?
    });
    let help = match (shape, first_array(tokens, cursor.end())) {
        (Some(shape), _) => format!("write only the shape: `{shape}`"),
        (None, Some(array)) => format!("write only one of its arrays: `{array}`"),
        (None, None) => "write only the shape, which follows the `=`".to_string(),
    };
    cursor.take_many(tokens.len());
    Ok((message, help))
}

/// The first array of a line that has several: `entry_computation_layout={(f32[8]{0})->f32[8]{0}}`.
fn first_array<S: Span>(tokens: &[Token<S>], end: S) -> Option<String> {
    let begins = |pair: &[Token<S>]| match (&pair[0].kind, &pair[1].kind) {
        (Kind::Word(word), Kind::Open('[')) => DType::from_name(word).is_some(),
        _ => false,
    };
    let first = tokens.windows(2).position(begins)?;
    let mut ahead = Cursor::new(&tokens[first..], end);
    parse_shape(&mut ahead).filter(|_| ahead.diagnostics.is_empty())?;
    written(ahead.from(0))
}

/// The translation of `tensor<3x5xf32>`, and the number of its tokens.
fn mlir<S: Span>(tokens: &[Token<S>]) -> (String, usize) {
    let (mut text, mut len) = (String::new(), 2);
    for token in tokens.iter().skip(2) {
        match &token.kind {
            Kind::Word(piece) | Kind::Number(piece) | Kind::Other(piece) => text += piece,
            Kind::Symbol('?') => text.push('?'),
            _ => break,
        }
        len += 1;
    }
    let ends = tokens.get(len).is_some_and(|token| token.kind == Kind::Symbol('>'));
    let behind = if ends { &[] } else { &tokens[len..] };
    let tiles = mosaic(behind);
    len = if ends { len + 1 } else { tokens.len() };
    let mut dims: Vec<&str> = text.split('x').collect();
    // A misspelling of an MLIR name, such as `F32`, may still be a name of XLA.
    let named = |name| match DType::from_mlir_name(name) {
        Some(dtype) => Some(dtype.name()),
        None => element_type(name),
    };
    let dtype = dims.pop().and_then(named);
    let is_size = |size: &&str| *size == "?" || size.parse::<u64>().is_ok();
    let help = match dtype {
        Some(dtype) if dims.iter().all(is_size) => {
            let row_major = || (0..dims.len()).rev().collect();
            let memory = memory_space(behind);
            let order = order(behind, dims.len());
            let order = order.or_else(|| (tiles.is_some() || memory.is_some()).then(row_major));
            let layout = order.map(|order: Vec<usize>| {
                let order: Vec<_> = order.iter().map(ToString::to_string).collect();
                let tiles = tiles.map(|tiles| format!("T{tiles}")).unwrap_or_default();
                let memory = memory.map(|memory| format!("S({memory})")).unwrap_or_default();
                let colon = if tiles.is_empty() && memory.is_empty() { "" } else { ":" };
                format!("{{{}{colon}{tiles}{memory}}}", order.join(","))
            });
            let layout = layout.unwrap_or_default();
            format!("write `{dtype}[{}]{layout}`", dims.join(","))
        }
        _ => "the sizes follow the element type in brackets: `f32[3,5]`".to_string(),
    };
    (help, len)
}

/// The order of the dimensions, the most minor one first, that `affine_map<(d0, d1) -> (d1, d0)>` or `strided<[1, 8]>` expresses
/// after the element type of a `memref`.
fn order<S>(tokens: &[Token<S>], rank: usize) -> Option<Vec<usize>> {
    let is = |name: &str| {
        tokens.iter().any(|token| matches!(&token.kind, Kind::Word(word) if word == name))
    };
    let order: Vec<usize> = if is("affine_map") {
        let arrow = tokens.iter().rposition(|token| token.kind == Kind::Symbol('>'))?;
        let opens = tokens[..arrow].iter().rposition(|token| token.kind == Kind::Open('('))?;
        let dims = tokens[opens..].iter().filter_map(|token| match &token.kind {
            Kind::Word(word) => Some(word.strip_prefix('d').and_then(|dim| dim.parse().ok())),
            _ => None,
        });
        dims.rev().collect::<Option<_>>()?
    } else if is("strided") {
        let strides = tokens.iter().filter_map(|token| match &token.kind {
            Kind::Number(stride) => stride.parse::<u64>().ok(),
            _ => None,
        });
        let strides: Vec<u64> = strides.take(rank).collect();
        let mut order: Vec<usize> = (0..strides.len()).collect();
        order.sort_by_key(|dim| (strides[*dim], core::cmp::Reverse(*dim)));
        order
    } else {
        return None;
    };
    (order.len() == rank && (0..rank).all(|dim| order.contains(&dim))).then_some(order)
}

/// The tiles of `#tpu.tiled<(8,128)(2,1),[1,1]>`, the layout of a `memref` of the TPU.
fn mosaic<S>(tokens: &[Token<S>]) -> Option<String> {
    let is_tiled = |token: &Token<S>| matches!(&token.kind, Kind::Word(word) if word == "tiled");
    let tokens = tokens.get(tokens.iter().position(is_tiled)? + 2..)?;
    let ends = |token: &Token<S>| matches!(token.kind, Kind::Open('[') | Kind::Symbol('>'));
    let tiles = written(&tokens[..tokens.iter().position(ends)?])?;
    let tiles = tiles.trim_end_matches(',');
    (tiles.starts_with('(') && tiles.ends_with(')')).then(|| tiles.into())
}

/// The number of the memory that `#tpu.memory_space<vmem>` names; `None` for a memory without a number.
fn memory_space<S>(tokens: &[Token<S>]) -> Option<usize> {
    let is_memory =
        |token: &Token<S>| matches!(&token.kind, Kind::Word(word) if word == "memory_space");
    match &tokens.get(tokens.iter().position(is_memory)? + 2)?.kind {
        Kind::Word(name) => TpuMemory::from_name(name)?.space().filter(|space| *space > 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::tiled::{Shape, TiledSpec};
    use alloc::string::ToString;

    /// Checks that each text has one mistake, with this help, and that what the help proposes can be read.
    fn checks(cases: &[(&str, &str, &str)]) {
        for (text, message, help) in cases {
            let error = text.parse::<TiledSpec>().expect_err(text);
            let [mistake] = error.mistakes() else { panic!("{text}: {error}") };
            assert_eq!(
                (mistake.message.as_str(), mistake.help.as_str()),
                (*message, *help),
                "{text}"
            );
            let proposed = help.rsplit_once("` ").map_or(*help, |(_, last)| last).split('`').nth(1);
            if let Some(proposed) = proposed.filter(|text| text.contains('[')) {
                assert!(proposed.parse::<TiledSpec>().is_ok(), "{proposed}");
            }
        }
    }

    #[test]
    fn what_is_pasted_from_elsewhere_is_translated() {
        let mlir = "expected an array as XLA writes it, found a type of MLIR";
        let hlo = "expected an array, found a line of HLO";
        let cute = "expected an array as XLA writes it, found a layout of CuTe";
        let call = "expected an array as XLA writes it, found a call";
        checks(&[
            ("tensor<128x256xf32>", mlir, "write `f32[128,256]`"),
            ("tensor<?x8xi1>", mlir, "write `pred[?,8]`"),
            ("memref<4xbf16>", mlir, "write `bf16[4]`"),
            ("tensor<f32>", mlir, "write `f32[]`"),
            (
                "\"f32[3,5]{1,0}\"",
                "expected an array, found a string",
                "write it without quotes: `f32[3,5]{1,0}`",
            ),
            (
                "%fusion.2 = f32[8,128]{1,0:T(8,128)} fusion(%p0, %p1), kind=kLoop",
                hlo,
                "write only the shape: `f32[8,128]{1,0:T(8,128)}`",
            ),
            ("ROOT %t = s8[4]{0} add(%a, %b)", hlo, "write only the shape: `s8[4]{0}`"),
            ("x = f32[3] tanh(y)", hlo, "write only the shape: `f32[3]`"),
            (
                "f32[8,128]{1,0} add(%a, %b)",
                "expected the end of the shape, found `add`",
                "write only the shape of a line of HLO: `f32[8,128]{1,0}`",
            ),
            ("F32(3,5)", "expected `[`, found `(`", "sizes go in brackets: `F32[3,5]`"),
            ("f32[128x256]{1,0}", "expected a size, found `128x256`", "write `128,256`"),
            ("torch.float32[3,5]", "an element type has no module", "write `f32`"),
            ("jnp.bfloat16[8]", "an element type has no module", "write `bf16`"),
            (
                "Tensor<f32, 3, 5>",
                "expected an array as XLA writes it, found a generic type",
                "write `f32[3,5]`",
            ),
            (
                "(3,5):(1,3)",
                "expected an array as XLA writes it, found a layout of CuTe",
                "write the element type before the sizes, and the order of the strides, least first: `f32[3,5]{0,1}`",
            ),
            ("f32((3,5),(5,1))", cute, "write `f32[3,5]{1,0}`"),
            (
                "Layout<Shape<_8,_128>, Stride<_1,_8>>",
                cute,
                "write the element type before the sizes, and the order of the strides, least first: `f32[8,128]{0,1}`",
            ),
            (
                "(128, 256), float32",
                "expected an array as XLA writes it, found its sizes first",
                "write `f32[128,256]`",
            ),
            (
                "f32[3,5] order=F",
                "expected the end of the shape, found `order`",
                "an order is a layout, `{1,0}` for C and `{0,1}` for Fortran",
            ),
            (
                "(_8,_4):(_4,_1)",
                cute,
                "write the element type before the sizes, and the order of the strides, least first: `f32[8,4]{1,0}`",
            ),
            (
                "f32[8,128]{1,0:T(8,128)} in VMEM",
                "expected the end of the shape, found `in`",
                "the memory is an attribute of the layout, `{1,0:S(1)}`: VMEM is `S(1)`, and the host `S(5)`",
            ),
            (
                "(3,5):(8,1)",
                cute,
                "strides follow from the order of the dimensions, the one of stride 1 first, `{1,0}`; `padded to [3,8]` makes rows longer",
            ),
            ("torch.empty(3, 5, dtype=torch.float32)", call, "write `f32[3,5]`"),
            ("np.zeros(shape=(3, 5), dtype=np.int8)", call, "write `s8[3,5]`"),
            (
                "Vec<f32>[3,5]",
                "expected an array as XLA writes it, found a generic type",
                "write `f32[3,5]`",
            ),
            (
                "memref<8x128xf32, affine_map<(d0, d1) -> (d1, d0)>>",
                mlir,
                "write `f32[8,128]{0,1}`",
            ),
            ("memref<8x128xf32, strided<[1, 8], offset: 0>>", mlir, "write `f32[8,128]{0,1}`"),
            ("ShapeDtypeStruct((8, 128), jnp.bfloat16)", call, "write `bf16[8,128]`"),
            ("ShapedArray(float32[8,128])", call, "write `f32[8,128]`"),
            (
                "[[f32; 5]; 3]",
                "expected an array as XLA writes it, found a type of Rust",
                "write `f32[3,5]`",
            ),
            (
                "memref<16x128xbf16, #tpu.tiled<(8,128)(2,1),[1,1]>, #tpu.memory_space<vmem>>",
                mlir,
                "write `bf16[16,128]{1,0:T(8,128)(2,1)S(1)}`",
            ),
            (
                "entry_computation_layout={(f32[8,128]{1,0})->f32[8]{0}}",
                hlo,
                "write only one of its arrays: `f32[8,128]{1,0}`",
            ),
            ("half[3,5]", "unknown element type `half`", "did you mean `f16`?"),
            ("f32[3,5]{1,O}", "expected a dimension, found `O`", "did you mean `0`?"),
            ("f32[3,5]{1,,0}", "expected a dimension, found `,`", "leave one `,` out"),
            ("f32[3,,5]", "expected an integer, found `,`", "leave the `,` out, or write a size"),
            (
                "f32[3,5]:[5,1]",
                "expected the end of the shape, found `:`",
                "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`",
            ),
            (
                "f32[3,5]{ColumnMajor}",
                "expected the end of the shape, found `{`",
                "`{1,0}` is row-major, and `{0,1}` column-major",
            ),
            (
                "f32[3,5], column_major",
                "expected the end of the shape, found `,`",
                "`{1,0}` is row-major, and `{0,1}` column-major",
            ),
            (
                "f32[3,5]{1,0:T((8,128),(2,1))}",
                "the tiles of `T` are written side by side",
                "write `(8,128)(2,1)`",
            ),
            (
                "f32[3,5]{1,0:T(8,128),T(2,1)}",
                "expected an attribute or `}`, found `,`",
                "all tiles follow one `T`: `T(8,128)(2,1)`",
            ),
            (
                "f32[64,64]{1,0:Swizzle(3,4,3)}",
                "unknown attribute `Swizzle`",
                "layouts of XLA have no swizzle: leave it out",
            ),
            ("shape=[3,5], dtype=f32", "expected an array, found `shape`", "write `f32[3,5]`"),
            (
                "dtype=jnp.bfloat16, shape=(16, 128), layout={1,0:T(8,128)(2,1)}",
                "expected an array, found `dtype`",
                "write `bf16[16,128]{1,0:T(8,128)(2,1)}`",
            ),
            (
                "f32[32,64]{minor_to_major=[1,0], tiles=[(8,128)], memory_space=VMEM}",
                "expected the order of the dimensions, found `minor_to_major`",
                "write `{1,0:T(8,128)S(1)}`",
            ),
            (
                "bf16[32,64]{major_to_minor: (0, 1), tiling: ((8,128),(2,1))}",
                "expected the order of the dimensions, found `major_to_minor`",
                "write `{1,0:T(8,128)(2,1)}`",
            ),
            (
                "[8,128] bf16",
                "expected an array as XLA writes it, found its sizes first",
                "write `bf16[8,128]`",
            ),
            ("bf16<8,128>", "expected `[`, found `<`", "sizes go in brackets: `bf16[8,128]`"),
            ("f32[D as usize,8]", "an expression needs braces", "write `{D as usize}`"),
            ("f32[3,5]{1,0:S(\"vmem\")}", "a memory space is a number", "VMEM is `S(1)`"),
            (
                "*f16[128,64]",
                "expected an element type, found `*`",
                "leave the `*` out: an array is not a pointer",
            ),
            (
                "f32[3,5]{row_major}",
                "expected the end of the shape, found `{`",
                "`{1,0}` is row-major, and `{0,1}` column-major",
            ),
            (
                "f32[3,5]{\"1,0\"}",
                "expected the end of the shape, found `{`",
                "write it without quotes: `{1,0}`",
            ),
            (
                "f32[3,5]{0,1}:T(2,2)",
                "expected the end of the shape, found `:`",
                "attributes go in the braces of the layout: `f32[3,5]{0,1:T(2,2)}`",
            ),
            (
                "f32[3,5]:(5,1)",
                "expected the end of the shape, found `:`",
                "instead of strides, write the order of the dimensions, the one of stride 1 first: `{1,0}`",
            ),
            (
                "f32[3,5]{1,0}{0,1}",
                "expected the end of the shape, found `{`",
                "an array has one layout: leave one of them out",
            ),
            (
                "f32[3,5], order=C",
                "expected the end of the shape, found `,`",
                "an order is a layout, `{1,0}` for C and `{0,1}` for Fortran",
            ),
            ("f32[3,5]{1,0:tile(2,2)}", "unknown attribute `tile`", "did you mean `T`?"),
            ("f32[3,5]{1,0:T(2x2)}", "expected a size, found `2x2`", "write `2,2`"),
            ("f32[3*2,5]", "an expression needs braces", "write `{3*2}`"),
            (
                "f32[None,5]",
                "expected a size, found `None`",
                "write a number, or `?` for a size that is known only at run time",
            ),
            ("f32[3,5];", "expected the end of the shape, found `;`", "leave the `;` out"),
        ]);
    }

    #[test]
    fn layouts_in_the_spelling_of_no_one_are_understood() {
        let parentheses = "the value of `T` goes in parentheses";
        checks(&[
            ("f32[3,5]{1,0:T8,128}", parentheses, "write `T(8,128)`"),
            ("f32[3,5]{1,0:T[8,128]}", parentheses, "write `T(8,128)`"),
            ("f32[3,5]{1,0:T=8}", parentheses, "write `T(8)`"),
            ("f32[3,5]{1,0:T(8,128)S1}", "the value of `S` goes in parentheses", "write `S(1)`"),
            (
                "f32[3,5]{1,0:T(8,128),L(8),S(1)}",
                "expected an attribute or `}`, found `,`",
                "attributes follow each other without commas: `T(8,128)S(1)`",
            ),
            (
                "f32[3,5]{1,0,T(8,128)}",
                "expected `:` or `}`, found `T`",
                "attributes follow a colon: `{1,0:T(8,128)}`",
            ),
            (
                "f32[3,5]{1,0 T(8,128)}",
                "expected `:` or `}`, found `T`",
                "attributes follow a colon: `{1,0:T(8,128)}`",
            ),
            (
                "f32[3,5]{1,0;T(8,128)}",
                "expected `:` or `}`, found `;`",
                "attributes follow a colon: `{1,0:T(8,128)}`",
            ),
            (
                "f32[3,5]{2,1:T(8,128)}",
                "dimension 2 does not exist: the array has 2 dimensions",
                "did you mean `{1,0}`?",
            ),
            (
                "f32[3,5]{1,2}",
                "dimension 2 does not exist: the array has 2 dimensions",
                "did you mean `{0,1}`?",
            ),
            (
                "f32[3,5]{1,0}, padded to [4,8]",
                "expected the end of the shape, found `,`",
                "leave the `,` out: `padded` follows the layout",
            ),
        ]);
    }

    #[test]
    fn every_mistake_of_a_layout_is_found_at_once() {
        let found = |text: &str| text.parse::<TiledSpec>().expect_err(text).mistakes().len();
        assert_eq!(found("f32[3,5]{1,1:T(0,2)(3,*)L(0)E(4)S(300)Q(3)}"), 7);
        assert_eq!(found("f32[3 x,5]{1,0:T(2,x)(a+1,2)S(y)} padded to [2,q] with nan"), 6);
        assert_eq!(found("q32[3,5]{1,1:Z(1)Y(2)T(0)}"), 5);
        let tuple = "(f32[3]{1}, q8[2], s8[3]{0:T(0)S()})".parse::<Shape>().expect_err("a tuple");
        assert_eq!(tuple.mistakes().len(), 4, "{tuple}");
        let text = "f32[4294967296,4294967296,0]".parse::<TiledSpec>().expect_err("too large");
        assert!(text.to_string().contains("no elements, but its other sizes"), "{text}");
        let text = "f33[4]{0:E(3)}".parse::<TiledSpec>().expect_err("no type");
        assert!(!text.to_string().contains("u8"), "{text}");
    }
}
