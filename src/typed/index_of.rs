//! Indices as arguments.

/// Requires an argument to be an index of an array: `I: IndexOf<L::Index>` means `I = L::Index`, with an error message that names
/// both types.
///
/// Users rarely name it: an array of numbers, `[1, 2]`, meets it for layouts of two dimensions.
///
/// ```
/// use tensor_layout::{Layout, tiled, tpu};
/// let x = <tpu!(f32[4,4])>::pack(&[1.0; 16])?;
/// assert_eq!(x.slice::<tiled!(f32[2,2])>([1, 2]).total(), 4.0);   // `[1, 2]` is `IndexOf<[usize; 2]>`
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the index of an array is `{I}`, with a number for each dimension, not `{Self}`",
    label = "expected `{I}`",
    note = "one element is `x[[i, j]]` or `x.get([i, j])`; `x.slice::<M>([i, j])` copies the part that begins there and has the sizes of `M`; a function for all layouts of two dimensions has the bound `L: WithRank<2>`"
)]
pub trait IndexOf<I> {
    /// `T`. Without this detour, rustc would take what a wrong index reads for an element, and `x[0][1]` for two mistakes.
    #[doc(hidden)]
    type Element<T>;
    #[doc(hidden)]
    fn index(self) -> I;
    #[doc(hidden)]
    fn element<T>(element: &T) -> &Self::Element<T>;
    #[doc(hidden)]
    fn element_mut<T>(element: &mut T) -> &mut Self::Element<T>;
}

#[diagnostic::do_not_recommend]
impl<I> IndexOf<I> for I {
    type Element<T> = T;

    #[inline]
    fn index(self) -> I {
        self
    }

    #[inline]
    fn element<T>(element: &T) -> &T {
        element
    }

    #[inline]
    fn element_mut<T>(element: &mut T) -> &mut T {
        element
    }
}
