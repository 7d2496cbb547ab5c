//! Calls of Python that create arrays: `torch.empty(3, 5, dtype=torch.float32)`, `np.array([[1, 2]], np.int8)`.

use crate::syntax::{
    Argument, Kind, Token, between_commas, group_len, known_element_type, written,
};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The deepest that lists of values are read.
const MAX_DEPTH: usize = crate::parts::MAX_RANK;

/// The translation of a call of the function at the end of `path`, with its parentheses and what follows them. `None` if the
/// function is not known to create an array whose sizes the arguments determine.
pub(super) fn created<S>(path: &[Token<S>], call: &[Token<S>]) -> Option<String> {
    let Kind::Word(function) = &path.last()?.kind else { return None };
    let (arguments, after) = Argument::of_call(call)?;
    let positional: Vec<_> = arguments.iter().filter(|own| own.keyword.is_none()).collect();
    let mut sizes = sizes(path, function, &positional);
    let mut dtype = positional.iter().find_map(|own| named_type(own.value));
    let mut is_column_major = false;
    for Argument { keyword, value } in &arguments {
        match *keyword {
            Some("shape" | "size") if takes_sizes(function) || function == "randint" => {
                sizes = Argument { keyword: None, value }.entries().map(owned);
            }
            Some("dtype") => dtype = Some(named_type(value)?),
            Some("order") => match value {
                [Token { kind: Kind::Text(order), .. }] if order == "F" => is_column_major = true,
                [Token { kind: Kind::Text(order), .. }] if order == "C" => {}
                _ => return None,
            },
            // Other layouts, which are not translated.
            Some("strides" | "stride" | "layout" | "memory_format") => return None,
            _ => {}
        }
    }
    let sizes = sizes.filter(|sizes| !sizes.is_empty())?;
    let (converted, layout) = methods(after)?;
    let dtype = converted.or(dtype).or_else(|| default_type(path))?;
    let order: Vec<_> = (0..sizes.len()).map(|dim| dim.to_string()).collect();
    let layout = match (is_column_major, layout.is_empty()) {
        (false, _) => layout,
        (true, true) => format!("{{{}}}", order.join(",")),
        (true, false) => return None,
    };
    Some(format!("{dtype}[{}]{layout}", sizes.join(",")))
}

fn owned(entries: Vec<&str>) -> Vec<String> {
    entries.into_iter().map(ToString::to_string).collect()
}

/// Whether the first arguments of a function are the sizes.
fn takes_sizes(function: &str) -> bool {
    const NAMES: [&str; 16] = [
        "zeros",
        "ones",
        "empty",
        "full",
        "fill",
        "rand",
        "randn",
        "random",
        "random_sample",
        "standard_normal",
        "ndarray",
        "normal",
        "uniform",
        "ShapeDtypeStruct",
        "ShapedArray",
        "TensorSpec",
    ];
    NAMES.contains(&function)
}

/// The sizes that the arguments without keywords determine.
fn sizes<S>(
    path: &[Token<S>],
    function: &str,
    arguments: &[&Argument<'_, S>],
) -> Option<Vec<String>> {
    let number = |argument: &&&Argument<'_, S>| match argument.value {
        [Token { kind: Kind::Number(number), .. }] => Some(number.clone()),
        _ => None,
    };
    let is = |name: &str| matches!(&path[0].kind, Kind::Word(module) if module == name);
    match function {
        // The key comes first; those of NumPy begin with other numbers.
        "normal" | "uniform" => {
            let second = arguments.get(1).filter(|own| is("jax") && own.is_list())?;
            second.entries().map(owned)
        }
        "full" | "fill" => arguments.first()?.entries().map(owned),
        // The numbers before the sizes are bounds of the values.
        "randint" => {
            let mut lists = arguments.iter().filter(|own| own.is_list());
            let list = lists.next().filter(|_| lists.next().is_none())?;
            list.entries().map(owned)
        }
        "eye" | "identity" => {
            let rows = number(&arguments.first()?)?;
            let columns = arguments.get(1).map(|own| number(&own)).unwrap_or_default();
            Some(Vec::from([rows.clone(), columns.unwrap_or(rows)]))
        }
        "tensor" | "as_tensor" | "array" | "asarray" | "constant" => {
            let sizes = sizes_of_values(arguments.first()?.value, MAX_DEPTH)?;
            Some(sizes.iter().map(ToString::to_string).collect())
        }
        _ if takes_sizes(function) => {
            let first = arguments.first()?;
            // `ShapedArray(float32[8,128])`
            if let [Token { kind: Kind::Word(_), .. }, list @ ..] = first.value
                && !list.is_empty()
                && named_type(first.value).is_some()
            {
                let list = Argument { keyword: None, value: list };
                return list.is_list().then(|| list.entries().map(owned))?;
            }
            if first.is_list() {
                return first.entries().map(owned);
            }
            let numbers = arguments.iter().map_while(|own| number(&own)).collect::<Vec<_>>();
            // A size with a name looks like any other argument.
            let rest = &arguments[numbers.len()..];
            rest.iter().all(|own| named_type(own.value).is_some()).then_some(numbers)
        }
        _ => None,
    }
}

/// The sizes of nested lists of numbers.
fn sizes_of_values<S>(value: &[Token<S>], depth: usize) -> Option<Vec<usize>> {
    let [Token { kind: Kind::Open('(' | '['), .. }, inner @ .., _] = value else {
        let is_number = |token: &Token<S>| match &token.kind {
            Kind::Number(_) | Kind::Other(_) | Kind::Symbol('-' | '+' | '.') => true,
            // `1.0e-3` may be several tokens.
            Kind::Word(word) => matches!(word.as_str(), "True" | "False" | "e" | "j"),
            _ => false,
        };
        return (!value.is_empty() && value.iter().all(is_number)).then(Vec::new);
    };
    if group_len(value) != Some(value.len()) {
        return None;
    }
    let mut parts = between_commas(inner);
    parts.pop_if(|last| last.is_empty());
    let depth = depth.checked_sub(1)?;
    let mut sizes = Vec::from([parts.len()]);
    let mut of_each = parts.into_iter().map(|part| sizes_of_values(part, depth));
    if let Some(first) = of_each.next() {
        let first = first?;
        if !of_each.all(|sizes| sizes.as_ref() == Some(&first)) {
            return None;
        }
        sizes.extend(first);
    }
    Some(sizes)
}

/// The element type that a value names: `np.int8`, `"float32"`, or that before brackets, `float32[8,128]`.
fn named_type<S>(value: &[Token<S>]) -> Option<&'static str> {
    let brackets = value.iter().position(|token| matches!(token.kind, Kind::Open(_)));
    let (path, brackets) = value.split_at(brackets.unwrap_or(value.len()));
    match (path, brackets) {
        ([Token { kind: Kind::Text(name), .. }], []) => known_element_type(name),
        (
            [.., Token { kind: Kind::Word(name), .. }],
            [] | [Token { kind: Kind::Open('['), .. }, ..],
        ) => known_element_type(name),
        // `np.dtype("float32")`
        ([.., Token { kind: Kind::Word(dtype), .. }], [_, inner, _]) if dtype == "dtype" => {
            named_type(core::slice::from_ref(inner))
        }
        _ => None,
    }
}

/// What follows a call: methods that change only the element type, which is returned, and a layout.
fn methods<S>(mut rest: &[Token<S>]) -> Option<(Option<&'static str>, String)> {
    let mut dtype = None;
    while let [first, others @ ..] = rest {
        if first.kind == Kind::Open('{') {
            return written(rest).map(|layout| (dtype, layout));
        }
        let [Token { kind: Kind::Word(method), .. }, call @ ..] = others else { return None };
        let (arguments, after) = Argument::of_call(call)?;
        match method.as_str() {
            _ if first.kind != Kind::Symbol('.') => return None,
            "to" | "astype" | "type" => {
                let named = arguments.iter().find_map(|own| named_type(own.value));
                dtype = named.or(dtype);
            }
            "cuda" | "cpu" | "contiguous" | "clone" | "copy" | "detach" => {}
            "half" | "bfloat16" | "float" | "double" | "int" | "long" | "bool" => {
                dtype = known_element_type(method);
            }
            _ => return None,
        }
        rest = after;
    }
    Some((dtype, String::new()))
}

/// The element type of `torch.zeros(3, 5)` and `np.zeros((3, 5))`, which these libraries choose.
fn default_type<S>(path: &[Token<S>]) -> Option<&'static str> {
    let [Token { kind: Kind::Word(module), .. }, .., Token { kind: Kind::Word(function), .. }] =
        path
    else {
        return None;
    };
    let random = ["normal", "uniform"].contains(&function.as_str());
    let creates = ["zeros", "ones", "empty", "rand", "randn", "eye", "identity", "random"]
        .contains(&function.as_str());
    match module.as_str() {
        "torch" | "jnp" | "jax" | "tf" if creates || random => Some("f32"),
        "np" | "numpy" if creates => Some("f64"),
        _ => None,
    }
}
