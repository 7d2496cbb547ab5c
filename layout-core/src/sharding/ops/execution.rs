//! How devices run an operation: the elements that its kernel supports, its effects, and its body.

use crate::dtype::{DType, Kind};

/// The elements that the kernel of an operation supports. The kernels themselves are in the crate that runs programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum KernelTypes {
    /// There is no kernel.
    None,
    /// Booleans, integers of 8 to 64 bits, and floating-point numbers of 16 to 64 bits.
    Numbers,
    /// Also complex numbers.
    Complex,
    /// Also floating-point numbers of 8 bits: the kernel moves, compares or converts elements.
    Narrow,
    /// Both.
    All,
    /// All elements, without a kernel: the program contains them.
    Literal,
}

impl KernelTypes {
    /// Whether the operation can run on elements of this type.
    pub(in crate::sharding) const fn supports(self, dtype: DType) -> bool {
        match dtype.kind() {
            Kind::Complex => matches!(self, Self::Complex | Self::All | Self::Literal),
            Kind::Float if matches!(dtype, DType::F8E4M3FN | DType::F8E5M2) => {
                matches!(self, Self::Narrow | Self::All | Self::Literal)
            }
            _ => computes_with(dtype),
        }
    }

    /// Whether there is a kernel.
    pub(in crate::sharding) const fn exists(self) -> bool {
        !matches!(self, Self::None | Self::Literal)
    }
}

/// Whether kernels compute with elements of this type. The kernels of some operations also support complex numbers.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::sharding::ops::computes_with;
/// assert!(computes_with(DType::BF16) && !computes_with(DType::S4));
/// ```
pub const fn computes_with(dtype: DType) -> bool {
    use DType::{BF16, F16, F32, F64, PRED, S8, S16, S32, S64, U8, U16, U32, U64};
    matches!(dtype, PRED | S8 | S16 | S32 | S64 | U8 | U16 | U32 | U64 | F16 | BF16 | F32 | F64)
}

/// What an operation does besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum Effect {
    /// Nothing.
    None,
    /// Devices exchange data.
    Exchange,
    /// It reads the number of its device.
    DeviceNumber,
    /// It must not run once on each device, for this reason.
    Once(&'static str),
    /// It runs other operations, or a function that is not known.
    Other,
}

impl Effect {
    /// Whether the operation can be removed if its results are not used.
    pub(in crate::sharding) const fn is_pure(self) -> bool {
        matches!(self, Self::None | Self::DeviceNumber)
    }

    /// Whether the results depend on the device that runs it.
    pub(in crate::sharding) const fn names_devices(self) -> bool {
        matches!(self, Self::Exchange | Self::DeviceNumber)
    }
}

/// Along which dimensions an element of a result can depend on elements elsewhere, although the rule of the operation does not say
/// so: Shardy's rules see the sizes of a pad, of windows and of an update, but not where these are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum Shifts {
    /// Along none.
    None,
    /// Those for which a list of numbers has another one than this. `pad` with `low = [1], high = [-1]` keeps the size, but moves
    /// every element.
    Unless(&'static [(&'static str, usize)]),
    /// Those along which the second operand is smaller than the first.
    Smaller,
    /// The spatial dimensions of a convolution.
    Spatial,
}

/// The lists of numbers of an operation with a window, and the numbers of one that does not move elements along a dimension.
pub(super) const OF_WINDOW: Shifts = Shifts::Unless(&[
    ("window", 1),
    ("stride", 1),
    ("base_dilation", 1),
    ("low", 0),
    ("cut_low", 0),
]);

/// The body of an operation, which works on scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::sharding) enum Bodies {
    /// It has none.
    None,
    /// It combines elements: one operation of two values suffices, which is the attribute `reducer`.
    Reducer,
    /// It is read as a whole, such as the comparator of a sort.
    Whole,
}
