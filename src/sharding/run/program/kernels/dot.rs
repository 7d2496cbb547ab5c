//! Products of arrays, computed by the kernels of packed arrays.

use super::super::elements::Kind;
use super::super::numbers::Numbers;
use super::blocks::computed;
use super::factor::Product;
use super::index::index_of;
use super::shape::{offsets, strides};
use super::{Failed, HostArray, LocalCall, Made};
use crate::compute::{DotDimensionNumbers, Sum, dot_general_bytes};
use crate::element::{F32, F64, S32};
use crate::sharding::run::RunError;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::dtype::Kind::{Signed, Unsigned};
use layout_core::tiled::TiledSpec;

/// `dot(x, w)` and `dot_general(x, y, lhs_batch=[0], ..)`
pub(super) fn dot(call: &LocalCall<'_>) -> Made {
    let (a, b) = (call.operand(0), call.operand(1));
    let (dims, dtype) = (call.result().local_dims(), call.result().dtype);
    if a.as_bytes().is_empty() || b.as_bytes().is_empty() || dims.contains(&0) {
        return Ok(vec![HostArray::zeroed(dtype, dims)?]);
    }
    let product = match (Kind::of(a.dtype()), Kind::of(b.dtype())) {
        // Sums for a result of `f64` have its precision.
        (Kind::Single, Kind::Single) if dtype != DType::F64 => product::<F32>(call, [a, b])?,
        (Kind::Double, Kind::Double) => product::<F64>(call, [a, b])?,
        _ if (a.dtype(), b.dtype()) == (DType::S8, DType::S8) => match dtype.kind() {
            // Narrow results wrap around as sums of 32 bits do.
            Signed | Unsigned if dtype.bits() <= 32 => product::<S32>(call, [a, b])?,
            // Sums of up to 2^39 products are exact in `f64`.
            _ => in_doubles(call, [a, b])?,
        },
        (left, right) if left.is_integer() || right.is_integer() => return of_integers(call),
        _ => in_doubles(call, [a, b])?,
    };
    Ok(vec![match product.dtype() == dtype {
        true => product,
        false => Numbers::of(&product).store(dtype, dims)?,
    }])
}

/// The product of two arrays whose elements are converted to `f64`.
fn in_doubles(call: &LocalCall<'_>, arrays: [&HostArray; 2]) -> Result<HostArray, Failed> {
    let [a, b] = arrays.map(|array| Numbers::of(array).store(DType::F64, array.dims()));
    product::<F64>(call, [&a?, &b?])
}

/// The numbers of the dimensions of a product.
fn numbers<'a>(call: &'a LocalCall<'_>, last: &'a [usize; 1]) -> DotDimensionNumbers<'a> {
    let is_general = call.name == "dot_general";
    let list = |name: &str| call.attributes.named_numbers(name);
    DotDimensionNumbers {
        lhs_batching_dimensions: list("lhs_batch"),
        rhs_batching_dimensions: list("rhs_batch"),
        lhs_contracting_dimensions: if is_general { list("lhs_contracting") } else { last },
        rhs_contracting_dimensions: if is_general { list("rhs_contracting") } else { &[0] },
    }
}

/// The product of two arrays whose elements are multiplied and summed up as `S`: in the type of the result, if sums can be rounded
/// to it, or as `S`.
fn product<S: Sum>(call: &LocalCall<'_>, [a, b]: [&HostArray; 2]) -> Result<HostArray, Failed> {
    let last = [a.dims().len().saturating_sub(1)];
    let numbers = numbers(call, &last);
    let result = call.result();
    let dtype = match Kind::of(result.dtype) {
        Kind::Single | Kind::Double if S::DTYPE != DType::S32 => result.dtype,
        _ => S::DTYPE,
    };
    let mut c = HostArray::zeroed(dtype, result.local_dims())?;
    let product = Product::of(a.dims(), b.dims(), result.local_dims(), &numbers);
    if !product.fits(c.count()) {
        return Err(Failed::Not("its operands and its result have different sizes".to_string()));
    }
    let a_spec = row_major(a.dtype(), &product.a)?;
    let b_spec = row_major(b.dtype(), &product.b)?;
    let c_spec = row_major(dtype, &product.c)?;
    let form = product.form([a.dtype(), b.dtype()]).filter(|_| call.operands[1].is_lasting);
    let kept = form.as_ref().map(|form| b.form(&b_spec, form)).transpose()?;
    let right = match (&form, &kept) {
        (Some(form), Some(kept)) => (form, kept.as_slice()),
        _ => (&b_spec, b.as_bytes()),
    };
    let left = (&a_spec, a.as_bytes());
    let to = (&c_spec, c.as_bytes_mut()?);
    dot_general_bytes::<S>(left, right, &product.numbers(), to)?;
    Ok(c)
}

fn row_major(dtype: DType, dims: &[usize]) -> Result<TiledSpec, RunError> {
    let too_large = || RunError::TooLarge { dims: dims.to_vec(), width: dtype.byte_width() };
    TiledSpec::row_major(dtype, dims).ok_or_else(too_large)
}

/// A product of integers, which wraps around.
fn of_integers(call: &LocalCall<'_>) -> Made {
    let (Numbers::Integer(a), Numbers::Integer(b)) =
        (Numbers::of(call.operand(0)), Numbers::of(call.operand(1)))
    else {
        return Err(Failed::Not("its elements have different kinds".to_string()));
    };
    let sum =
        |sum: i128, (at, other): (usize, usize)| sum.wrapping_add(a[at].wrapping_mul(b[other]));
    Ok(vec![computed(call.result(), by_loops(call, 0, sum))?])
}

/// The elements of a product by their row-major positions. Each starts from `zero`, to which `add` adds the product of each of its
/// pairs of elements.
pub(super) fn by_loops<T: Copy>(
    call: &LocalCall<'_>,
    zero: T,
    add: impl Fn(T, (usize, usize)) -> T,
) -> impl Fn(usize) -> T {
    let (a, b) = (call.operand(0).dims(), call.operand(1).dims());
    let list = |name: &str| call.attributes.named_numbers(name).to_vec();
    let [batch, other_batch] = ["lhs_batch", "rhs_batch"].map(list);
    let [summed, other_summed] = match call.name {
        "dot_general" => ["lhs_contracting", "rhs_contracting"].map(list),
        _ => [vec![a.len().saturating_sub(1)], vec![0]],
    };
    let free = |dims: &[usize], batch: &[usize], summed: &[usize]| -> Vec<usize> {
        (0..dims.len()).filter(|dim| !batch.contains(dim) && !summed.contains(dim)).collect()
    };
    let (own, other) = (free(a, &batch, &summed), free(b, &other_batch, &other_summed));
    let (of_a, of_b) = (strides(a), strides(b));
    let sizes = |dims: &[usize], of: &[usize]| of.iter().map(|dim| dims[*dim]).collect::<Vec<_>>();
    let steps = |strides: &[isize], of: &[usize]| -> Vec<isize> {
        of.iter().map(|dim| strides[*dim]).collect()
    };
    // The result has the batch dimensions, then those of the first array, then those of the second one.
    let dims = [sizes(a, &batch), sizes(a, &own), sizes(b, &other)].concat();
    let none = |count: usize| vec![0; count];
    let at_a = [steps(&of_a, &batch), steps(&of_a, &own), none(other.len())].concat();
    let at_b = [steps(&of_b, &other_batch), none(own.len()), steps(&of_b, &other)].concat();
    let (sizes, summed) = (sizes(a, &summed), steps(&of_a, &summed));
    let other_summed = steps(&of_b, &other_summed);
    let pairs = move |index: &[usize], first: &[isize], along: &[isize]| {
        let first = index.iter().zip(first).map(|(at, step)| *at as isize * step).sum();
        let mut positions = Vec::new();
        offsets(&sizes, first, along, |at| positions.push(at as usize));
        positions
    };
    move |at| {
        let index = index_of(at, &dims);
        let (lhs, rhs) = (pairs(&index, &at_a, &summed), pairs(&index, &at_b, &other_summed));
        lhs.into_iter().zip(rhs).fold(zero, &add)
    }
}
