//! The arrays of StableHLO types and operations.

use tensor_layout::{DType, TiledSpec};

/// The arrays of a type, `tensor<4x?xbf16>` or `tuple<tensor<4xf32>, !stablehlo.token>`, or those that an operation returns,
/// `%0 = stablehlo.add %a, %b : tensor<4x5xf32>`; `None` if the text is neither.
pub(crate) fn arrays(text: &str) -> Option<Vec<TiledSpec>> {
    let list = results(text.trim()).unwrap_or_else(|| vec![text.trim()]);
    let starts = ["tensor<", "tuple<", "!stablehlo.", "(tensor<", "(tuple<"];
    if !list.first().is_some_and(|first| starts.iter().any(|start| first.starts_with(start))) {
        return None;
    }
    let mut arrays = Vec::new();
    for text in list {
        types(text, MAX_DEPTH, &mut arrays)?;
    }
    Some(arrays)
}

/// The deepest that tuples are read.
const MAX_DEPTH: usize = 64;

/// The types of the results of an operation, as lists of them. Without an arrow, the last types are those of the results, one for
/// each: `%5:2 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<3xi32>`.
fn results(line: &str) -> Option<Vec<&str>> {
    let (values, mut operation) = line.split_once(" = ")?;
    if !values.starts_with('%') || !operation.contains("stablehlo.") {
        return None;
    }
    // The attributes and regions of a loop follow its types.
    if operation.starts_with("stablehlo.while(") {
        operation = operation.lines().next()?.split(" attributes {").next()?;
    }
    let (_, signature) = operation.rsplit_once(" : ")?;
    let signature = signature.split(" loc(").next()?.trim();
    if let Some((_, results)) = signature.rsplit_once("->") {
        return Some(vec![results.trim()]);
    }
    let count = values.split(',').try_fold(0_usize, |sum, value| {
        let count = value.split_once(':').map_or(Ok(1), |(_, count)| count.trim().parse());
        sum.checked_add(count.ok()?)
    })?;
    let types: Vec<_> = split(signature).collect();
    types.get(types.len().checked_sub(count)?..).map(<[_]>::to_vec)
}

/// Adds the arrays of a list of types, which may be in parentheses, and of tuples in it, nested at most `depth` deep.
fn types(list: &str, depth: usize, arrays: &mut Vec<TiledSpec>) -> Option<()> {
    let inner = list.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
    for text in split(inner.unwrap_or(list)) {
        if let Some(elements) = text.strip_prefix("tuple<") {
            types(elements.strip_suffix('>')?, depth.checked_sub(1)?, arrays)?;
        } else if text != "!stablehlo.token" {
            arrays.push(tensor(text)?);
        }
    }
    Some(())
}

/// The parts of a list between commas that are not in brackets.
fn split(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    let parts = list.split(move |c| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|part| !part.is_empty())
}

/// The array of a tensor without a sparse encoding.
fn tensor(text: &str) -> Option<TiledSpec> {
    let inner = text.strip_prefix("tensor<")?.strip_suffix('>')?;
    let mut parts = split(inner);
    let mut element = parts.next()?;
    let bounds = parts.next().map(bounds);
    let bounds = match bounds {
        Some(bounds) => bounds?,
        None => Vec::new(),
    };
    let mut sizes = Vec::new();
    while let Some((size, rest)) = element.split_once('x')
        && (size.trim() == "?" || size.trim().parse::<usize>().is_ok())
    {
        // A dimension of unknown size may have a bound.
        let bound = bounds.get(sizes.len()).filter(|bound| **bound != "?" && size.trim() == "?");
        sizes.push(bound.map_or(size.trim().into(), |bound| format!("<={bound}")));
        element = rest;
    }
    let dtype = DType::from_mlir_name(stored(element.trim()))?;
    format!("{dtype}[{}]", sizes.join(",")).parse().ok()
}

/// The type in which a number is stored: a quantized one, `!quant.uniform<i8:f32, 0.5>`, as an integer.
fn stored(element: &str) -> &str {
    let integer =
        element.strip_prefix("!quant.uniform<").and_then(|inner| inner.split([':', '<']).next());
    integer.unwrap_or(element)
}

/// The bounds of dimensions: `#stablehlo.bounds<8, ?>`.
fn bounds(attribute: &str) -> Option<Vec<&str>> {
    let list = attribute.strip_prefix("#stablehlo.bounds<")?.strip_suffix('>')?;
    Some(split(list).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_results_of_operations_are_arrays() {
        let cases: [(&str, &[&str]); 18] = [
            ("tensor<4x?xbf16>", &["bf16[4,?]{1,0}"]),
            ("tensor<f32>", &["f32[]"]),
            ("tensor<3 x 5 x complex<f64>>", &["c128[3,5]{1,0}"]),
            ("tensor<?x4xf32, #stablehlo.bounds<8, ?>>", &["f32[<=8,4]{1,0}"]),
            ("tensor<2x!quant.uniform<i8:f32, 0.1:0>>", &["s8[2]{0}"]),
            ("tensor<2x!quant.uniform<i4<-7:7>:f32:0, {0.1, 0.2}>>", &["s4[2]{0}"]),
            (
                "tuple<tensor<4xf32>, tuple<>, tensor<i1>, !stablehlo.token>",
                &["f32[4]{0}", "pred[]"],
            ),
            ("%0 = stablehlo.add %a, %b : tensor<4x5xf32>", &["f32[4,5]{1,0}"]),
            (
                "%1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>",
                &["f32[4,6]{1,0}"],
            ),
            ("%2 = stablehlo.select %p, %a, %b : tensor<2xi1>, tensor<2xui8>", &["u8[2]{0}"]),
            (
                "%3:2 = \"stablehlo.custom_call\"(%a) <{a = 1 : i32}> : (tensor<2xf32>) -> (tensor<3xf32>, tensor<i32>) loc(#l)",
                &["f32[3]{0}", "s32[]"],
            ),
            ("%4 = stablehlo.constant dense<0.0> : tensor<f32>", &["f32[]"]),
            (
                "%5:2 = stablehlo.optimization_barrier %4, %2 : tensor<2xf32>, tensor<3xi32>",
                &["f32[2]{0}", "s32[3]{0}"],
            ),
            (
                "%6:3 = stablehlo.while(%a = %0, %b = %1, %c = %2) : tensor<i32>, tensor<2x4xf32>, tuple<tensor<3xi1>> loc(#l)",
                &["s32[]", "f32[2,4]{1,0}", "pred[3]{0}"],
            ),
            (
                "%7:2 = stablehlo.while(%a = %0, %b = %1) : tensor<i32>, tensor<2xf32> attributes {x = 1 : i32}",
                &["s32[]", "f32[2]{0}"],
            ),
            (
                "%7:2 = stablehlo.while(%a = %0, %b = %1) : tensor<i32>, tensor<2xf32>\n cond {\n  %8 = stablehlo.add %a, %a : tensor<i32>",
                &["s32[]", "f32[2]{0}"],
            ),
            (
                "%a, %b = stablehlo.optimization_barrier %4, %2 : tensor<2xf32>, tensor<3xi32>",
                &["f32[2]{0}", "s32[3]{0}"],
            ),
            (
                "%8:2 = stablehlo.add_all %p, %a, %b : tensor<i1>, tensor<2xf32>, tensor<3xf32>",
                &["f32[2]{0}", "f32[3]{0}"],
            ),
        ];
        for (text, expected) in cases {
            let found: Vec<_> =
                arrays(text).expect(text).iter().map(TiledSpec::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
        let deep = ["tuple<".repeat(100_000), ">".repeat(100_000)].concat();
        for other in [
            "",
            &deep,
            ",",
            "()",
            "f32[3]",
            "tensor<*xf32>",
            "tensor<4xf32",
            "tensor<4xindex>",
            "%a = f32[3] add(%b)",
            "tensor<4xf32, #a>",
            "%0:3 = stablehlo.optimization_barrier %a, %b : tensor<2xf32>, tensor<3xf32>",
            "%0:x = stablehlo.optimization_barrier %a : tensor<2xf32>",
            "%0:99999999999999999999 = stablehlo.optimization_barrier %a : tensor<2xf32>",
            "%0:18446744073709551615, %1 = stablehlo.optimization_barrier %a : tensor<2xf32>",
        ] {
            assert_eq!(arrays(other), None, "{other}");
        }
    }
}
