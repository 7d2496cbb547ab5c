//! The meaning of the name of a layout in a position where a value is expected: an error that states what to write instead.
//!
//! The crate exports this `Tiled` by a glob, so that it is hidden behind the type of that name except as a value.

use core::convert::Infallible;

/// Represents a layout that is written as a value, `let layout = tiled!(f32[3,5]);`, which does not compile.
pub struct Tiled<E: AValue, S = (), O = (), T = (), A = ()>(
    pub core::marker::PhantomData<(E, S, O, T, A)>,
    pub Infallible,
);

/// Implemented by no type.
#[diagnostic::on_unimplemented(
    message = "expected a value, found a layout, which is a type",
    label = "a type, and not a value",
    note = "`type L = tiled!(..);` names it: `L::pack(&values)?` makes an array, and `x.relayout::<L>()` takes the type",
    note = "the layout as a value is `L::SPEC`, a `TiledSpec`, which is the type of layouts that are known only at run time"
)]
pub trait AValue {}
