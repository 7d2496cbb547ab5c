//! The operations on the local arrays of a device.

mod bits;
pub(super) mod blocks;
mod complex;
mod convolution;
mod dot;
mod elementwise;
mod factor;
mod fourier;
pub(super) mod functions;
mod index;
mod join;
mod linear;
mod random;
mod reduce;
mod scatter;
mod select;
mod shape;
mod sort;
mod special;
mod window;

use super::HostArray;
use super::reduction::Reduction;
use super::scalar::Body;
use crate::sharding::run::RunError;
use crate::sharding::run::collective::region;
use alloc::string::String;
use alloc::vec::Vec;
pub(super) use complex::is_complex;
use core::ops::Range;
pub(super) use elementwise::combined;
use layout_core::dtype::DType;
use layout_core::sharding::Shards;
use layout_core::sharding::ops::Attributes;

/// An operand on this device.
pub(super) struct LocalOperand<'a> {
    pub(super) array: HostArray,
    /// The shards of the whole array, which determine the part of it on this device.
    pub(super) shards: &'a Shards,
    /// Whether the same array is read again, in a later iteration of a loop or in a later run.
    pub(super) is_lasting: bool,
}

impl LocalOperand<'_> {
    /// The index in the whole array of the first element on this device.
    fn origin(&self, device: usize) -> Vec<usize> {
        region(self.shards, device).iter().map(|range| range.start).collect()
    }
}

/// A result of an operation on this device.
pub(super) struct LocalResult<'a> {
    pub(super) dtype: DType,
    pub(super) shards: &'a Shards,
    /// Whether only the element that it repeats is needed.
    pub(super) is_splat: bool,
}

impl LocalResult<'_> {
    fn dims(&self) -> &[usize] {
        self.shards.dims()
    }

    pub(super) fn local_dims(&self) -> &[usize] {
        self.shards.local_dims()
    }
}

/// An operation on local arrays.
pub(super) struct LocalCall<'a> {
    pub(super) name: &'a str,
    pub(super) attributes: &'a Attributes,
    /// A kernel that [`LocalKernel::Takes`] its operands may leave empty arrays in their place.
    pub(super) operands: Vec<LocalOperand<'a>>,
    pub(super) results: &'a [LocalResult<'a>],
    /// The bodies of the operation, which work on scalars; empty if the body is one operation of two values.
    pub(super) bodies: &'a [Body],
    /// How a reduction combines elements.
    pub(super) reduction: Reduction,
    /// Whether this device is the first of the devices whose results are combined.
    pub(super) is_first: bool,
    /// The position of this device in the mesh.
    pub(super) device: usize,
}

impl LocalCall<'_> {
    fn operand(&self, at: usize) -> &HostArray {
        &self.operands[at].array
    }

    /// The first result, and for most operations the only one.
    fn result(&self) -> &LocalResult<'_> {
        &self.results[0]
    }

    /// The part of the first result that this device computes.
    fn result_region(&self) -> Vec<Range<usize>> {
        region(self.result().shards, self.device)
    }

    /// The unnamed list with this number; empty if there is none.
    fn list(&self, at: usize) -> &[usize] {
        self.attributes.lists().get(at).map_or(&[], Vec::as_slice)
    }

    pub(super) fn number(&self) -> usize {
        self.attributes.unnamed_number().unwrap_or(0)
    }
}

/// The reason why a kernel returns no result.
pub(super) enum Failed {
    Run(RunError),
    /// The kernel cannot run this operation here.
    Not(String),
}

impl From<RunError> for Failed {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<crate::movement::PackError> for Failed {
    fn from(error: crate::movement::PackError) -> Self {
        Self::Run(error.into())
    }
}

pub(super) type Made = Result<Vec<HostArray>, Failed>;

/// The function that runs an operation on local arrays.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalKernel {
    Reads(fn(&LocalCall<'_>) -> Made),
    /// It may write its result over an operand.
    Takes(fn(&mut LocalCall<'_>) -> Made),
    /// As [`LocalKernel::Takes`]; an operand of one element is repeated for all elements of the result.
    Repeats(fn(&mut LocalCall<'_>) -> Made),
}

impl LocalKernel {
    pub(super) fn run(self, call: &mut LocalCall<'_>) -> Made {
        match self {
            Self::Reads(kernel) => kernel(call),
            Self::Takes(kernel) | Self::Repeats(kernel) => kernel(call),
        }
    }
}

use LocalKernel::{Reads, Repeats, Takes};

/// The operations that have kernels, except those on each element, and their kernels.
const KERNELS: &[(&str, LocalKernel)] = &[
    ("bitcast_convert", Reads(shape::bitcast_convert)),
    ("broadcast_in_dim", Reads(shape::broadcast_in_dim)),
    ("cholesky", Reads(linear::cholesky)),
    ("clamp", Repeats(elementwise::clamp)),
    ("compare", Repeats(elementwise::compare)),
    ("complex", Reads(complex::complex)),
    ("concatenate", Reads(join::concatenate)),
    ("constrain", Takes(shape::same)),
    ("convert", Repeats(elementwise::convert)),
    ("convolution", Reads(convolution::convolution)),
    ("count_leading_zeros", Reads(bits::count)),
    ("custom_call", Reads(linear::custom_call)),
    ("dot", Reads(dot::dot)),
    ("dot_general", Reads(dot::dot)),
    ("dynamic_slice", Reads(join::dynamic_slice)),
    ("dynamic_update_slice", Takes(join::dynamic_update_slice)),
    ("fft", Reads(complex::fft)),
    ("gather", Reads(index::gather)),
    ("imag", Reads(complex::part)),
    ("iota", Reads(index::iota)),
    ("is_finite", Repeats(elementwise::is_finite)),
    ("next_after", Reads(bits::next_after)),
    ("pad", Reads(join::pad)),
    ("popcnt", Reads(bits::count)),
    ("propagation_barrier", Takes(shape::same)),
    ("real", Reads(complex::part)),
    ("reduce", Reads(reduce::reduce)),
    ("reduce_window", Reads(window::reduce_window)),
    ("reshape", Takes(shape::reshape)),
    ("reshard", Takes(shape::same)),
    ("reverse", Reads(shape::reverse)),
    ("rng_bit_generator", Reads(random::rng_bit_generator)),
    ("scatter", Reads(scatter::scatter)),
    ("reduce_precision", Reads(bits::reduce_precision)),
    ("select", Repeats(elementwise::select)),
    ("select_and_scatter", Reads(select::select_and_scatter)),
    ("shift_left", Reads(elementwise::shift)),
    ("shift_right_arithmetic", Reads(elementwise::shift)),
    ("shift_right_logical", Reads(elementwise::shift)),
    ("slice", Reads(join::slice)),
    ("sort", Reads(sort::sort)),
    ("top_k", Reads(window::top_k)),
    ("transpose", Reads(shape::transpose)),
    ("triangular_solve", Reads(linear::triangular_solve)),
];

/// The kernel of an operation on elements of these types. [`layout_core`], which checks programs, lists the operations that have
/// one.
pub(super) fn find(name: &str, mut types: impl Iterator<Item = DType>) -> Option<LocalKernel> {
    if let Some(kernel) = complex::find(name).filter(|_| types.any(complex::is_complex)) {
        return Some(kernel);
    }
    let own = KERNELS.iter().find(|(known, _)| *known == name);
    own.map(|(_, kernel)| *kernel).or_else(|| elementwise::find(name))
}

/// Whether the kernel of an operation that runs on each element is defined for elements of this type.
pub(super) fn supports(name: &str, dtype: DType) -> bool {
    let is_float = matches!(dtype.kind(), layout_core::dtype::Kind::Float);
    match name {
        _ if is_complex(dtype) => true,
        "count_leading_zeros"
        | "popcnt"
        | "shift_left"
        | "shift_right_arithmetic"
        | "shift_right_logical" => !is_float,
        "next_after" | "reduce_precision" => is_float,
        _ if KERNELS.iter().any(|(known, _)| *known == name) => true,
        _ => elementwise::find(name).is_none() || elementwise::supports(name, dtype),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeSet;
    use layout_core::sharding::{ops, program::kernels};

    #[test]
    fn the_kernels_that_programs_may_name_are_here() {
        let named: BTreeSet<_> = kernels(true).collect();
        let is_here = |name: &str| find(name, core::iter::empty()).is_some();
        let known = named.iter().copied().chain(ops::names());
        let own: BTreeSet<_> = known.filter(|name| is_here(name)).collect();
        assert!(own.is_subset(&named), "{:?}", own.difference(&named));
        assert!(KERNELS.iter().all(|(name, _)| named.contains(name)));
        // The kernels of these are in `collectives`.
        let rest: Vec<_> = named.difference(&own).copied().collect();
        let exchanges = ["all_gather", "all_reduce", "all_to_all", "collective_permute"];
        assert_eq!(rest, [&exchanges[..], &["partition_id", "reduce_scatter"]].concat());
    }
}
