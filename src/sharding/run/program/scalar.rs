//! Bodies of operations, which work on scalars: checked before anything runs.

use super::elements::Kind;
use super::kernels::functions::Functions;
use super::literal;
use super::numbers::{Number, Numbers};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use half::{bf16, f16};
use layout_core::dtype::DType;
use layout_core::sharding::program::{ScalarBody, ScalarStep};

/// A body that can run.
#[derive(Debug)]
pub(super) struct Body {
    arguments: usize,
    steps: Vec<ScalarOperation>,
    returned: Vec<usize>,
}

/// An operation of a body, and the element type that its number is rounded to.
#[derive(Debug)]
struct ScalarOperation {
    does: Does,
    dtype: DType,
}

#[derive(Debug)]
enum Does {
    Constant(Number),
    Single(fn(f32) -> f32, usize),
    Double(fn(f64) -> f64, usize),
    Integer(fn(i128) -> i128, usize),
    TwoSingle(fn(f32, f32) -> f32, [usize; 2]),
    TwoDouble(fn(f64, f64) -> f64, [usize; 2]),
    TwoInteger(fn(i128, i128) -> i128, [usize; 2]),
    Compare { holds: fn(Ordering) -> bool, unordered: bool, is_total: bool, of: [usize; 2] },
    Select([usize; 3]),
    Convert(usize),
}

impl Body {
    /// The body in the form in which it runs; the error is the reason why it cannot run.
    pub(super) fn of(body: &ScalarBody) -> Result<Self, String> {
        let mut types = body.arguments.clone();
        let mut steps = Vec::with_capacity(body.steps.len());
        for step in &body.steps {
            let missing = || {
                format!("there is no kernel for `{}` of `{}` in its body", step.name, step.dtype)
            };
            let taken: Option<Vec<DType>> =
                step.operands.iter().map(|at| types.get(*at).copied()).collect();
            let does = taken.and_then(|taken| does(step, &taken)).ok_or_else(missing)?;
            steps.push(ScalarOperation { does, dtype: step.dtype });
            types.push(step.dtype);
        }
        match body.returned.iter().all(|at| *at < types.len()) {
            true => {
                Ok(Self { arguments: body.arguments.len(), steps, returned: body.returned.clone() })
            }
            false => Err("its body returns a value that it does not compute".into()),
        }
    }

    /// The numbers that the body returns for these arguments. `values` is a buffer for the results of the steps.
    pub(super) fn run(
        &self,
        arguments: &[Number],
        values: &mut Vec<Number>,
    ) -> Option<Vec<Number>> {
        if arguments.len() != self.arguments {
            return None;
        }
        values.clear();
        values.extend_from_slice(arguments);
        for step in &self.steps {
            let made = step.does.of(values)?;
            values.push(rounded(made, step.dtype));
        }
        Some(self.returned.iter().map(|at| values[*at]).collect())
    }

    /// Whether the comparison that the body computes holds.
    pub(super) fn holds(&self, arguments: &[Number], values: &mut Vec<Number>) -> Option<bool> {
        match self.run(arguments, values)?.first()? {
            Number::Integer(truth) => Some(*truth != 0),
            _ => None,
        }
    }
}

/// The computation of a step for operands of these element types.
fn does(step: &ScalarStep, taken: &[DType]) -> Option<Does> {
    let name = &*step.name;
    Some(match (name, &step.operands[..]) {
        ("constant", []) => Does::Constant(literal::scalar(step.dtype, &step.word)?),
        ("compare", &[a, b]) => compared(&step.word, [a, b])?,
        ("select", &[p, a, b]) => Does::Select([p, a, b]),
        ("convert", &[a]) => Does::Convert(a),
        (_, &[a]) => match Kind::of(taken[0]) {
            Kind::Single => Does::Single(f32::unary(name, false)?, a),
            Kind::Double => Does::Double(f64::unary(name, false)?, a),
            Kind::Integer | Kind::Wide => {
                Does::Integer(i128::unary(name, taken[0] == DType::PRED)?, a)
            }
        },
        (_, &[a, b]) => match Kind::of(taken[0]) {
            Kind::Single => Does::TwoSingle(f32::binary(name)?, [a, b]),
            Kind::Double => Does::TwoDouble(f64::binary(name)?, [a, b]),
            Kind::Integer | Kind::Wide => Does::TwoInteger(i128::binary(name)?, [a, b]),
        },
        _ => return None,
    })
}

/// `LT`, `LT TOTALORDER`
fn compared(word: &str, of: [usize; 2]) -> Option<Does> {
    let (direction, order) = word.split_once(' ').unwrap_or((word, ""));
    let holds: fn(Ordering) -> bool = match direction {
        "EQ" => Ordering::is_eq,
        "NE" => Ordering::is_ne,
        "GE" => Ordering::is_ge,
        "GT" => Ordering::is_gt,
        "LE" => Ordering::is_le,
        "LT" => Ordering::is_lt,
        _ => return None,
    };
    // NaN differs from everything.
    let (unordered, is_total) = (direction == "NE", !order.is_empty());
    Some(Does::Compare { holds, unordered, is_total, of })
}

impl Does {
    fn of(&self, values: &[Number]) -> Option<Number> {
        use Number::{Double, Integer, Single};
        Some(match *self {
            Self::Constant(number) => number,
            Self::Single(f, a) => match values[a] {
                Single(a) => Single(f(a)),
                _ => return None,
            },
            Self::Double(f, a) => match values[a] {
                Double(a) => Double(f(a)),
                _ => return None,
            },
            Self::Integer(f, a) => match values[a] {
                Integer(a) => Integer(f(a)),
                _ => return None,
            },
            Self::TwoSingle(f, [a, b]) => match (values[a], values[b]) {
                (Single(a), Single(b)) => Single(f(a, b)),
                _ => return None,
            },
            Self::TwoDouble(f, [a, b]) => match (values[a], values[b]) {
                (Double(a), Double(b)) => Double(f(a, b)),
                _ => return None,
            },
            Self::TwoInteger(f, [a, b]) => match (values[a], values[b]) {
                (Integer(a), Integer(b)) => Integer(f(a, b)),
                _ => return None,
            },
            Self::Compare { holds, unordered, is_total, of: [a, b] } => {
                let order = match (values[a], values[b]) {
                    (Single(a), Single(b)) if is_total => Some(a.total_cmp(&b)),
                    (Double(a), Double(b)) if is_total => Some(a.total_cmp(&b)),
                    (Single(a), Single(b)) => a.partial_cmp(&b),
                    (Double(a), Double(b)) => a.partial_cmp(&b),
                    (Integer(a), Integer(b)) => Some(a.cmp(&b)),
                    _ => return None,
                };
                Integer(order.map_or(unordered, holds).into())
            }
            Self::Select([p, a, b]) => match values[p] {
                Integer(0) => values[b],
                _ => values[a],
            },
            Self::Convert(a) => values[a],
        })
    }
}

/// A number as an element of a type, converted as `convert` does.
fn rounded(number: Number, dtype: DType) -> Number {
    match (number, dtype) {
        (Number::Single(_), DType::F32) | (Number::Double(_), DType::F64) => return number,
        (Number::Single(x), DType::BF16) => return Number::Single(bf16::from_f32(x).to_f32()),
        (Number::Single(x), DType::F16) => return Number::Single(f16::from_f32(x).to_f32()),
        (Number::Integer(x), DType::PRED) => return Number::Integer((x != 0).into()),
        (Number::Integer(x), DType::S32) => return Number::Integer((x as i32).into()),
        (Number::Integer(x), DType::U32) => return Number::Integer((x as u32).into()),
        _ => {}
    }
    let numbers = match number {
        Number::Single(x) => Numbers::Single([x].into()),
        Number::Double(x) => Numbers::Double([x].into()),
        Number::Integer(x) => Numbers::Integer([x].into()),
    };
    numbers.store(dtype, &[]).map_or(number, |array| Numbers::of(&array).at(0))
}
