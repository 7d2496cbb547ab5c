//! Operations on each element, a block of elements at a time: a block is read as numbers, which stay in the L1 cache while the
//! operation is applied to them, and is written as elements of the type of the result.

use super::super::elements::Computed;
use super::{Failed, HostArray, LocalCall, LocalResult, Made};
use crate::sharding::run::RunError;
use alloc::string::ToString;
use alloc::vec;
use core::ops::Range;

/// The number of elements of a block.
const BLOCK: usize = 256;

/// The blocks of `K` operands, as numbers.
pub(super) type Blocks<'b, N, const K: usize> = [&'b mut [N]; K];

/// The result of an operation on each element. `apply` computes a block of it from the blocks of the operands, and leaves it in the
/// first one. An operand of one element is repeated for all elements. If an operand that nothing else reads has the type and the
/// size of the result, the result is written over it.
pub(super) fn by_blocks<N: Computed, const K: usize>(
    call: &mut LocalCall<'_>,
    mut apply: impl FnMut(Blocks<'_, N, K>),
) -> Made {
    let results = call.results;
    let (dtype, dims) = (results[0].dtype, results[0].local_dims());
    let count = dims.iter().product();
    if call.operands[..K].iter().any(|operand| ![count, 1].contains(&operand.array.count())) {
        return Err(Failed::Not("its operands have different sizes".to_string()));
    }
    let reused = (0..K).find(|&at| {
        let array = &mut call.operands[at].array;
        array.dtype() == dtype && array.dims() == dims && array.is_unique()
    });
    let mut result = match reused {
        Some(at) => call.operands[at].array.take(),
        None => HostArray::zeroed(dtype, dims)?,
    };
    let width = result.width();
    let bytes = result.as_bytes_mut()?;
    let mut numbers = [[N::ZERO; BLOCK]; K];
    for first in (0..count).step_by(BLOCK) {
        let block = first..count.min(first + BLOCK);
        let to = block.start * width..block.end * width;
        for (at, numbers) in numbers.iter_mut().enumerate() {
            let numbers = &mut numbers[..block.len()];
            match reused == Some(at) {
                true => N::read(dtype, &bytes[to.clone()], numbers),
                false => read(call.operand(at), count, &block, numbers),
            }
        }
        apply(numbers.each_mut().map(|numbers| &mut numbers[..block.len()]));
        N::write(&numbers[0][..block.len()], dtype, &mut bytes[to]);
    }
    Ok(vec![result])
}

/// The local array of a result whose elements `of` computes from their row-major positions. Memory for it is allocated first, so
/// that a size that does not fit is an error.
pub(super) fn computed<N: Computed>(
    result: &LocalResult<'_>,
    mut of: impl FnMut(usize) -> N,
) -> Result<HostArray, RunError> {
    let mut array = HostArray::zeroed(result.dtype, result.local_dims())?;
    let width = array.width();
    let mut numbers = [N::ZERO; BLOCK];
    for (block, bytes) in array.as_bytes_mut()?.chunks_mut(BLOCK * width).enumerate() {
        let numbers = &mut numbers[..bytes.len() / width];
        numbers.iter_mut().enumerate().for_each(|(at, number)| *number = of(block * BLOCK + at));
        N::write(numbers, result.dtype, bytes);
    }
    Ok(array)
}

/// Reads a block of an array, which has either one element or `count`.
fn read<N: Computed>(array: &HostArray, count: usize, block: &Range<usize>, to: &mut [N]) {
    let (width, bytes) = (array.width(), array.as_bytes());
    if array.count() == count {
        return N::read(array.dtype(), &bytes[block.start * width..block.end * width], to);
    }
    N::read(array.dtype(), &bytes[..width], &mut to[..1]);
    to.fill(to[0]);
}
