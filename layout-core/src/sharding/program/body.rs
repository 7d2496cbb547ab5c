//! The bodies of operations: the functions of scalars that reductions, sorts and scatters apply.

use crate::dtype::DType;
use crate::sharding::ops;
use alloc::string::String;
use alloc::vec::Vec;

/// The body of an operation. Its values are numbered: first its arguments, then the results of its steps.
///
/// The comparator of a sort in ascending order, `stablehlo.compare LT, %a, %b`, has two arguments and one step, and returns
/// value 2:
///
/// ```
/// use tensor_layout::sharding::program::{Program, Task};
/// let program = Program::from_mlir(r#"func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
///   %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
///   ^bb0(%b: tensor<f32>, %c: tensor<f32>):
///     %1 = stablehlo.compare LT, %b, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
///     stablehlo.return %1 : tensor<i1>
///   }) : (tensor<4xf32>) -> tensor<4xf32>
///   return %0 : tensor<4xf32>
/// }"#)?;
/// let tasks = program.tasks().expect("it runs");
/// let Task::Operation(sort) = tasks[0] else { panic!("the sort is the first operation") };
/// let body = &program.instruction(sort).bodies()[0];
/// assert_eq!((&*body.steps[0].name, &*body.steps[0].word), ("compare", "LT"));
/// assert_eq!((&body.steps[0].operands[..], &body.returned[..]), (&[0, 1][..], &[2][..]));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScalarBody {
    /// The element types of its arguments.
    pub arguments: Vec<DType>,
    /// The operations that it performs, in order.
    pub steps: Vec<ScalarStep>,
    /// The values that it returns.
    pub returned: Vec<usize>,
}

/// One operation on scalars: a step of a [`ScalarBody`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarStep {
    /// Its name without its dialect.
    pub name: String,
    /// The direction of a comparison, `LT` or `LT TOTALORDER`, or the value of a constant.
    pub word: String,
    /// The values that it reads.
    pub operands: Vec<usize>,
    /// The element type of its result.
    pub dtype: DType,
}

impl ScalarBody {
    /// The first step that cannot be run.
    pub(super) fn refused(&self) -> Option<&ScalarStep> {
        let is_step = |name: &str| ops::row(name).is_some_and(|operation| operation.is_step);
        self.steps.iter().find(|step| !is_step(&step.name) || !ops::computes_with(step.dtype))
    }
}
