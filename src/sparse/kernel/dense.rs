use super::error::KernelError;
use crate::sparse::Cast;
use alloc::vec::Vec;

/// All values of an array in row-major order, with its shape.
///
/// ```
/// use tensor_layout::sparsify::Dense;
/// let mut rows = Dense::new([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
/// assert_eq!(rows[[1, 0]], 4.0);
/// rows[[0, 2]] = 7.0;
/// assert_eq!(rows.values(), [1.0, 2.0, 7.0, 4.0, 5.0, 6.0]);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Dense<T, const RANK: usize> {
    shape: [usize; RANK],
    values: Vec<T>,
}

/// A view of values in row-major order. A vector or a slice is an array of rank 1, and a slice of arrays is a matrix.
///
/// ```
/// use tensor_layout::sparsify::DenseRef;
/// let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let rows = DenseRef::new([2, 3], &values)?;
/// assert_eq!((rows.shape(), DenseRef::from(&values).shape()), ([2, 3], [6]));
/// # Ok::<(), tensor_layout::sparsify::KernelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DenseRef<'a, T, const RANK: usize> {
    shape: [usize; RANK],
    values: &'a [T],
}

/// A mutable view of values in row-major order.
///
/// ```
/// use tensor_layout::sparse_kernel;
/// use tensor_layout::sparsify::DenseMut;
/// sparse_kernel! {
///     fn table(x: Dense<f64>[i], y: Dense<f64>[j]) -> z: Dense<f64>[i, j] { z[i, j] = x[i] * y[j] }
/// }
/// # fn main() -> Result<(), tensor_layout::sparsify::KernelError> {
/// let mut values = vec![0.0; 4];
/// table_into(&[1.0, 2.0], &[3.0, 4.0], DenseMut::new([2, 2], &mut values)?)?;
/// assert_eq!(values, [3.0, 4.0, 6.0, 8.0]);
/// # Ok(())
/// # }
/// ```
#[derive(PartialEq, Debug)]
pub struct DenseMut<'a, T, const RANK: usize> {
    shape: [usize; RANK],
    values: &'a mut [T],
}

/// The number of elements of a shape; an error if the number of values differs.
fn check(shape: &[usize], found: usize) -> Result<(), KernelError> {
    let expected = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
    match expected == Some(found) {
        true => Ok(()),
        false => {
            let expected = expected.unwrap_or(usize::MAX);
            Err(KernelError::Length { shape: shape.to_vec(), expected, found })
        }
    }
}

/// The number of an index in row-major order.
#[inline]
fn position<const RANK: usize>(shape: [usize; RANK], index: [usize; RANK]) -> usize {
    let mut position = 0;
    for (x, size) in index.into_iter().zip(shape) {
        assert!(x < size, "index {index:?} is out of bounds of the array of shape {shape:?}");
        position = position * size + x;
    }
    position
}

impl<T, const RANK: usize> Dense<T, RANK> {
    /// Makes an array from values in row-major order.
    ///
    /// # Errors
    /// If their number is not the number of elements of the shape.
    pub fn new(shape: [usize; RANK], values: Vec<T>) -> Result<Self, KernelError> {
        check(&shape, values.len())?;
        Ok(Self { shape, values })
    }

    /// An array with the same value everywhere.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    pub fn filled(shape: [usize; RANK], value: T) -> Result<Self, KernelError>
    where
        T: Clone,
    {
        let len = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
        let values = super::runtime::filled(len.unwrap_or(usize::MAX), value)?;
        Ok(Self { shape, values })
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The values in row-major order.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, as a mutable slice.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The array with values of another type, each converted as Rust's `as` does.
    ///
    /// ```
    /// use tensor_layout::sparsify::Dense;
    /// let x = Dense::new([2], vec![1.5, -2.5]).unwrap();
    /// assert_eq!(x.cast::<i8>().values(), [1, -2]);
    /// ```
    #[must_use]
    pub fn cast<U>(self) -> Dense<U, RANK>
    where
        T: Cast<U>,
    {
        Dense { shape: self.shape, values: self.values.into_iter().map(T::cast).collect() }
    }

    /// The values, without their shape.
    pub fn into_values(self) -> Vec<T> {
        self.values
    }
}

impl<T, const RANK: usize> core::ops::Index<[usize; RANK]> for Dense<T, RANK> {
    type Output = T;

    /// # Panics
    /// If the index is out of bounds.
    fn index(&self, index: [usize; RANK]) -> &T {
        &self.values[position(self.shape, index)]
    }
}

impl<T, const RANK: usize> core::ops::IndexMut<[usize; RANK]> for Dense<T, RANK> {
    fn index_mut(&mut self, index: [usize; RANK]) -> &mut T {
        &mut self.values[position(self.shape, index)]
    }
}

impl<'a, T, const RANK: usize> DenseRef<'a, T, RANK> {
    /// Views values in row-major order.
    ///
    /// # Errors
    /// If their number is not the number of elements of the shape.
    pub fn new(shape: [usize; RANK], values: &'a [T]) -> Result<Self, KernelError> {
        check(&shape, values.len())?;
        Ok(Self { shape, values })
    }

    /// The sizes of the dimensions.
    #[inline]
    pub fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The values in row-major order.
    #[inline]
    pub fn values(&self) -> &'a [T] {
        self.values
    }
}

impl<'a, T, const RANK: usize> DenseMut<'a, T, RANK> {
    /// Views values in row-major order.
    ///
    /// # Errors
    /// If their number is not the number of elements of the shape.
    pub fn new(shape: [usize; RANK], values: &'a mut [T]) -> Result<Self, KernelError> {
        check(&shape, values.len())?;
        Ok(Self { shape, values })
    }

    /// The sizes of the dimensions.
    #[inline]
    pub fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The values in row-major order.
    #[inline]
    pub fn into_values(self) -> &'a mut [T] {
        self.values
    }
}

impl<'a, T, const RANK: usize> From<&'a Dense<T, RANK>> for DenseRef<'a, T, RANK> {
    #[inline]
    fn from(dense: &'a Dense<T, RANK>) -> Self {
        Self { shape: dense.shape, values: &dense.values }
    }
}

impl<'a, T, const RANK: usize> From<&'a mut Dense<T, RANK>> for DenseMut<'a, T, RANK> {
    #[inline]
    fn from(dense: &'a mut Dense<T, RANK>) -> Self {
        Self { shape: dense.shape, values: &mut dense.values }
    }
}

macro_rules! vectors {
    ($View:ident: $($reference:ty, $as:ident;)*) => { $(
        impl<'a, T> From<$reference> for $View<'a, T, 1> {
            #[inline]
            fn from(values: $reference) -> Self {
                Self { shape: [values.len()], values: values.$as() }
            }
        }
    )* };
}
vectors! { DenseRef: &'a [T], as_ref; &'a Vec<T>, as_slice; }
vectors! { DenseMut: &'a mut [T], as_mut; &'a mut Vec<T>, as_mut_slice; }

impl<'a, T, const N: usize> From<&'a [T; N]> for DenseRef<'a, T, 1> {
    #[inline]
    fn from(values: &'a [T; N]) -> Self {
        Self { shape: [N], values }
    }
}

impl<'a, T, const N: usize> From<&'a mut [T; N]> for DenseMut<'a, T, 1> {
    #[inline]
    fn from(values: &'a mut [T; N]) -> Self {
        Self { shape: [N], values }
    }
}

impl<'a, T, const N: usize> From<&'a [[T; N]]> for DenseRef<'a, T, 2> {
    #[inline]
    fn from(rows: &'a [[T; N]]) -> Self {
        Self { shape: [rows.len(), N], values: rows.as_flattened() }
    }
}

impl<'a, T, const M: usize, const N: usize> From<&'a [[T; N]; M]> for DenseRef<'a, T, 2> {
    #[inline]
    fn from(rows: &'a [[T; N]; M]) -> Self {
        rows.as_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a Vec<[T; N]>> for DenseRef<'a, T, 2> {
    #[inline]
    fn from(rows: &'a Vec<[T; N]>) -> Self {
        rows.as_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a mut [[T; N]]> for DenseMut<'a, T, 2> {
    #[inline]
    fn from(rows: &'a mut [[T; N]]) -> Self {
        Self { shape: [rows.len(), N], values: rows.as_flattened_mut() }
    }
}

impl<'a, T, const M: usize, const N: usize> From<&'a mut [[T; N]; M]> for DenseMut<'a, T, 2> {
    #[inline]
    fn from(rows: &'a mut [[T; N]; M]) -> Self {
        rows.as_mut_slice().into()
    }
}

impl<'a, T, const N: usize> From<&'a mut Vec<[T; N]>> for DenseMut<'a, T, 2> {
    #[inline]
    fn from(rows: &'a mut Vec<[T; N]>) -> Self {
        rows.as_mut_slice().into()
    }
}

impl<T, const RANK: usize> From<Dense<T, RANK>> for Vec<T> {
    fn from(dense: Dense<T, RANK>) -> Self {
        dense.values
    }
}
