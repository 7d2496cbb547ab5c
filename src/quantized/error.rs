use alloc::boxed::Box;
use layout_core::quantized::QuantizedSpec;

/// Why a block-scaled array cannot be packed, viewed or multiplied.
///
/// ```
/// use tensor_layout::quantized;
/// use tensor_layout::quantized::QuantizedError;
/// let mut values = [1.0; 64];
/// values[40] = f32::NAN;
/// let error = <quantized!(q8_0[2,32])>::pack(&values).unwrap_err();
/// assert!(matches!(error, QuantizedError::NotFinite { position: 40, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are what the message of the variant says")]
#[non_exhaustive]
pub enum QuantizedError {
    /// A row-major array that does not have one value for each element.
    #[error("row-major array has {actual} elements, but the layout `{layout}` has {expected}")]
    RowMajorLength { actual: usize, expected: usize, layout: Box<QuantizedSpec> },
    /// A packed array that is longer or shorter than its layout.
    #[error("packed array has {actual} bytes, but the layout `{layout}` takes {expected}")]
    PackedLength { actual: usize, expected: usize, layout: Box<QuantizedSpec> },
    /// A value that is infinite or not a number.
    #[error(
        "the value at position {position} of the row-major array is not finite, so its block of `{layout}` has no scale"
    )]
    NotFinite { position: usize, layout: Box<QuantizedSpec> },
    /// A block whose scale exceeds the largest number of the type of the scales.
    #[error("the values from position {position} of the row-major array on are too large for a scale of `{}`", .layout.scale())]
    ScaleOverflow { position: usize, layout: Box<QuantizedSpec> },
    /// Activations that are not whole rows.
    #[error(
        "{actual} activations are not rows of {columns}, the size of the last dimension of `{layout}`"
    )]
    Activations { actual: usize, columns: usize, layout: Box<QuantizedSpec> },
    /// An activation that is quantized is infinite or not a number.
    #[error(
        "activation {position}, which is multiplied by `{layout}`, is not finite, and `s8` has no code for it"
    )]
    ActivationNotFinite { position: usize, layout: Box<QuantizedSpec> },
    /// Elements that are not multiplied by activations of `s8`.
    #[error(
        "`{layout}` is not multiplied by activations of `s8`: elements must be `s8`, `s4` or `f4e2m1fn`, in blocks of 32 or more\nhelp: `matmul` multiplies by all formats"
    )]
    NotIntegers { layout: Box<QuantizedSpec> },
    /// A result of another size.
    #[error("the result has {actual} elements, but the product with `{layout}` has {expected}")]
    ResultLength { actual: usize, expected: usize, layout: Box<QuantizedSpec> },
    /// There is no memory for an array.
    #[error("cannot allocate {bytes} bytes for the layout `{layout}`")]
    OutOfMemory { bytes: usize, layout: Box<QuantizedSpec> },
}
