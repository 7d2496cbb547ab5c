//! The types that checkpoints store: tiled arrays, block-scaled arrays and sparse tensors.

use super::error::CheckpointError;
use super::sparse::{self, StoredElement};
use crate::element::Element;
use crate::movement::PackError;
use crate::movement::transfer::check_layout;
use crate::quantized::{
    Preset, Quantized, QuantizedLayout, QuantizedRef, QuantizedSpec, Scales, Stored,
};
use crate::sparse::{Encoding, ShapedTensor, SparseTensor, SparseTensorRef, StoredSparseSpec};
use crate::typed::types::Shape;
use crate::typed::{Layout, PackedRef};
use core::fmt;
use core::str::FromStr;
use layout_core::dtype::DType;
use layout_core::syntax::ParseError;
use layout_core::tiled::TiledSpec;
use std::boxed::Box;

/// A type whose arrays a checkpoint can store: every [`Layout`], every [`Quantized`] layout, [`SparseTensor`] and
/// [`ShapedTensor`].
///
/// ```
/// use tensor_layout::checkpoint::{Checkpoint, CheckpointError, Storable, View};
///
/// /// The first of these tensors that the checkpoint has.
/// fn first<'a, L: Storable>(
///     checkpoint: &'a Checkpoint,
///     names: &[&str],
/// ) -> Result<Option<View<'a, L>>, CheckpointError> {
///     let found = names.iter().find(|name| checkpoint.stored_spec(name).is_ok());
///     found.map(|name| checkpoint.get::<L>(name)).transpose()
/// }
/// # let _ = first::<tensor_layout::tiled!(f32[2])>;
/// ```
#[diagnostic::on_unimplemented(
    message = "a checkpoint does not store arrays of `{Self}`",
    note = "write a layout, `tiled!(..)`, `tpu!(..)` or `quantized!(..)`, or a sparse tensor, `sparse_tensor!(..)`"
)]
pub trait Storable: 'static {
    /// A view of an array in the file: [`PackedRef`], [`QuantizedRef`] or [`SparseTensorRef`].
    type View<'a>;

    /// Checks that the array `name`, which is stored in this layout, is of this type.
    ///
    /// # Errors
    /// If it is not. The error says what differs.
    fn check(name: &str, stored: &StoredSpec) -> Result<(), CheckpointError>;

    /// The view of the bytes of the array `name`, which [`Storable::check`] accepts.
    ///
    /// # Errors
    /// If `bytes` does not have the length of the layout, is not aligned to its elements, or is not a tensor of the encoding.
    fn view<'a>(
        name: &str,
        stored: &StoredSpec,
        bytes: &'a [u8],
    ) -> Result<Self::View<'a>, CheckpointError>;
}

/// The view of an array of the layout `L` that [`Checkpoint::get`](super::Checkpoint::get) returns.
pub type View<'a, L> = <L as Storable>::View<'a>;

impl<L: Layout> Storable for L {
    type View<'a> = PackedRef<'a, L>;

    fn check(name: &str, stored: &StoredSpec) -> Result<(), CheckpointError> {
        stored.check_is(name, L::SPEC.into())
    }

    fn view<'a>(
        name: &str,
        _: &StoredSpec,
        bytes: &'a [u8],
    ) -> Result<PackedRef<'a, L>, CheckpointError> {
        PackedRef::new(bytes).map_err(|source| CheckpointError::Pack { name: name.into(), source })
    }
}

#[diagnostic::do_not_recommend]
impl<E: Element, S: Shape, B: Scales, A: Stored> Storable for Quantized<E, S, B, A> {
    type View<'a> = QuantizedRef<'a, Self>;

    fn check(name: &str, stored: &StoredSpec) -> Result<(), CheckpointError> {
        stored.check_is(name, <Self as QuantizedLayout>::SPEC.into())
    }

    fn view<'a>(
        name: &str,
        _: &StoredSpec,
        bytes: &'a [u8],
    ) -> Result<QuantizedRef<'a, Self>, CheckpointError> {
        QuantizedRef::from_bytes(bytes)
            .map_err(|source| CheckpointError::Quantized { name: name.into(), source })
    }
}

/// A tensor of any sizes in the encoding.
#[diagnostic::do_not_recommend]
impl<E: Encoding, T: StoredElement> Storable for SparseTensor<E, T> {
    type View<'a> = SparseTensorRef<'a, E, T>;

    fn check(name: &str, stored: &StoredSpec) -> Result<(), CheckpointError> {
        let sizes = std::vec![None; E::SPEC.rank()];
        sparse::of_type(name, stored, &sparse::type_of::<E, T>(&sizes)).map(|_| ())
    }

    fn view<'a>(
        name: &str,
        stored: &StoredSpec,
        bytes: &'a [u8],
    ) -> Result<SparseTensorRef<'a, E, T>, CheckpointError> {
        let sizes = std::vec![None; E::SPEC.rank()];
        let stored = sparse::of_type(name, stored, &sparse::type_of::<E, T>(&sizes))?;
        sparse::view(name, stored, bytes)
    }
}

/// A tensor with the sizes of the type; a size that the type leaves open can have any value.
#[diagnostic::do_not_recommend]
impl<E: Encoding, T: StoredElement, S: Shape<Index = E::Index>> Storable for ShapedTensor<E, T, S> {
    type View<'a> = SparseTensorRef<'a, E, T>;

    fn check(name: &str, stored: &StoredSpec) -> Result<(), CheckpointError> {
        sparse::of_type(name, stored, &Self::SPEC).map(|_| ())
    }

    fn view<'a>(
        name: &str,
        stored: &StoredSpec,
        bytes: &'a [u8],
    ) -> Result<SparseTensorRef<'a, E, T>, CheckpointError> {
        sparse::view(name, sparse::of_type(name, stored, &Self::SPEC)?, bytes)
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
#[allow(clippy::large_enum_variant, reason = "it is `Copy`, as `TiledSpec` is")]
pub enum StoredSpec {
    /// Elements in tiles.
    Tiled(TiledSpec),
    /// Elements of a few bits, with a scale for each block.
    Quantized(QuantizedSpec),
    /// Positions, coordinates and values of a sparse tensor.
    Sparse(StoredSparseSpec),
}

impl StoredSpec {
    /// The layout, if it is tiled.
    pub const fn tiled(&self) -> Option<&TiledSpec> {
        match self {
            Self::Tiled(spec) => Some(spec),
            _ => None,
        }
    }

    /// The layout, if it is block-scaled.
    pub const fn quantized(&self) -> Option<&QuantizedSpec> {
        match self {
            Self::Quantized(spec) => Some(spec),
            _ => None,
        }
    }

    /// The layout, if it is that of a sparse tensor.
    pub const fn sparse(&self) -> Option<&StoredSparseSpec> {
        match self {
            Self::Sparse(spec) => Some(spec),
            _ => None,
        }
    }

    /// The logical sizes.
    pub fn dims(&self) -> &[usize] {
        match self {
            Self::Tiled(spec) => spec.dims(),
            Self::Quantized(spec) => spec.dims(),
            Self::Sparse(spec) => spec.dims(),
        }
    }

    /// The type of the stored elements, for a block-scaled array without scales.
    pub const fn element(&self) -> DType {
        match self {
            Self::Tiled(spec) => spec.dtype(),
            Self::Quantized(spec) => spec.element(),
            Self::Sparse(spec) => spec.element(),
        }
    }

    /// The type of the unpacked numbers: `f32` for a block-scaled array.
    pub const fn unpacked(&self) -> DType {
        match self {
            Self::Tiled(spec) => spec.dtype(),
            Self::Quantized(_) => DType::F32,
            Self::Sparse(spec) => spec.element(),
        }
    }

    /// The number of bytes, including padding.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Tiled(spec) => spec.storage_bytes(),
            Self::Quantized(spec) => spec.bytes(),
            Self::Sparse(spec) => spec.bytes(),
        }
    }

    /// Whether arrays of the layout can be stored.
    pub(super) fn check(&self) -> Result<(), PackError> {
        self.tiled().map_or(Ok(()), check_layout)
    }

    /// Checks that an array in this layout is one in the layout `wanted`.
    fn check_is(&self, name: &str, wanted: Self) -> Result<(), CheckpointError> {
        match self.is_same(&wanted) {
            true => Ok(()),
            false => Err(self.differs(name, wanted)),
        }
    }

    /// The error that an array in this layout is not in another one.
    pub(super) fn differs(&self, name: &str, wanted: Self) -> CheckpointError {
        let (stored, wanted) = (Box::new(*self), Box::new(wanted));
        CheckpointError::Layout { name: name.into(), stored, wanted }
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

/// Whether a text is intended to be a block-scaled layout: `q8_0[..]`, or a layout with `by`.
pub(super) fn is_quantized(text: &str) -> bool {
    let name = text.split('[').next().unwrap_or_default();
    Preset::from_name(name.trim()).is_some() || text.contains(" by ")
}

impl FromStr for StoredSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text.trim_start().starts_with("tensor") {
            return text.parse().map(Self::Sparse);
        }
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
            Self::Sparse(spec) => spec.fmt(f),
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

impl From<StoredSparseSpec> for StoredSpec {
    fn from(spec: StoredSparseSpec) -> Self {
        Self::Sparse(spec)
    }
}
