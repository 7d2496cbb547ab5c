//! The mistakes of block-scaled arrays, and their messages.

use super::spec::{Arrangement, MAX_BLOCK};
use crate::dtype::DType;
use crate::parts::MAX_RANK;
use crate::text::Text;

/// The part of the notation that a [`Problem`] is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The element type.
    Element,
    /// All sizes.
    Dims,
    /// The size of the last dimension.
    LastDim,
    /// The type of the scales.
    Scale,
    /// The size of the block along the last dimension.
    Block,
    /// The scale of the whole array.
    TensorScale,
}

/// One mistake in a block-scaled array. Displays as its message; [`Problem::help`] says what to write instead.
///
/// ```
/// use tensor_layout::DType;
/// use tensor_layout::quantized::{Arrangement, Problem, QuantizedSpec, Subject};
/// let problem = QuantizedSpec::new(DType::S8, &[2, 40], DType::F16, 32, false, Arrangement::Blocks);
/// let problem = problem.unwrap_err();
/// assert_eq!(problem, Problem::Divides { size: 40, block: 32 });
/// assert_eq!(problem.subject(), Subject::LastDim);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum Problem {
    /// A type that elements cannot have.
    Element { element: DType },
    /// A type that scales cannot have, at all or for these elements.
    Scale { element: DType, scale: DType, arrangement: Arrangement },
    /// An array without dimensions.
    Scalar,
    /// An array of too many dimensions.
    Rank { rank: usize },
    /// A block of a size that is not supported.
    Block { block: usize },
    /// The last dimension does not consist of whole blocks.
    Divides { size: usize, block: usize },
    /// The last dimension does not consist of whole groups of blocks that are stored together.
    Together { size: usize, together: usize },
    /// A scale of the whole array in a format that has none.
    TensorScale { scale: DType },
    /// The array does not fit the address space.
    Overflow,
}

impl Problem {
    /// What is wrong.
    pub const fn message(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::Element { element } => text
                .str("`")
                .str(element.name())
                .str("` cannot be the element type of a block-scaled array"),
            Self::Scale { element, scale, arrangement } => {
                let text = text.str("`").str(element.name()).str("` cannot be scaled by `");
                text.str(scale.name()).str("` in ").str(arrangement.name())
            }
            Self::Scalar => text.str("a scalar has no blocks"),
            Self::Rank { rank } => {
                let text = text.num(rank).str(" dimensions are more than the ").num(MAX_RANK);
                text.str(" that are supported")
            }
            Self::Block { block: 16, .. } => {
                text.str("a block of 16 elements needs scales of `f8e4m3fn`")
            }
            Self::Block { block } => text.str("a block cannot have ").num(block).str(" elements"),
            Self::Divides { size, block } => {
                let text = text.str("the last dimension has size ").num(size);
                text.str(", which is not a multiple of the block of ").num(block)
            }
            Self::Together { size, together } => {
                let text = text.str("the last dimension has size ").num(size);
                let text = text.str(", but in blocks, ").num(together);
                text.str(" elements are stored together")
            }
            Self::TensorScale { scale: DType::F8E4M3FN } => {
                text.str("in blocks, the whole array has no scale")
            }
            Self::TensorScale { scale } => {
                let text = text.str("with scales of `").str(scale.name());
                text.str("`, the whole array has no scale")
            }
            Self::Overflow => text.str("the array takes more bytes than fit in the address space"),
        }
    }

    /// What to write instead.
    pub const fn help(&self) -> Text {
        let text = Text::new();
        match *self {
            Self::Element { .. } => {
                text.str("the types are `s8`, `s4`, `f8e4m3fn`, `f8e5m2` and `f4e2m1fn`")
            }
            Self::Scale { element: DType::S8 | DType::S4, .. } => {
                text.str("integers are scaled by `f16` or `f32`")
            }
            Self::Scale { element: DType::F4E2M1FN, .. } => {
                text.str("`f4e2m1fn` is scaled by `f8e8m0fnu`, `f8e4m3fn`, `f16` or `f32`")
            }
            Self::Scale { .. } => {
                text.str("floats of 8 bits are scaled by `f8e8m0fnu`, `f16` or `f32`")
            }
            Self::Scalar => text.str("write the sizes: `q8_0[4096,4096]`"),
            Self::Rank { .. } => text.str("merge dimensions: all but the last are rows"),
            Self::Block { .. } => {
                text.str("a block has 32, 64, 128 or ").num(MAX_BLOCK).str(" elements")
            }
            Self::Divides { size, block: unit } | Self::Together { size, together: unit } => {
                match size.checked_next_multiple_of(unit) {
                    Some(next) => {
                        text.str("pad the rows with zeros: did you mean ").num(next).str("?")
                    }
                    None => text,
                }
            }
            Self::TensorScale { scale: DType::F8E4M3FN } => {
                text.str("leave `by f32` out, or write `in planes`, as in `nvfp4`")
            }
            Self::TensorScale { .. } => {
                text.str("leave `by f32` out: it accompanies scales of `f8e4m3fn`, as in `nvfp4`")
            }
            Self::Overflow => text.str(
                "no memory is large enough for this array: write the sizes of one device's part",
            ),
        }
    }

    /// The part of the notation that the problem is about.
    pub const fn subject(&self) -> Subject {
        match self {
            Self::Element { .. } => Subject::Element,
            Self::Scale { .. } => Subject::Scale,
            Self::Scalar | Self::Rank { .. } | Self::Overflow => Subject::Dims,
            Self::Block { .. } => Subject::Block,
            Self::Divides { .. } | Self::Together { .. } => Subject::LastDim,
            Self::TensorScale { .. } => Subject::TensorScale,
        }
    }
}

impl core::fmt::Display for Problem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.message().as_str())
    }
}

impl core::error::Error for Problem {}
