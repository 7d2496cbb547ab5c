//! The text of an operation with other operands and types.

use super::Failure;
use super::local::Local;
use super::read::entries;
use super::tree::{Number, Operation, Piece, Region};
use super::{gspmd, rules};
use crate::sharding::ops::tensor_type;
use crate::sharding::program::NamedValue;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The tensors of an operation, each with its local size.
pub(super) struct Signature<'a> {
    pub(super) operands: Vec<(&'a NamedValue, &'a [usize])>,
    pub(super) results: Vec<(&'a NamedValue, &'a [usize])>,
}

impl Signature<'_> {
    fn is_split(&self) -> bool {
        let mut tensors = self.operands.iter().chain(&self.results);
        tensors.any(|(value, local)| value.dims != *local)
    }
}

/// The types at the end of an operation, ` : (tensor<8xf32>) -> tensor<8xf32>`, as the ranges of the types in the text.
fn types(text: &str) -> Option<Vec<Range<usize>>> {
    let bytes = text.as_bytes();
    let (mut depth, mut quoted, mut found) = (0_i32, false, None);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'<' | b'[' | b'{' | b'(' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' | b']' | b'}' | b')' => depth -= 1,
            b':' if depth <= 0 && text[at..].starts_with(": ") && text[..at].ends_with(' ') => {
                found = Some(at + 2);
            }
            _ => {}
        }
    }
    let mut at = found?;
    let mut ranges = Vec::new();
    loop {
        let rest = &text[at..];
        if rest.starts_with("tensor<") {
            // `tensor<8xcomplex<f32>>`
            let depths = rest.bytes().scan(0_i32, |depth, byte| {
                *depth += i32::from(byte == b'<') - i32::from(byte == b'>');
                Some(*depth)
            });
            let end = at + depths.skip("tensor<".len()).position(|depth| depth == 0)? + 8;
            ranges.push(at..end);
            at = end;
        } else if let Some(skipped) =
            ["(", ")", ", ", " -> "].iter().find(|it| rest.starts_with(**it))
        {
            at += skipped.len();
        } else {
            return (!ranges.is_empty()).then_some(ranges);
        }
    }
}

/// Writes an operation after its results.
pub(super) fn write(
    local: &mut Local<'_, '_>,
    operation: &Operation,
    operands: &[String],
    signature: &Signature<'_>,
) -> Result<String, Failure> {
    let module = local.module;
    let syntax = module.syntax(operation);
    let refuse = |local: &Local<'_, '_>, what: &str| {
        Err(local.failure(format!("`{}` has no local form: {what}", syntax.name)))
    };
    let Some(Pieces { mut texts, types, is_plain }) = pieces(local, operation, operands)? else {
        return refuse(local, "it is written for several devices");
    };
    if !signature.is_split() {
        return Ok(texts.concat());
    }
    match syntax.name {
        "stablehlo.slice" => bounds(local, &mut texts, signature)?,
        "stablehlo.dynamic_slice" => sizes(local, &mut texts, signature)?,
        "stablehlo.gather" => slice_sizes(local, &mut texts, signature)?,
        "stablehlo.convolution" => groups(local, operation, &mut texts, signature)?,
        _ => {}
    }
    let text = types.and_then(|at| texts.get_mut(at));
    match text.map_or(Err("its types are not written"), |text| {
        write_local_types(text, (syntax.name, is_plain), signature)
    }) {
        Ok(()) => Ok(texts.concat()),
        Err(what) => refuse(local, what),
    }
}

/// The text of an operation in pieces.
struct Pieces {
    texts: Vec<String>,
    /// The piece that contains the types of its values.
    types: Option<usize>,
    /// Whether it has no body.
    is_plain: bool,
}

/// The pieces of an operation, with the names of the local program; `None` if it is written for several devices.
fn pieces(
    local: &mut Local<'_, '_>,
    operation: &Operation,
    operands: &[String],
) -> Result<Option<Pieces>, Failure> {
    let syntax = local.module.syntax(operation);
    let mut texts: Vec<String> = Vec::new();
    let mut inner = BTreeMap::new();
    for region in &operation.regions {
        for argument in &region.arguments {
            let name = local.fresh();
            inner.insert(*argument, name);
        }
    }
    let (mut last, mut is_plain) = (None, true);
    for piece in &syntax.pieces {
        let text = match *piece {
            Piece::Text(text) => {
                // A body can follow the types, which are in the last text that has any.
                if types(text).is_some() {
                    last = Some(texts.len());
                }
                text.to_owned()
            }
            Piece::Operand(at) => operands[at].clone(),
            Piece::Argument(at) => {
                let argument = operation.regions.first().and_then(|it| it.arguments.get(at));
                argument.map(|argument| inner[argument].clone()).unwrap_or_default()
            }
            Piece::Region(at) => {
                is_plain = false;
                region(local, &operation.regions[at], &mut inner)?
            }
            Piece::Attributes(written, keyword) => {
                let kept = entries(written).filter(|entry| {
                    let name = entry.split('=').next().unwrap_or("").trim();
                    name != "sdy.sharding" && name != gspmd::ATTRIBUTE
                });
                let kept = kept.collect::<Vec<_>>().join(", ");
                let open = if keyword { " attributes {" } else { " {" };
                if kept.is_empty() { String::new() } else { format!("{open}{kept}}}") }
            }
            Piece::Callee | Piece::Constraint | Piece::Summed | Piece::Border { .. } => {
                return Ok(None);
            }
        };
        texts.push(text);
    }
    Ok(Some(Pieces { texts, types: last, is_plain }))
}

/// Replaces the types in the text of the operation `name` by those of the local arrays. The error says why that is not possible.
fn write_local_types(
    text: &mut String,
    (name, is_plain): (&str, bool),
    signature: &Signature<'_>,
) -> Result<(), &'static str> {
    let ranges = types(text).ok_or("its types are not written")?;
    let all: Vec<_> = signature.operands.iter().chain(&signature.results).collect();
    // A single type applies to all values; the two types of a `select` are those of the condition and of the result.
    let result = all.len() - 1;
    let taken: Vec<usize> = match (ranges.len(), name) {
        (count, _) if count == all.len() => (0..count).collect(),
        (1, _) => [result].into(),
        (2, "stablehlo.select") => [0, result].into(),
        _ => return Err("its types are written in an unknown form"),
    };
    if ranges.len() == 1 && is_plain && all.iter().any(|(_, dims)| *dims != all[result].1) {
        return Err("its tensors differ in their local sizes");
    }
    for (range, at) in ranges.into_iter().zip(taken).rev() {
        let (value, dims) = all[at];
        if text[range.clone()] != tensor_type(value.dtype, &value.dims) {
            return Err("its types are written in an unknown form");
        }
        text.replace_range(range, &tensor_type(value.dtype, dims));
    }
    Ok(())
}

/// The bounds of a slice: `[0:8, 2:4]` on half of the first dimension is `[0:4, 2:4]`.
fn bounds(
    local: &Local<'_, '_>,
    texts: &mut [String],
    signature: &Signature<'_>,
) -> Result<(), Failure> {
    let refused = || {
        local.failure("`stablehlo.slice` has no local form: a dimension that it cuts is sharded")
    };
    let (value, dims) = signature.operands[0];
    let text = texts.iter_mut().find(|text| text.starts_with(" ["));
    let text = text.ok_or_else(refused)?;
    let end = text.find(']').ok_or_else(refused)?;
    let mut list = Vec::with_capacity(dims.len());
    for (dim, bounds) in text[2..end].split(',').enumerate() {
        let (Some(&size), Some(&own)) = (value.dims.get(dim), dims.get(dim)) else {
            return Err(refused());
        };
        let bounds = bounds.trim();
        list.push(match size == own {
            true => bounds.to_owned(),
            false if bounds == format!("0:{size}") => format!("0:{own}"),
            false => return Err(refused()),
        });
    }
    text.replace_range(2..end, &list.join(", "));
    Ok(())
}

/// Sets the sizes of a dynamic slice to those of its local result.
fn sizes(
    local: &Local<'_, '_>,
    texts: &mut [String],
    signature: &Signature<'_>,
) -> Result<(), Failure> {
    let refused = || {
        local.failure(
            "`stablehlo.dynamic_slice` has no local form: a dimension that it cuts is sharded",
        )
    };
    let ((value, dims), (result, made)) = (signature.operands[0], signature.results[0]);
    let split = value.dims.iter().zip(dims).zip(result.dims.iter().zip(made));
    if { split }.any(|((size, own), (cut, part))| size != own && (size != cut || own != part)) {
        return Err(refused());
    }
    let key = "sizes = [";
    let found = texts.iter_mut().find_map(|text| text.find(key).map(|at| (at + key.len(), text)));
    let (start, text) = found.ok_or_else(refused)?;
    let end = start + text[start..].find(']').ok_or_else(refused)?;
    let list = format!("{made:?}");
    text.replace_range(start..end, &list[1..list.len() - 1]);
    Ok(())
}

/// If the slices of a gather span the whole operand in a dimension, they get the size of its local part.
fn slice_sizes(
    local: &Local<'_, '_>,
    texts: &mut [String],
    signature: &Signature<'_>,
) -> Result<(), Failure> {
    let refused =
        || local.failure("`stablehlo.gather` has no local form: its slices cannot be read");
    let (value, dims) = signature.operands[0];
    let key = "slice_sizes = array<i64: ";
    let found = texts.iter_mut().find_map(|text| text.find(key).map(|at| (at + key.len(), text)));
    let (start, text) = found.ok_or_else(refused)?;
    let end = start + text[start..].find('>').ok_or_else(refused)?;
    let sizes = text[start..end].split(", ").zip(value.dims.iter().zip(dims));
    let sizes = sizes.map(|(size, (whole, own))| match size.parse::<usize>() {
        Ok(number) if number == *whole => Ok(format!("{own}")),
        Ok(1) => Ok("1".to_owned()),
        Ok(_) if whole == own => Ok(size.to_owned()),
        _ => Err(refused()),
    });
    let sizes = sizes.collect::<Result<Vec<_>, _>>()?.join(", ");
    text.replace_range(start..end, &sizes);
    Ok(())
}

/// The groups of features and of batches of a convolution are those that a device has.
///
/// Of 8 groups of 2 features each, a device with 4 of the 16 features has 2.
fn groups(
    local: &Local<'_, '_>,
    operation: &Operation,
    texts: &mut [String],
    signature: &Signature<'_>,
) -> Result<(), Failure> {
    let syntax = local.module.syntax(operation);
    let refused = || {
        local.failure(
            "`stablehlo.convolution` has no local form: a shard would contain part of a group",
        )
    };
    let ([(_, x), (_, kernel)], [(_, result)]) = (&signature.operands[..], &signature.results[..])
    else {
        return Err(refused());
    };
    let dims = rules::Call::new("convolution", syntax, operation).convolution_dims_of(x.len());
    let dims = dims.ok_or_else(refused)?;
    let of_features = (x[dims.input_feature], kernel[dims.kernel_input], dims.feature_groups);
    let of_batches = (x[dims.input_batch], result[dims.output_batch], dims.batch_groups);
    for (key, (all, part, before)) in
        [("feature_group_count", of_features), ("batch_group_count", of_batches)]
    {
        let count = all / part.max(1);
        if count * part != all || !kernel[dims.kernel_output].is_multiple_of(count.max(1)) {
            return Err(refused());
        }
        if count == before {
            continue;
        }
        let found = texts.iter_mut().find_map(|text| text.find(key).map(|at| (at, text)));
        let (at, text) = found.ok_or_else(refused)?;
        let start = at + text[at..].find(|c: char| c.is_ascii_digit()).ok_or_else(refused)?;
        let digits = text[start..].find(|c: char| !c.is_ascii_digit()).ok_or_else(refused)?;
        text.replace_range(start..start + digits, &format!("{count}"));
    }
    Ok(())
}

/// The body of an operation, which operates on scalars.
fn region(
    local: &mut Local<'_, '_>,
    region: &Region,
    inner: &mut BTreeMap<Number, String>,
) -> Result<String, Failure> {
    let module = local.module;
    let mut body = String::from("\n");
    let start = |indent: usize, body: &mut String| (0..indent).for_each(|_| *body += "  ");
    if region.has_header {
        let arguments = region.arguments.iter();
        let arguments = arguments.map(|value| format!("{}: {}", inner[value], local.ty(*value)));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        start(local.indent, &mut body);
        body += &format!("^bb0({arguments}):\n");
    }
    for operation in &region.operations {
        let syntax = module.syntax(operation);
        if let ("sdy.sharding_constraint", [operand], [result]) =
            (syntax.name, &operation.operands[..], &operation.results[..])
            && let Some(name) = inner.get(operand).cloned()
        {
            inner.insert(*result, name);
            continue;
        }
        start(local.indent + 1, &mut body);
        match &operation.results[..] {
            [] => {}
            [result] => {
                let name = local.fresh();
                body += &format!("{name} = ");
                inner.insert(*result, name);
            }
            _ => return Err(local.failure("an operation in its body has several results")),
        }
        for piece in &syntax.pieces {
            match *piece {
                Piece::Text(text) => body += text,
                Piece::Operand(at) => match inner.get(&operation.operands[at]) {
                    Some(name) => body += name,
                    None => {
                        let message = "it has no local form: its body takes a value from outside";
                        return Err(local.failure(message));
                    }
                },
                Piece::Attributes("", _) => {}
                _ => {
                    let message =
                        format!("`{}` has no local form in the body of an operation", syntax.name);
                    return Err(local.failure(message));
                }
            }
        }
        body.push('\n');
    }
    start(local.indent, &mut body);
    Ok(body)
}
