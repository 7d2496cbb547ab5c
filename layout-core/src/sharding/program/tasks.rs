//! What devices execute, in order.

use super::nodes::{Node, RegionKind};
use super::{Call, Program};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// What devices execute, one after another. Values have their numbers among [`Program::values`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Task {
    /// An operation; [`Program::instruction`] has it under this number.
    Operation(usize),
    /// A value becomes another one, in the sharding of that one: an operand becomes the argument of a function, or a
    /// constraint shards it anew.
    Assign {
        /// The value that is there.
        from: usize,
        /// The value that it becomes.
        to: usize,
    },
    /// A loop. The values enter the condition and the body; what the body returns enters both again.
    While {
        /// The values at the start.
        inputs: Vec<usize>,
        /// Returns whether the body runs again.
        condition: Body,
        /// Returns the next values.
        body: Body,
        /// The values at the end.
        results: Vec<usize>,
    },
    /// A choice between bodies without arguments, by a number, or by a truth value whose first body is for `true`.
    Case {
        /// The number or truth value.
        index: usize,
        /// The bodies.
        branches: Vec<Body>,
        /// What the chosen body returns.
        results: Vec<usize>,
    },
}

/// Tasks that run several times or not at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Body {
    /// The values that enter it.
    pub arguments: Vec<usize>,
    /// What it executes.
    pub tasks: Vec<Task>,
    /// The values that it returns.
    pub returned: Vec<usize>,
}

/// An operation that devices cannot execute.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotRunnable {
    /// The operation.
    pub operation: String,
    /// Its line, from 1, if the program was read from MLIR.
    pub line: Option<usize>,
    /// Why.
    pub message: String,
}

/// The elements of a constant, as MLIR writes them.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    /// `dense<1.0> : tensor<f32>`
    Own(Box<str>),
    /// A long text, within the printed text of the program.
    Within(Range<usize>),
}

/// What a program that was imported executes.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    pub(super) tasks: Vec<Task>,
    /// Operations without a sharding rule. They are numbered after those with one.
    pub(super) unruled: Vec<Call>,
    /// The elements of constants, by the number of the operation.
    pub(super) constants: BTreeMap<usize, Constant>,
    /// The first operation that cannot be executed.
    pub(super) refused: Option<NotRunnable>,
}

impl Program {
    /// What devices execute to run the program.
    ///
    /// # Errors
    /// For the first operation of which the program does not know how it runs: it has a body whose meaning is not
    /// known, or takes values that are not tensors of known size.
    pub fn tasks(&self) -> Result<Vec<Task>, NotRunnable> {
        if self.imported.is_some() {
            return match &self.execution.refused {
                Some(refused) => Err(refused.clone()),
                None => Ok(self.execution.tasks.clone()),
            };
        }
        if let Some(value) = self.values.iter().find(|value| value.unbounded != 0) {
            let message = alloc::format!("the size of `{}` is not known", value.name);
            return Err(NotRunnable { operation: self.name.clone(), line: None, message });
        }
        let mut tasks = Vec::with_capacity(self.calls.len());
        for node in &self.nodes {
            match node {
                Node::Call(call) => tasks.push(Task::Operation(*call)),
                Node::Group { .. } => {}
                Node::Region(region) => {
                    let operation = match &region.kind {
                        RegionKind::While => "while",
                        RegionKind::Case => "case",
                        RegionKind::OptimizationBarrier => "optimization_barrier",
                        RegionKind::Custom(custom) => &custom.name,
                        RegionKind::Manual { .. } => "manual",
                    };
                    let message = "operations with a body do not run yet".into();
                    return Err(NotRunnable { operation: operation.into(), line: None, message });
                }
            }
        }
        Ok(tasks)
    }

    /// The numbers of the values that the program returns.
    pub fn returned(&self) -> impl Iterator<Item = usize> {
        self.returns.iter().map(|(at, _, _)| *at)
    }
}
