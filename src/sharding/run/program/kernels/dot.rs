//! Products of arrays, computed by the kernels of packed arrays.

use super::super::numbers::Numbers;
use super::shape::{offsets, strides};
use super::{Failed, HostArray, LocalCall, Made};
use crate::compute::{DotDimensionNumbers, MatmulElement, RoundedFrom};
use crate::element::{BF16, F32, F64, S8, S32};
use crate::sharding::run::RunError;
use crate::typed::DynPacked;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::dtype::DType;
use layout_core::tiled::TiledSpec;

/// `dot(x, w)` and `dot_general(x, y, lhs_batch=[0], ..)`
pub(super) fn dot(call: &LocalCall<'_>) -> Made {
    let (a, b) = (call.operand(0), call.operand(1));
    let last = [a.dims().len().saturating_sub(1)];
    let is_general = call.name == "dot_general";
    let list = |name: &str| call.attributes.named_numbers(name);
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: list("lhs_batch"),
        rhs_batching_dimensions: list("rhs_batch"),
        lhs_contracting_dimensions: if is_general { list("lhs_contracting") } else { &last },
        rhs_contracting_dimensions: if is_general { list("rhs_contracting") } else { &[0] },
    };
    let (dims, dtype) = (call.result().local_dims(), call.result().dtype);
    if a.as_bytes().is_empty() || b.as_bytes().is_empty() || dims.contains(&0) {
        return Ok(vec![HostArray::zeroed(dtype, dims)?]);
    }
    // Products of two arrays of the same type need no conversion.
    let product = match (a.dtype(), b.dtype()) {
        (DType::BF16, DType::BF16) => product::<BF16, F32>(a, b, &numbers, dims)?,
        (DType::S8, DType::S8) => product::<S8, S32>(a, b, &numbers, dims)?,
        (left, right) if left == right && left == DType::F32 => {
            product::<F32, F32>(a, b, &numbers, dims)?
        }
        _ => {
            let is_integer = |array: &HostArray| matches!(Numbers::of(array), Numbers::Integer(_));
            if is_integer(a) || is_integer(b) {
                return of_integers(call);
            }
            let [a, b] = [a, b].map(|array| Numbers::of(array).store(DType::F64, array.dims()));
            product::<F64, F64>(&a?, &b?, &numbers, dims)?
        }
    };
    Ok(vec![Numbers::of(&product).store(dtype, dims)?])
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
    let made = Numbers::Integer(by_loops(call, 0, sum));
    Ok(vec![made.store(call.result().dtype, call.result().local_dims())?])
}

/// The elements of a product. Each starts from `zero`, to which `add` adds the product of each of its pairs of elements.
pub(super) fn by_loops<T: Copy>(
    call: &LocalCall<'_>,
    zero: T,
    mut add: impl FnMut(T, (usize, usize)) -> T,
) -> Vec<T> {
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
    let starts = |steps: &[isize]| {
        let mut starts = Vec::new();
        offsets(&dims, 0, steps, |at| starts.push(at));
        starts
    };
    let pairs = |first: isize, strides: &[isize], of: &[usize], sizes: &[usize]| {
        let mut positions = Vec::new();
        offsets(sizes, first, &steps(strides, of), |at| positions.push(at as usize));
        positions
    };
    let summed_sizes = sizes(a, &summed);
    let made = starts(&at_a).into_iter().zip(starts(&at_b)).map(|(first, second)| {
        let lhs = pairs(first, &of_a, &summed, &summed_sizes);
        let rhs = pairs(second, &of_b, &other_summed, &summed_sizes);
        lhs.into_iter().zip(rhs).fold(zero, &mut add)
    });
    made.collect()
}

/// The product of two arrays of elements `E`, as elements `C`.
fn product<E: MatmulElement, C: RoundedFrom<E::Sum>>(
    a: &HostArray,
    b: &HostArray,
    numbers: &DotDimensionNumbers<'_>,
    dims: &[usize],
) -> Result<HostArray, Failed> {
    let spec = |dtype: DType, dims: &[usize]| {
        let too_large = || RunError::TooLarge { dims: dims.to_vec(), width: dtype.byte_width() };
        TiledSpec::row_major(dtype, dims).ok_or_else(too_large)
    };
    let packed = |array: &HostArray| -> Result<DynPacked<E>, Failed> {
        Ok(DynPacked::from_bytes(&spec(E::DTYPE, array.dims())?, array.as_bytes())?)
    };
    let product: DynPacked<C> =
        packed(a)?.dot_general(&packed(b)?, numbers, &spec(C::DTYPE, dims)?)?;
    Ok(HostArray::from_bytes(C::DTYPE, dims, product.as_bytes().to_vec())?)
}
