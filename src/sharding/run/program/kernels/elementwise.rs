//! Operations on each element.

use super::super::elements::{Computed, Kind, larger, smaller, with_kind};
use super::super::numbers::Numbers;
use super::blocks::by_blocks;
use super::functions::Functions;
use super::shape::strided;
use super::{Failed, LocalCall, LocalKernel, Made};
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;

/// The kernel of an operation on one or two numbers of each position.
pub(super) fn find(name: &str) -> Option<LocalKernel> {
    if f32::unary(name, false).is_some() || i64::unary(name, false).is_some() {
        return Some(LocalKernel::Repeats(map));
    }
    let is_binary = f32::binary(name).is_some() || i64::binary(name).is_some();
    is_binary.then_some(LocalKernel::Repeats(zip))
}

/// Whether an operation on each element is defined for elements of this type.
pub(super) fn supports(name: &str, dtype: DType) -> bool {
    let is_pred = dtype == DType::PRED;
    match Kind::of(dtype) {
        Kind::Single => f32::unary(name, false).is_some() || f32::binary(name).is_some(),
        Kind::Double => f64::unary(name, false).is_some() || f64::binary(name).is_some(),
        Kind::Integer => i64::unary(name, is_pred).is_some() || i64::binary(name).is_some(),
        Kind::Wide => i128::unary(name, is_pred).is_some() || i128::binary(name).is_some(),
    }
}

fn no_kernel(call: &LocalCall<'_>) -> Failed {
    let dtype = call.operand(0).dtype();
    Failed::Not(format!("there is no kernel for elements of type `{dtype}`"))
}

/// How the elements of the first `count` operands are represented, which must be the same for all.
fn kind(call: &LocalCall<'_>, count: usize) -> Result<Kind, Failed> {
    let kind = Kind::of(call.operand(0).dtype());
    let is_same = |at: usize| Kind::of(call.operand(at).dtype()) == kind;
    if (1..count).all(is_same) { Ok(kind) } else { Err(no_kernel(call)) }
}

fn map(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Functions>(call: &mut LocalCall<'_>) -> Made {
        let is_pred = call.operand(0).dtype() == DType::PRED;
        let f = N::unary_block(call.name, is_pred).ok_or_else(|| no_kernel(call))?;
        by_blocks::<N, 1>(call, |[x]| f(x))
    }
    with_kind!(kind(call, 1)?, of(call))
}

fn zip(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Functions>(call: &mut LocalCall<'_>) -> Made {
        let f = N::binary_block(call.name).ok_or_else(|| no_kernel(call))?;
        by_blocks::<N, 2>(call, |[a, b]| f(a, b))
    }
    with_kind!(kind(call, 2)?, of(call))
}

/// An operation on two numbers for each element; `None` if it is not defined for numbers of this type.
pub(in super::super) fn combined(name: &str, a: Numbers, b: Numbers) -> Option<Numbers> {
    fn of<N: Functions>(name: &str, mut a: Vec<N>, b: &[N]) -> Option<Vec<N>> {
        N::binary_block(name)?(&mut a, b);
        Some(a)
    }
    Some(match (a, b) {
        (Numbers::Single(a), Numbers::Single(b)) => Numbers::Single(of(name, a, &b)?),
        (Numbers::Double(a), Numbers::Double(b)) => Numbers::Double(of(name, a, &b)?),
        (Numbers::Integer(a), Numbers::Integer(b)) => Numbers::Integer(of(name, a, &b)?),
        _ => return None,
    })
}

/// `is_finite(x)`
pub(super) fn is_finite(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Computed + Into<f64>>(call: &mut LocalCall<'_>) -> Made {
        let truth = |x: &mut N| *x = if (*x).into().is_finite() { N::ONE } else { N::ZERO };
        by_blocks::<N, 1>(call, |[x]| x.iter_mut().for_each(truth))
    }
    match kind(call, 1)? {
        Kind::Single => of::<f32>(call),
        Kind::Double => of::<f64>(call),
        Kind::Integer | Kind::Wide => by_blocks::<i64, 1>(call, |[x]| x.fill(1)),
    }
}

/// `shift_left(x, y)`, `shift_right_logical(x, y)`, `shift_right_arithmetic(x, y)`. A shift by the width of an element or more
/// shifts all bits out.
pub(super) fn shift(call: &LocalCall<'_>) -> Made {
    let bits = call.operand(0).dtype().bits() as i128;
    let (Numbers::Integer(x), Numbers::Integer(by)) =
        (Numbers::of(call.operand(0)), Numbers::of(call.operand(1)))
    else {
        return Err(no_kernel(call));
    };
    let shifted = |(x, by): (i128, i128)| {
        let fits = (0..bits).contains(&by);
        match call.name {
            "shift_left" if fits => x << by,
            "shift_right_logical" if fits => (x & ((1 << bits) - 1)) >> by,
            // Repeats the highest bit, also of an unsigned number.
            "shift_right_arithmetic" => {
                let (by, above) = (if fits { by } else { bits - 1 }, 128 - bits);
                x << above >> above >> by
            }
            _ => 0,
        }
    };
    let shifted = Numbers::Integer(x.into_iter().zip(by).map(shifted).collect());
    Ok(vec![shifted.store(call.result().dtype, call.operand(0).dims())?])
}

/// `compare(x, y, direction=LT)`
pub(super) fn compare(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Computed>(call: &mut LocalCall<'_>) -> Made {
        let direction = call.attributes.word("direction", "EQ");
        let holds = comparison::<N>(direction);
        by_blocks::<N, 2>(call, |[a, b]| holds(a, b))
    }
    if call.attributes.word("order", "") == "TOTALORDER" {
        return compare_in_total_order(call);
    }
    with_kind!(kind(call, 2)?, of(call))
}

/// The comparison of two blocks, which leaves 1 in the first one where it holds, and 0 elsewhere.
fn comparison<N: Computed>(direction: &str) -> fn(&mut [N], &[N]) {
    macro_rules! each {
        ($operator:tt) => {
            |a, b| {
                for (a, b) in a.iter_mut().zip(b) {
                    *a = if *a $operator *b { N::ONE } else { N::ZERO };
                }
            }
        };
    }
    match direction {
        "NE" => each!(!=),
        "GE" => each!(>=),
        "GT" => each!(>),
        "LE" => each!(<=),
        "LT" => each!(<),
        _ => each!(==),
    }
}

/// [`compare`] by the total order of floating-point numbers.
fn compare_in_total_order(call: &LocalCall<'_>) -> Made {
    let dims = call.result().local_dims();
    let keys = |at: usize| {
        let array = call.operand(at);
        let keys = in_total_order(Numbers::of(array));
        if array.count() == 1 { keys.repeated(dims.iter().product()) } else { keys }
    };
    let (Numbers::Integer(mut a), Numbers::Integer(b)) = (keys(0), keys(1)) else {
        return Err(no_kernel(call));
    };
    comparison(call.attributes.word("direction", "EQ"))(&mut a, &b);
    Ok(vec![Numbers::Integer(a).store(call.result().dtype, dims)?])
}

/// Integers in the total order of floating-point numbers: zeros are ordered by their signs, and NaNs come before or after all other
/// numbers.
fn in_total_order(numbers: Numbers) -> Numbers {
    macro_rules! keys {
        ($x:ident, $Bits:ty) => {
            $x.into_iter()
                .map(|x| {
                    let bits = x.to_bits() as $Bits;
                    i128::from(if bits < 0 { !bits ^ <$Bits>::MIN } else { bits })
                })
                .collect()
        };
    }
    Numbers::Integer(match numbers {
        Numbers::Single(x) => keys!(x, i32),
        Numbers::Double(x) => keys!(x, i64),
        Numbers::Integer(x) => x,
    })
}

/// `convert(x, type=f32)`: floating-point numbers that become integers are rounded toward zero; those out of the range of the type
/// become its nearest value.
pub(super) fn convert(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Computed>(call: &mut LocalCall<'_>) -> Made {
        by_blocks::<N, 1>(call, |_| {})
    }
    with_kind!(kind(call, 1)?, of(call))
}

/// `select(p, x, y)`
pub(super) fn select(call: &mut LocalCall<'_>) -> Made {
    /// Writes elements of `from` over those of `to` where `p` is `is_taken`.
    fn each<const WIDTH: usize>(p: &[u8], is_taken: bool, from: &[u8], to: &mut [u8]) {
        let (from, to) = (from.as_chunks::<WIDTH>().0, to.as_chunks_mut::<WIDTH>().0);
        let is_taken = |p: &u8| (*p != 0) == is_taken;
        match (p, from) {
            ([p], _) if !is_taken(p) => {}
            ([_], [from]) => to.fill(*from),
            ([_], _) => to.copy_from_slice(from),
            (_, [from]) => {
                let pairs = to.iter_mut().zip(p);
                pairs.for_each(|(to, p)| *to = if is_taken(p) { *from } else { *to });
            }
            _ => {
                let pairs = to.iter_mut().zip(p).zip(from);
                pairs.for_each(|((to, p), from)| *to = if is_taken(p) { *from } else { *to });
            }
        }
    }
    let results = call.results;
    let dims = results[0].local_dims();
    let count = dims.iter().product();
    if call.operands.iter().any(|operand| ![count, 1].contains(&operand.array.count())) {
        return Err(Failed::Not("its operands have different sizes".to_string()));
    }
    // The result is written over one of the arrays, but not over an element that is repeated once.
    let [x, y] = [1, 2].map(|at| call.operands[at].array.dims() == dims);
    let (mut result, is_taken, from) = match (x, y) {
        (true, _) => (call.operands[1].array.take(), false, 2),
        (false, true) => (call.operands[2].array.take(), true, 1),
        (false, false) => {
            let repeated = strided(call.operand(1), dims, 0, &vec![0; dims.len()])?.remove(0);
            (repeated, false, 2)
        }
    };
    let width = result.width();
    let (p, from, to) = (call.operand(0), call.operand(from), result.as_bytes_mut()?);
    let (p, from) = (p.as_bytes(), from.as_bytes());
    match width {
        1 => each::<1>(p, is_taken, from, to),
        2 => each::<2>(p, is_taken, from, to),
        4 => each::<4>(p, is_taken, from, to),
        8 => each::<8>(p, is_taken, from, to),
        _ => each::<16>(p, is_taken, from, to),
    }
    Ok(vec![result])
}

/// `clamp(least, x, most)`
pub(super) fn clamp(call: &mut LocalCall<'_>) -> Made {
    fn of<N: Computed>(call: &mut LocalCall<'_>) -> Made {
        by_blocks::<N, 3>(call, |[least, x, most]| {
            for ((least, x), most) in least.iter_mut().zip(&*x).zip(&*most) {
                *least = smaller(larger(*x, *least), *most);
            }
        })
    }
    with_kind!(kind(call, 3)?, of(call))
}
