use alloc::boxed::Box;
use core::fmt;
use layout_core::dtype::{DType, Kind};
use layout_core::tiled::TiledSpec;

/// The reason why an array cannot be packed, unpacked, viewed or multiplied. Unless the documentation of a function states
/// otherwise, the function has then written nothing.
///
/// ```
/// use tensor_layout::{Layout, PackError, tiled};
/// let error = <tiled!(f32[2,3])>::pack(&[1.0; 5]).unwrap_err();
/// assert!(matches!(error, PackError::RowMajorLength { actual: 5, expected: 6, .. }));
/// assert_eq!(error.to_string(), "row-major array has 5 elements, but the layout `f32[2,3]{1,0}` has 6");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum PackError {
    /// A row-major array does not have one value for each element.
    #[error("row-major array has {actual} elements, but the layout `{layout}` has {expected}")]
    RowMajorLength { actual: usize, expected: usize, layout: Box<TiledSpec> },
    /// A row-major array does not have the bytes of one value for each element.
    #[error(
        "row-major array has {actual} bytes, but the elements of the layout `{layout}` take {expected}"
    )]
    RowMajorBytes { actual: usize, expected: usize, layout: Box<TiledSpec> },
    /// A packed array does not have the length of its layout.
    #[error("packed array has {actual} bytes, but the layout `{layout}` takes {expected}")]
    PackedLength { actual: usize, expected: usize, layout: Box<TiledSpec> },
    /// A view of bytes that are not aligned to the element.
    #[error(
        "packed array starts {past} bytes past a multiple of {align}, but `{dtype}` is aligned to {align} bytes"
    )]
    Misaligned { past: usize, align: usize, dtype: DType },
    /// A value sets bits that its type, narrower than a byte, does not have.
    #[error("{} at position {position} of the row-major array does not fit `{dtype}`, which has {} bits", Value(*.dtype, *.byte), .dtype.bits())]
    Value { byte: u8, position: usize, dtype: DType },
    /// The layout stores another element type.
    #[error("the elements are `{actual}`, but those of the layout `{layout}` are `{}`", .layout.dtype())]
    ElementType { actual: DType, layout: Box<TiledSpec> },
    /// A relayout between arrays of different shape or element type.
    #[error(
        "relayout keeps shape and element type, but `{destination}` does not have those of `{source_layout}`"
    )]
    Shape { source_layout: Box<TiledSpec>, destination: Box<TiledSpec> },
    /// The sizes of the arrays of an operation do not match.
    #[error("arrays of the layouts `{layout}` and `{other}` differ in size")]
    Sizes { layout: Box<TiledSpec>, other: Box<TiledSpec> },
    /// A window, a tile or a list of rows is not within the array, or the current size of a dimension is past its bound or
    /// differs from its fixed size.
    #[error("the window reaches out of dimension {dim} of the layout `{layout}`")]
    Window { dim: usize, layout: Box<TiledSpec> },
    /// A dimension without a size.
    #[error(
        "dimension {dim} of the layout `{layout}` is unbounded, so its size in memory is unknown; give it a bound, `<=n`"
    )]
    Unbounded { dim: usize, layout: Box<TiledSpec> },
    /// The layout has `SC`: the array is in several memories.
    #[error(
        "the layout `{layout}` splits the array between memories; pack each piece in a layout of its own"
    )]
    Split { layout: Box<TiledSpec> },
    /// A strided array does not have one stride for each dimension.
    #[error("{actual} strides are given, but the layout `{layout}` has {expected} dimensions")]
    Strides { actual: usize, expected: usize, layout: Box<TiledSpec> },
    /// The strides of an array lead out of its bytes.
    #[error(
        "with these strides, an array with the dimensions of `{layout}` reaches byte {reached}, but it has {len} bytes"
    )]
    StridesReach { reached: i128, len: usize, layout: Box<TiledSpec> },
    /// Memory for an array cannot be allocated.
    #[error("cannot allocate {bytes} bytes for the layout `{layout}`")]
    OutOfMemory { bytes: usize, layout: Box<TiledSpec> },
}

/// The host value of a type narrower than a byte.
struct Value(DType, u8);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind() {
            Kind::Signed => write!(f, "value {}", self.1 as i8),
            Kind::Float => write!(f, "bit pattern {:#x}", self.1),
            _ => write!(f, "value {}", self.1),
        }
    }
}
