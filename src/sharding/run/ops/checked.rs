//! The types of operations, checked in const evaluation.

use super::ElementOf;
use crate::element::Element;
use crate::sharding::typed::{MeshType, ShardedLayout};
use crate::typed::entry::Const;
use crate::typed::sizes::is_bounded;
use core::marker::PhantomData;
use layout_core::sharding::shaped::{Finish, ShapedCall, ShapedOp, ShapedTensor, Split};
use layout_core::sharding::{MeshAxis, ReductionOp, TensorSharding};

/// The constants of a sharded array.
pub(super) struct Of<L>(PhantomData<L>);

impl<L: ShardedLayout> Of<L> {
    const SHARDING: &'static TensorSharding = &L::SHARDING;

    pub(super) const TENSOR: ShapedTensor<'static> = {
        if is_bounded::<L::Local>() {
            panic!(
                "an array with bounded dimensions has no operations on shards: use sizes without `<=`"
            )
        }
        ShapedTensor { dims: Const::<L::Global>::SPEC.dims(), sharding: Self::SHARDING }
    };

    /// The array as the only operand of an operation.
    pub(super) const ALONE: &'static [ShapedTensor<'static>] = &[Self::TENSOR];

    const MESH: &'static [MeshAxis] = <L::Mesh as MeshType>::AXES;
}

/// The constants of two sharded arrays.
pub(super) struct Both<L, R>(PhantomData<(L, R)>);

impl<L: ShardedLayout, R: ShardedLayout> Both<L, R> {
    pub(super) const TENSORS: &'static [ShapedTensor<'static>] =
        &[Of::<L>::TENSOR, Of::<R>::TENSOR];
}

/// A call of an operation whose first operand is `L`.
pub(super) const fn call<L: ShardedLayout>(
    name: &'static str,
    op: ShapedOp<'static>,
    operands: &'static [ShapedTensor<'static>],
) -> ShapedCall<'static> {
    ShapedCall {
        name,
        op,
        mesh: Of::<L>::MESH,
        operands,
        dtype: <ElementOf<L> as Element>::DTYPE,
        reduction: ReductionOp::Sum,
    }
}

/// How the result of a call is split. Fails const evaluation if it cannot have the type `Y`.
#[track_caller]
pub(super) const fn split<Y: ShardedLayout>(call: ShapedCall<'static>, finish: Finish) -> Split {
    match call.split(&Of::<Y>::TENSOR, finish) {
        Ok(split) => split,
        Err(message) => panic!("{}", message.as_str()),
    }
}

/// Fails const evaluation unless devices that run the call on their local arrays have a result of the type `Y`.
#[track_caller]
pub(super) const fn check<Y: ShardedLayout>(call: ShapedCall<'static>) {
    let _ = split::<Y>(call, Finish::Local);
}

/// Whether devices that run the call on their local arrays have a result of the type `Y`.
pub(super) const fn is_local<Y: ShardedLayout>(call: ShapedCall<'static>) -> bool {
    call.split(&Of::<Y>::TENSOR, Finish::Local).is_ok()
}
