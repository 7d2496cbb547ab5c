//! The arguments of an operation other than its operands, in the form of the library's own programs.

use super::attribute::{numbers, signed};
use super::rules;
use super::tree::{Module, Operation, Piece, Region, Syntax};
use crate::sharding::ops::{self, Attributes};
use crate::sharding::program::Literal;
use alloc::vec;
use alloc::vec::Vec;

/// The texts of an operation.
pub(super) fn texts<'t>(syntax: &Syntax<'t>) -> impl Iterator<Item = &'t str> {
    syntax.pieces.iter().filter_map(|piece| match piece {
        Piece::Text(text) => Some(*text),
        _ => None,
    })
}

/// The operation in `applies stablehlo.add`, without its dialect.
pub(super) fn applied<'t>(syntax: &Syntax<'t>) -> Option<&'t str> {
    let (_, name) = texts(syntax).find_map(|text| text.split_once("applies "))?;
    name.split_whitespace().next()?.strip_prefix("stablehlo.")
}

/// How an operation combines two values: `add`, or another operation that takes them in any order, or `set` if it returns the second
/// one. `None` for any other body.
fn body_name<'t>(module: &Module<'t>, operation: &Operation) -> Option<&'t str> {
    let combines = |name: &&str| ops::row(name).is_some_and(|row| row.combines);
    if let Some(name) = applied(module.syntax(operation)) {
        return Some(name).filter(combines);
    }
    let Region { arguments, operations, .. } = operation.regions.first()?;
    let &[_, second] = &arguments[..] else { return None };
    // The shardings of the values of the body are irrelevant here.
    let mut same = alloc::collections::BTreeMap::new();
    let own = operations.iter().filter(|operation| {
        match (module.name(operation), &operation.operands[..], &operation.results[..]) {
            ("sdy.sharding_constraint", [operand], [result]) => {
                same.insert(*result, *operand);
                false
            }
            _ => true,
        }
    });
    let own: Vec<_> = own.collect();
    let origin = |value: &usize| same.get(value).copied().unwrap_or(*value);
    match &own[..] {
        [last] if last.operands.iter().map(origin).eq([second]) => Some("set"),
        [only, last] if last.operands.iter().map(origin).eq(only.results.iter().copied()) => {
            let mut taken: Vec<_> = only.operands.iter().map(origin).collect();
            taken.sort_unstable();
            let name = module.name(only).strip_prefix("stablehlo.");
            name.filter(combines).filter(|_| taken == *arguments)
        }
        _ => None,
    }
}

/// The name of the operation by which a reduction combines two values, in any order; empty for any other body, which runs as it is
/// written.
fn reducer<'t>(module: &Module<'t>, operation: &Operation) -> &'t str {
    body_name(module, operation).filter(|name| *name != "set").unwrap_or("")
}

/// Groups of devices, or pairs of them, `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`: their devices, one group after the other,
/// and the size of a group.
fn devices(syntax: &Syntax<'_>, key: &str, made: Attributes) -> Attributes {
    let text = syntax.value(key).unwrap_or("");
    let ty = text.split_once("tensor<").and_then(|(_, ty)| ty.split_once('>'));
    let sizes = ty.map_or("", |(ty, _)| ty).split('x').map(str::parse::<usize>);
    let size = sizes.take(2).last().and_then(Result::ok).unwrap_or(0);
    let number = |digits: &str| {
        let bytes = digits
            .as_bytes()
            .chunks(2)
            .map(|digit| usize::from_str_radix(core::str::from_utf8(digit).unwrap_or(""), 16).ok());
        bytes.rev().try_fold(0, |number: usize, byte| Some(number << 8 | byte?))
    };
    let listed = match Literal::parse(text) {
        Some(Literal::Splat(one)) => one.parse().ok().map(|one| vec![one]),
        Some(Literal::List(list)) => list.into_iter().map(|one| one.parse().ok()).collect(),
        // Long lists of 64-bit numbers are written as their bytes.
        Some(Literal::Bytes(digits)) => {
            (0..digits.len() / 16).map(|at| number(digits.get(16 * at..16 * at + 16)?)).collect()
        }
        None => None,
    };
    // A list that cannot be read is represented by a size that no group can have.
    let size = if listed.is_some() { size } else { usize::MAX };
    made.named("devices", &listed.unwrap_or_default()[..]).named("of", size)
}

/// `[0:4, 1:8:2]`: the starts, the ends and the strides of a slice.
fn bounds(syntax: &Syntax<'_>) -> Option<[Vec<usize>; 3]> {
    let generic = ["start_indices", "limit_indices", "strides"];
    if syntax.value(generic[0]).is_some() {
        return Some(generic.map(|key| syntax.list(&[key])));
    }
    let (_, list) = texts(syntax).find_map(|text| text.split_once('['))?;
    let (list, _) = list.split_once(']')?;
    let mut found = [Vec::new(), Vec::new(), Vec::new()];
    for dim in list.split(',').filter(|dim| !dim.trim().is_empty()) {
        let mut parts = dim.split(':').map(|part| part.trim().parse().ok());
        found[0].push(parts.next()??);
        found[1].push(parts.next()??);
        found[2].push(parts.next().unwrap_or(Some(1))?);
    }
    Some(found)
}

/// The direction of a comparison, `LT`, and `TOTALORDER` if it uses the total order of floating-point numbers. An empty word stands for
/// anything else.
pub(super) fn comparison<'t>(syntax: &Syntax<'t>) -> [&'t str; 2] {
    const DIRECTIONS: [&str; 6] = ["EQ", "NE", "GE", "GT", "LE", "LT"];
    let word = |key, known: &[&str]| match syntax.value(key) {
        Some(text) => known_word(text, known),
        // `LT, %a, %b, TOTALORDER`
        None => {
            let mut words = texts(syntax).map(|text| known_word(text, known));
            words.find(|word| !word.is_empty()).unwrap_or("")
        }
    };
    [word("comparison_direction", &DIRECTIONS), word("compare_type", &["TOTALORDER"])]
}

/// The attributes for the padding of each of `rank` dimensions, within which windows lie, and for the numbers of elements that
/// negative padding cuts off.
fn padded(made: Attributes, syntax: &Syntax<'_>, keys: &[&str], rank: usize) -> Attributes {
    let sides = match &syntax.any(keys).map(signed).unwrap_or_default()[..] {
        [] => vec![0; 2 * rank],
        [all] => vec![*all; 2 * rank],
        sides => sides.to_vec(),
    };
    let every_second =
        |first: usize| -> Vec<_> { sides.iter().skip(first).step_by(2).copied().collect() };
    let [[low, cut_low], [high, cut_high]] = [0, 1].map(|first| parts(&every_second(first)));
    made.named("low", &low[..])
        .named("high", &high[..])
        .named("cut_low", &cut_low[..])
        .named("cut_high", &cut_high[..])
}

/// The attributes of an operation that a kernel reads.
pub(super) fn attributes(module: &Module<'_>, operation: &Operation) -> Attributes {
    let syntax = module.syntax(operation);
    let made = Attributes::new();
    let Some(name) = syntax.name.strip_prefix("stablehlo.") else { return made };
    let list = |keys: &[&str]| syntax.list(keys);
    let call = rules::Call::new(name, syntax, operation);
    match name {
        "all_gather" | "all_reduce" | "all_to_all" | "collective_permute" | "reduce_scatter" => {
            collective(name, module, operation)
        }
        "broadcast_in_dim" => {
            let dims = operation.results.first().and_then(|result| module.dims(*result));
            made.list(dims.unwrap_or(&[])).list(list(&["broadcast_dimensions", "dims"]))
        }
        "compare" => {
            let [direction, order] = comparison(syntax);
            made.named("direction", direction).named("order", order)
        }
        "concatenate" | "iota" => {
            let keys = ["dimension", "iota_dimension", "dim"];
            made.number(syntax.number(&keys).unwrap_or(0))
        }
        "cholesky" => made.named("uplo", if syntax.is_true("lower") { "L" } else { "U" }),
        "custom_call" => called(syntax, made),
        "convolution" => convolution(module, operation, &call).unwrap_or_default(),
        "dot_general" => dot_general(&call),
        "fft" => {
            const KINDS: [&str; 4] = ["FFT", "IFFT", "IRFFT", "RFFT"];
            let text = syntax.any(&["type", "fft_type"]).unwrap_or("");
            made.named("type", known_word(text, &KINDS))
                .named("length", &list(&["length", "fft_length"])[..])
        }
        "gather" => gather(syntax, &call).unwrap_or_default(),
        "pad" => pad(syntax),
        "reduce" => {
            let made = made.list(list(&["dimensions"]));
            made.named("reducer", reducer(module, operation))
        }
        "reduce_window" => reduce_window(module, operation),
        "reverse" => made.list(list(&["dims", "dimensions"])),
        "rng_bit_generator" => {
            const ALGORITHMS: [&str; 3] = ["DEFAULT", "PHILOX", "THREE_FRY"];
            let text = syntax.any(&["algorithm", "rng_algorithm"]).unwrap_or("");
            made.named("algorithm", known_word(text, &ALGORITHMS))
        }
        "scatter" => scatter(module, operation, &call).unwrap_or_default(),
        "select_and_scatter" => {
            let window = list(&["window_dimensions"]);
            let made = padded(made, syntax, &["padding"], window.len());
            made.named("window", &window[..]).named("stride", &list(&["window_strides"])[..])
        }
        "sort" => {
            let dims = operation.results.first().and_then(|result| module.dims(*result));
            made.number(rules::sorted(syntax, dims.map_or(0, <[usize]>::len)))
        }
        "reduce_precision" => made
            .named("exponent", precision_bits(syntax, "exponent_bits", 'e'))
            .named("mantissa", precision_bits(syntax, "mantissa_bits", 'm')),
        "slice" => {
            let Some([start, limit, stride]) = bounds(syntax) else { return made };
            made.named("start", &start[..]).named("limit", &limit[..]).named("stride", &stride[..])
        }
        "triangular_solve" => {
            let text = syntax.value("transpose_a").unwrap_or("NO_TRANSPOSE");
            let is_plain = text.contains("NO_TRANSPOSE");
            made.named("side", if syntax.is_true("left_side") { "LEFT" } else { "RIGHT" })
                .named("uplo", if syntax.is_true("lower") { "L" } else { "U" })
                .named("diagonal", if syntax.is_true("unit_diagonal") { "UNIT" } else { "" })
                .named("transpose", if is_plain { "NO_TRANSPOSE" } else { "TRANSPOSE" })
        }
        "transpose" => made.list(numbers(syntax.any(&["permutation", "dims"]).unwrap_or(""))),
        _ => made,
    }
}

/// The first word of a text that is one of those `known`, `#stablehlo<fft_type RFFT>`; empty if there is none.
fn known_word<'t>(text: &'t str, known: &[&str]) -> &'t str {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.find(|word| known.contains(word)).unwrap_or("")
}

/// The function that a custom call calls, and the flags of functions of LAPACK: `lapack_strsm_ffi` is `trsm` of `f32`.
fn called(syntax: &Syntax<'_>, made: Attributes) -> Attributes {
    let target = syntax.target();
    let function = target.strip_prefix("lapack_").and_then(|rest| rest.strip_suffix("_ffi"));
    let function = function.and_then(|name| name.strip_prefix(['s', 'd'])).unwrap_or("");
    let made = made.named("target", target).named("function", function);
    let flags = ["diag", "mode", "side", "trans_x", "uplo"].into_iter();
    flags.fold(made, |made, flag| match syntax.number(&[flag]) {
        Some(value) => made.named(flag, value),
        None => made,
    })
}

/// The attributes of a collective.
fn collective(name: &str, module: &Module<'_>, operation: &Operation) -> Attributes {
    let syntax = module.syntax(operation);
    let number = |key: &str| syntax.number(&[key]).unwrap_or(0);
    let reducer = || reducer(module, operation);
    let key = if name == "collective_permute" { "source_target_pairs" } else { "replica_groups" };
    let made = devices(syntax, key, Attributes::new());
    match name {
        "all_gather" => made.number(number("all_gather_dim")),
        "all_reduce" => made.named("reducer", reducer()),
        "all_to_all" => made
            .named("split", number("split_dimension"))
            .named("concat", number("concat_dimension")),
        "reduce_scatter" => made.number(number("scatter_dimension")).named("reducer", reducer()),
        _ => made,
    }
}

/// The dimension numbers of a product.
fn dot_general(call: &rules::Call<'_, '_>) -> Attributes {
    let dims = call.dot_dims();
    Attributes::new()
        .named("lhs_batch", &dims.lhs_batch[..])
        .named("rhs_batch", &dims.rhs_batch[..])
        .named("lhs_contracting", &dims.lhs_contracting[..])
        .named("rhs_contracting", &dims.rhs_contracting[..])
}

/// The dimension numbers of a gather. `None` if they are not known.
fn gather(syntax: &Syntax<'_>, call: &rules::Call<'_, '_>) -> Option<Attributes> {
    let dims = call.gather_dims()?;
    let made = Attributes::new()
        .named("offset", &dims.offset[..])
        .named("collapsed", &dims.collapsed[..])
        .named("operand_batch", &dims.operand_batch[..])
        .named("indices_batch", &dims.indices_batch[..])
        .named("start_index_map", &syntax.list(&["start_index_map"])[..])
        .named("slice_sizes", &syntax.list(&["slice_sizes"])[..])
        .named("index_vector", dims.index_vector);
    Some(made)
}

/// The padding of each dimension; elements that negative padding removes are counted separately.
fn pad(syntax: &Syntax<'_>) -> Attributes {
    let [low, cut_low] = sides(syntax, &["edge_padding_low", "low"]);
    let [high, cut_high] = sides(syntax, &["edge_padding_high", "high"]);
    Attributes::new()
        .named("low", &low[..])
        .named("high", &high[..])
        .named("cut_low", &cut_low[..])
        .named("cut_high", &cut_high[..])
        .named("interior", &syntax.list(&["interior_padding", "interior"])[..])
}

/// The attributes of a reduction over windows.
fn reduce_window(module: &Module<'_>, operation: &Operation) -> Attributes {
    let syntax = module.syntax(operation);
    let window = syntax.list(&["window_dimensions"]);
    padded(Attributes::new(), syntax, &["padding"], window.len())
        .named("window", &window[..])
        .named("stride", &syntax.list(&["window_strides"])[..])
        .named("dilation", &syntax.list(&["window_dilations"])[..])
        .named("base_dilation", &syntax.list(&["base_dilations"])[..])
        .named("reducer", reducer(module, operation))
}

/// The attributes of a scatter. `None` if its dimension numbers are not known.
fn scatter(
    module: &Module<'_>,
    operation: &Operation,
    call: &rules::Call<'_, '_>,
) -> Option<Attributes> {
    let (syntax, dims) = (module.syntax(operation), call.scatter_dims()?);
    let made = Attributes::new()
        .named("window", &dims.window[..])
        .named("inserted", &dims.inserted[..])
        .named("operand_batch", &dims.operand_batch[..])
        .named("indices_batch", &dims.indices_batch[..])
        .named("index_map", &syntax.list(&["scatter_dims_to_operand_dims"])[..])
        .named("index_vector", dims.index_vector)
        .named("reducer", body_name(module, operation).unwrap_or(""));
    Some(made)
}

/// The attributes of a convolution. `None` if its dimensions are not known.
fn convolution(
    module: &Module<'_>,
    operation: &Operation,
    call: &rules::Call<'_, '_>,
) -> Option<Attributes> {
    let syntax = module.syntax(operation);
    let operands = operation.operands.iter().map(|operand| module.dims(*operand));
    let rank = operands.flatten().map(<[usize]>::len).next()?;
    let dims = call.convolution_dims_of(rank)?;
    let spatial = rank - 2;
    let or_ones = |keys: &[&str]| match &syntax.list(keys)[..] {
        [] => vec![1; spatial],
        found => found.to_vec(),
    };
    let reverse = reversed(syntax, spatial);
    let of = |first: usize, second: usize, rest: &[usize]| [&[first, second], rest].concat();
    let made = padded(Attributes::new(), syntax, &["pad", "padding"], spatial)
        .named("input", &of(dims.input_batch, dims.input_feature, &dims.input_spatial)[..])
        .named("kernel", &of(dims.kernel_output, dims.kernel_input, &dims.kernel_spatial)[..])
        .named("output", &of(dims.output_batch, dims.output_feature, &dims.output_spatial)[..])
        .named("stride", &or_ones(&["window_strides", "stride"])[..])
        .named("dilation", &or_ones(&["rhs_dilation", "rhs_dilate"])[..])
        .named("base_dilation", &or_ones(&["lhs_dilation", "lhs_dilate"])[..])
        .named("reverse", &reverse[..])
        .named("feature_groups", dims.feature_groups)
        .named("batch_groups", dims.batch_groups);
    Some(made)
}

/// For each spatial dimension, 1 if the window of a convolution is reversed along it. A single word applies to all dimensions.
fn reversed(syntax: &Syntax<'_>, spatial: usize) -> Vec<usize> {
    let words = syntax.any(&["window_reversal", "reverse"]).unwrap_or("");
    let words = words.split([']', '>']).next().unwrap_or("");
    let words = words.split(|c: char| !c.is_alphanumeric());
    let truths = words.filter_map(|word| match word {
        "true" | "1" => Some(1),
        "false" | "0" => Some(0),
        _ => None,
    });
    let mut reverse: Vec<_> = truths.collect();
    reverse.resize(spatial, reverse.first().copied().unwrap_or(0));
    reverse
}

/// The number of bits of the exponent or the mantissa in `format = e5m10`, or in the attribute `key`.
fn precision_bits(syntax: &Syntax<'_>, key: &str, mark: char) -> usize {
    let format = texts(syntax).find_map(|text| text.split_once("format = e"));
    let digits = match (mark, format) {
        ('m', Some((_, format))) => format.split_once('m').map_or("", |(_, rest)| rest),
        (_, Some((_, format))) => format,
        (_, None) => "",
    };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok().or_else(|| syntax.number(&[key])).unwrap_or(0)
}

/// The padding on one side of each dimension, and the number of elements that negative padding cuts off.
fn sides(syntax: &Syntax<'_>, keys: &[&str]) -> [Vec<usize>; 2] {
    parts(&syntax.any(keys).map(signed).unwrap_or_default())
}

/// The numbers without the negative ones, and the magnitudes of these, with zeros for the others.
fn parts(sides: &[i64]) -> [Vec<usize>; 2] {
    let part = |side: i64| usize::try_from(side).unwrap_or(0);
    let cut = |side: &i64| part(side.saturating_neg());
    [sides.iter().map(|side| part(*side)).collect(), sides.iter().map(cut).collect()]
}
