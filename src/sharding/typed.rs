//! Shardings as types.

use crate::typed::Layout;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::ops::Range;
use layout_core::sharding::draw::Sharded;
use layout_core::sharding::{
    AxisRef, DimSharding, HloSharding, Mesh, MeshAxis, MeshRef, Padding, Shards, TensorSharding,
};
use layout_core::text::Text;

mod sealed {
    pub trait Sealed {}
}
use sealed::Sealed;

/// A mesh as a type, which `mesh!` defines.
///
/// ```
/// use tensor_layout::mesh;
/// use tensor_layout::sharding::MeshType;
/// # fn main() {
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// assert_eq!(Pod::MESH.to_string(), r#"<["data"=2, "model"=4]>"#);
/// assert_eq!(Pod::MESH.devices(), 8);
/// # }
/// ```
pub trait MeshType: 'static {
    /// Its name.
    const NAME: &'static str;
    /// Its axes, the most major one first.
    const AXES: &'static [MeshAxis];
    /// The ids of its devices; empty if they are 0, 1, 2 and so on.
    const DEVICE_IDS: &'static [usize];
    /// The run-time twin.
    const MESH: Mesh = Mesh::constant(Self::AXES, Self::DEVICE_IDS);
}

/// An array that is split over a mesh, as a type.
///
/// ```
/// use tensor_layout::sharding::{MeshAxis, MeshType, ShardedArray, ShardedLayout, types::{Closed, FullAxis}};
/// use tensor_layout::{F32, Layout, Tiled, types::{Order1, Shape1}};
///
/// struct Pod;   // mesh! { Pod = ["data" = 2, "model" = 4] }
/// impl MeshType for Pod {
///     const NAME: &'static str = "Pod";
///     const AXES: &'static [MeshAxis] = &[MeshAxis::constant("data", 2), MeshAxis::constant("model", 4)];
///     const DEVICE_IDS: &'static [usize] = &[];
/// }
/// // sharded!(f32[1024] @ Pod [{"model"}])
/// type X = ShardedArray<Tiled<F32, Shape1<1024>, Order1<0>>, Tiled<F32, Shape1<256>, Order1<0>>, Pod, (Closed<(FullAxis<1>,)>,)>;
/// assert_eq!(X::SHARDING.to_string(), r#"<@Pod, [{"model"}]>"#);
/// assert_eq!(<X as ShardedLayout>::Local::DIMS, [256]);
/// assert_eq!(X::locate([700]), (2, [188]));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a sharded array",
    label = "not a type that `sharded!` makes",
    note = "`sharded!(f32[8,16] @ Pod [{{\"data\"}}, {{}}])` is one, of the mesh that `mesh!` made"
)]
pub trait ShardedLayout: Sealed + 'static {
    /// The whole array.
    type Global: Layout;
    /// The part on each device.
    type Local: Layout<
            Element = <Self::Global as Layout>::Element,
            Rank = <Self::Global as Layout>::Rank,
            Index = <Self::Global as Layout>::Index,
        >;
    /// The devices.
    type Mesh: MeshType;
    /// The axes that split each dimension, for bounds: a tuple of tuples.
    type Axes;
    /// The axes along which the array is unreduced, for bounds.
    type Unreduced: types::Unreduced;
    /// How the array is split.
    const SHARDING: TensorSharding;
    /// Whether the last devices along a dimension can have fewer indices than [`ShardedLayout::Local`].
    const PADDING: Padding;
    /// The number of devices.
    const DEVICES: usize = {
        let (mut devices, mut axis) = (1, 0);
        while axis < Self::Mesh::AXES.len() {
            devices *= Self::Mesh::AXES[axis].size();
            axis += 1;
        }
        devices
    };

    /// The shards, which the functions below use. Keep them if you call these functions often.
    ///
    /// # Panics
    /// If the sharding does not match the array. A sharding that `sharded!` wrote always does.
    fn shards() -> Shards {
        let dims = <Self::Global as Layout>::DIMS;
        let mesh = <Self::Mesh as MeshType>::MESH;
        match Shards::new(&Self::SHARDING, &mesh, dims.as_ref(), Self::PADDING) {
            Ok(shards) => shards,
            Err(error) => panic!("{error}"),
        }
    }

    /// The run-time twin, which can be drawn.
    ///
    /// # Panics
    /// As for [`ShardedLayout::shards`].
    fn sharded() -> Sharded {
        Sharded::new(Self::Global::SPEC, Self::Local::SPEC, Self::SHARDING, Self::shards())
    }

    /// The range of indices, in each dimension, of the device with the id `device`; `None` if the mesh has no such device.
    fn slice(device: usize) -> Option<Vec<Range<usize>>> {
        Self::shards().slice(device)
    }

    /// The id of the first device in mesh order that has the element at `index`, and the index of the element in its local array.
    ///
    /// # Panics
    /// If `index` is out of bounds, as slice indexing does.
    #[track_caller]
    fn locate(index: <Self::Global as Layout>::Index) -> (usize, <Self::Global as Layout>::Index) {
        let (device, found) = Self::shards().locate(index.as_ref());
        (device, array(&found))
    }

    /// The global index of the element at `local` on the device with the id `device`; `None` for padding, or if the mesh has no
    /// such device.
    fn global(
        device: usize,
        local: <Self::Global as Layout>::Index,
    ) -> Option<<Self::Global as Layout>::Index> {
        Self::shards().global(device, local.as_ref()).map(|index| array(&index))
    }

    /// The sharding in the notation of HLO.
    fn hlo() -> HloSharding {
        Self::shards().hlo()
    }
}

/// Requires a sharded array to be on the mesh `M`: it means `ShardedLayout<Mesh = M>`, with a more specific error message.
///
/// ```
/// use tensor_layout::sharding::{MeshType, OnMesh};
/// use tensor_layout::{mesh, sharded};
///
/// fn devices<M: MeshType, A: OnMesh<M>, B: OnMesh<M>>() -> usize {
///     A::DEVICES
/// }
/// # fn main() {
/// mesh! { Pod = ["data" = 2] }
/// type X = sharded!(f32[8] @ Pod [{"data"}]);
/// assert_eq!(devices::<Pod, X, X>(), 2);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the array is not on the mesh `{M}`",
    label = "on another mesh",
    note = "an operation takes arrays on one mesh; `gather` an array and `scatter` it to move it to another"
)]
pub trait OnMesh<M>: ShardedLayout {}

#[diagnostic::do_not_recommend]
impl<L: ShardedLayout<Mesh: Is<M>>, M> OnMesh<M> for L {}

/// The type `M`.
#[doc(hidden)]
pub trait Is<M> {}

#[diagnostic::do_not_recommend]
impl<M> Is<M> for M {}

/// The size of the local dimension, for a global size that only rustc knows.
///
/// # Panics
/// If the parts do not divide the size, or it is zero, unless it may be padded; in const evaluation that is a compile error.
#[doc(hidden)]
#[track_caller]
pub const fn shard_size(size: usize, parts: usize, padded: bool) -> usize {
    if parts == 1 {
        return size;
    }
    if size == 0 && !padded {
        panic!(
            "a dimension without elements cannot be sharded, unless `padded` follows the sharding"
        );
    }
    if !padded && !size.is_multiple_of(parts) {
        let text = Text::new().str("a dimension of size ").num(size);
        let text = text.str(" is not divisible by its sharded size ").num(parts);
        let text = text.str("; use a size of ").num(size.div_ceil(parts) * parts);
        let text =
            text.str(", or write `padded` after the sharding if the last devices may hold less");
        panic!("{}", text.as_str())
    }
    size.div_ceil(parts)
}

/// An index of a known rank.
pub(crate) fn array<I: Default + AsMut<[usize]>>(index: &[usize]) -> I {
    let mut array = I::default();
    array.as_mut().copy_from_slice(index);
    array
}

/// An array of layout `G` that is split over the mesh `M`, so that each device has an array of layout `L`.
///
/// Write it with the macro `sharded!`; the type has no values. `D` are the dimensions, `R` the replicated and `U` the
/// unreduced axes.
///
/// ```
/// use tensor_layout::{Layout, ShardedLayout, mesh, sharded};
/// # fn main() {
/// mesh! { Pod = ["data" = 2, "model" = 4] }
/// type W = sharded!(bf16[512,1024] @ Pod [{}, {"model"}]);
/// assert_eq!(<W as ShardedLayout>::Local::DIMS, [512, 256]);
/// assert_eq!(W::slice(1).unwrap(), [0..512, 256..512]);
/// # }
/// ```
#[allow(clippy::type_complexity, reason = "the parameters are the sharding")]
pub struct ShardedArray<G, L, M, D, R = (), U = (), const PADDED: bool = false> {
    marker: PhantomData<fn() -> (G, L, M, D, R, U)>,
}

impl<G, L, M, D, R, U, const PADDED: bool> Sealed for ShardedArray<G, L, M, D, R, U, PADDED> {}

impl<G, L, M, D, R, U, const PADDED: bool> ShardedLayout for ShardedArray<G, L, M, D, R, U, PADDED>
where
    G: Layout,
    L: Layout<Element = G::Element, Rank = G::Rank, Index = G::Index>,
    M: MeshType,
    D: types::Dims<M> + 'static,
    R: types::Axes<M> + 'static,
    U: types::Axes<M> + types::Unreduced + 'static,
{
    type Global = G;
    type Local = L;
    type Mesh = M;
    type Axes = D::Axes;
    type Unreduced = U;
    const SHARDING: TensorSharding = TensorSharding {
        mesh: MeshRef::Name(Cow::Borrowed(M::NAME)),
        dims: Cow::Borrowed(D::LIST),
        replicated: Cow::Borrowed(R::LIST),
        unreduced: Cow::Borrowed(U::LIST),
        reduction: U::REDUCTION,
    };
    const PADDING: Padding = if PADDED { Padding::Allowed } else { Padding::Forbidden };
}

/// The items of [`ShardedLayout`], without importing it.
impl<G, L, M, D, R, U, const PADDED: bool> ShardedArray<G, L, M, D, R, U, PADDED>
where
    Self: ShardedLayout,
{
    /// See [`ShardedLayout::SHARDING`].
    pub const SHARDING: TensorSharding = <Self as ShardedLayout>::SHARDING;
    /// See [`ShardedLayout::DEVICES`].
    pub const DEVICES: usize = <Self as ShardedLayout>::DEVICES;

    /// See [`ShardedLayout::shards`].
    ///
    /// # Panics
    /// If the sharding does not match the array.
    pub fn shards() -> Shards {
        <Self as ShardedLayout>::shards()
    }

    /// See [`ShardedLayout::slice`].
    pub fn slice(device: usize) -> Option<Vec<Range<usize>>> {
        <Self as ShardedLayout>::slice(device)
    }
}

/// The types of which the type of a sharded array consists, as [`sharded!`](crate::sharded!) writes them: axes, by their number in
/// the mesh, and dimensions.
pub mod types {
    pub use crate::sharding::local_shape::LocalShape;

    use super::{AxisRef, Cow, DimSharding, MeshType, PhantomData, Sealed};
    use layout_core::sharding::ReductionOp;

    /// Axis number `INDEX` of a mesh: `{"data"}` in [`sharded!`](crate::sharded!).
    pub struct FullAxis<const INDEX: usize>;
    /// A part of axis number `INDEX` of a mesh, with the pre-size `PRE` and the size `SIZE`: `{"data":(1)2}` in
    /// [`sharded!`](crate::sharded!).
    pub struct SubAxis<const INDEX: usize, const PRE: usize, const SIZE: usize>;
    /// A dimension that is split along the axes `A` and along no others.
    pub struct Closed<A>(PhantomData<A>);
    /// A dimension that is split along the axes `A`, and that propagation may split further.
    pub struct Open<A>(PhantomData<A>);
    /// The dimension `D`, which takes part in round `PRIORITY` of propagation.
    pub struct Prioritized<D, const PRIORITY: usize>(PhantomData<D>);

    /// An axis of the mesh `M`: [`FullAxis`] or [`SubAxis`].
    pub trait Axis<M>: Sealed {
        /// The axis.
        const AXIS: AxisRef;
    }

    /// A list of axes of the mesh `M`: a tuple of up to 16 axes, or such a tuple in [`Max`] or [`Min`].
    pub trait Axes<M>: Sealed {
        /// The axes.
        const LIST: &'static [AxisRef];
        /// How the partial results along them are combined, if they are unreduced.
        const REDUCTION: ReductionOp = ReductionOp::Sum;
    }

    /// Unreduced axes `A` whose devices hold values that are combined by their maximum: `unreduced=max{"a"}`.
    pub struct Max<A>(PhantomData<A>);
    /// Unreduced axes `A` whose devices hold values that are combined by their minimum: `unreduced=min{"a"}`.
    pub struct Min<A>(PhantomData<A>);

    /// The axes along which an array is unreduced: a tuple of axes, which is empty for an array whose devices have whole elements.
    pub trait Unreduced: Sealed {
        /// Whether there are any: [`Whole`] or [`Parts`].
        type Values;
    }

    /// The devices of an array have whole elements: [`Unreduced::Values`] of an array without unreduced axes.
    #[derive(Debug)]
    pub struct Whole;
    /// The devices of an array have parts of its elements: [`Unreduced::Values`] of an array with unreduced axes.
    #[derive(Debug)]
    pub struct Parts;

    impl<A: Sealed> Unreduced for Max<A> {
        type Values = Parts;
    }
    impl<A: Sealed> Unreduced for Min<A> {
        type Values = Parts;
    }

    impl<A: Sealed> Sealed for Max<A> {}
    impl<M, A: Axes<M>> Axes<M> for Max<A> {
        const LIST: &'static [AxisRef] = A::LIST;
        const REDUCTION: ReductionOp = ReductionOp::Max;
    }

    impl<A: Sealed> Sealed for Min<A> {}
    impl<M, A: Axes<M>> Axes<M> for Min<A> {
        const LIST: &'static [AxisRef] = A::LIST;
        const REDUCTION: ReductionOp = ReductionOp::Min;
    }

    /// How a dimension is split over the mesh `M`: [`Closed`], [`Open`] or [`Prioritized`].
    pub trait Dim<M>: Sealed {
        /// Its axes.
        type Axes;
        /// The dimension.
        const DIM: DimSharding;
    }

    /// How the dimensions of an array are split: a tuple of up to 16 [`Dim`]s.
    pub trait Dims<M>: Sealed {
        /// The axes of each.
        type Axes;
        /// The dimensions.
        const LIST: &'static [DimSharding];
    }

    const fn name<M: MeshType>(index: usize) -> Cow<'static, str> {
        Cow::Borrowed(M::AXES[index].constant_name())
    }

    impl<const INDEX: usize> Sealed for FullAxis<INDEX> {}
    impl<M: MeshType, const INDEX: usize> Axis<M> for FullAxis<INDEX> {
        const AXIS: AxisRef = AxisRef { name: name::<M>(INDEX), sub: None };
    }

    impl<const INDEX: usize, const PRE: usize, const SIZE: usize> Sealed for SubAxis<INDEX, PRE, SIZE> {}
    impl<M: MeshType, const INDEX: usize, const PRE: usize, const SIZE: usize> Axis<M>
        for SubAxis<INDEX, PRE, SIZE>
    {
        const AXIS: AxisRef = AxisRef {
            name: name::<M>(INDEX),
            sub: Some(layout_core::sharding::SubAxis { pre: PRE, size: SIZE }),
        };
    }

    impl<A: Sealed> Sealed for Closed<A> {}
    impl<M, A: Axes<M>> Dim<M> for Closed<A> {
        type Axes = A;
        const DIM: DimSharding =
            DimSharding { axes: Cow::Borrowed(A::LIST), open: false, priority: None };
    }

    impl<A: Sealed> Sealed for Open<A> {}
    impl<M, A: Axes<M>> Dim<M> for Open<A> {
        type Axes = A;
        const DIM: DimSharding =
            DimSharding { axes: Cow::Borrowed(A::LIST), open: true, priority: None };
    }

    impl<D: Sealed, const PRIORITY: usize> Sealed for Prioritized<D, PRIORITY> {}
    impl<M, A: Axes<M>, const PRIORITY: usize> Dim<M> for Prioritized<Closed<A>, PRIORITY> {
        type Axes = A;
        const DIM: DimSharding =
            DimSharding { axes: Cow::Borrowed(A::LIST), open: false, priority: Some(PRIORITY) };
    }
    impl<M, A: Axes<M>, const PRIORITY: usize> Dim<M> for Prioritized<Open<A>, PRIORITY> {
        type Axes = A;
        const DIM: DimSharding =
            DimSharding { axes: Cow::Borrowed(A::LIST), open: true, priority: Some(PRIORITY) };
    }

    impl Unreduced for () {
        type Values = Whole;
    }

    macro_rules! values {
        () => {};
        ($($T:ident)+) => {
            impl<$($T: Sealed),*> Unreduced for ($($T,)*) {
                type Values = Parts;
            }
        };
    }

    macro_rules! tuples {
        ($(($($T:ident)*))*) => { $(
            values! { $($T)* }
            impl<$($T: Sealed),*> Sealed for ($($T,)*) {}
            impl<M, $($T: Axis<M>),*> Axes<M> for ($($T,)*) {
                const LIST: &'static [AxisRef] = &[$($T::AXIS),*];
            }
            impl<M, $($T: Dim<M>),*> Dims<M> for ($($T,)*) {
                type Axes = ($($T::Axes,)*);
                const LIST: &'static [DimSharding] = &[$($T::DIM),*];
            }
        )* };
    }
    tuples! {
        () (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
        (A B C D E F G H I)
        (A B C D E F G H I J)
        (A B C D E F G H I J K)
        (A B C D E F G H I J K L)
        (A B C D E F G H I J K L N)
        (A B C D E F G H I J K L N O)
        (A B C D E F G H I J K L N O P)
        (A B C D E F G H I J K L N O P Q)
    }
}
