//! Layouts of CuTe, `(3,5):(5,1)`.

use crate::syntax::{Kind, Token, element_type};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The translation of `(3,5):(5,1)`, `f32((3,5),(5,1))` or `Layout<Shape<_3,_5>, Stride<_5,_1>>`, whose strides determine the order
/// of the dimensions.
pub(super) fn cute<S>(tokens: &[Token<S>]) -> Option<String> {
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
