//! Executes the steps of a program on one device.

use super::collectives;
use super::kernels::{Failed, LocalCall, LocalOperand, LocalResult};
use super::numbers::Numbers;
use super::reduction::Reduction;
use super::routine::{Action, Begin, Operation, Routine};
use super::values::{Value, Values};
use super::{HostArray, Runner, clear_padding, failed, missing};
use crate::sharding::run::collective::region;
use crate::sharding::run::region::{Shard, read, write};
use crate::sharding::run::{RunError, Transport};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::sharding::program::{Instruction, NamedValue};
use layout_core::sharding::{AxisRef, Shards, TensorSharding};

/// The collectives of later steps that have begun, with the operands that they move, by number, or the results of a collective
/// that is an operation of the program.
type Early<'r, T> = BTreeMap<Begin, Vec<Value<'r, T>>>;

impl Runner<'_> {
    pub(super) fn execute<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        routine: &'r Routine<'_>,
        values: &mut Values<'r, T>,
    ) -> Result<(), RunError> {
        let (manual, known) = (&routine.manual[..], self.program.values());
        let mut early = Early::new();
        self.begin_early(transport, routine, &routine.begins, (values, &mut early))?;
        for (at, step) in routine.steps.iter().enumerate() {
            match &step.action {
                Action::Operation(operation) => {
                    self.operation(transport, (at, operation), (values, &mut early), manual)?;
                }
                Action::Assign { from, to } => {
                    self.enter(transport, &[*from], &[*to], (values, manual))?;
                }
                Action::While { inputs, condition, body, results } => {
                    // The arrays enter the condition and the body again in each iteration.
                    self.enter(transport, inputs, results, (values, manual))?;
                    loop {
                        self.enter(transport, results, &condition.arguments, (values, manual))?;
                        self.execute(transport, condition, values)?;
                        if self.integer(transport, condition.returned.first(), values)? == 0 {
                            break;
                        }
                        self.enter(transport, results, &body.arguments, (values, manual))?;
                        self.execute(transport, body, values)?;
                        self.enter(transport, &body.returned, results, (values, manual))?;
                    }
                }
                Action::Manual { inputs, body, results } => {
                    for ((value, to), argument) in inputs.iter().zip(&body.arguments) {
                        let own = &known[*value].sharding;
                        let at = (*value, *argument);
                        self.crosses(transport, at, (*value, own, to), (values, manual))?;
                    }
                    self.execute(transport, body, values)?;
                    for ((value, from), returned) in results.iter().zip(&body.returned) {
                        let own = &known[*value].sharding;
                        let at = (*returned, *value);
                        self.crosses(transport, at, (*value, from, own), (values, manual))?;
                    }
                }
                Action::Case { index, branches, results } => {
                    let number = self.integer(transport, Some(index), values)?;
                    let is_truth = self.program.values()[*index].dtype.name() == "pred";
                    let number = if is_truth { 1 - number } else { number };
                    // A number that is not the number of a branch selects the last one.
                    let last = branches.len() - 1;
                    let branch = &branches[usize::try_from(number).map_or(last, |n| n.min(last))];
                    self.execute(transport, branch, values)?;
                    self.enter(transport, &branch.returned, results, (values, manual))?;
                }
            }
            self.begin_early(transport, routine, &step.begins, (values, &mut early))?;
            step.last_taken.iter().try_for_each(|value| values.release(transport, *value))?;
        }
        Ok(())
    }

    /// Begins collectives of later steps.
    fn begin_early<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        routine: &'r Routine<'_>,
        begins: &[Begin],
        (values, early): (&mut Values<'r, T>, &mut Early<'r, T>),
    ) -> Result<(), RunError> {
        let manual = &routine.manual[..];
        for &begin in begins {
            let Action::Operation(operation) = &routine.steps[begin.step].action else { continue };
            let begun = match begin.operand {
                Some(at) => vec![self.begin_operand(transport, operation, at, (values, manual))?],
                None => {
                    let operands =
                        self.operands(transport, (begin.step, operation), (values, early), manual)?;
                    self.begin_results(transport, operation, &operands)?
                }
            };
            early.insert(begin, begun);
        }
        Ok(())
    }

    /// The value of an integer or boolean scalar.
    fn integer<'r, T: Transport + 'r>(
        &self,
        transport: &mut T,
        value: Option<&usize>,
        values: &mut Values<'r, T>,
    ) -> Result<i128, RunError> {
        let at = value.copied().unwrap_or(0);
        match Numbers::of(values.wait(transport, at)?) {
            Numbers::Integer(number) if !number.is_empty() => Ok(number[0]),
            _ => Err(missing(&self.program.values()[at])),
        }
    }

    /// Assigns values to other values, all at once.
    fn enter<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        from: &[usize],
        to: &[usize],
        (values, manual): (&mut Values<'r, T>, &'r [AxisRef]),
    ) -> Result<(), RunError> {
        let known = self.program.values();
        let mut arrays = Vec::with_capacity(to.len());
        for (&from, &to) in from.iter().zip(to) {
            let (value, to) = (&known[from], &known[to].sharding);
            let array = values.wait(transport, from)?;
            let sharded = (&value.sharding, to);
            arrays.push(self.begin_resharded(transport, array, value, sharded, manual)?);
        }
        for (array, &to) in arrays.into_iter().zip(to) {
            values.set(transport, to, array)?;
        }
        Ok(())
    }

    /// Moves a value across the border of a manual computation: the shards of `outer` in one of its shardings become those of
    /// the value inside, or the reverse.
    fn crosses<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        (from, to): (usize, usize),
        (outer, own, other): (usize, &TensorSharding, &TensorSharding),
        (values, manual): (&mut Values<'r, T>, &'r [AxisRef]),
    ) -> Result<(), RunError> {
        let value = &self.program.values()[outer];
        let array = values.wait(transport, from)?;
        // An array and the part of it inside the body differ only in the size of the whole array.
        let crossed = self.begin_resharded(transport, array, value, (own, other), manual)?;
        values.set(transport, to, crossed)
    }

    fn operation<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        (step, operation): (usize, &'r Operation<'_>),
        (values, early): (&mut Values<'r, T>, &mut Early<'r, T>),
        manual: &'r [AxisRef],
    ) -> Result<(), RunError> {
        let instruction = &operation.instruction;
        let known = self.program.values();
        if let Some(constant) = &operation.constant {
            let number = instruction.results()[0];
            let constant = constant.shard(&known[number], transport.device())?;
            return values.set(transport, number, Value::Here(constant));
        }
        let made = match early.remove(&Begin { step, operand: None }) {
            Some(begun) => begun,
            None => {
                let operands =
                    self.operands(transport, (step, operation), (values, early), manual)?;
                self.begin_results(transport, operation, &operands)?
            }
        };
        for (made, &number) in made.into_iter().zip(instruction.results()) {
            values.set(transport, number, made)?;
        }
        Ok(())
    }

    /// The operands of an operation, after those that are resharded have arrived.
    fn operands<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        (step, operation): (usize, &'r Operation<'_>),
        (values, early): (&mut Values<'r, T>, &mut Early<'r, T>),
        manual: &'r [AxisRef],
    ) -> Result<Vec<LocalOperand>, RunError> {
        let instruction = &operation.instruction;
        let mut begun = Vec::with_capacity(instruction.operands().len());
        for at in 0..instruction.operands().len() {
            match early.remove(&Begin { step, operand: Some(at) }) {
                Some(early) => begun.extend(early),
                None => {
                    begun.push(self.begin_operand(transport, operation, at, (values, manual))?)
                }
            }
        }
        let mut operands = Vec::with_capacity(begun.len());
        for ((at, operand), number) in begun.into_iter().enumerate().zip(instruction.operands()) {
            let value = &self.program.values()[*number];
            let to = operation.sharding(at, value);
            let shards = self.shards(&to, value)?;
            operands.push(LocalOperand { array: operand.wait(transport)?, shards });
        }
        Ok(operands)
    }

    /// Runs an operation on local arrays, and begins the exchanges that follow.
    fn begin_results<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        operation: &'r Operation<'_>,
        operands: &[LocalOperand],
    ) -> Result<Vec<Value<'r, T>>, RunError> {
        let instruction = &operation.instruction;
        let device = transport.device();
        let known = self.program.values();
        let results = instruction.results().iter().map(|&at| &known[at]);
        let results: Vec<&NamedValue> = results.collect();
        let mut local = Vec::with_capacity(results.len());
        for value in &results {
            let shards = match operation.is_replicated {
                true => Cow::Owned(self.shards(&replicated(&value.sharding), value)?),
                false => Cow::Borrowed(value.shards()),
            };
            local.push(LocalResult { dtype: value.dtype, shards });
        }
        let after = instruction.summed_after();
        let is_first = match results.first() {
            Some(value) if !operation.is_replicated => {
                self.is_first(&*self.summed_shards(instruction, value)?, after, device)
                    && self.is_first(value.shards(), &value.sharding.unreduced, device)
            }
            _ => true,
        };
        let call = LocalCall {
            name: instruction.name(),
            attributes: instruction.attributes(),
            operands,
            results: &local,
            bodies: &operation.bodies,
            reduction: operation.reduction,
            is_first,
            device,
        };
        let made = match operation.exchanges {
            true => collectives::begin(transport, self.mesh, &call)
                .map(|made| made.into_iter().map(Value::UnderWay).collect()),
            false => {
                (operation.kernel)(&call).map(|made| made.into_iter().map(Value::Here).collect())
            }
        };
        let made: Vec<Value<'r, T>> = made.map_err(|error| match error {
            Failed::Run(error) => error,
            Failed::Not(message) => failed(instruction, message),
        })?;
        let mut values = Vec::with_capacity(made.len());
        for ((made, value), result) in made.into_iter().zip(results).zip(&local) {
            let dims = result.local_dims().to_vec();
            let made = made.then(move |mut array| {
                if array.dims() != dims {
                    let found = array.dims();
                    let message =
                        format!("its result has size {found:?} on each device, not {dims:?}");
                    return Err(failed(instruction, message));
                }
                if operation.is_replicated {
                    array = part(&array, value.shards(), device)?;
                    let (own, kept) = (value.shards(), &value.sharding);
                    self.keep_one(&mut array, (own, kept.reduction), &kept.unreduced, device);
                } else {
                    clear_padding(&mut array, value.shards(), device)?;
                }
                Ok(array)
            })?;
            if operation.is_replicated {
                values.push(made);
                continue;
            }
            let combined = (after, operation.reduction);
            let shards = self.summed_shards(instruction, value)?.into_owned();
            let made = self.begin_reduce(transport, made, shards, combined)?;
            values.push(made.then(move |mut array| {
                let kept = (value.shards(), value.sharding.reduction);
                self.keep_one(&mut array, kept, instruction.made_partial(), device);
                Ok(array)
            })?);
        }
        Ok(values)
    }

    /// The shards of a result on the mesh over whose axes it is summed. A result on another mesh is whole on every device.
    fn summed_shards<'r>(
        &self,
        instruction: &Instruction<'_>,
        value: &'r NamedValue,
    ) -> Result<Cow<'r, Shards>, RunError> {
        let whole = instruction.whole(value.dims.len());
        let whole = whole.filter(|whole| self.program.mesh_of(whole) != value.shards().mesh());
        Ok(match whole {
            Some(whole) => Cow::Owned(self.shards(&whole, value)?),
            None => Cow::Borrowed(value.shards()),
        })
    }

    /// Begins to reshard an operand to the sharding in which an operation reads it.
    fn begin_operand<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        operation: &'r Operation<'_>,
        at: usize,
        (values, manual): (&mut Values<'r, T>, &'r [AxisRef]),
    ) -> Result<Value<'r, T>, RunError> {
        let instruction = &operation.instruction;
        let number = instruction.operands()[at];
        let value = &self.program.values()[number];
        let array = values.wait(transport, number)?;
        let to = operation.sharding(at, value);
        let moved =
            self.begin_resharded(transport, array, value, (&value.sharding, &to), manual)?;
        let summed = (operation.summed_before(at), Reduction::of_unreduced(to.reduction));
        let shards = self.shards(&to, value)?;
        self.begin_reduce(transport, moved, shards, summed)
    }

    /// Begins to combine shards over the devices along axes.
    fn begin_reduce<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        value: Value<'r, T>,
        shards: Shards,
        (axes, reduction): (&'r [AxisRef], Reduction),
    ) -> Result<Value<'r, T>, RunError> {
        if axes.is_empty() {
            return Ok(value);
        }
        Ok(Value::UnderWay(match value {
            Value::Here(array) => {
                self.begin_combined(transport, array, &shards, (axes, reduction))?
            }
            Value::UnderWay(first) => Box::new(move |transport| {
                let array = first(transport)?;
                self.begin_combined(transport, array, &shards, (axes, reduction))?(transport)
            }),
        }))
    }
}

/// The sharding of an array that is complete on every device.
pub(super) fn replicated(sharding: &TensorSharding) -> TensorSharding {
    TensorSharding::closed(sharding.mesh.clone(), sharding.rank())
}

/// The shard of a device from an array that is complete on it.
pub(super) fn part(
    array: &HostArray,
    shards: &Shards,
    device: usize,
) -> Result<HostArray, RunError> {
    let region = region(shards, device);
    let mut part = HostArray::zeroed(array.dtype(), shards.local_dims())?;
    if region.iter().all(|range| !range.is_empty()) {
        let width = array.width();
        let bytes = read(&region, &Shard::whole(array.dims()), width, array.as_bytes());
        let own: Vec<_> = region.iter().map(|range| 0..range.len()).collect();
        let to = Shard::whole(shards.local_dims());
        write(&own, &to, width, &bytes, part.as_bytes_mut());
    }
    Ok(part)
}
