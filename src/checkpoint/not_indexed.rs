//! `checkpoint["name"]`, which does not exist: its error says what to write.

use super::Checkpoint;
use crate::sparse::no_brackets;

no_brackets! {
    [] [Checkpoint]
    /// The name in `checkpoint["name"]`.
    #[diagnostic::on_unimplemented(
        message = "a checkpoint has no tensors in brackets: `checkpoint.get::<L>(name)?` is a view of a tensor",
        label = "`L` is the layout of the tensor",
        note = "`checkpoint.names()` are the names of the tensors"
    )]
    NameInBrackets
}
