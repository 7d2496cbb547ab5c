//! The meaning of the names of sharded arrays in a position where a value is expected: an error that states what to write instead.
//!
//! The module of shardings exports these names by a glob, so that each is hidden behind the type of that name except as a value.

use core::convert::Infallible;
use core::marker::PhantomData;

/// Represents a sharded array that is written as a value, `let x = sharded!(..);`, which does not compile.
#[allow(clippy::type_complexity, reason = "the parameters are the sharding")]
pub struct ShardedArray<
    G: ShardingAsValue,
    L = (),
    M = (),
    D = (),
    R = (),
    U = (),
    const PADDED: bool = false,
>(pub PhantomData<(G, L, M, D, R, U)>, pub Infallible);

/// Represents a sharded sparse tensor that is written as a value, which does not compile.
#[cfg(feature = "sparse")]
#[allow(clippy::type_complexity, reason = "the parameters are the sharding")]
pub struct ShardedSparse<
    E: ShardingAsValue,
    T = (),
    S = (),
    L = (),
    M = (),
    D = (),
    R = (),
    const PADDED: bool = false,
>(pub PhantomData<(E, T, S, L, M, D, R)>, pub Infallible);

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "expected a value, found a sharded array, which is a type",
    label = "a type, and not a value",
    note = "`type X = sharded!(..);` names it: `X::shards()` describes its parts, and `Sharded::<X>::scatter(..)` gives each device its own",
    note = "the sharding as a value is `X::SHARDING`, a `TensorSharding`, which is the type of shardings that are known only at run time"
)]
pub trait ShardingAsValue {}
