//! Elements in row-major order as arguments.

/// Requires an argument to hold elements `T` in row-major order: a slice, an array or a `Vec`.
///
/// ```
/// use tensor_layout::tpu;
/// type L = tpu!(f32[2,3]);
/// assert!(L::pack(&[1.0; 6])? == L::pack(&vec![1.0; 6])?);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold elements `{T}` in row-major order",
    label = "expected a slice of `{T}`",
    note = "numbers are written in the type of the elements, `1.0` for `f32`",
    note = "`values.iter().map(|x| bf16::from_f32(*x)).collect::<Vec<_>>()` converts elements, and `rows.as_flattened()` is the slice of an array of rows"
)]
pub trait RowMajor<T> {
    #[doc(hidden)]
    fn row_major(&self) -> &[T];
}

#[diagnostic::do_not_recommend]
impl<T, R: AsRef<[T]> + ?Sized> RowMajor<T> for R {
    #[inline]
    fn row_major(&self) -> &[T] {
        self.as_ref()
    }
}
