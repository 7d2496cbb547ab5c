//! Interprets the loops of statements and encodings that are only known at run time. It is also the reference for the Rust that
//! the macro generates.

mod accumulate;
mod any;
mod convert;
mod element;
mod error;
mod fast;
mod level;
mod machine;
mod operand;
mod output;

pub use any::AnyOperand;
pub use element::Evaluate;
pub use error::RunError;
pub use operand::{DynOperand, WideOperand};

use super::literal::value_of;
use super::widen::WidenTo;
use crate::sparse::{SparseElement, SparseEncoding};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use core::str::FromStr;
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::ir::{Function, Kernel, SharedLoop};
use layout_core::sparse_kernel::syntax::{LoweredStatement, Source, read_kernel};
use layout_core::syntax::ParseError;
use machine::Share;

/// A Rust function of a statement, for [`SparseKernel::run_with`]: from its arguments to its value.
pub type DynFunction<T> = fn(&[T]) -> T;

/// The value of a function of the statement in a run.
enum Given<T> {
    Function(DynFunction<T>),
    Value(T),
}

impl<T: Copy> Given<T> {
    fn call(&self, arguments: &[T]) -> T {
        match self {
            Self::Function(function) => function(arguments),
            Self::Value(value) => *value,
        }
    }
}

/// A kernel that is only known at run time: the twin of the function that `sparse_kernel!` generates, with the same loops.
///
/// `Display` prints the loops.
///
/// ```
/// use tensor_layout::sparse::{Duplicates, DynSparseTensor};
/// use tensor_layout::sparsify::{DynOperand, SparseKernel};
/// let spmv: SparseKernel = "fn spmv(a: {(i, j) -> (i : dense, j : compressed)}<f64>[i, j], x: Dense<f64>[j]) -> y: Dense<f64>[i] {
///     y[i] += a[i, j] * x[j]
/// }".parse().unwrap();
/// assert_eq!(spmv.to_string(), "\
/// for i in 0..size(i) {
///     let mut sum = identity;
///     for (p_a, j) in a.level1[i] /* in four lanes */ {
///         sum += a[p_a] * x[j];
///     }
///     y[i] += sum;
/// }
/// ");
///
/// let entries = [([0, 1], 2.0), ([1, 0], 3.0), ([1, 2], 4.0)];
/// let csr = "(i, j) -> (i : dense, j : compressed)".parse().unwrap();
/// let a = DynSparseTensor::from_coo(csr, &[2, 3], &entries, Duplicates::Error).unwrap();
/// let x = DynOperand::dense(&[3], vec![1.0, 10.0, 100.0]).unwrap();
/// let y = spmv.run(&[a.into(), x]).unwrap();
/// assert_eq!(y, DynOperand::dense(&[2], vec![20.0, 403.0]).unwrap());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SparseKernel {
    steps: Vec<RunStep>,
    /// The steps, in groups that share their outermost loop; a step on its own is a group.
    groups: Vec<Range<usize>>,
    /// The step that computes each output.
    outputs: Vec<usize>,
    parameters: usize,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
struct RunStep {
    kernel: Kernel,
    /// The element type that the loops compute.
    computed: ElementType,
    /// The sources of its operands.
    reads: Vec<Source>,
    /// The element type of the result.
    element: ElementType,
    /// The kernel of the entries of a given output that remain. It reads parameters, and that output last.
    kept: Option<Box<Self>>,
}

impl RunStep {
    fn new(step: LoweredStatement<usize>) -> Self {
        // Any other type would have been reported.
        let parse = |text: &str| ElementType::parse(text).unwrap_or(ElementType::F64);
        let computed = parse(&step.syntax.output.element.text);
        let element = parse(&step.target.element.text);
        let kept = step.kept.map(|kept| {
            let reads = kept.reads.into_iter().map(Source::Parameter).collect();
            Box::new(Self { kernel: kept.kernel, computed, reads, element, kept: None })
        });
        Self { kernel: step.kernel, computed, reads: step.reads, element, kept }
    }
}

impl SparseKernel {
    /// Reads one function. `encodings` defines names for encodings.
    ///
    /// # Errors
    /// Every mistake in the text, each with its location.
    pub fn parse(text: &str, encodings: &[(&str, SparseEncoding)]) -> Result<Self, ParseError> {
        let known = |name: &str| {
            encodings.iter().find(|(other, _)| *other == name).map(|(_, encoding)| *encoding)
        };
        let program = read_kernel(text, &known)?;
        let groups = program.groups().collect();
        let steps = program.steps.into_iter().map(RunStep::new).collect();
        Ok(Self { steps, groups, outputs: program.outputs, parameters: program.parameters })
    }

    /// The loops; if there are several statements, the loops of the first.
    pub fn kernel(&self) -> &Kernel {
        &self.steps[0].kernel
    }

    /// The loops of each statement, in the order in which they run. `argmin` is two statements.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.steps.iter().map(|step| &step.kernel)
    }

    /// The element type of the first output.
    pub fn element(&self) -> ElementType {
        self.steps[self.outputs[0]].element
    }

    /// The statement, if there is only one.
    fn single(&self) -> Result<&RunStep, RunError> {
        match &self.steps[..] {
            [step] if step.element == step.computed => Ok(step),
            _ => Err(RunError::Several),
        }
    }

    /// Computes the output from the parameters, in the order of the signature.
    ///
    /// # Errors
    /// If the kernel has several statements, which [`SparseKernel::run_all`] runs; if the elements or an operand do not match the
    /// signature; if sizes disagree; if a function of the statement is not defined for the elements; or if the output cannot be
    /// stored.
    pub fn run<T: Evaluate>(&self, operands: &[DynOperand<T>]) -> Result<DynOperand<T>, RunError> {
        self.run_with(operands, &[])
    }

    /// [`SparseKernel::run`] for a statement that calls Rust functions: `functions` gives each of them by its text. Numbers, and
    /// constants such as `f64::INFINITY`, need not be given.
    ///
    /// # Errors
    /// As for [`SparseKernel::run`], and if a function is not given.
    ///
    /// ```
    /// use tensor_layout::sparsify::{DynOperand, SparseKernel};
    /// let longest = "fn longest(a: Dense<f64>[i]) -> s: f64 { s = reduce(hypot, 0, a[i]) }";
    /// let longest: SparseKernel = longest.parse().unwrap();
    /// let a = DynOperand::dense(&[2], vec![3.0, 4.0]).unwrap();
    /// let s = longest.run_with(&[a], &[("hypot", |x: &[f64]| x[0].hypot(x[1]))]).unwrap();
    /// assert_eq!(s, DynOperand::Scalar(5.0));
    /// ```
    pub fn run_with<T: Evaluate>(
        &self,
        operands: &[DynOperand<T>],
        functions: &[(&str, DynFunction<T>)],
    ) -> Result<DynOperand<T>, RunError> {
        let operands: Vec<_> = operands.iter().map(|operand| (T::ELEMENT, operand)).collect();
        self.single()?.run_on(&operands, &[], functions, |value| value, None)
    }

    /// [`SparseKernel::run_with`] on operands whose elements can have types that differ from the type of the output.
    ///
    /// # Errors
    /// As for [`SparseKernel::run_with`].
    ///
    /// ```
    /// use tensor_layout::half::bf16;
    /// use tensor_layout::sparsify::{DynOperand, SparseKernel};
    /// let dot = "fn dot(a: Dense<bf16>[i], b: Dense<i8>[i]) -> s: f32 { s += a[i] * b[i] }";
    /// let dot: SparseKernel = dot.parse().unwrap();
    /// let a = DynOperand::dense(&[2], vec![bf16::from_f32(0.5), bf16::ONE]).unwrap();
    /// let b = DynOperand::dense(&[2], vec![3i8, -4]).unwrap();
    /// let s = dot.run_mixed::<f32>(&[a.into(), b.into()], &[]).unwrap();
    /// assert_eq!(s, DynOperand::Scalar(-2.5));
    /// ```
    pub fn run_mixed<T: Evaluate>(
        &self,
        operands: &[WideOperand<T::Wide>],
        functions: &[(&str, DynFunction<T>)],
    ) -> Result<DynOperand<T>, RunError> {
        let operands: Vec<_> = operands.iter().map(|wide| (wide.element, &wide.operand)).collect();
        self.single()?.run_on(&operands, &[], functions, |value| T::narrow(value).widen(), None)
    }
}

impl RunStep {
    /// Runs on operands, each with its element type; `elements` are the elements of index arrays. `element` rounds a sum of values
    /// of the output's type to that type.
    fn run_on<T: Evaluate, V: SparseElement + WidenTo<T::Wide>>(
        &self,
        operands: &[(ElementType, &DynOperand<V>)],
        elements: &[Option<Vec<i64>>],
        functions: &[(&str, DynFunction<T>)],
        element: impl Fn(V) -> V,
        share: Option<Share<'_, T::Wide>>,
    ) -> Result<DynOperand<T>, RunError> {
        let parameters = operands.iter().zip(&self.kernel.operands);
        let parameters = parameters.map(|((found, _), operand)| {
            (ElementType::parse(&operand.element).unwrap_or(self.computed), *found)
        });
        for (expected, found) in [(self.computed, T::ELEMENT)].into_iter().chain(parameters) {
            if expected != found {
                return Err(RunError::Element { expected, found });
            }
        }
        let known = |function: &Function| {
            let mut given = functions.iter().filter(|(name, _)| *name == function.text);
            let given = given.next().map(|(_, function)| Given::Function(*function));
            let value = || value_of(&function.text).map(Given::Value);
            given.or_else(|| if function.arity == 0 { value() } else { None })
        };
        let mut given = Vec::with_capacity(self.kernel.functions.len());
        for function in &self.kernel.functions {
            let unknown = || RunError::Function { text: function.text.clone() };
            given.push(known(function).ok_or_else(unknown)?);
        }
        let operands: Vec<_> = operands.iter().map(|(_, operand)| *operand).collect();
        machine::run(&self.kernel, operands, elements, &given, element, share)
    }
}

impl FromStr for SparseKernel {
    type Err = ParseError;

    /// Reads one function. Its encodings must be written in full.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text, &[])
    }
}

impl fmt::Display for SparseKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(step) = self.single() {
            return step.kernel.fmt(f);
        }
        self.groups.iter().try_for_each(|group| match &self.steps[group.clone()] {
            [step] => write!(f, "{}:\n{}", step.kernel.statement, step.kernel),
            steps => {
                let kernels: Vec<_> = steps.iter().map(|step| &step.kernel).collect();
                let statements: Vec<_> =
                    kernels.iter().map(|kernel| kernel.statement.as_str()).collect();
                write!(f, "{}:\n{}", statements.join("; "), SharedLoop(kernels))
            }
        })
    }
}
