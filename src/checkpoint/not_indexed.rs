//! `checkpoint["name"]`, which does not exist: its error says what to write.

use super::Checkpoint;
use core::convert::Infallible;
use core::ops::Index;

/// The name in `checkpoint["name"]`.
#[diagnostic::on_unimplemented(
    message = "a checkpoint has no tensors in brackets: `checkpoint.get::<L>(name)?` is a view of a tensor",
    label = "`L` is the layout of the tensor",
    note = "`checkpoint.names()` are the names of the tensors"
)]
pub trait NameInBrackets {
    /// No tensor. Without this type, rustc would take what the brackets return for a second mistake.
    type Tensor: 'static;
    #[doc(hidden)]
    fn tensor<'a>(self) -> &'a Self::Tensor;
}

// With no implementation at all, rustc would propose to add one.
#[diagnostic::do_not_recommend]
impl NameInBrackets for Infallible {
    type Tensor = Self;

    fn tensor<'a>(self) -> &'a Self {
        match self {}
    }
}

#[doc(hidden)]
impl<N: NameInBrackets> Index<N> for Checkpoint {
    type Output = N::Tensor;

    fn index(&self, name: N) -> &N::Tensor {
        name.tensor()
    }
}
