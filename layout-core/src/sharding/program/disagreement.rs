//! Operations whose tensors disagree, so that operands are resharded.

use super::{Call, Program};
use crate::sharding::propagation::Conflict;
use crate::sharding::tensor::Split;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// An operation that cannot run on the shardings of its tensors, so that some operands are resharded first; see
/// [`Program::conflicts`].
///
/// ```
/// use tensor_layout::sharding::program::Program;
/// let program = Program::from_mlir(r#"module {
///   sdy.mesh @mesh = <["data"=2]>
///   func.func public @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
///                          %y: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}) -> tensor<4x4xf32> {
///     %0 = stablehlo.add %x, %y : tensor<4x4xf32>
///     return %0 : tensor<4x4xf32>
///   }
/// }
/// "#)?;
/// let conflicts = program.conflicts();
/// assert_eq!((conflicts.len(), &conflicts[0].operation[..]), (1, "add"));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disagreement {
    /// The operation.
    pub operation: String,
    /// Its first result.
    pub result: String,
    /// Its line in the text, counted from 1, if the program was read from MLIR.
    pub line: Option<usize>,
    /// The tensors that disagree, and the sharding of each.
    pub message: String,
    /// The sharding of one operand that makes it agree with the other tensor, `arg1 [{"data"}, {}]`, if such a sharding exists.
    pub agreement: Option<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "`{}` of `{}`: {}", self.operation, self.result, self.message)
    }
}

impl Program {
    /// The operations whose operands are resharded because their tensors disagree, in the order of the program.
    pub fn conflicts(&self) -> Vec<Disagreement> {
        let conflicts = self.calls.iter().filter_map(|call| {
            let conflict = self.graph.conflict_or_padded(call.op)?;
            let tensors = call.operands.iter().chain(&call.results);
            let names: Vec<_> = tensors.map(|&at| self.values[at].name.as_str()).collect();
            Some(Disagreement {
                operation: call.name.clone(),
                result: names.get(call.operands.len()).copied().unwrap_or("").into(),
                line: call.line,
                message: conflict.message(&names),
                agreement: self.agreement(call, &conflict),
            })
        });
        conflicts.collect()
    }

    /// The sharding of an operand that makes it agree with the other tensor of a conflict.
    fn agreement(&self, call: &Call, conflict: &Conflict) -> Option<String> {
        let sides = [(conflict.other, conflict.tensor), (conflict.tensor, conflict.other)];
        let sides = sides.into_iter().filter(|(operand, _)| *operand < call.operands.len());
        sides.filter(|(operand, with)| operand != with).find_map(|(operand, with)| {
            let sharding = self.graph.agreeing(call.op, operand, with)?;
            let is_plain = sharding.replicated.is_empty() && sharding.unreduced.is_empty();
            let name = &self.values[call.operands[operand]].name;
            is_plain.then(|| format!("{name} {}", Split(&sharding)))
        })
    }
}
