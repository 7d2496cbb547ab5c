//! Types of MLIR, `tensor<3x5xf32>` and `memref<8x128xf32, strided<[1, 8]>>`.

use crate::dtype::DType;
use crate::syntax::{Kind, Span, Token, element_type, written};
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
    let behind = if ends { &[] } else { &tokens[len..] };
    len = if ends { len + 1 } else { tokens.len() };
    let mut dims: Vec<&str> = text.split('x').collect();
    let dtype = dims.pop().and_then(named);
    let is_size = |size: &&str| *size == "?" || size.parse::<u64>().is_ok();
    // `tensor<8x8xf32, #CSR>`, but not `tensor<8x8xf32, #mhlo.type_extensions<..>>`.
    let is_tensor = matches!(&tokens[0].kind, Kind::Word(word) if word == "tensor");
    let is_sparse = is_tensor
        && match behind {
            [_, hash, Token { kind: Kind::Word(word), .. }, rest @ ..] => {
                hash.kind == Kind::Symbol('#') && (rest.len() == 1 || word == "sparse_tensor")
            }
            _ => false,
        };
    let help = match dtype {
        Some(_) if is_sparse && let Some(encoding) = written(behind) => {
            format!("the type of a sparse tensor is `sparse_tensor!(tensor<{text}{encoding})`")
        }
        Some(dtype) if dims.iter().all(is_size) => {
            let layout = layout(behind, dims.len());
            format!("write `{dtype}[{}]{layout}`", dims.join(","))
        }
        _ => "the sizes follow the element type in brackets: `f32[3,5]`".to_string(),
    };
    (help, len)
}

/// The layout of a `memref` with these tokens after its element type; empty if it is row-major.
fn layout<S>(tokens: &[Token<S>], rank: usize) -> String {
    let (tiles, memory) = (mosaic(tokens), memory_space(tokens));
    let row_major = || (0..rank).rev().collect();
    let is_written = tiles.is_some() || memory.is_some();
    let order = order(tokens, rank).or_else(|| is_written.then(row_major));
    let Some(order) = order else { return String::new() };
    let order: Vec<_> = order.iter().map(ToString::to_string).collect();
    let tiles = tiles.map(|tiles| format!("T{tiles}")).unwrap_or_default();
    let memory = memory.map(|memory| format!("S({memory})")).unwrap_or_default();
    let colon = if is_written { ":" } else { "" };
    format!("{{{}{colon}{tiles}{memory}}}", order.join(","))
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
