//! The meaning of a statement for elements whose type is narrower than the one computed in: plain loops over whole numbers,
//! which become elements where an element is read or written.

use crate::case::{Case, Expr, Operand, Storage};
use crate::random::encoding;
use std::collections::BTreeMap;
use tensor_layout::sparse::{Duplicates, DynSparseTensor};

/// A value, and what is known about it without running anything.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    /// An element that is not stored.
    Zero,
    /// A literal number.
    Constant(i128),
    Number(i128),
}

impl Value {
    fn get(self) -> i128 {
        match self {
            Self::Zero => 0,
            Self::Constant(number) | Self::Number(number) => number,
        }
    }

    fn is_zero(self) -> bool {
        self == Self::Zero
    }

    fn is_known(self) -> bool {
        !matches!(self, Self::Number(_))
    }
}

/// The conversions of numbers: to elements, and to the type computed in.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) narrow: fn(i128) -> i128,
    pub(crate) wide: fn(i128) -> i128,
}

/// The elements of the output that are assigned a value.
pub(crate) fn evaluate(case: &Case, numbers: Numbers) -> BTreeMap<Vec<usize>, i128> {
    let operands: Vec<Stored<'_>> =
        case.operands.iter().map(|operand| Stored::new(operand, numbers.narrow)).collect();
    let mut output = BTreeMap::new();
    let used: Vec<usize> = (case.sizes.iter().enumerate())
        .map(|(i, size)| if case.uses(i) { *size } else { 1 })
        .collect();
    for place in 0..used.iter().product() {
        let index = crate::case::index(place, &used);
        let at = At { case, operands: &operands, index: &index, numbers };
        let value = at.value(&case.value);
        let guard = case.guard.as_ref().map(|guard| at.value(guard));
        if value.is_zero() || guard.is_some_and(|guard| guard.get() == 0) {
            continue;
        }
        let target: Vec<usize> = case.target.iter().map(|i| index[*i]).collect();
        let value = match case.reduction {
            // Elements are compared.
            "max=" | "min=" => (numbers.narrow)(value.get()),
            _ => value.get(),
        };
        let reduce = |before: &i128| match case.reduction {
            "max=" => *before.max(&value),
            "min=" => *before.min(&value),
            "*=" => before.wrapping_mul(value),
            _ => before.wrapping_add(value),
        };
        let value = output.get(&target).map_or(value, reduce);
        output.insert(target, value);
    }
    output
}

/// The contents of an operand: sums of entries at one index, and zeros that its encoding itself stores.
struct Stored<'a> {
    operand: &'a Operand,
    entries: BTreeMap<Vec<usize>, i128>,
}

impl<'a> Stored<'a> {
    fn new(operand: &'a Operand, narrow: fn(i128) -> i128) -> Self {
        let mut entries: BTreeMap<Vec<usize>, i128> = BTreeMap::new();
        for (index, value) in stored(operand) {
            *entries.entry(index).or_insert(0) += i128::from(value);
        }
        entries.values_mut().for_each(|value| *value = narrow(*value));
        Self { operand, entries }
    }
}

/// The index and the value of each position.
fn stored(operand: &Operand) -> Vec<(Vec<usize>, i64)> {
    let Storage::Sparse(text) = operand.storage else { return operand.entries.clone() };
    let encoding = encoding(text);
    let build = |duplicates| {
        DynSparseTensor::from_coo(encoding, &operand.shape, &operand.entries, duplicates)
    };
    let tensor = build(Duplicates::Error).or_else(|_| build(Duplicates::Keep));
    let tensor = tensor.expect("entries that can be stored");
    // A slot that holds zero is an empty one.
    if encoding.counts() {
        return tensor.to_coo();
    }
    // A tensor without zeros omits no position.
    let mut parts = tensor.disassemble();
    let values = parts.values.clone();
    parts.values = (1..).take(values.len()).collect();
    let numbered = DynSparseTensor::assemble(encoding, parts).expect("as it was");
    numbered
        .to_coo()
        .into_iter()
        .map(|(index, number)| (index, values[number as usize - 1]))
        .collect()
}

struct At<'a> {
    case: &'a Case,
    operands: &'a [Stored<'a>],
    index: &'a [usize],
    numbers: Numbers,
}

impl At<'_> {
    fn value(&self, expr: &Expr) -> Value {
        match self.exact(expr) {
            Value::Number(number) => Value::Number((self.numbers.wide)(number)),
            // Constants that wrap around are known only once they are computed.
            Value::Constant(number) if (self.numbers.wide)(number) != number => {
                Value::Number((self.numbers.wide)(number))
            }
            value => value,
        }
    }

    fn exact(&self, expr: &Expr) -> Value {
        let narrow = self.numbers.narrow;
        match expr {
            Expr::Literal(0) => Value::Zero,
            Expr::Literal(number) => Value::Constant((*number).into()),
            Expr::Index(index) if self.case.uses(*index) => {
                Value::Number(self.index[*index] as i128)
            }
            Expr::Index(_) => Value::Constant(1),
            Expr::Operand(operand) => self.read(&self.operands[*operand]),
            Expr::Neg(a) => match self.value(a) {
                Value::Zero => Value::Zero,
                Value::Constant(a) => Value::Constant(-a),
                Value::Number(a) => Value::Number(a.wrapping_neg()),
            },
            Expr::Abs(a) => match self.value(a) {
                Value::Zero => Value::Zero,
                a => Value::Number(a.get().wrapping_abs()),
            },
            Expr::Binary(op, a, b) => binary(op, self.value(a), self.value(b)),
            Expr::Select(condition, a, b) => {
                let (condition, a, b) = (self.value(condition), self.value(a), self.value(b));
                match condition.get() {
                    0 if condition.is_known() => b,
                    _ if condition.is_known() => a,
                    _ if a.is_zero() && b.is_zero() => Value::Zero,
                    0 => Value::Number(b.get()),
                    _ => Value::Number(a.get()),
                }
            }
            Expr::Stored(a) if self.value(a).is_zero() => Value::Zero,
            Expr::Stored(_) => Value::Constant(1),
            Expr::Product(op, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                if a.is_zero() || b.is_zero() {
                    return Value::Zero;
                }
                // Both are stored, and so is the result.
                let (x, y) = (Value::Number(a.get()), Value::Number(b.get()));
                let (is_x, is_y) = (a.get() != 0, b.get() != 0);
                match *op {
                    "first" => x,
                    "second" => y,
                    "pair" => Value::Number(1),
                    "land" => Value::Number(i128::from(is_x && is_y)),
                    "lor" => Value::Number(i128::from(is_x || is_y)),
                    "lxor" => Value::Number(i128::from(is_x != is_y)),
                    _ => {
                        let names = [
                            ("plus", "+"),
                            ("minus", "-"),
                            ("times", "*"),
                            ("eq", "=="),
                            ("ne", "!="),
                            ("lt", "<"),
                            ("le", "<="),
                            ("gt", ">"),
                            ("ge", ">="),
                        ];
                        let operator = names.iter().find(|(name, _)| name == op);
                        binary(operator.map_or(op, |(_, operator)| operator), x, y)
                    }
                }
            }
            Expr::Regions(a, b, [both, left, right]) => {
                let (a, b) = (self.value(a), self.value(b));
                let (region, value) = match (a.is_zero(), b.is_zero()) {
                    (true, true) => return Value::Zero,
                    (true, false) => (right, b),
                    (false, true) => (left, a),
                    (false, false) if both.is_empty() => return Value::Zero,
                    (false, false) => {
                        return Value::Number(narrow(add3(&[narrow(a.get()), narrow(b.get())])));
                    }
                };
                match *region {
                    "identity" => value,
                    "twice" => Value::Number(narrow(twice(&[narrow(value.get())]))),
                    _ => Value::Zero,
                }
            }
        }
    }

    fn read(&self, stored: &Stored<'_>) -> Value {
        let Some(at) = stored.operand.at(self.index) else { return Value::Zero };
        match (stored.entries.get(&at), &stored.operand.storage) {
            (Some(value), _) => Value::Number(*value),
            (None, Storage::Dense) => Value::Number(0),
            (None, Storage::Sparse(_)) => Value::Zero,
        }
    }
}

fn binary(op: &str, a: Value, b: Value) -> Value {
    let (x, y) = (a.get(), b.get());
    match (op, a.is_zero(), b.is_zero()) {
        ("*", true, _) | ("*", _, true) => Value::Zero,
        ("+", true, _) => b,
        ("+" | "-", _, true) => a,
        ("-", true, _) => match b {
            Value::Constant(b) => Value::Constant(-b),
            b => Value::Number(b.get().wrapping_neg()),
        },
        ("min" | "max", true, true) => Value::Zero,
        ("+", ..) => Value::Number(x.wrapping_add(y)),
        ("-", ..) => Value::Number(x.wrapping_sub(y)),
        ("*", ..) => Value::Number(x.wrapping_mul(y)),
        ("min", ..) => Value::Number(x.min(y)),
        ("max", ..) => Value::Number(x.max(y)),
        _ => {
            let holds = match op {
                "<" => x < y,
                "<=" => x <= y,
                ">" => x > y,
                ">=" => x >= y,
                "==" => x == y,
                _ => x != y,
            };
            match (a.is_known() && b.is_known(), holds) {
                (true, true) => Value::Constant(1),
                (true, false) => Value::Zero,
                (false, holds) => Value::Number(holds.into()),
            }
        }
    }
}

fn add3(values: &[i128]) -> i128 {
    values[0] + 3 * values[1]
}

fn twice(values: &[i128]) -> i128 {
    2 * values[0]
}
