use super::tensor::{SparseTensor, nonzero};
use super::typed::Encoding;
use crate::require::fail;
use layout_core::sparse::{BuildError, Duplicates, LevelFormat, SparseElement};

impl<E: Encoding, T: SparseElement> SparseTensor<E, T> {
    /// Stores the `n` values of largest magnitude of every `m` values of a row-major array, for an encoding whose last level is
    /// `structured[n, m]`. NaN counts as the largest, so that it is not lost; of equal values, the first ones are stored. If an
    /// array should already have at most `n` nonzeros in each group of `m`, use [`SparseTensor::from_dense`], which reports a group
    /// with more.
    ///
    /// ```
    /// use tensor_layout::sparse::{Encoded, SparseTensor, types::*};
    /// type TwoOfFour = Encoded<Rank<1>, (Level<Floordiv<Dim<0>, 4>, Dense>, Level<Mod<Dim<0>, 4>, Structured<2, 4>>)>;
    /// let pruned = SparseTensor::<TwoOfFour, f32>::from_dense_pruned([8], &[1.0, -4.0, 2.0, 3.0, 0.0, 0.0, 5.0, 0.0]).unwrap();
    /// assert_eq!(pruned.to_dense().unwrap(), [0.0, -4.0, 0.0, 3.0, 0.0, 0.0, 5.0, 0.0]);
    /// ```
    ///
    /// # Errors
    /// If the length is not the number of elements of the shape, or if the encoding cannot store an array of this shape.
    pub fn from_dense_pruned(shape: E::Index, dense: &[T]) -> Result<Self, BuildError> {
        let n = const {
            match E::SPEC.levels()[E::SPEC.levels().len() - 1].format {
                LevelFormat::Structured { n, .. } => n,
                _ => fail("pruning needs a last level that is `structured`; use `from_dense`"),
            }
        };
        let mut entries = nonzero::<E, T>(shape, dense)?;
        let last = const { E::SPEC.levels().len() - 1 };
        let group = |index: &E::Index| E::SPEC.target(index.as_ref());
        entries.sort_by(|(a, x), (b, y)| {
            group(a)[..last].cmp(&group(b)[..last]).then_with(|| y.cmp_magnitude(x))
        });
        let mut kept = 0;
        let mut previous = None;
        entries.retain(|(index, _)| {
            let target = group(index);
            let mut this = target;
            this[last] = 0;
            kept = if previous == Some(this) { kept + 1 } else { 0 };
            previous = Some(this);
            kept < n
        });
        Self::from_coo(shape, &entries, Duplicates::Error)
    }
}
