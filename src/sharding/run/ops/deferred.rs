//! Results that can be partial: the caller decides whether devices exchange them.

use super::ElementOf;
use super::bounds::{AxesOfResult, NoMoreParts, NoMoreWhole};
use super::checked::{check, is_local, split};
use crate::element::Element;
use crate::movement::DynLayout;
use crate::sharding::run::{RunError, Sharded, Transport, reshard};
use crate::sharding::typed::{MeshType, OnMesh, ShardedLayout};
use crate::typed::Packed;
use crate::typed::entry::Const;
use alloc::vec;
use layout_core::sharding::shaped::{Finish, ShapedCall, Split};
use layout_core::sharding::{Padding, Shards};
use layout_core::tiled::TiledSpec;

pub(super) mod sealed {
    pub trait Sealed {}
}

/// An operation with its operands: the parameter of [`Deferred`].
pub trait Call: sealed::Sealed {
    /// The mesh of its operands.
    type Mesh: MeshType;
    /// How the result on devices is split if they exchange nothing: [`Made`](super::Made), or [`Unknown`](super::Unknown).
    type Made;
    #[doc(hidden)]
    const CALL: ShapedCall<'static>;
}

/// A bound of [`Deferred::local`] and [`Deferred::on`]: the operation has a result with elements of type `E`.
#[diagnostic::on_unimplemented(
    message = "the operation has no result with elements of type `{E}`",
    note = "a product has elements of the types that `matmul` makes of those of its operands; a sum has elements of the type of its terms, or of `S64` or `U64` for narrower integers; a maximum or a row has the same",
    note = "`convert` computes elements of another type: `y.convert::<Y>(|x| ..)?`"
)]
pub trait Compute<E: Element>: Call {
    /// Writes the result on this device to the packed array `bytes`, which is zero.
    #[doc(hidden)]
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError>;
}

/// An operation on shards that runs when its result is requested: [`local`](Self::local) leaves a part of the result on each
/// device if the operation sums over a dimension that is split, and [`on`](Self::on) exchanges the parts.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use tensor_layout::sharding::run::{RunError, Sharded, threads};
/// use tensor_layout::{mesh, sharded};
/// mesh! { Pod = ["data" = 2] }
/// type X = sharded!(f32[4,6] @ Pod [{"data"}, {}]);
/// type Parts = sharded!(f32[6] @ Pod [{}], unreduced={"data"});
/// type Sums = sharded!(f32[6] @ Pod [{}]);
///
/// let sums = threads::run(2, |transport| -> Result<[f32; 2], RunError> {
///     let x = Sharded::<X>::filled(1.0)?;
///     let sum = x.sum::<tensor_layout::sharding::run::ops::Dims1<0>>();   // nothing has run
///     let parts: Sharded<Parts> = sum.local()?;                           // of two rows
///     let sums: Sharded<Sums> = sum.on(transport)?;                       // of all four: an all-reduce
///     Ok([parts.local().get([0]), sums.local().get([0])])
/// });
/// assert_eq!(sums, [Ok([2.0, 4.0]), Ok([2.0, 4.0])]);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use = "the operation runs when `local` or `on` is called"]
pub struct Deferred<O>(pub(super) O);

impl<O: Call> Deferred<O> {
    /// Runs the operation on only the local array: devices exchange nothing. Along the axes that split the dimensions over which it
    /// sums, the result is `unreduced`.
    ///
    /// Does not compile unless the result is split as `Y` says.
    ///
    /// # Errors
    /// If memory cannot be allocated.
    pub fn local<Y>(&self) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<O::Mesh>
            + ShardedLayout<
                Axes: AxesOfResult<O::Made>,
                Unreduced: NoMoreParts<O::Made> + NoMoreWhole<O::Made>,
            >,
        O: Compute<ElementOf<Y>>,
    {
        const { check::<Y>(O::CALL) };
        self.computed()
    }

    fn computed<Y: ShardedLayout>(&self) -> Result<Sharded<Y>, RunError>
    where
        O: Compute<ElementOf<Y>>,
    {
        let mut local = Packed::<Y::Local>::zeroed()?;
        self.0.write(Const::<Y::Local>::SPEC, local.as_bytes_mut())?;
        Ok(Sharded::new(local))
    }

    /// Runs the operation, and then the collectives that reshard the result to `Y`: none, an all-reduce, a reduce-scatter, or any
    /// others. See [`reshard::plan`](crate::sharding::reshard::plan).
    ///
    /// Parts of a result have the element type of `Y`, in which they are sent.
    ///
    /// # Errors
    /// If memory for the result cannot be allocated, if the transport does not connect as many devices as the mesh has, or if a
    /// device cannot be reached.
    pub fn on<Y, T: Transport>(&self, transport: &mut T) -> Result<Sharded<Y>, RunError>
    where
        Y: OnMesh<O::Mesh>,
        O: Compute<ElementOf<Y>>,
    {
        let split: &Split = const { &split::<Y>(O::CALL, Finish::Reshard) };
        if const { is_local::<Y>(O::CALL) } {
            return self.computed();
        }
        let mesh = <O::Mesh as MeshType>::MESH;
        let (dtype, dims) = (<ElementOf<Y> as Element>::DTYPE, Const::<Y::Global>::SPEC.dims());
        let parts = split.sharding(&mesh, <O::Mesh as MeshType>::NAME);
        let shards = Shards::new(&parts, &mesh, dims, Padding::Allowed)?;
        let spec = TiledSpec::row_major(dtype, shards.local_dims())
            .ok_or_else(|| RunError::TooLarge { dims: dims.to_vec(), width: dtype.byte_width() })?;
        let mut packed = vec![0; spec.storage_bytes()];
        self.0.write(&spec, &mut packed)?;
        let mut shard = vec![0; spec.elements() * dtype.byte_width()];
        spec.unpack_bytes(&packed, &mut shard)?;
        let shard = reshard(transport, &mesh, (&parts, &Y::SHARDING), (dtype, dims), &shard)?;
        Sharded::from_local_bytes(&shard)
    }
}

/// The layout of the local arrays.
pub(super) type Local<L> = <L as ShardedLayout>::Local;

/// The host type of the elements.
pub(super) type HostOf<L> = <ElementOf<L> as Element>::Host;
