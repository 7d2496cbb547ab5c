//! Functions of several statements, whose operands and outputs can have elements of several types.

use super::super::index::IndexElement;
use super::convert::{AnyElement, AnyParts};
use super::element::Evaluate;
use super::error::RunError;
use super::fast::SHARES;
use super::machine::Share;
use super::operand::{DynOperand, WideOperand};
use super::{RunStep, SparseKernel};
use crate::sparse::{DynSparseTensor, SparseElement};
use alloc::vec::Vec;
use half::{bf16, f16};
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::syntax::Source;
use num_complex::Complex;

macro_rules! any {
    ($($Real:ident $R:ident;)* ; $($Other:ident $C:ty;)*) => {
        /// An operand or an output of a kernel, with elements of any type, for [`SparseKernel::run_all`].
        ///
        /// ```
        /// use tensor_layout::sparsify::{AnyOperand, DynOperand, ElementType};
        /// let x = AnyOperand::from(DynOperand::dense(&[2], vec![1.0_f32, 2.0])?);
        /// assert_eq!(x.element(), ElementType::F32);
        /// assert!(matches!(x, AnyOperand::F32(DynOperand::Dense { .. })));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, PartialEq, Debug)]
        #[allow(missing_docs, reason = "named as the types of elements are")]
        pub enum AnyOperand {
            $( $Real(DynOperand<$R>), )*
            $( $Other(DynOperand<$C>), )*
        }

        any! { @from $($Real $R;)* $($Other $C;)* }

        impl AnyOperand {
            /// The type of its elements.
            pub fn element(&self) -> ElementType {
                match self {
                    $( Self::$Real(_) => ElementType::$Real, )*
                    $( Self::$Other(_) => ElementType::$Other, )*
                }
            }

            /// The operand with elements of another type, each converted as Rust's `as` does.
            fn cast(self, to: ElementType) -> Result<Self, RunError> {
                let found = self.element();
                if found == to {
                    return Ok(self);
                }
                let converted = match to {
                    $( ElementType::$Real => self.parts().converted().map(Self::$Real), )*
                    _ => None,
                };
                converted.ok_or(RunError::Element { expected: to, found })
            }

            /// The operand as one of any element type.
            fn parts(&self) -> AnyParts<'_> {
                match self {
                    $( Self::$Real(operand) => AnyParts::of(operand), )*
                    $( Self::$Other(operand) => AnyParts::of(operand), )*
                }
            }
        }

        impl RunStep {
            /// Runs on these operands: all rows or, given the number of a share and the output so far, that share of the rows.
            fn run_any(
                &self,
                operands: &[&AnyOperand],
                share: Option<(usize, Option<&AnyOperand>)>,
            ) -> Result<AnyOperand, RunError> {
                let computed = match self.computed {
                    $( ElementType::$Real => AnyOperand::$Real(self.run_as(operands, share)?), )*
                    $( ElementType::$Other => AnyOperand::$Other(self.run_as(operands, share)?), )*
                };
                computed.cast(self.element)
            }
        }
    };
    (@from $($Name:ident $T:ty;)*) => { $(
        impl From<DynOperand<$T>> for AnyOperand {
            fn from(operand: DynOperand<$T>) -> Self {
                Self::$Name(operand)
            }
        }

        impl From<DynSparseTensor<$T>> for AnyOperand {
            fn from(tensor: DynSparseTensor<$T>) -> Self {
                Self::$Name(tensor.into())
            }
        }
    )* };
}

impl AnyOperand {
    /// The elements as elements of an index array; `None` if they are not integers.
    fn elements(&self) -> Option<Vec<i64>> {
        fn all<T: IndexElement + SparseElement>(operand: &DynOperand<T>) -> Vec<i64> {
            let unpacked = operand.unpacked();
            // A number that does not fit is larger than every size, and remains so.
            let number = |element: &T| i64::try_from(element.number()).unwrap_or(i64::MAX);
            unpacked.values().iter().map(number).collect()
        }
        match self {
            Self::I8(operand) => Some(all(operand)),
            Self::I16(operand) => Some(all(operand)),
            Self::I32(operand) => Some(all(operand)),
            Self::I64(operand) => Some(all(operand)),
            Self::U8(operand) => Some(all(operand)),
            Self::U16(operand) => Some(all(operand)),
            Self::U32(operand) => Some(all(operand)),
            Self::U64(operand) => Some(all(operand)),
            _ => None,
        }
    }
}

any! {
    Bool bool; F16 f16; Bf16 bf16; F32 f32; F64 f64; I8 i8; I16 i16; I32 i32; I64 i64; U8 u8; U16 u16; U32 u32; U64 u64;
    ; Complex32 Complex<f32>; Complex64 Complex<f64>;
}

impl RunStep {
    fn run_as<T: Evaluate>(
        &self,
        operands: &[&AnyOperand],
        share: Option<(usize, Option<&AnyOperand>)>,
    ) -> Result<DynOperand<T>, RunError>
    where
        T::Wide: AnyElement,
    {
        let mut wide = Vec::with_capacity(operands.len());
        for any in operands {
            let element = any.element();
            // Exact, because the check of the signature ensures that the type has the values of the operands.
            let operand = any.parts().converted();
            let operand =
                operand.ok_or(RunError::Element { expected: self.computed, found: element })?;
            wide.push(WideOperand { element, operand });
        }
        let wide: Vec<_> = wide.iter().map(|wide| (wide.element, &wide.operand)).collect();
        let mut elements = alloc::vec![None; operands.len()];
        for check in &self.kernel.index_checks {
            let spec = &self.kernel.operands[check.operand];
            if !wide[check.operand].1.fits(&spec.storage, spec.layout.as_deref()) {
                return Err(RunError::Storage { name: spec.name.clone() });
            }
            elements[check.operand] = operands[check.operand].elements();
        }
        let so_far = share.and_then(|(_, so_far)| so_far?.parts().converted());
        let share = share
            .map(|(nth, _)| Share { nth, so_far: so_far.as_ref().map(|so_far| so_far.values()) });
        self.run_on(&wide, &elements, &[], |value| T::narrow(value).widen(), share)
    }
}

impl SparseKernel {
    /// Computes all outputs from the parameters, in the order of the signature. The statements run one after another, or row by
    /// row if they share a loop.
    ///
    /// # Errors
    /// As for [`SparseKernel::run`]. Rust functions are not available here, except numbers and constants such as
    /// `f64::INFINITY`.
    ///
    /// ```
    /// use tensor_layout::sparsify::{AnyOperand, DynOperand, SparseKernel};
    /// let kernel: SparseKernel = "fn softmax(x: Dense<f64>[i]) -> (y: Dense<f64>[i], at: i64) {
    ///     let most max= x[i];
    ///     let e[i] = exp(x[i] - most);
    ///     let all += e[i];
    ///     y[i] = e[i] / all;
    ///     at = argmax(x[i], i)
    /// }".parse().unwrap();
    /// let x = DynOperand::dense(&[2], vec![0.0, 3.0_f64.ln()]).unwrap();
    /// let outputs = kernel.run_all(&[x.into()]).unwrap();
    /// let AnyOperand::F64(DynOperand::Dense { values, .. }) = &outputs[0] else { panic!() };
    /// assert!((values[0] - 0.25).abs() < 1e-15 && (values[1] - 0.75).abs() < 1e-15);
    /// assert_eq!(outputs[1], DynOperand::Scalar(1i64).into());
    /// ```
    pub fn run_all(&self, operands: &[AnyOperand]) -> Result<Vec<AnyOperand>, RunError> {
        let (expected, found) = (self.parameters, operands.len());
        if expected != found {
            return Err(RunError::Count { expected, found });
        }
        let mut computed: Vec<AnyOperand> = Vec::with_capacity(self.steps.len());
        for group in &self.groups {
            let shares = if group.len() == 1 { 1 } else { SHARES };
            for (nth, number) in
                (0..shares).flat_map(|nth| group.clone().map(move |step| (nth, step)))
            {
                let step = &self.steps[number];
                let read = step.reads.iter().map(|source| match *source {
                    Source::Parameter(number) => &operands[number],
                    Source::Statement(number) => &computed[number],
                });
                let share = (shares > 1).then(|| (nth, computed.get(number)));
                let output = step.run_any(&read.collect::<Vec<_>>(), share)?;
                match computed.get_mut(number) {
                    Some(so_far) => *so_far = output,
                    None => computed.push(output),
                }
            }
        }
        Ok(self.outputs.iter().map(|step| computed[*step].clone()).collect())
    }
}
