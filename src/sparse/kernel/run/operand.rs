use super::super::widen::WidenTo;
use super::Evaluate;
use super::error::RunError;
use crate::sparse::slice::{SliceRange, duplicates};
use crate::sparse::{Cast, Duplicates, DynSparseTensor, SparseElement};
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ir::{Kernel, OperandId, Storage};
use layout_core::sparse_kernel::{ElementType, is_read_in_place, layout_of};
use layout_core::tiled::TiledSpec;

/// An operand or an output of a [`SparseKernel`](super::SparseKernel).
///
/// ```
/// use tensor_layout::sparse::{Duplicates, DynSparseTensor};
/// use tensor_layout::sparsify::{DynOperand, SparseKernel};
/// let total: SparseKernel = "fn total(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j]) -> s: f64 { s += a[i, j] }".parse()?;
/// let csr = "(i, j) -> (i : dense, j : compressed)".parse()?;
/// let a = DynSparseTensor::from_coo(csr, &[2, 3], &[([0, 1], 2.0), ([1, 2], 4.0)], Duplicates::Error)?;
/// assert_eq!(total.run(&[a.into()])?, DynOperand::Scalar(6.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum DynOperand<T> {
    /// One value.
    Scalar(T),
    /// All values in row-major order.
    Dense {
        /// The sizes of the dimensions.
        shape: Vec<usize>,
        /// The values.
        values: Vec<T>,
    },
    /// All values in a tiled layout.
    Tiled {
        /// The layout.
        layout: Box<TiledSpec>,
        /// The values as they are stored, including padding.
        values: Vec<T>,
    },
    /// A sparse tensor.
    Sparse(Box<DynSparseTensor<T>>),
}

impl<T> From<DynSparseTensor<T>> for DynOperand<T> {
    fn from(tensor: DynSparseTensor<T>) -> Self {
        Self::Sparse(Box::new(tensor))
    }
}

impl<T: Copy> DynOperand<T> {
    /// The operand with each value replaced by `f` of it.
    pub(super) fn map_values<U>(&self, mut f: impl FnMut(T) -> U) -> DynOperand<U> {
        let mut all = |values: &[T]| values.iter().map(|value| f(*value)).collect();
        match self {
            Self::Scalar(value) => DynOperand::Scalar(f(*value)),
            Self::Dense { shape, values } => {
                DynOperand::Dense { shape: shape.clone(), values: all(values) }
            }
            Self::Tiled { layout, values } => {
                DynOperand::Tiled { layout: layout.clone(), values: all(values) }
            }
            Self::Sparse(tensor) => (**tensor).clone().map_values(|value| f(*value)).into(),
        }
    }

    pub(super) fn values(&self) -> &[T] {
        match self {
            Self::Scalar(value) => core::slice::from_ref(value),
            Self::Dense { values, .. } | Self::Tiled { values, .. } => values,
            Self::Sparse(tensor) => tensor.values(),
        }
    }
}

impl<T: SparseElement> DynOperand<T> {
    /// All values of an array in row-major order.
    ///
    /// # Errors
    /// If their number is not the number of elements of the shape.
    pub fn dense(shape: &[usize], values: Vec<T>) -> Result<Self, RunError> {
        let expected = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
        if expected != Some(values.len()) {
            let (expected, found) = (expected.unwrap_or(usize::MAX), values.len());
            return Err(RunError::Length { shape: shape.to_vec(), expected, found });
        }
        Ok(Self::Dense { shape: shape.to_vec(), values })
    }

    /// An array in a tiled layout, from its values in row-major order.
    ///
    /// # Errors
    /// If their number is not the number of elements of the layout.
    ///
    /// ```
    /// use tensor_layout::sparsify::{DynOperand, SparseKernel};
    /// let sums = "fn sums(x: Packed<tiled!(f32[2,3]{1,0:T(2,2)})>[i, j]) -> y: Dense<f32>[i] { y[i] = x[i, j] }";
    /// let sums: SparseKernel = sums.parse().unwrap();
    /// let layout = "f32[2,3]{1,0:T(2,2)}".parse().unwrap();
    /// let x = DynOperand::packed(layout, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// let y = sums.run::<f32>(&[x]).unwrap();
    /// assert_eq!(y, DynOperand::dense(&[2], vec![6.0, 15.0]).unwrap());
    /// ```
    pub fn packed(layout: TiledSpec, row_major: &[T]) -> Result<Self, RunError> {
        let (shape, expected, found) = (layout.dims(), layout.elements(), row_major.len());
        if expected != found {
            return Err(RunError::Length { shape: shape.to_vec(), expected, found });
        }
        let mut values = super::output::filled(layout.len(), T::ZERO)?;
        for (index, value) in layout.indices().zip(row_major) {
            values[layout.offset(index.as_slice())] = *value;
        }
        Ok(Self::Tiled { layout: layout.into(), values })
    }

    /// A slice of a tensor, with one range for each dimension: the twin of a [`SparseSlice`](crate::sparse::SparseSlice) as an
    /// argument.
    ///
    /// # Errors
    /// If it is not within the tensor, or if the encoding cannot store it.
    ///
    /// # Panics
    /// If the number of ranges is not the number of dimensions.
    pub fn slice(tensor: &DynSparseTensor<T>, ranges: &[SliceRange]) -> Result<Self, RunError> {
        assert!(ranges.len() == tensor.shape().len(), "a slice needs a range for each dimension");
        for (dim, (range, &bound)) in ranges.iter().zip(tensor.shape()).enumerate() {
            range.check(dim, bound)?;
        }
        let shape: Vec<usize> = ranges.iter().map(|range| range.size).collect();
        let inner = |(outer, value): (Vec<usize>, T)| {
            let index = outer.iter().zip(ranges).map(|(x, range)| range.inner(*x));
            index.collect::<Option<Vec<usize>>>().map(|index| (index, value))
        };
        let entries: Vec<_> = tensor.to_coo().into_iter().filter_map(inner).collect();
        let (encoding, duplicates) = (*tensor.encoding(), duplicates(tensor.encoding()));
        Ok(DynSparseTensor::from_coo(encoding, &shape, &entries, duplicates)?.into())
    }

    /// The sizes of the dimensions.
    pub fn shape(&self) -> &[usize] {
        match self {
            Self::Scalar(_) => &[],
            Self::Dense { shape, .. } => shape,
            Self::Tiled { layout, .. } => layout.dims(),
            Self::Sparse(tensor) => tensor.shape(),
        }
    }

    /// The part of the offset in an array that a coordinate of a dimension adds.
    pub(super) fn offset(&self, dim: usize, coordinate: usize) -> usize {
        match self {
            Self::Tiled { layout, .. } => {
                let mut index = alloc::vec![0; layout.rank()];
                index[dim] = coordinate;
                layout.offset(&index)
            }
            // An array that is unpacked before the loops run.
            operand => coordinate * operand.shape()[dim + 1..].iter().product::<usize>(),
        }
    }

    /// The same array in row-major order, if it is packed and the loops do not read it as it is stored.
    fn for_loops(&self, storage: &Storage) -> Option<Self> {
        let Self::Tiled { layout, .. } = self else { return None };
        let in_place = matches!(storage, Storage::Tiled { .. }) && is_read_in_place(layout);
        (!in_place).then(|| self.unpacked())
    }

    /// A packed array in row-major order; any other operand unchanged.
    ///
    /// # Panics
    /// If a packed array has fewer values than its layout has elements and padding.
    #[must_use]
    pub fn unpacked(&self) -> Self {
        let Self::Tiled { layout, values } = self else { return self.clone() };
        let indices = layout.indices();
        let row_major = indices.map(|index| values[layout.offset(index.as_slice())]).collect();
        Self::Dense { shape: layout.dims().to_vec(), values: row_major }
    }

    /// Whether the operand is stored as the signature declares.
    pub(super) fn fits(&self, storage: &Storage, written: Option<&str>) -> bool {
        match (self, storage) {
            (Self::Tiled { layout, values }, Storage::Dense { rank } | Storage::Tiled { rank }) => {
                let same = written.and_then(layout_of).is_some_and(|written| written == **layout);
                same && layout.rank() == *rank && values.len() == layout.len()
            }
            _ if written.is_some() => false,
            (Self::Scalar(_), Storage::Scalar) => true,
            (Self::Dense { shape, values }, Storage::Dense { rank }) => {
                let len = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
                shape.len() == *rank && len == Some(values.len())
            }
            // The widths of positions and coordinates do not matter: at run time, all are as wide as a pointer.
            (Self::Sparse(tensor), Storage::Sparse(encoding)) => {
                tensor.encoding().rank() == encoding.rank()
                    && tensor.encoding().levels() == encoding.levels()
            }
            _ => false,
        }
    }
}

/// An operand of any element type, with its values widened to `W`, for
/// [`SparseKernel::run_mixed`](super::SparseKernel::run_mixed).
///
/// ```
/// use tensor_layout::sparsify::{DynOperand, SparseKernel, WideOperand};
/// let sum: SparseKernel = "fn sum(x: Dense<i8>[i]) -> s: f32 { s += x[i] }".parse()?;
/// let x = WideOperand::from(DynOperand::dense(&[2], vec![100_i8, 100])?);
/// assert_eq!(sum.run_mixed::<f32>(&[x], &[])?, DynOperand::Scalar(200.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct WideOperand<W> {
    pub(super) element: ElementType,
    pub(super) operand: DynOperand<W>,
}

impl<T: Evaluate + WidenTo<W>, W> From<DynOperand<T>> for WideOperand<W> {
    fn from(operand: DynOperand<T>) -> Self {
        Self { element: T::ELEMENT, operand: operand.map_values(|value| value.widen_to()) }
    }
}

impl<W> WideOperand<W> {
    /// An operand that the statement reads as `cast(..)`: its values are converted as Rust's `as` does.
    pub fn cast<T: Evaluate + Cast<W>>(operand: &DynOperand<T>) -> Self {
        Self { element: T::ELEMENT, operand: operand.map_values(|value| value.cast()) }
    }
}

impl<T: Evaluate + WidenTo<W>, W> From<DynSparseTensor<T>> for WideOperand<W> {
    fn from(tensor: DynSparseTensor<T>) -> Self {
        DynOperand::from(tensor).into()
    }
}

/// The operands of a run, including those that are converted for it, but not the output.
pub(super) struct Operands<'a, V> {
    given: Vec<&'a DynOperand<V>>,
    /// The elements of the operands that are index arrays.
    elements: &'a [Option<Vec<i64>>],
    converted: Vec<(OperandId, DynOperand<V>)>,
}

impl<'a, V: SparseElement> Operands<'a, V> {
    /// `element` rounds a sum of values of the output's type to that type.
    pub(super) fn new(
        kernel: &Kernel,
        given: Vec<&'a DynOperand<V>>,
        elements: &'a [Option<Vec<i64>>],
        element: impl Fn(V) -> V,
    ) -> Result<Self, RunError> {
        let expected = kernel.output;
        if given.len() != expected {
            return Err(RunError::Count { expected, found: given.len() });
        }
        for (operand, spec) in given.iter().zip(&kernel.operands) {
            if !operand.fits(&spec.storage, spec.layout.as_deref()) {
                return Err(RunError::Storage { name: spec.name.clone() });
            }
        }
        let mut converted = Vec::new();
        for (number, (operand, spec)) in given.iter().zip(&kernel.operands).enumerate() {
            converted.extend(operand.for_loops(&spec.storage).map(|operand| (number, operand)));
        }
        for (number, operand) in kernel.operands.iter().enumerate() {
            if let (
                layout_core::sparse_kernel::ir::Origin::Converted(from),
                Storage::Sparse(encoding),
            ) = (operand.origin, &operand.storage)
                && let DynOperand::Sparse(tensor) = given[from]
            {
                let entries = tensor.stored_entries();
                // Slices, like those of outputs, so that building is compiled only once.
                let entries: Vec<(&[usize], V)> =
                    entries.iter().map(|(index, value)| (&index[..], *value)).collect();
                let shape = tensor.shape();
                let mut tensor =
                    DynSparseTensor::from_coo(**encoding, shape, &entries, Duplicates::Sum)?;
                if !kernel.is_mixed(number) {
                    tensor = tensor.map_values(|value| element(*value));
                }
                converted.push((number, tensor.into()));
            }
        }
        Ok(Self { given, elements, converted })
    }

    /// The elements of an index array.
    pub(super) fn elements(&self, operand: OperandId) -> Option<&[i64]> {
        self.elements.get(operand)?.as_deref()
    }

    pub(super) fn element(&self, operand: OperandId, at: usize) -> i64 {
        self.elements(operand).map_or(0, |elements| elements[at])
    }

    pub(super) fn get(&self, operand: OperandId) -> Option<&DynOperand<V>> {
        let converted = self.converted.iter().find(|(number, _)| *number == operand);
        converted.map(|(_, operand)| operand).or_else(|| self.given.get(operand).copied())
    }

    pub(super) fn sparse(&self, operand: OperandId) -> Option<&DynSparseTensor<V>> {
        match self.get(operand) {
            Some(DynOperand::Sparse(tensor)) => Some(tensor),
            _ => None,
        }
    }
}
