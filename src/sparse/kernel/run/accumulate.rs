//! Runs that write to a given sparse output.

use super::error::RunError;
use super::operand::{DynOperand, WideOperand};
use super::{DynFunction, Evaluate, RunStep, SparseKernel};
use crate::sparse::DynSparseTensor;
use alloc::vec::Vec;
use layout_core::sparse_kernel::ir::{BinaryOp, Reduction};

impl SparseKernel {
    /// Computes the entries of a sparse output, and writes them to a given tensor: the twin of the function `f_into` that
    /// `sparse_kernel!` generates for a sparse output. With `=` they replace all entries of the tensor; with `+=`, `*=`, `min=` and
    /// `max=` they are combined with those at the same indices, and others remain. `keep` and `replace` say what happens to
    /// the entries for which the condition of the statement does not hold.
    ///
    /// # Errors
    /// As for [`SparseKernel::run_mixed`], and if the tensor has another encoding or shape than the output, or cannot store the
    /// entries of both. It is then unchanged.
    ///
    /// ```
    /// use tensor_layout::sparse::{Duplicates, DynSparseTensor};
    /// use tensor_layout::sparsify::SparseKernel;
    /// let csr = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
    /// let add = "fn add(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] += a[i, j] if a[i, j] > 1; replace }";
    /// let add = SparseKernel::parse(add, &[("Csr", csr)]).unwrap();
    /// let of = |entries: &[([usize; 2], f64)]| {
    ///     DynSparseTensor::from_coo(csr, &[1, 3], entries, Duplicates::Error).unwrap()
    /// };
    /// let mut c = of(&[([0, 0], 8.0), ([0, 1], 4.0)]);
    /// add.run_into(&[of(&[([0, 1], 2.0), ([0, 2], 3.0)]).into()], &[], &mut c).unwrap();
    /// assert_eq!(c, of(&[([0, 1], 6.0), ([0, 2], 3.0)]));
    /// ```
    pub fn run_into<T: Evaluate>(
        &self,
        operands: &[WideOperand<T::Wide>],
        functions: &[(&str, DynFunction<T>)],
        output: &mut DynSparseTensor<T>,
    ) -> Result<(), RunError> {
        let step = self.single()?;
        let name = &step.kernel.operands[step.kernel.output].name;
        let other = || RunError::Storage { name: name.clone() };
        let DynOperand::Sparse(made) = self.run_mixed(operands, functions)? else {
            return Err(other());
        };
        if made.encoding() != output.encoding() {
            return Err(other());
        }
        for (dim, (found, expected)) in output.shape().iter().zip(made.shape()).enumerate() {
            if found != expected {
                let (name, found, expected) = (name.clone(), *found, *expected);
                return Err(RunError::Output { name, dim, found, expected });
            }
        }
        if !step.kernel.accumulates && step.kept.is_none() {
            *output = *made;
            return Ok(());
        }
        let combine = step.combination::<T>()?;
        match &step.kept {
            Some(kept) => {
                let mut merged = kept.remaining(operands, functions, output)?;
                merged.merge(*made, combine)?;
                *output = merged;
            }
            None => output.merge(*made, combine)?,
        }
        Ok(())
    }
}

impl RunStep {
    /// The function that combines an element of a given output with one that is computed.
    fn combination<T: Evaluate>(&self) -> Result<impl Fn(T, T) -> T + use<T>, RunError> {
        let op = match self.kernel.reduction {
            Reduction::Product => BinaryOp::Mul,
            Reduction::Min => BinaryOp::Min,
            Reduction::Max => BinaryOp::Max,
            Reduction::Sum | Reduction::Custom { .. } => BinaryOp::Add,
        };
        let of = move |a: T, b: T| T::reduce(op, a.widen(), b.widen());
        of(T::ZERO, T::ZERO).ok_or(RunError::Unsupported { name: op.name() })?;
        let accumulates = self.kernel.accumulates;
        Ok(move |a: T, b: T| match accumulates {
            true => of(a, b).map_or(b, T::narrow),
            // Only one of the two is an entry, and the other a zero of its block.
            false if b.is_zero() => a,
            false => b,
        })
    }

    /// The entries of a given output that remain.
    fn remaining<T: Evaluate>(
        &self,
        operands: &[WideOperand<T::Wide>],
        functions: &[(&str, DynFunction<T>)],
        output: &DynSparseTensor<T>,
    ) -> Result<DynSparseTensor<T>, RunError> {
        let given = WideOperand::from(output.clone());
        let read = self.reads.iter().filter_map(|source| match source {
            super::Source::Parameter(number) => operands.get(*number),
            super::Source::Statement(_) => None,
        });
        let read = read.chain([&given]).map(|wide| (wide.element, &wide.operand));
        let read: Vec<_> = read.collect();
        match self.run_on(&read, &[], functions, |value| T::narrow(value).widen(), None)? {
            DynOperand::Sparse(remaining) => Ok(*remaining),
            _ => Err(RunError::Storage {
                name: self.kernel.operands[self.kernel.output].name.clone(),
            }),
        }
    }
}
