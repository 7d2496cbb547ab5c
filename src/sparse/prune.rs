use super::dense::Nonzeros;
use super::memory::MEMORY;
use super::tensor::SparseTensor;
use super::typed::Encoding;
use crate::require::fail;
use layout_core::sparse::storage::Storage;
use layout_core::sparse::{BuildError, LevelFormat, SparseElement};

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
    /// Takes time linear in the number of elements. If the elements of a group follow one another, they are stored as they are read;
    /// otherwise through a list of them with their indices.
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
        let (spec, sizes, all) = (const { &E::SPEC }, shape.as_ref(), Nonzeros::new(shape, dense)?);
        let storage = match Storage::prune(spec, sizes, all.count(), &all, n, MEMORY)? {
            Some(storage) => storage,
            None => Storage::build_pruned(spec, sizes, &all.list()?, n, MEMORY)?,
        };
        Ok(Self::from_storage(storage))
    }
}
