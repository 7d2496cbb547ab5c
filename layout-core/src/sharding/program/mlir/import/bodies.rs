//! The bodies of operations, as they run on scalars.

use super::attributes::{applied, comparison};
use super::execute::{elements, short};
use super::tree::{Module, Operation, Region};
use crate::sharding::ops::{self, Bodies};
use crate::sharding::program::{Literal, ScalarBody, ScalarStep};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The bodies of an operation. Empty if it has none, or if the arguments of one of them are not scalars.
pub(super) fn bodies(module: &Module<'_>, operation: &Operation) -> Vec<ScalarBody> {
    let row = ops::row(short(module.name(operation)));
    let is_known = row.is_some_and(|row| row.bodies != Bodies::None);
    let regions = operation.regions.iter().filter(|_| is_known);
    let bodies: Option<Vec<_>> = match applied(module.syntax(operation)).filter(|_| is_known) {
        Some(name) => single(module, operation, name).map(|body| [body].into()),
        None => regions.map(|region| body(module, region)).collect(),
    };
    bodies.unwrap_or_default()
}

/// The body that `applies stablehlo.xor` stands for.
fn single(module: &Module<'_>, operation: &Operation, name: &str) -> Option<ScalarBody> {
    let dtype = module.values[*operation.operands.first()?].ty.dtype?;
    let (name, word) = (name.to_owned(), String::new());
    let step = ScalarStep { name, word, operands: [0, 1].into(), dtype };
    Some(ScalarBody { arguments: [dtype; 2].into(), steps: [step].into(), returned: [2].into() })
}

fn body(module: &Module<'_>, region: &Region) -> Option<ScalarBody> {
    let scalar = |value: usize| {
        let ty = &module.values[value].ty;
        ty.dtype.filter(|_| ty.dims.as_deref() == Some(&[]))
    };
    let arguments: Vec<_> = region.arguments.iter().map(|at| scalar(*at)).collect::<Option<_>>()?;
    let mut numbers: BTreeMap<usize, usize> =
        region.arguments.iter().enumerate().map(|(at, value)| (*value, at)).collect();
    let mut steps = Vec::with_capacity(region.operations.len());
    let (last, operations) = region.operations.split_last()?;
    for operation in operations {
        let syntax = module.syntax(operation);
        let operands = operation.operands.iter().map(|value| numbers.get(value).copied());
        let operands: Vec<_> = operands.collect::<Option<_>>()?;
        let &[result] = &operation.results[..] else { return None };
        if syntax.name == "sdy.sharding_constraint" {
            // Operations that shard the values of the body do not change them.
            numbers.insert(result, *operands.first()?);
            continue;
        }
        let name = short(syntax.name);
        let word = match name {
            "constant" => match Literal::parse(elements(syntax)?)? {
                Literal::Splat(word) => word.to_owned(),
                Literal::List(words) => (*words.first()?).to_owned(),
                Literal::Bytes(_) => return None,
            },
            "compare" => {
                let [direction, order] = comparison(syntax);
                if order.is_empty() { direction.to_owned() } else { format!("{direction} {order}") }
            }
            _ => String::new(),
        };
        numbers.insert(result, arguments.len() + steps.len());
        steps.push(ScalarStep { name: name.to_owned(), word, operands, dtype: scalar(result)? });
    }
    let returned = last.operands.iter().map(|value| numbers.get(value).copied());
    Some(ScalarBody { arguments, steps, returned: returned.collect::<Option<_>>()? })
}
