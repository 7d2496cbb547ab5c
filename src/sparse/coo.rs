//! Entries as arguments.

/// Requires an argument to hold entries, each with its index and its value: a slice, an array or a `Vec`.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, SparseTensor, formats::Csr};
/// let diagonal: Vec<_> = (0..3).map(|i| ([i, i], 1.0)).collect();
/// let identity = SparseTensor::<Csr, f64>::from_coo([3, 3], &diagonal, Duplicates::Error)?;
/// assert_eq!(identity.values(), [1.0; 3]);
/// # Ok::<(), tensor_layout::sparse::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "an entry is `({Index}, {T})`, an index and a value, and `{Self}` does not hold such entries",
    label = "expected a slice of `({Index}, {T})`",
    note = "`[([0, 1], 2.0), ([1, 2], -3.0)]` holds two entries of a matrix; `from_triplets` takes rows, columns and values as three slices"
)]
pub trait CooEntries<Index, T> {
    #[doc(hidden)]
    fn entries(&self) -> &[(Index, T)];
}

#[diagnostic::do_not_recommend]
impl<Index, T, R: AsRef<[(Index, T)]> + ?Sized> CooEntries<Index, T> for R {
    #[inline]
    fn entries(&self) -> &[(Index, T)] {
        self.as_ref()
    }
}
