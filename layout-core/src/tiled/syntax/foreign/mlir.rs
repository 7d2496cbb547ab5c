//! Types of MLIR, `tensor<3x5xf32>` and `memref<8x128xf32, strided<[1, 8]>>`.

use super::strides::Strided;
use crate::dtype::DType;
use crate::syntax::{Kind, Span, Token, between_commas, element_type, written};
use crate::tiled::TpuMemory;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The text of `3x5xf32`, which rustc may read as several tokens, and their number.
fn sizes_and_type<S>(tokens: &[Token<S>]) -> (String, usize) {
    let mut text = String::new();
    for (len, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Word(piece) | Kind::Number(piece) | Kind::Other(piece) => text += piece,
            Kind::Symbol('?') => text.push('?'),
            _ => return (text, len),
        }
    }
    (text, tokens.len())
}

/// The translation of `3x5xf32` without `tensor<..>` around it, and the number of its tokens.
pub(super) fn without_brackets<S: Span>(tokens: &[Token<S>]) -> Option<(String, usize)> {
    let (text, len) = sizes_and_type(tokens);
    let (sizes, dtype) = text.rsplit_once('x')?;
    let is_size = |size: &str| size == "?" || size.parse::<u64>().is_ok();
    let dtype = sizes.split('x').all(is_size).then(|| named(dtype)).flatten()?;
    Some((format!("write `{dtype}[{}]`", sizes.replace('x', ",")), len))
}

/// What XLA calls an element type of MLIR. A misspelling of an MLIR name, such as `F32`, may still be a name of XLA.
fn named(name: &str) -> Option<&'static str> {
    match DType::from_mlir_name(name) {
        Some(dtype) => Some(dtype.name()),
        None => element_type(name),
    }
}

/// The translation of `tensor<3x5xf32>`, and the number of its tokens.
pub(super) fn mlir<S: Span>(tokens: &[Token<S>]) -> (String, usize) {
    let (text, inner) = sizes_and_type(tokens.get(2..).unwrap_or_default());
    let mut len = 2 + inner;
    let ends = tokens.get(len).is_some_and(|token| token.kind == Kind::Symbol('>'));
    let after = if ends { &[] } else { &tokens[len..] };
    len = if ends { len + 1 } else { tokens.len() };
    let mut dims: Vec<&str> = text.split('x').collect();
    let dtype = dims.pop().and_then(named);
    let is_size = |size: &&str| *size == "?" || size.parse::<u64>().is_ok();
    // `tensor<8x8xf32, #CSR>`, but not `tensor<8x8xf32, #mhlo.type_extensions<..>>`.
    let is_tensor = matches!(&tokens[0].kind, Kind::Word(word) if word == "tensor");
    let is_sparse = is_tensor
        && match after {
            [_, hash, Token { kind: Kind::Word(word), .. }, rest @ ..] => {
                hash.kind == Kind::Symbol('#') && (rest.len() == 1 || word == "sparse_tensor")
            }
            _ => false,
        };
    let help = match dtype {
        Some(_) if is_sparse && let Some(encoding) = written(after) => {
            format!("the type of a sparse tensor is `sparse_tensor!(tensor<{text}{encoding})`")
        }
        Some(dtype) if dims.iter().all(is_size) => {
            let sizes: Vec<_> = dims.iter().map(|size| size.parse().ok()).collect();
            let dims = dims.join(",");
            match layout(after, &sizes) {
                Some(layout) => format!("write `{dtype}[{dims}]{layout}`"),
                None => format!(
                    "its layout is not translated: after `{dtype}[{dims}]`, list the dimensions, the one of stride 1 first, and then the \
                     tiles, as in `{{1,0:T(8,128)}}`"
                ),
            }
        }
        _ => "the sizes follow the element type in brackets: `f32[3,5]`".to_string(),
    };
    (help, len)
}

/// The layout of a `memref` with these tokens after its element type; empty if it is row-major, `None` if it is not translated.
fn layout<S>(after: &[Token<S>], sizes: &[Option<u64>]) -> Option<String> {
    let [_, list @ .., _] = after else { return Some(String::new()) };
    let (mut order, mut tiles, mut memory) = (None, None, None);
    let mut padding = String::new();
    let parts = between_commas(list);
    for (at, part) in parts.iter().enumerate() {
        let path = part.iter().take_while(|token| token.kind != Kind::Symbol('<'));
        let name = path.filter_map(|token| match &token.kind {
            Kind::Word(word) => Some(word.as_str()),
            _ => None,
        });
        match name.last() {
            Some("affine_map") => {
                let (dims, tile) = affine_map(part, sizes.len())?;
                order = Some(dims);
                let tile: Vec<_> = tile.iter().map(ToString::to_string).collect();
                tiles = (!tile.is_empty()).then(|| format!("({})", tile.join(",")));
            }
            Some("strided") => {
                let strided = Strided::of(sizes, &strides(part)?)?;
                padding = strided.padding();
                order = Some(strided.order);
            }
            Some("tiled") => tiles = Some(mosaic(part, sizes)?),
            Some("memory_space") => memory = memory_space(part),
            // The name of a map, or of a memory. If there are two attributes, the first is the layout.
            Some(_) if part.len() == 2 || at == 0 && parts.len() > 1 => return None,
            _ => {}
        }
    }
    let is_written = tiles.is_some() || memory.is_some();
    let row_major = || (0..sizes.len()).rev().collect();
    let Some(order) = order.or_else(|| is_written.then(row_major)) else {
        return Some(String::new());
    };
    let order: Vec<_> = order.iter().map(ToString::to_string).collect();
    let tiles = tiles.map(|tiles| format!("T{tiles}")).unwrap_or_default();
    let memory = memory.map(|memory| format!("S({memory})")).unwrap_or_default();
    let colon = if is_written { ":" } else { "" };
    Some(format!("{{{}{colon}{tiles}{memory}}}{padding}", order.join(",")))
}

/// The order of the dimensions, the most minor one first, and the tile, that an affine map expresses: `(d0, d1) -> (d1, d0)`, or
/// `(d0, d1) -> (d0 floordiv 8, d1 floordiv 128, d0 mod 8, d1 mod 128)`.
fn affine_map<'t, S>(tokens: &'t [Token<S>], rank: usize) -> Option<(Vec<usize>, Vec<u64>)> {
    let is_arrow =
        |pair: &[Token<S>]| pair[0].kind == Kind::Symbol('-') && pair[1].kind == Kind::Symbol('>');
    let (dims, results) = tokens.split_at(tokens.windows(2).position(is_arrow)?);
    // `<` or `>` and another token come before the parentheses.
    let listed = |tokens: &'t [Token<S>]| match tokens {
        [_, _, Token { kind: Kind::Open('('), .. }, list @ .., last] => {
            (last.kind == Kind::Close(')')).then(|| between_commas(list))
        }
        _ => None,
    };
    let (dims, results) = (listed(dims)?, listed(results.split_last()?.1)?);
    // A result: a dimension, and the operation on it with its number.
    let read = |result: &[Token<S>]| {
        let [dim, operation @ ..] = result else { return None };
        let dim = dims.iter().position(|name| matches!(name, [name] if name.kind == dim.kind))?;
        match operation {
            [] => Some((dim, None)),
            [Token { kind: Kind::Word(word), .. }, Token { kind: Kind::Number(number), .. }] => {
                let is_mod = match word.as_str() {
                    "floordiv" => false,
                    "mod" => true,
                    _ => return None,
                };
                let number: u64 = number.parse().ok()?;
                (number > 0).then_some((dim, Some((is_mod, number))))
            }
            _ => None,
        }
    };
    let results: Vec<_> = results.into_iter().map(read).collect::<Option<_>>()?;
    let (outer, inner) = results.split_at_checked(rank)?;
    let tiled = rank.checked_sub(inner.len())?;
    let tile = inner.iter().zip(&outer[tiled..]).map(|(inner, outer)| match (inner, outer) {
        ((dim, Some((true, size))), (of, Some((false, by)))) if dim == of && size == by => {
            Some(*size)
        }
        _ => None,
    });
    let tile = tile.collect::<Option<_>>()?;
    let is_plain = outer[..tiled].iter().all(|(_, operation)| operation.is_none());
    let order: Vec<usize> = outer.iter().rev().map(|(dim, _)| *dim).collect();
    let is_order = dims.len() == rank && (0..rank).all(|dim| order.contains(&dim));
    (is_plain && is_order).then_some((order, tile))
}

/// The numbers in the first brackets of these tokens; `None` if some are not known.
fn strides<S>(tokens: &[Token<S>]) -> Option<Vec<u64>> {
    let opens = tokens.iter().position(|token| token.kind == Kind::Open('['))?;
    let tokens = &tokens[opens + 1..];
    let closes = tokens.iter().position(|token| token.kind == Kind::Close(']'))?;
    if closes == 0 {
        return Some(Vec::new());
    }
    let numbers = between_commas(&tokens[..closes]).into_iter().map(|part| match part {
        [Token { kind: Kind::Number(number), .. }] => number.parse().ok(),
        _ => None,
    });
    numbers.collect()
}

/// The tiles of `#tpu.tiled<(8,128)(2,1),[1,1]>`, the layout of a `memref` of the TPU; `None` if they are not in row-major order,
/// as the strides between them say.
fn mosaic<S>(tokens: &[Token<S>], sizes: &[Option<u64>]) -> Option<String> {
    let opens = tokens.iter().position(|token| token.kind == Kind::Symbol('<'))?;
    let tokens = &tokens[opens + 1..];
    let ends = |token: &Token<S>| matches!(token.kind, Kind::Open('[') | Kind::Symbol('>'));
    let (tiles, strides) = tokens.split_at(tokens.iter().position(ends)?);
    let text = written(tiles)?;
    let text = text.trim_end_matches(',');
    if !(text.starts_with('(') && text.ends_with(')')) {
        return None;
    }
    if let [Token { kind: Kind::Open('['), .. }, ..] = strides {
        let inside = tiles[1..].iter().take_while(|token| token.kind != Kind::Close(')'));
        let tile: Vec<u64> = inside
            .filter_map(|token| match &token.kind {
                Kind::Number(size) => size.parse().ok(),
                _ => None,
            })
            .collect();
        let strides = self::strides(strides)?;
        if strides.len() != sizes.len() || tile.len() > sizes.len() {
            return None;
        }
        let mut expected = Some(1_u64);
        for (at, (size, stride)) in sizes.iter().zip(&strides).rev().enumerate() {
            let tile = tile.iter().rev().nth(at).copied().unwrap_or(1);
            let count = size.filter(|_| tile > 0).map(|size| size.div_ceil(tile));
            if count != Some(1) && expected != Some(*stride) {
                return None;
            }
            expected = expected.zip(count).and_then(|(stride, count)| stride.checked_mul(count));
        }
    }
    Some(text.into())
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
