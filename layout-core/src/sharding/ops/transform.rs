//! Fourier transforms and normalization.

use super::elements::Elements;
use super::elementwise::pointwise;
use super::error::{Result, Subject, wrong};
use super::execution::KernelTypes;
use super::input::Input;
use super::mlir::{Mlir, OpText};
use super::operation::{Infer, Inferred, Operation};
use super::sums::PartialSums;
use crate::dtype::DType;
use crate::sharding::{FactorKind, OpShardingRule, RuleBuilder};
use FactorKind::{NeedReplication, PassThrough};
use alloc::format;
use alloc::vec;

pub(super) const ROWS: &[Operation] = &[
    Operation {
        names: &["batch_norm_inference"],
        call: "batch_norm_inference(x, scale, offset, mean, variance, 3)",
        infer: Infer::By(infer_batch_norm_inference),
        on_shards: true,
        ..Operation::DEFAULT
    },
    Operation {
        names: &["fft"],
        call: "fft(x, [64], type=RFFT)",
        attributes: &["type"],
        infer: Infer::By(infer_fft),
        sums: PartialSums::Linear(&[0]),
        mlir: Mlir::StableHlo("fft", |call| {
            let kind = call.attributes.word("type", "FFT");
            let length = call.list("fft_length", 0);
            OpText::properties(format!("fft_type = #stablehlo<fft_type {kind}>, {length}"))
        }),
        kernel: KernelTypes::Complex,
        only_imported: true,
        on_shards: true,
        ..Operation::DEFAULT
    },
];

/// `fft(x, [64], type=RFFT)`
fn infer_fft(input: &Input<'_>) -> Result<Inferred> {
    let x = input.operand()?;
    let lengths = input.list(0, "the length of each transformed dimension")?;
    let kind = input.word("type", &["FFT", "IFFT", "RFFT", "IRFFT"])?;
    let Some(first) = x.dims.len().checked_sub(lengths.len()).filter(|_| !lengths.is_empty())
    else {
        let (rank, count) = (x.dims.len(), lengths.len());
        let message = format!("an array of rank {rank} does not have {count} dimensions");
        return wrong(Subject::List(0), message);
    };
    if lengths.len() > 3 {
        return wrong(Subject::List(0), "a Fourier transform has 1 to 3 dimensions");
    }
    match kind {
        "RFFT" => input.one_of(0, &[DType::F32, DType::F64])?,
        _ => input.one_of(0, &[DType::C64, DType::C128])?,
    }
    let mut result = x.dims.to_vec();
    let half = lengths.last().map_or(0, |length| half_of(*length));
    let mut expected = lengths.to_vec();
    let (last, mut to) = (expected.len() - 1, x.dtype);
    match kind {
        "RFFT" => to = if x.dtype == DType::F64 { DType::C128 } else { DType::C64 },
        "IRFFT" => {
            expected[last] = half;
            to = if x.dtype == DType::C128 { DType::F64 } else { DType::F32 };
        }
        _ => {}
    }
    if x.dims[first..] != expected {
        let message =
            format!("expected dimensions of size {expected:?} last, found {:?}", &x.dims[first..]);
        return wrong(Subject::Operand(0), message);
    }
    match kind {
        "RFFT" => result[first + last] = half,
        "IRFFT" => result[first + last] = lengths[last],
        _ => {}
    }
    Ok(Inferred::one(fft(x.dims, &result, lengths.len()), result, to))
}

/// The number of complex numbers that determine the transform of a line of this many real numbers: the others are the conjugates of
/// some of them.
///
/// ```
/// use tensor_layout::sharding::ops::half_of;
/// assert_eq!([0, 1, 4, 5].map(half_of), [0, 1, 3, 3]);
/// ```
pub const fn half_of(length: usize) -> usize {
    if length == 0 { 0 } else { length / 2 + 1 }
}

/// The rule of a Fourier transform of the last `transformed` dimensions.
///
/// ```
/// use tensor_layout::sharding::ops::fft;
/// let rule = fft(&[8, 16], &[8, 16], 1);
/// assert_eq!(rule.to_string(), "<([i, j])->([i, j]) {i=8, j=16} need_replication={j}>");
/// ```
pub fn fft(dims: &[usize], result: &[usize], transformed: usize) -> OpShardingRule {
    let rank = dims.len();
    pointwise(1, 1, dims, |dim| match dim + transformed >= rank {
        true => (NeedReplication, dim + 1 == rank && dims[dim] != result[dim]),
        false => (PassThrough, false),
    })
}

/// `batch_norm_inference(x, scale, offset, mean, variance, 3)`
fn infer_batch_norm_inference(input: &Input<'_>) -> Result<Inferred> {
    input.arity(5)?;
    let x = input.operands[0];
    input.elements(0, Elements::FLOAT)?;
    input.all_same_elements()?;
    let feature = input.dim(x.dims.len(), "of the features")?;
    (1..5).try_for_each(|at| input.size(at, &[x.dims[feature]]))?;
    Ok(Inferred::one(batch_norm_inference(x.dims, feature), x.dims.to_vec(), x.dtype))
}

/// The rule of a batch normalization. The operands are a tensor, then scale, offset, mean and variance along dimension `feature`.
///
/// ```
/// use tensor_layout::sharding::ops::batch_norm_inference;
/// let rule = batch_norm_inference(&[8, 4], 1);
/// assert_eq!(rule.to_string(), "<([i, j], [j], [j], [j], [j])->([i, j]) {i=8, j=4}>");
/// ```
pub fn batch_norm_inference(dims: &[usize], feature: usize) -> OpShardingRule {
    let mut rule = RuleBuilder::new(&[dims.len(), 1, 1, 1, 1], &[dims.len()]);
    for (dim, &size) in dims.iter().enumerate() {
        let mut operands = vec![Some(dim)];
        operands.resize(5, (dim == feature).then_some(0));
        rule.factor(&operands, &[Some(dim)], size, PassThrough);
    }
    rule.build()
}
