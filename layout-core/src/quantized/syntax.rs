//! The grammar: `q8_0[4096,4096]`, or `s8[4096,4096] by f16[1,32] in blocks`.

use super::preset::Preset;
use super::problem::{Problem, Subject};
use super::spec::{Arrangement, QuantizedSpec};
use crate::dtype::DType;
use crate::syntax::{
    Cursor, Diagnostic, Diagnostics, Kind, Offer, ParseError, Parsed, Span, Stop, element_type,
    nearest, read_text, written,
};
use crate::tiled::syntax::{DimSyntax, Size, size, sizes};
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::str::FromStr;

/// Scales as written: `f16[1,32]`.
#[derive(Clone, Debug)]
pub struct ScaleSyntax<S> {
    /// The type; `None` if it was misspelled.
    pub dtype: Option<DType>,
    /// The position of the type.
    pub dtype_span: S,
    /// The sizes of a block.
    pub block: Vec<DimSyntax<S>>,
    /// The position of the sizes.
    pub block_span: S,
    /// The position of the scale of the whole array, if there is one.
    pub tensor: Option<S>,
    /// How the bytes are arranged.
    pub arrangement: Arrangement,
}

/// The format of an array, as written.
#[derive(Clone, Debug)]
pub enum FormatSyntax<S> {
    /// `q8_0`
    Preset(Preset),
    /// `s8[..] by f16[1,32]`; the type is `None` if it was misspelled.
    Scaled(Option<DType>, ScaleSyntax<S>),
}

/// A block-scaled array as written.
#[derive(Clone, Debug)]
pub struct QuantizedSyntax<S> {
    /// The format.
    pub format: FormatSyntax<S>,
    /// The position of the name of the preset or of the element type.
    pub name_span: S,
    /// The dimensions.
    pub dims: Vec<DimSyntax<S>>,
    /// The position of the dimensions.
    pub dims_span: S,
}

const NOTATION: &str =
    "write a preset, `q8_0[4096,4096]`, or elements and scales, `s8[4096,4096] by f16[1,32]`";

/// Reads one block-scaled array. Returns `None` if reading could not continue. The cursor collects the diagnostics.
pub fn parse_quantized<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<QuantizedSyntax<S>> {
    cursor.reads(NOTATION);
    quantized(cursor).ok()
}

fn quantized<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<QuantizedSyntax<S>> {
    let name_span = cursor.span();
    cursor.offer(Offer::Scaling);
    if let Some(Kind::Text(text)) = cursor.peek()
        && text.len() < 80
    {
        let help = format!("write it without quotes: `{text}`");
        return Err(cursor.unexpected_with_help("a preset or an element type", &help));
    }
    let Some(Kind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected_with_help("a preset or an element type", NOTATION));
    };
    cursor.next();
    let (preset, dtype) = (Preset::from_name(name), DType::from_name(name));
    if preset.is_none() && dtype.is_none() {
        // `q4_K` has blocks of blocks: it is not a misspelled `q4_0`.
        let is_misspelled = !name.to_ascii_lowercase().contains("_k");
        // `q8` begins one preset.
        let begins = |preset: &&&str| {
            preset.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('_'))
        };
        let mut begun = Preset::NAMES.iter().filter(begins).copied();
        let only = begun.next().filter(|_| begun.next().is_none());
        let suggestion = only
            .or_else(|| nearest(name, &Preset::NAMES).filter(|_| is_misspelled))
            .or_else(|| element_type(name));
        let help = match suggestion {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None => format!("the presets are {}", list_of_presets()),
        };
        cursor.report(name_span, format!("unknown preset or element type `{name}`"), help);
    }
    let help = format!("the sizes follow in brackets: `{name}[4096,4096]`");
    let (dims, dims_span) = bracketed(cursor, &help)?;
    if cursor.peek() == Some(&Kind::Open('{')) {
        let first = cursor.span();
        let len = cursor.group_len();
        let span = cursor.take_many(len).unwrap_or(first);
        let help = "leave it out: the dimensions are in row-major order, and blocks extend along the last one";
        cursor.report(span, "a block-scaled array has no layout of its own", help);
    }
    let by = cursor.span();
    if group_size(cursor) {
        return Err(Stop);
    }
    if cursor.is_word("by") {
        cursor.next();
        let scale = scale(cursor, dims.len())?;
        if let Some(preset) = preset {
            let help = format!("leave out what follows the sizes, or write `{}`", preset.element());
            cursor.report(by, format!("`{preset}` already determines the scales"), help);
        }
        let format = FormatSyntax::Scaled(dtype, scale);
        return Ok(QuantizedSyntax { format, name_span, dims, dims_span });
    }
    match (preset, dtype) {
        (Some(preset), _) => {
            if cursor.is_word("in") {
                let message = format!("`{preset}` says how its bytes are arranged");
                let first = cursor.span();
                let span = cursor.take_many(2).unwrap_or(first);
                cursor.report(span, message, "leave it out");
            }
            let format = FormatSyntax::Preset(preset);
            Ok(QuantizedSyntax { format, name_span, dims, dims_span })
        }
        (None, Some(_)) if cursor.peek() == Some(&Kind::Symbol(',')) => {
            // `, scale = f16[1,32]`
            let is_named = matches!(cursor.peek_nth(1), Some(Kind::Word(_)))
                && matches!(cursor.peek_nth(2), Some(Kind::Symbol('=' | ':')));
            if !is_named {
                return Err(cursor.unexpected_with_help("`by`", "write `by`"));
            }
            let span = cursor.take_many(3).unwrap_or(by);
            cursor.report(span, "the scales have no name: they follow `by`", "write `by`");
            let format = FormatSyntax::Scaled(dtype, scale(cursor, dims.len())?);
            Ok(QuantizedSyntax { format, name_span, dims, dims_span })
        }
        (None, Some(dtype)) => {
            let help = format!(
                "the scales follow, `{dtype}[..] by f16[1,32]`, or write a preset: {}",
                list_of_presets()
            );
            Err(cursor.unexpected_with_help("`by`", &help))
        }
        // The unknown name has been reported.
        (None, None) if cursor.peek().is_some() => {
            let help = "the scales follow: `s8[..] by f16[1,32]`";
            Err(cursor.unexpected_with_help("`by`", help))
        }
        (None, None) => Err(Stop),
    }
}

/// Sizes in brackets, and their position.
fn bracketed<S: Span>(cursor: &mut Cursor<'_, S>, help: &str) -> Parsed<(Vec<DimSyntax<S>>, S)> {
    let open = cursor.span();
    let close = match cursor.peek() {
        Some(Kind::Open('(')) => ')',
        _ => ']',
    };
    if cursor.peek() != Some(&Kind::Open('[')) {
        let stop = cursor.unexpected_with_help("`[`", help);
        if close == ']' {
            return Err(stop);
        }
    }
    cursor.next();
    let before = cursor.diagnostics.len();
    let mut dims = sizes(cursor, close, size)?;
    // After a mistake, the number of sizes is not known.
    if cursor.diagnostics.len() > before
        && let Some(last) = dims.last_mut()
    {
        *last = DimSyntax::wrong(open);
    }
    Ok((dims, cursor.since(open)))
}

/// `f16[1,32] by f32 in blocks`, which follows `by`
fn scale<S: Span>(cursor: &mut Cursor<'_, S>, rank: usize) -> Parsed<ScaleSyntax<S>> {
    let mut example = alloc::vec!["1"; rank.max(1) - 1];
    example.push("32");
    let help = format!("the size of a block follows in brackets: `[{}]`", example.join(","));
    let len = cursor.group_len();
    let is_exchanged = cursor.peek() == Some(&Kind::Open('['))
        && matches!(cursor.peek_nth(len), Some(Kind::Word(word)) if word != "in" && word != "by");
    let ((dtype, dtype_span), (block, block_span));
    if is_exchanged {
        // Both are read, in the order in which they are written.
        let (first, start) = (cursor.span(), cursor.taken());
        let sizes = written(&cursor.rest()[..len]).unwrap_or_default();
        let before = cursor.diagnostics.len();
        (block, block_span) = bracketed(cursor, &help)?;
        (dtype, dtype_span) = scale_type(cursor)?;
        if cursor.diagnostics.len() == before {
            let name = written(&cursor.from(start)[len..]).unwrap_or_default();
            let message = "the type of the scales comes before the sizes of a block";
            cursor.report(cursor.since(first), message, format!("write `by {name}{sizes}`"));
        }
    } else {
        (dtype, dtype_span) = scale_type(cursor)?;
        (block, block_span) = bracketed(cursor, &help)?;
    }
    let mut tensor = None;
    if cursor.is_word("by") {
        cursor.next();
        let (dtype, span) = scale_type(cursor)?;
        if let Some(dtype) = dtype.filter(|dtype| *dtype != DType::F32) {
            let message = format!("the scale of the whole array cannot be `{dtype}`");
            cursor.report(span, message, "write `f32`");
        }
        tensor = Some(span);
    }
    let mut arrangement = Arrangement::Planes;
    let is_arrangement = |kind: Option<&Kind>| matches!(kind, Some(Kind::Word(word)) if matches!(word.as_str(), "blocks" | "planes"));
    if !cursor.is_word("in")
        && (is_arrangement(cursor.peek()) || is_arrangement(cursor.peek_nth(1)))
    {
        cursor.unexpected_with_help("`in`", "write `in` before the arrangement");
        cursor.take_many(usize::from(!is_arrangement(cursor.peek())));
        cursor.take_many(1);
    }
    if cursor.is_word("in") {
        cursor.next();
        cursor.offer(Offer::Arrangement);
        let help = "write `in blocks`, each scale before its elements, or `in planes`, all elements before all scales";
        arrangement = match cursor.peek() {
            Some(Kind::Word(word)) if word == "blocks" => Arrangement::Blocks,
            Some(Kind::Word(word)) if word == "planes" => Arrangement::Planes,
            Some(Kind::Word(word)) if nearest(word, &["blocks", "planes"]).is_some() => {
                let meant = nearest(word, &["blocks", "planes"]).unwrap_or_default();
                let help = format!("did you mean `{meant}`?");
                cursor.unexpected_with_help("`blocks` or `planes`", &help);
                Arrangement::Planes
            }
            _ => return Err(cursor.unexpected_with_help("`blocks` or `planes`", help)),
        };
        cursor.next();
    }
    group_size(cursor);
    Ok(ScaleSyntax { dtype, dtype_span, block, block_span, tensor, arrangement })
}

/// Reports `group = 128`, which other tools write beside the type of the scales; whether it comes next.
fn group_size<S: Span>(cursor: &mut Cursor<'_, S>) -> bool {
    let at = usize::from(cursor.peek() == Some(&Kind::Symbol(',')));
    let (Some(Kind::Word(word)), Some(Kind::Symbol('=' | ':')), Some(Kind::Number(size))) =
        (cursor.peek_nth(at), cursor.peek_nth(at + 1), cursor.peek_nth(at + 2))
    else {
        return false;
    };
    if !matches!(word.as_str(), "group" | "group_size" | "groupsize" | "block" | "block_size") {
        return false;
    }
    let message = format!("expected the end of the block-scaled array, found `{word}`");
    let help = format!("the size of a block is in the brackets of the scales: `by f16[1,{size}]`");
    let first = cursor.span();
    let span = cursor.take_many(at + 3).unwrap_or(first);
    cursor.report(span, message, help);
    true
}

/// The type of scales and its position; `None` if it is misspelled, which is reported.
fn scale_type<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(Option<DType>, S)> {
    let span = cursor.span();
    cursor.offer(Offer::Element);
    let Some(Kind::Word(name)) = cursor.peek() else {
        return Err(cursor.unexpected_with_help("the type of the scales", "write `by f16[1,32]`"));
    };
    cursor.next();
    let dtype = DType::from_name(name);
    if dtype.is_none() {
        let help = match element_type(name) {
            Some(suggestion) => format!("did you mean `{suggestion}`?"),
            None => "the types are `f16`, `f32`, `f8e8m0fnu` and `f8e4m3fn`".into(),
        };
        cursor.report(span, format!("unknown type of scales `{name}`"), help);
    }
    Ok((dtype, span))
}

fn list_of_presets() -> alloc::string::String {
    let [names @ .., last] = Preset::NAMES.map(|name| format!("`{name}`"));
    format!("{} and {last}", names.join(", "))
}

/// Checks an array as written and returns its model. A size that only rustc can compute is 1 in the model, or in the last dimension
/// the elements of the blocks that are stored together. Reports every mistake at its position.
pub fn lower_quantized<S: Span>(
    syntax: &QuantizedSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<QuantizedSpec> {
    let before = diagnostics.len();
    let (block, arrangement) = match &syntax.format {
        FormatSyntax::Preset(preset) => (preset.block(), preset.arrangement()),
        FormatSyntax::Scaled(_, scale) => (block(syntax, scale, diagnostics)?, scale.arrangement),
    };
    let together = QuantizedSpec::together(block, arrangement);
    let mut dims = Vec::with_capacity(syntax.dims.len());
    for (at, dim) in syntax.dims.iter().enumerate() {
        let unknown = if at + 1 == syntax.dims.len() { together } else { 1 };
        dims.push(match dim.size {
            Size::Literal(size) => match isize::try_from(size) {
                Ok(size @ 0..) => size.unsigned_abs(),
                _ => {
                    let problem = crate::tiled::Problem::DimSize { dim: at, size };
                    diagnostics.push(Diagnostic {
                        span: dim.span,
                        message: problem.message().as_str().to_string(),
                        help: problem.help().as_str().to_string(),
                    });
                    unknown
                }
            },
            _ => unknown,
        });
    }
    let spec = match &syntax.format {
        FormatSyntax::Preset(preset) => QuantizedSpec::of_preset(*preset, &dims),
        FormatSyntax::Scaled(element, scale) => {
            // Misspelled types have been reported.
            let (element, dtype) = ((*element)?, scale.dtype?);
            let tensor = scale.tensor.is_some();
            QuantizedSpec::new(element, &dims, dtype, block, tensor, arrangement)
        }
    };
    match spec {
        Ok(spec) => (diagnostics.len() == before).then_some(spec),
        Err(problem) => {
            let span = span_of(syntax, &problem);
            let (message, help) = (problem.message(), problem.help());
            let (message, help) = (message.as_str().to_string(), help.as_str().to_string());
            diagnostics.push(Diagnostic { span, message, help });
            None
        }
    }
}

/// The size of the block along the last dimension.
fn block<S: Span>(
    syntax: &QuantizedSyntax<S>,
    scale: &ScaleSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<usize> {
    let mut report = |span, message, help: &str| {
        diagnostics.push(Diagnostic { span, message, help: help.to_string() });
    };
    let (rank, len) = (syntax.dims.len(), scale.block.len());
    let is_wrong = |sizes: &[DimSyntax<S>]| sizes.iter().any(|size| size.size == Size::Wrong);
    // Sizes with mistakes have been reported.
    if is_wrong(&syntax.dims) || is_wrong(&scale.block) {
        return None;
    }
    if rank > 0 && rank != len {
        let sizes = |n| if n == 1 { "1 size".into() } else { format!("{n} sizes") };
        let message = format!("the array has {}, but its block {}", sizes(rank), sizes(len));
        let ones = "1,".repeat(rank.min(crate::parts::MAX_RANK) - 1);
        let help = format!("give the block one size for each dimension: `[{ones}32]`");
        report(scale.block_span, message, &help);
        return None;
    }
    let mut block = None;
    for (at, size) in scale.block.iter().enumerate() {
        match size.size {
            Size::Literal(value) if at + 1 == len => match usize::try_from(value) {
                Ok(value) => block = Some(value),
                Err(_) => {
                    report(size.span, format!("a block cannot have {value} elements"), "write `32`")
                }
            },
            Size::Literal(1) => {}
            Size::Literal(value) => {
                let message = format!(
                    "a block extends along the last dimension only, but this size is {value}"
                );
                report(size.span, message, "write `1`");
            }
            _ => report(size.span, "the size of a block must be a number".into(), "write `32`"),
        }
    }
    block
}

/// The position of the cause of a problem.
fn span_of<S: Span>(syntax: &QuantizedSyntax<S>, problem: &Problem) -> S {
    let last = syntax.dims.last().map_or(syntax.dims_span, |dim| dim.span);
    match (problem.subject(), &syntax.format) {
        (Subject::Dims, _) => syntax.dims_span,
        (Subject::LastDim, _) => last,
        (Subject::Element, _) | (_, FormatSyntax::Preset(_)) => syntax.name_span,
        (Subject::Scale, FormatSyntax::Scaled(_, scale)) => scale.dtype_span,
        (Subject::Block, FormatSyntax::Scaled(_, scale)) => {
            scale.block.last().map_or(scale.block_span, |size| size.span)
        }
        (Subject::TensorScale, FormatSyntax::Scaled(_, scale)) => {
            scale.tensor.unwrap_or(scale.dtype_span)
        }
    }
}

impl FromStr for QuantizedSpec {
    type Err = ParseError;

    /// Reads the text of a block-scaled array: a preset, or the whole notation. Linear in the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read_text(text, "the block-scaled array", parse_quantized, |syntax, diagnostics| {
            for dim in &syntax.dims {
                crate::tiled::syntax::unknown(dim, diagnostics);
            }
            lower_quantized(syntax, diagnostics)
        })
    }
}
