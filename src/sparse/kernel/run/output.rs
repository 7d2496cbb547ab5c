//! The output while the loops run.

use super::Evaluate;
use super::error::RunError;
use super::operand::{DynOperand, Operands};
use crate::sparse::{Duplicates, DynSparseTensor, SparseElement};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ir::{Kernel, OutputMode, Storage};
use layout_core::sparse_kernel::layout_of;

pub(super) struct Output<T: Evaluate> {
    pub(super) shape: Vec<usize>,
    /// The values, if every position exists from the start.
    pub(super) values: Vec<T::Wide>,
    /// The entries that were appended: their indices, one after another, and their values.
    indices: Vec<usize>,
    entries: Vec<T::Wide>,
    /// The sparse tensor whose positions and coordinates the output has.
    pattern: Option<DynSparseTensor<()>>,
}

/// A list of `values` copies of `value`.
pub(super) fn filled<T: Clone>(values: usize, value: T) -> Result<Vec<T>, RunError> {
    let mut list = Vec::new();
    list.try_reserve_exact(values).map_err(|_| RunError::OutOfMemory { values })?;
    list.resize(values, value);
    Ok(list)
}

impl<T: Evaluate> Output<T> {
    pub(super) fn new<V: SparseElement>(
        kernel: &Kernel,
        shape: Vec<usize>,
        operands: &Operands<'_, V>,
        identity: T::Wide,
    ) -> Result<Self, RunError> {
        let mut output = Self {
            shape,
            values: Vec::new(),
            indices: Vec::new(),
            entries: Vec::new(),
            pattern: None,
        };
        let storage = &kernel.operands[kernel.output].storage;
        match (kernel.result, storage) {
            (OutputMode::Positions, Storage::Sparse(encoding)) => {
                let none: [(&[usize], T); 0] = [];
                let empty =
                    DynSparseTensor::from_coo(**encoding, &output.shape, &none, Duplicates::Error)?;
                output.values = filled(empty.values().len(), identity)?;
                output.pattern = Some(empty.map_values(|_| ()));
            }
            (OutputMode::Positions, _) => {
                let len = output.shape.iter().try_fold(1usize, |len, size| len.checked_mul(*size));
                // Generated code overwrites an array of the caller, which can contain anything; here, 3.
                let given = matches!(storage, Storage::Dense { .. }) && !kernel.accumulates;
                let first = if given { <T as Evaluate>::from_index(3) } else { identity };
                output.values = filled(len.unwrap_or(usize::MAX), first)?;
            }
            (OutputMode::Pattern(operand), _) => {
                let Some(tensor) = operands.sparse(operand) else { return Ok(output) };
                let len = tensor.values().len();
                output.values = filled(len, identity)?;
                output.pattern = tensor.with_values(alloc::vec![(); len]);
            }
            (OutputMode::Append | OutputMode::Collect { .. }, _) => {}
        }
        Ok(output)
    }

    pub(super) fn append(&mut self, index: impl Iterator<Item = usize>, value: T::Wide) {
        self.indices.extend(index);
        self.entries.push(value);
    }

    pub(super) fn finish(
        self,
        kernel: &Kernel,
        reduce: impl Fn(T::Wide, T::Wide) -> Result<T::Wide, RunError>,
    ) -> Result<DynOperand<T>, RunError> {
        let storage = &kernel.operands[kernel.output].storage;
        match (kernel.result, storage) {
            (OutputMode::Positions | OutputMode::Pattern(_), Storage::Sparse(_)) => {
                let tensor =
                    self.pattern.and_then(|tensor| tensor.with_values(T::narrow_all(self.values)));
                let values = self.entries.len();
                tensor.map(DynOperand::from).ok_or(RunError::OutOfMemory { values })
            }
            (_, Storage::Scalar) => Ok(DynOperand::Scalar(
                self.values.first().map_or(T::ZERO, |value| T::narrow(*value)),
            )),
            (_, Storage::Dense { .. } | Storage::Tiled { .. }) => {
                let operand = &kernel.operands[kernel.output];
                if let Some(text) = &operand.layout {
                    let layout = layout_of(text).filter(|layout| layout.dims() == self.shape);
                    let other = || RunError::Storage { name: operand.name.clone() };
                    let layout = layout.ok_or_else(other)?;
                    return DynOperand::packed(layout, &T::narrow_all(self.values));
                }
                Ok(DynOperand::Dense { shape: self.shape, values: T::narrow_all(self.values) })
            }
            (mode, Storage::Sparse(encoding)) => {
                let rank = self.shape.len().max(1);
                let mut entries: Vec<(&[usize], T::Wide)> =
                    self.indices.chunks(rank).zip(self.entries.iter().copied()).collect();
                if mode == (OutputMode::Collect { unique: false }) {
                    let mut merged = BTreeMap::new();
                    for (index, value) in entries {
                        let sum = match merged.get(index) {
                            Some(other) => reduce(*other, value)?,
                            None => value,
                        };
                        merged.insert(index, sum);
                    }
                    entries = merged.into_iter().collect();
                }
                let entries: Vec<_> =
                    entries.into_iter().map(|(index, value)| (index, T::narrow(value))).collect();
                let duplicates = Duplicates::Error;
                let tensor =
                    DynSparseTensor::from_coo(**encoding, &self.shape, &entries, duplicates)?;
                debug_assert!(mode != OutputMode::Append || is_sorted(&tensor, &entries));
                Ok(tensor.into())
            }
        }
    }
}

/// Whether the entries were appended in storage order.
fn is_sorted<T>(tensor: &DynSparseTensor<T>, entries: &[(&[usize], T)]) -> bool {
    let levels = tensor.encoding().levels();
    let at = |entry: &(&[usize], T)| -> Vec<i64> {
        levels.iter().map(|level| level.expr.of(entry.0)).collect()
    };
    entries.is_sorted_by(|a, b| at(a) < at(b))
}
