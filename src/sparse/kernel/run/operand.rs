use super::super::widen::WidenTo;
use super::Evaluate;
use super::error::RunError;
use crate::sparse::slice::{SliceRange, duplicates};
use crate::sparse::{Duplicates, DynSparseTensor, SparseElement};
use alloc::boxed::Box;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::ir::{Kernel, OperandId, Storage};

/// An operand or an output of a kernel.
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
    /// A sparse tensor.
    Sparse(Box<DynSparseTensor<T>>),
}

impl<T> From<DynSparseTensor<T>> for DynOperand<T> {
    fn from(tensor: DynSparseTensor<T>) -> Self {
        Self::Sparse(Box::new(tensor))
    }
}

impl<T: SparseElement> DynOperand<T> {
    /// All values of an array in row-major order.
    ///
    /// # Errors
    /// If their number is not that of the shape.
    pub fn dense(shape: &[usize], values: Vec<T>) -> Result<Self, RunError> {
        let expected = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
        if expected != Some(values.len()) {
            let (expected, found) = (expected.unwrap_or(usize::MAX), values.len());
            return Err(RunError::Length { shape: shape.to_vec(), expected, found });
        }
        Ok(Self::Dense { shape: shape.to_vec(), values })
    }

    /// A slice of a tensor, one range for each dimension: the twin of a [`SparseSlice`](crate::sparse::SparseSlice) as an
    /// argument.
    ///
    /// # Errors
    /// If it does not lie within the tensor, or the encoding cannot store it.
    ///
    /// # Panics
    /// If there are not as many ranges as dimensions.
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
            Self::Sparse(tensor) => tensor.shape(),
        }
    }

    pub(super) fn values(&self) -> &[T] {
        match self {
            Self::Scalar(value) => core::slice::from_ref(value),
            Self::Dense { values, .. } => values,
            Self::Sparse(tensor) => tensor.values(),
        }
    }

    /// Whether the operand is stored as the signature says.
    fn fits(&self, storage: &Storage) -> bool {
        match (self, storage) {
            (Self::Scalar(_), Storage::Scalar) => true,
            (Self::Dense { shape, values }, Storage::Dense { rank }) => {
                let len = shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
                shape.len() == *rank && len == Some(values.len())
            }
            // The widths of positions and coordinates do not matter: at run time all are as wide as a pointer.
            (Self::Sparse(tensor), Storage::Sparse(encoding)) => {
                tensor.encoding().rank() == encoding.rank()
                    && tensor.encoding().levels() == encoding.levels()
            }
            _ => false,
        }
    }
}

/// An operand of any type of elements, with its values widened to `W`, for [`SparseKernel::run_mixed`](super::SparseKernel::run_mixed).
#[derive(Clone, PartialEq, Debug)]
pub struct WideOperand<W> {
    pub(super) element: ElementType,
    pub(super) operand: DynOperand<W>,
}

impl<T: Evaluate + WidenTo<W>, W> From<DynOperand<T>> for WideOperand<W> {
    fn from(operand: DynOperand<T>) -> Self {
        let widen = |&value: &T| -> W { value.widen_to() };
        let operand = match operand {
            DynOperand::Scalar(value) => DynOperand::Scalar(widen(&value)),
            DynOperand::Dense { shape, values } => {
                DynOperand::Dense { shape, values: values.iter().map(widen).collect() }
            }
            DynOperand::Sparse(tensor) => tensor.map_values(widen).into(),
        };
        Self { element: T::ELEMENT, operand }
    }
}

impl<T: Evaluate + WidenTo<W>, W> From<DynSparseTensor<T>> for WideOperand<W> {
    fn from(tensor: DynSparseTensor<T>) -> Self {
        DynOperand::from(tensor).into()
    }
}

/// The operands of a run, including those that are converted for it. The output is not among them.
pub(super) struct Operands<'a, V> {
    given: Vec<&'a DynOperand<V>>,
    converted: Vec<(OperandId, DynOperand<V>)>,
}

impl<'a, V: SparseElement> Operands<'a, V> {
    /// `element` makes a sum of values of the output's type an element of that type.
    pub(super) fn new(
        kernel: &Kernel,
        given: Vec<&'a DynOperand<V>>,
        element: impl Fn(V) -> V,
    ) -> Result<Self, RunError> {
        let expected = kernel.output;
        if given.len() != expected {
            return Err(RunError::Count { expected, found: given.len() });
        }
        for (operand, spec) in given.iter().zip(&kernel.operands) {
            if !operand.fits(&spec.storage) {
                return Err(RunError::Storage { name: spec.name.clone() });
            }
        }
        let mut converted = Vec::new();
        for (number, operand) in kernel.operands.iter().enumerate() {
            if let (
                layout_core::sparse_kernel::ir::Origin::Converted(from),
                Storage::Sparse(encoding),
            ) = (operand.origin, &operand.storage)
                && let DynOperand::Sparse(tensor) = given[from]
            {
                let (shape, entries) = (tensor.shape(), tensor.stored_entries());
                let mut tensor =
                    DynSparseTensor::from_coo(**encoding, shape, &entries, Duplicates::Sum)?;
                if !kernel.is_mixed(number) {
                    tensor = tensor.map_values(|value| element(*value));
                }
                converted.push((number, tensor.into()));
            }
        }
        Ok(Self { given, converted })
    }

    pub(super) fn get(&self, operand: OperandId) -> Option<&DynOperand<V>> {
        let converted = || self.converted.iter().find(|(number, _)| *number == operand);
        self.given.get(operand).copied().or_else(|| converted().map(|(_, operand)| operand))
    }

    pub(super) fn sparse(&self, operand: OperandId) -> Option<&DynSparseTensor<V>> {
        match self.get(operand) {
            Some(DynOperand::Sparse(tensor)) => Some(tensor),
            _ => None,
        }
    }
}
