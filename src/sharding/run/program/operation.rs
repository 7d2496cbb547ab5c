//! Operations with their kernels, and everything about their operands and results that is the same in each run.

use super::execute::replicated;
use super::failed;
use super::kernels::{self, LocalKernel};
use super::literal::Constant;
use super::reduction::Reduction;
use super::route::Route;
use super::scalar::Body as ScalarBody;
use crate::sharding::run::RunError;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use layout_core::sharding::program::{Instruction, NamedValue, Program};
use layout_core::sharding::{AxisRef, Padding, Shards, TensorSharding};

/// An operation with its kernel.
#[derive(Debug)]
pub(super) struct Operation<'a> {
    pub(super) instruction: Instruction<'a>,
    pub(super) kernel: LocalKernel,
    pub(super) operands: Vec<Operand<'a>>,
    pub(super) results: Vec<Made<'a>>,
    /// The elements of a constant, which needs no kernel.
    pub(super) constant: Option<Constant>,
    /// Its bodies, which work on scalars.
    pub(super) bodies: Vec<ScalarBody>,
    /// How devices combine their results.
    pub(super) reduction: Reduction,
    /// Whether the operation is an exchange between devices.
    pub(super) exchanges: bool,
    /// Whether each device runs it on whole operands, because it is not the same operation on local arrays.
    pub(super) is_replicated: bool,
}

/// An operand of an operation.
#[derive(Debug)]
pub(super) struct Operand<'a> {
    /// The number of its value.
    pub(super) number: usize,
    pub(super) value: &'a NamedValue,
    /// The sharding in which the operation reads it, and its shards.
    pub(super) sharding: Cow<'a, TensorSharding>,
    pub(super) shards: Cow<'a, Shards>,
    /// The axes over which it is summed before the operation runs.
    pub(super) summed: &'a [AxisRef],
    /// Whether devices exchange it before the operation runs, and how it gets there.
    pub(super) is_moved: bool,
    pub(super) route: Route,
    /// Whether nothing reads the value after the operation.
    pub(super) is_last: bool,
    /// Whether the same array is read again, in a later iteration of a loop or in a later run.
    pub(super) is_lasting: bool,
}

/// A result of an operation.
#[derive(Debug)]
pub(super) struct Made<'a> {
    pub(super) value: &'a NamedValue,
    /// The shards that the kernel computes.
    pub(super) shards: Cow<'a, Shards>,
    /// The shards on the mesh over whose axes the result is summed. A result on another mesh is whole on every device.
    pub(super) summed: Cow<'a, Shards>,
    pub(super) is_padded: bool,
    /// Whether it is represented by the one element that it repeats.
    pub(super) is_splat: bool,
}

impl<'a> Operation<'a> {
    /// # Errors
    /// If it cannot run.
    pub(super) fn of(
        instruction: Instruction<'a>,
        program: &'a Program,
        manual: &[AxisRef],
    ) -> Result<Self, RunError> {
        let fails = |message: String| Err(failed(&instruction, message));
        if let Some(message) = instruction.refused() {
            return fails(message);
        }
        if let Some(message) = instruction.refused_outside().filter(|_| manual.is_empty()) {
            return fails(message.into());
        }
        // Within a manual computation, devices that differ along its axes have parts of different arrays.
        let arrives = |(at, value): (usize, &usize)| {
            let [from, to] = [&program.values()[*value].sharding, instruction.sharding(at)];
            is_across(program, from, to)
        };
        if !manual.is_empty() && instruction.operands().iter().enumerate().any(arrives) {
            return fails("an operand comes from another mesh within a manual computation".into());
        }
        let tensors = instruction.operands().iter().chain(instruction.results());
        let types = tensors.map(|at| program.values()[*at].dtype);
        let kernel = kernels::find(instruction.name(), types);
        let first = instruction.operands().first().map(|at| program.values()[*at].dtype);
        if let Some(dtype) = first.filter(|dtype| !kernels::supports(instruction.name(), *dtype)) {
            return fails(format!("there is no kernel for elements of type `{dtype}`"));
        }
        // The elements of a constant are read below, and any other operation without a local kernel exchanges data.
        let is_constant = instruction.name() == "constant";
        let exchanges = kernel.is_none() && !is_constant;
        let kernel = kernel.unwrap_or(LocalKernel::Reads(|_| Ok(Vec::new())));
        let reducer = instruction.attributes().word("reducer", "add");
        let reduction = Reduction::of(reducer).unwrap_or(Reduction::Sum);
        let is_replicated = instruction.not_local().is_some();
        // A body that is one operation of two values is represented by the name of that operation.
        let has_name = !instruction.attributes().word("reducer", "").is_empty();
        let bodies = instruction.bodies().iter().filter(|_| !has_name);
        let bodies = match bodies.map(ScalarBody::of).collect() {
            Ok(bodies) => bodies,
            Err(message) => return fails(message),
        };
        let mut constant = None;
        if is_constant {
            let value = &program.values()[instruction.results()[0]];
            constant = match Constant::of(&instruction, value) {
                Ok(constant) => Some(constant),
                Err(message) => return fails(message),
            };
        }
        let operands = operands(&instruction, program, is_replicated)?;
        let results = results(&instruction, program, is_replicated)?;
        Ok(Self {
            instruction,
            kernel,
            operands,
            results,
            constant,
            bodies,
            reduction,
            exchanges,
            is_replicated,
        })
    }

    /// Whether its result repeats one element on every device.
    pub(super) fn repeats_one_element(&self) -> bool {
        let repeats = match &self.constant {
            Some(constant) => matches!(constant, Constant::Splat(_)),
            None => {
                let is_one =
                    |operand: &Operand<'_>| operand.value.dims.iter().all(|size| *size == 1);
                self.instruction.name() == "broadcast_in_dim" && self.operands.iter().all(is_one)
            }
        };
        let is_whole = |made: &Made<'_>| made.value.sharding.unreduced.is_empty();
        repeats
            && !self.is_replicated
            && self.results.iter().all(is_whole)
            && self.instruction.summed_after().is_empty()
            && self.instruction.made_partial().is_empty()
    }

    /// Whether devices have its results once they have run it, without any exchange.
    pub(super) fn is_done_at_once(&self) -> bool {
        !self.exchanges && (self.is_replicated || self.instruction.summed_after().is_empty())
    }
}

fn operands<'a>(
    instruction: &Instruction<'a>,
    program: &'a Program,
    is_replicated: bool,
) -> Result<Vec<Operand<'a>>, RunError> {
    let operand = |(at, &number): (usize, &usize)| {
        let value = &program.values()[number];
        let sharding = match is_replicated {
            true => Cow::Owned(replicated(&value.sharding)),
            false => Cow::Borrowed(instruction.sharding(at)),
        };
        let summed = if is_replicated { &[] } else { instruction.summed_before(at) };
        let stays = *sharding == value.sharding;
        let shards = match stays {
            true => Cow::Borrowed(value.shards()),
            false => Cow::Owned(shards(program, &sharding, value)?),
        };
        let is_moved = !stays || !summed.is_empty();
        Ok(Operand {
            number,
            value,
            sharding,
            shards,
            summed,
            is_moved,
            route: Route::default(),
            is_last: false,
            is_lasting: false,
        })
    };
    instruction.operands().iter().enumerate().map(operand).collect()
}

fn results<'a>(
    instruction: &Instruction<'a>,
    program: &'a Program,
    is_replicated: bool,
) -> Result<Vec<Made<'a>>, RunError> {
    let result = |&number: &usize| {
        let value = &program.values()[number];
        let whole = instruction.whole(value.dims.len());
        let whole = whole.filter(|whole| program.mesh_of(whole) != value.shards().mesh());
        let summed = match whole {
            Some(whole) => Cow::Owned(shards(program, &whole, value)?),
            None => Cow::Borrowed(value.shards()),
        };
        let shards = match is_replicated {
            true => Cow::Owned(shards(program, &replicated(&value.sharding), value)?),
            false => Cow::Borrowed(value.shards()),
        };
        Ok(Made { value, shards, summed, is_padded: is_padded(value.shards()), is_splat: false })
    };
    instruction.results().iter().map(result).collect()
}

/// The shards of a value in a sharding of the program.
pub(super) fn shards(
    program: &Program,
    sharding: &TensorSharding,
    value: &NamedValue,
) -> Result<Shards, RunError> {
    Ok(Shards::new(sharding, program.mesh_of(sharding), &value.dims, Padding::Allowed)?)
}

/// Whether the local arrays of some devices reach past the end of the whole array.
pub(super) fn is_padded(shards: &Shards) -> bool {
    let local = shards.local_dims().iter().zip(shards.tiles());
    !local.zip(shards.dims()).all(|((local, tiles), whole)| local * tiles == *whole)
}

/// Whether resharding a value sends parts of it from one mesh to another.
pub(super) fn is_across(program: &Program, from: &TensorSharding, to: &TensorSharding) -> bool {
    let stays = [from, to].iter().all(|sharding| program.is_on_every_device(sharding));
    program.mesh_of(from) != program.mesh_of(to) && !stays
}
