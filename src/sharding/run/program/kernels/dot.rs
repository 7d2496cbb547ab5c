//! Products of arrays, by the packed kernels.

use super::super::numbers::Numbers;
use super::{Failed, HostArray, LocalCall, Made};
use crate::compute::{DotDimensionNumbers, MatmulElement, RoundedFrom};
use crate::element::{BF16, F32, F64, S8, S32};
use crate::sharding::run::RunError;
use crate::typed::DynPacked;
use alloc::string::ToString;
use alloc::vec;
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
                let message = "products of integers have a kernel for elements of type `s8` alone";
                return Err(Failed::Not(message.to_string()));
            }
            let [a, b] = [a, b].map(|array| Numbers::of(array).store(DType::F64, array.dims()));
            product::<F64, F64>(&a?, &b?, &numbers, dims)?
        }
    };
    Ok(vec![Numbers::of(&product).store(dtype, dims)?])
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
