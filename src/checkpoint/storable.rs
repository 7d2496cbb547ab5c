//! What checkpoints store: tiled arrays and block-scaled ones.

use super::error::CheckpointError;
use crate::element::Element;
use crate::movement::PackError;
use crate::movement::transfer::check_layout;
use crate::quantized::{
    Preset, Quantized, QuantizedLayout, QuantizedRef, QuantizedSpec, Scales, Stored,
};
use crate::typed::types::Shape;
use crate::typed::{Layout, PackedRef};
use core::fmt;
use core::str::FromStr;
use layout_core::dtype::DType;
use layout_core::syntax::ParseError;
use layout_core::tiled::TiledSpec;

/// A layout whose arrays a checkpoint stores: every [`Layout`], and every [`Quantized`] one.
#[diagnostic::on_unimplemented(
    message = "a checkpoint does not store arrays of `{Self}`",
    note = "write a layout: `tiled!(..)`, `tpu!(..)` or `quantized!(..)`"
)]
pub trait Storable: 'static {
    /// An array where it lies in the file: [`PackedRef`] or [`QuantizedRef`].
    type View<'a>;

    /// The layout as a value.
    fn stored_spec() -> StoredSpec;

    /// The view of the bytes of an array that is called `name`.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout, or is not aligned as its elements are.
    fn view<'a>(name: &str, bytes: &'a [u8]) -> Result<Self::View<'a>, CheckpointError>;
}

/// The view that [`Checkpoint::get`](super::Checkpoint::get) gives of an array of the layout `L`.
pub type View<'a, L> = <L as Storable>::View<'a>;

impl<L: Layout> Storable for L {
    type View<'a> = PackedRef<'a, L>;

    fn stored_spec() -> StoredSpec {
        L::SPEC.into()
    }

    fn view<'a>(name: &str, bytes: &'a [u8]) -> Result<PackedRef<'a, L>, CheckpointError> {
        PackedRef::new(bytes).map_err(|source| CheckpointError::Pack { name: name.into(), source })
    }
}

impl<E: Element, S: Shape, B: Scales, A: Stored> Storable for Quantized<E, S, B, A> {
    type View<'a> = QuantizedRef<'a, Self>;

    fn stored_spec() -> StoredSpec {
        <Self as QuantizedLayout>::SPEC.into()
    }

    fn view<'a>(name: &str, bytes: &'a [u8]) -> Result<QuantizedRef<'a, Self>, CheckpointError> {
        QuantizedRef::from_bytes(bytes)
            .map_err(|source| CheckpointError::Quantized { name: name.into(), source })
    }
}

/// The layout of a stored array as a value. Displays as its canonical text.
///
/// ```
/// use tensor_layout::checkpoint::StoredSpec;
/// let spec: StoredSpec = "q8_0[4096,4096]".parse()?;
/// assert_eq!(spec.to_string(), "s8[4096,4096] by f16[1,32] in blocks");
/// assert_eq!((spec.dims(), spec.bytes()), (&[4096, 4096][..], 4096 * 4096 / 32 * 34));
/// assert!("bf16[64,64]{1,0:T(8,128)(2,1)}".parse::<StoredSpec>()?.tiled().is_some());
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant, reason = "it is copied as `TiledSpec` is")]
pub enum StoredSpec {
    /// Elements in tiles.
    Tiled(TiledSpec),
    /// Elements of a few bits, with a scale for each block.
    Quantized(QuantizedSpec),
}

impl StoredSpec {
    /// The layout, if it is a tiled one.
    pub const fn tiled(&self) -> Option<&TiledSpec> {
        match self {
            Self::Tiled(spec) => Some(spec),
            Self::Quantized(_) => None,
        }
    }

    /// The layout, if it is a block-scaled one.
    pub const fn quantized(&self) -> Option<&QuantizedSpec> {
        match self {
            Self::Tiled(_) => None,
            Self::Quantized(spec) => Some(spec),
        }
    }

    /// The logical sizes.
    pub fn dims(&self) -> &[usize] {
        match self {
            Self::Tiled(spec) => spec.dims(),
            Self::Quantized(spec) => spec.dims(),
        }
    }

    /// The type of the stored elements; of a block-scaled array, without their scales.
    pub const fn element(&self) -> DType {
        match self {
            Self::Tiled(spec) => spec.dtype(),
            Self::Quantized(spec) => spec.element(),
        }
    }

    /// The type of the numbers that the array unpacks to: `f32` for a block-scaled one.
    pub const fn unpacked(&self) -> DType {
        match self {
            Self::Tiled(spec) => spec.dtype(),
            Self::Quantized(_) => DType::F32,
        }
    }

    /// The number of bytes, padding included.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Tiled(spec) => spec.storage_bytes(),
            Self::Quantized(spec) => spec.bytes(),
        }
    }

    /// Whether arrays of the layout can be stored.
    pub(super) fn check(&self) -> Result<(), PackError> {
        self.tiled().map_or(Ok(()), check_layout)
    }

    /// Whether an array in this layout is one in the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Tiled(a), Self::Tiled(b)) => {
                a == b
                    || a.dims() == b.dims()
                        && a.storage_bytes() == b.storage_bytes()
                        && a.same_bytes(b)
            }
            _ => self == other,
        }
    }
}

/// Whether a text is meant as a block-scaled layout: `q8_0[..]`, or a layout with `by`.
pub(super) fn is_quantized(text: &str) -> bool {
    let name = text.split('[').next().unwrap_or_default();
    Preset::from_name(name.trim()).is_some() || text.contains(" by ")
}

impl FromStr for StoredSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match is_quantized(text) {
            true => text.parse().map(Self::Quantized),
            false => text.parse().map(Self::Tiled),
        }
    }
}

impl fmt::Display for StoredSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tiled(spec) => spec.fmt(f),
            Self::Quantized(spec) => spec.fmt(f),
        }
    }
}

impl From<TiledSpec> for StoredSpec {
    fn from(spec: TiledSpec) -> Self {
        Self::Tiled(spec)
    }
}

impl From<QuantizedSpec> for StoredSpec {
    fn from(spec: QuantizedSpec) -> Self {
        Self::Quantized(spec)
    }
}
