//! The meaning of a statement, by plain loops over all indices.

use crate::case::{Case, Expr, Operand, Storage};
use crate::fill::is_stored;
use crate::number::{Arithmetic, add3, twice};
use crate::random::encoding;
use std::collections::BTreeMap;

/// A value, and what is known about it without running anything.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Value<T> {
    /// An element that is not stored.
    Zero,
    /// A literal number.
    Constant(i64),
    Number(T),
}

impl<T: Arithmetic> Value<T> {
    fn get(self) -> T {
        match self {
            Self::Zero => T::from(0),
            Self::Constant(number) => T::from(number),
            Self::Number(number) => number,
        }
    }

    fn is_zero(self) -> bool {
        matches!(self, Self::Zero)
    }

    fn is_known(self) -> bool {
        !matches!(self, Self::Number(_))
    }
}

/// The conversions of numbers, where elements are narrower than what is computed in: to elements, which are read and written, and
/// to the type computed in.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<T> {
    pub(crate) narrow: fn(T) -> T,
    pub(crate) wide: fn(T) -> T,
}

impl<T> Numbers<T> {
    /// For elements that are computed in their own type.
    pub(crate) fn same() -> Self {
        Self { narrow: |number| number, wide: |number| number }
    }
}

/// An element of the output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Element<T> {
    pub(crate) value: T,
    /// Whether it is the same for every order in which numbers are combined. A product of many numbers may leave the range of
    /// floats on the way.
    pub(crate) is_sure: bool,
}

/// The elements of the output that are assigned a value.
pub(crate) fn evaluate<T: Arithmetic>(
    case: &Case,
    numbers: Numbers<T>,
) -> BTreeMap<Vec<usize>, Element<T>> {
    let operands: Vec<Stored<'_, T>> =
        case.operands.iter().map(|operand| Stored::new(operand, numbers.narrow)).collect();
    let mut output: BTreeMap<_, Element<T>> = BTreeMap::new();
    let used: Vec<usize> = (case.sizes.iter().enumerate())
        .map(|(i, size)| if case.uses(i) { *size } else { 1 })
        .collect();
    for position in 0..used.iter().product() {
        let index = crate::case::index(position, &used);
        let at = At { case, operands: &operands, index: &index, numbers };
        let guard = case.guard.as_ref().map(|guard| at.value(guard));
        let value = at.value(&case.value);
        if value.is_zero() || guard.is_some_and(|guard| guard.get() == T::from(0)) {
            continue;
        }
        let target: Vec<usize> = case.target.iter().map(|i| index[*i]).collect();
        let value = match case.reduction {
            // Elements are compared.
            "max=" | "min=" => (numbers.narrow)(value.get()),
            _ => value.get(),
        };
        let mut is_sure = true;
        let value = match output.get(&target) {
            Some(before) => {
                is_sure &= before.is_sure;
                let value = reduce(case.reduction, before.value, value);
                is_sure &= value.is_exact();
                value
            }
            None => value,
        };
        output.insert(target, Element { value, is_sure });
    }
    output
}

fn reduce<T: Arithmetic>(reduction: &str, before: T, value: T) -> T {
    match reduction {
        "max=" if value > before || value.is_nan() => value,
        "min=" if value < before || value.is_nan() => value,
        "max=" | "min=" => before,
        "*=" => before.mul(value),
        _ => before.add(value),
    }
}

/// The contents of an operand: sums of entries at one index, and zeros that its encoding itself stores.
struct Stored<'a, T> {
    operand: &'a Operand,
    entries: BTreeMap<Vec<usize>, T>,
}

impl<'a, T: Arithmetic> Stored<'a, T> {
    fn new(operand: &'a Operand, narrow: fn(T) -> T) -> Self {
        let mut entries: BTreeMap<Vec<usize>, T> = BTreeMap::new();
        for (index, value) in &operand.entries {
            let value = T::entry(*value);
            entries.entry(index.clone()).and_modify(|sum| *sum = sum.add(value)).or_insert(value);
        }
        if let Storage::Sparse(text) = operand.storage {
            let encoding = encoding(text);
            if encoding.counts() {
                // A slot that holds zero is an empty one.
                entries.retain(|_, value| *value != T::from(0));
            }
            let given: Vec<Vec<usize>> = entries.keys().cloned().collect();
            let given: Vec<&[usize]> = given.iter().map(Vec::as_slice).collect();
            for position in 0..operand.shape.iter().product() {
                let index = crate::case::index(position, &operand.shape);
                if is_stored(&encoding, &given, &index) {
                    entries.entry(index).or_insert(T::from(0));
                }
            }
        }
        entries.values_mut().for_each(|value| *value = narrow(*value));
        Self { operand, entries }
    }
}

struct At<'a, T> {
    case: &'a Case,
    operands: &'a [Stored<'a, T>],
    index: &'a [usize],
    numbers: Numbers<T>,
}

impl<T: Arithmetic> At<'_, T> {
    fn value(&self, expr: &Expr) -> Value<T> {
        let wide = self.numbers.wide;
        match self.exact(expr) {
            Value::Number(number) => Value::Number(wide(number)),
            // Constants that wrap around are known only once they are computed.
            Value::Constant(number) if wide(T::from(number)) != T::from(number) => {
                Value::Number(wide(T::from(number)))
            }
            value => value,
        }
    }

    fn exact(&self, expr: &Expr) -> Value<T> {
        let narrow = self.numbers.narrow;
        match expr {
            Expr::Literal(0) => Value::Zero,
            Expr::Literal(number) => Value::Constant(*number),
            Expr::Index(index) if self.case.uses(*index) => {
                Value::Number(T::from(self.index[*index] as i64))
            }
            Expr::Index(_) => Value::Constant(1),
            Expr::Operand(operand) => self.read(&self.operands[*operand]),
            Expr::Neg(a) => match self.value(a) {
                Value::Zero => Value::Zero,
                Value::Constant(a) => Value::Constant(-a),
                Value::Number(a) => Value::Number(a.neg()),
            },
            Expr::Abs(a) => match self.value(a) {
                Value::Zero => Value::Zero,
                a => Value::Number(a.get().abs()),
            },
            Expr::Binary(op, a, b) => self.binary(op, self.value(a), self.value(b)),
            Expr::Select(condition, a, b) => {
                let (condition, a, b) = (self.value(condition), self.value(a), self.value(b));
                let holds = condition.get() != T::from(0);
                match (condition.is_known(), holds) {
                    (true, false) => b,
                    (true, true) => a,
                    _ if a.is_zero() && b.is_zero() => Value::Zero,
                    (false, false) => Value::Number(b.get()),
                    (false, true) => Value::Number(a.get()),
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
                let (is_x, is_y) = (a.get() != T::from(0), b.get() != T::from(0));
                match *op {
                    "first" => x,
                    "second" => y,
                    "pair" => Value::Number(T::from(1)),
                    "land" => Value::Number(T::from((is_x && is_y).into())),
                    "lor" => Value::Number(T::from((is_x || is_y).into())),
                    "lxor" => Value::Number(T::from((is_x != is_y).into())),
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
                        self.binary(operator.map_or(op, |(_, operator)| operator), x, y)
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

    fn read(&self, stored: &Stored<'_, T>) -> Value<T> {
        let Some(at) = stored.operand.at(self.index) else { return Value::Zero };
        match (stored.entries.get(&at), &stored.operand.storage) {
            (Some(value), _) => Value::Number(*value),
            (None, Storage::Dense) => Value::Number(T::from(0)),
            (None, Storage::Sparse(_)) => Value::Zero,
        }
    }

    fn binary(&self, op: &str, a: Value<T>, b: Value<T>) -> Value<T> {
        let (x, y) = (a.get(), b.get());
        match (op, a.is_zero(), b.is_zero()) {
            ("*", true, _) | ("*", _, true) => Value::Zero,
            ("+", true, _) => b,
            ("+" | "-", _, true) => a,
            ("-", true, _) => match b {
                Value::Constant(b) => Value::Constant(-b),
                b => Value::Number(b.get().neg()),
            },
            ("min" | "max", true, true) => Value::Zero,
            ("+", ..) => Value::Number(x.add(y)),
            ("-", ..) => Value::Number(x.sub(y)),
            ("*", ..) => Value::Number(x.mul(y)),
            ("min" | "max", ..) => {
                let picks = y.is_nan() || (op == "min") == (y < x) && x != y;
                Value::Number(if picks && !x.is_nan() { y } else { x })
            }
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
                    (false, holds) => Value::Number(T::from(holds.into())),
                }
            }
        }
    }
}
