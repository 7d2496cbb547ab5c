//! Whole numbers as linear functions of variables: `(i * 8 + j) * 2 + 1` is `16 * i + 2 * j + 1`.

use super::super::ir::{Int, Var};
use alloc::collections::BTreeMap;

/// A number as a linear function of some variables: their coefficients, and a rest that does not depend on these variables.
pub(super) struct Linear {
    pub(super) rest: Int,
    pub(super) coefficients: BTreeMap<Var, i64>,
    /// The variables whose coefficients are not constant.
    pub(super) strides: BTreeMap<Var, Int>,
}

impl Linear {
    /// The rest, which does not depend on any of them.
    fn of(rest: Int) -> Self {
        Self { rest, coefficients: BTreeMap::new(), strides: BTreeMap::new() }
    }
}

/// A number as a linear function of `vars` with constant coefficients, if it is one.
pub(super) fn linear(int: &Int, vars: &[Var]) -> Option<Linear> {
    strided(int, vars).filter(|sum| sum.strides.is_empty())
}

/// A number as a linear function of `vars`, if it is one.
pub(super) fn strided(int: &Int, vars: &[Var]) -> Option<Linear> {
    let varies = |int: &Int| vars.iter().any(|var| int.mentions(*var));
    if !varies(int) {
        return Some(Linear::of(int.clone()));
    }
    match int {
        Int::Var(var) => {
            let mut sum = Linear::of(Int::Const(0));
            sum.coefficients.insert(*var, 1);
            Some(sum)
        }
        Int::Add(a, b) => {
            let (mut a, b) = (strided(a, vars)?, strided(b, vars)?);
            for (var, coefficient) in b.coefficients {
                *a.coefficients.entry(var).or_insert(0) += coefficient;
            }
            for (var, stride) in b.strides {
                if a.strides.insert(var, stride).is_some() {
                    return None;
                }
            }
            if a.strides.keys().any(|var| a.coefficients.contains_key(var)) {
                return None;
            }
            a.rest = match (a.rest, b.rest) {
                (Int::Const(0), rest) | (rest, Int::Const(0)) => rest,
                (a, b) => Int::Add(a.into(), b.into()),
            };
            Some(a)
        }
        Int::Mul(a, b) => {
            let (sum, factor) = match (&**a, &**b) {
                (sum, Int::Const(factor)) | (Int::Const(factor), sum) => (sum, *factor),
                (sum, factor) | (factor, sum) if !varies(factor) => {
                    return stretched(strided(sum, vars)?, factor);
                }
                _ => return None,
            };
            let mut sum = linear(sum, vars)?;
            for coefficient in sum.coefficients.values_mut() {
                *coefficient = coefficient.checked_mul(factor)?;
            }
            sum.rest = match sum.rest {
                Int::Const(0) => Int::Const(0),
                Int::Mul(a, b) if matches!(*b, Int::Const(_)) => match *b {
                    Int::Const(inner) => Int::Mul(a, Int::Const(inner.checked_mul(factor)?).into()),
                    _ => return None,
                },
                rest => Int::Mul(rest.into(), Int::Const(factor).into()),
            };
            Some(sum)
        }
        _ => None,
    }
}

/// A linear function, multiplied by a number that is not constant.
fn stretched(mut sum: Linear, factor: &Int) -> Option<Linear> {
    if !sum.strides.is_empty() {
        return None;
    }
    let times = |int: Int| match int {
        Int::Const(0) => Int::Const(0),
        Int::Const(1) => factor.clone(),
        int => Int::Mul(int.into(), factor.clone().into()),
    };
    let coefficients = core::mem::take(&mut sum.coefficients);
    sum.strides = coefficients.into_iter().map(|(var, n)| (var, times(Int::Const(n)))).collect();
    sum.rest = times(sum.rest);
    Some(sum)
}
