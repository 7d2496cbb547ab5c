//! Executes the steps of a program on one device.

use super::collectives;
use super::kernels::{Failed, LocalCall, LocalOperand, LocalResult};
use super::literal::Constant;
use super::numbers::Numbers;
use super::operation::{Made, Operand, Operation};
use super::reduction::Reduction;
use super::route::Assignment;
use super::routine::{Action, Begin, Border, Loop, Routine};
use super::values::{Value, Values};
use super::{HostArray, Runner, clear_padding, failed, missing};
use crate::sharding::run::collective::region;
use crate::sharding::run::region::{Shard, read, write};
use crate::sharding::run::{RunError, Transport};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
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
                Action::Assign(assignment) => {
                    let assigned = core::slice::from_ref(&**assignment);
                    self.enter(transport, assigned, (values, manual))?;
                }
                Action::While(of) => self.repeat(transport, of, (values, manual))?,
                Action::Manual { inputs, body, results } => {
                    for (border, argument) in inputs.iter().zip(&body.arguments) {
                        let between = (&known[border.value].sharding, &border.sharding);
                        let at = (border.value, *argument);
                        self.crosses(transport, at, (border, between), (values, manual))?;
                    }
                    self.execute(transport, body, values)?;
                    for (border, returned) in results.iter().zip(&body.returned) {
                        let between = (&border.sharding, &known[border.value].sharding);
                        let at = (*returned, border.value);
                        self.crosses(transport, at, (border, between), (values, manual))?;
                    }
                }
                Action::Case { index, branches, .. } => {
                    let number = self.integer(transport, Some(index), values)?;
                    let is_truth = self.program.values()[*index].dtype.name() == "pred";
                    let number = if is_truth { 1 - number } else { number };
                    // A number that is not the number of a branch selects the last one.
                    let last = branches.len() - 1;
                    let branch = &branches[usize::try_from(number).map_or(last, |n| n.min(last))];
                    self.execute(transport, &branch.body, values)?;
                    self.enter(transport, &branch.returned, (values, manual))?;
                }
            }
            self.begin_early(transport, routine, &step.begins, (values, &mut early))?;
            step.last_taken.iter().try_for_each(|value| values.release(transport, *value))?;
        }
        Ok(())
    }

    /// Executes the body of a loop while its condition holds.
    fn repeat<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        of: &'r Loop<'_>,
        (values, manual): (&mut Values<'r, T>, &'r [AxisRef]),
    ) -> Result<(), RunError> {
        let Loop { inputs, tested, condition, entered, body, returned, own } = of;
        self.enter(transport, inputs, (values, manual))?;
        loop {
            self.enter(transport, tested, (values, manual))?;
            self.execute(transport, condition, values)?;
            if self.integer(transport, condition.returned.first(), values)? == 0 {
                return Ok(());
            }
            self.enter(transport, entered, (values, manual))?;
            // The body may write over them.
            entered.iter().try_for_each(|result| values.release(transport, result.from))?;
            self.execute(transport, body, values)?;
            self.enter(transport, returned, (values, manual))?;
            // The next iteration may write over them.
            own.iter().try_for_each(|value| values.release(transport, *value))?;
        }
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
                Some(at) => {
                    let operand = &operation.operands[at];
                    vec![self.begin_operand(transport, operand, (values, manual))?]
                }
                None => {
                    // Steps before the operation may read its operands.
                    let (step, how) = ((begin.step, &**operation), (manual, false));
                    let operands = self.operands(transport, step, (values, early), how)?;
                    self.begin_results(transport, operation, operands)?
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
        assigned: &'r [Assignment],
        (values, manual): (&mut Values<'r, T>, &[AxisRef]),
    ) -> Result<(), RunError> {
        let known = self.program.values();
        let mut arrays = Vec::with_capacity(assigned.len());
        for Assignment { from, to, route } in assigned {
            let value = &known[*from];
            let array = values.wait(transport, *from)?;
            let between = (&value.sharding, &known[*to].sharding);
            arrays.push(self.begin_resharded(transport, array, value, between, (manual, route))?);
        }
        for (array, assignment) in arrays.into_iter().zip(assigned) {
            values.set(transport, assignment.to, array)?;
        }
        Ok(())
    }

    /// Moves a value across the border of a manual computation: its shards outside, in one of its shardings, become those of the
    /// value inside, or the reverse.
    fn crosses<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        (from, to): (usize, usize),
        (border, between): (&'r Border, (&TensorSharding, &TensorSharding)),
        (values, manual): (&mut Values<'r, T>, &[AxisRef]),
    ) -> Result<(), RunError> {
        let value = &self.program.values()[border.value];
        let array = values.wait(transport, from)?;
        // An array and the part of it inside the body differ only in the size of the whole array.
        let how = (manual, &border.route);
        let crossed = self.begin_resharded(transport, array, value, between, how)?;
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
            let (value, device) = (&known[number], transport.device());
            let mut constant = match (constant, operation.results[0].is_splat) {
                (Constant::Splat(element), true) => element.clone(),
                _ => constant.shard(value, device)?,
            };
            let kept = (value.shards(), value.sharding.reduction);
            self.keep_one(&mut constant, kept, &value.sharding.unreduced, device)?;
            return values.set(transport, number, Value::Here(constant));
        }
        let made = match early.remove(&Begin { step, operand: None }) {
            Some(begun) => begun,
            None => {
                let (step, how) = ((step, operation), (manual, true));
                let operands = self.operands(transport, step, (values, early), how)?;
                self.begin_results(transport, operation, operands)?
            }
        };
        for (made, &number) in made.into_iter().zip(instruction.results()) {
            values.set(transport, number, made)?;
        }
        Ok(())
    }

    /// The operands of an operation, after those that are resharded have arrived. Takes those that are not read again away from
    /// the values if `takes`.
    fn operands<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        (step, operation): (usize, &'r Operation<'_>),
        (values, early): (&mut Values<'r, T>, &mut Early<'r, T>),
        (manual, takes): (&'r [AxisRef], bool),
    ) -> Result<Vec<LocalOperand<'r>>, RunError> {
        let mut begun = Vec::with_capacity(operation.operands.len());
        for (at, operand) in operation.operands.iter().enumerate() {
            let early = match operand.is_moved {
                true => early.remove(&Begin { step, operand: Some(at) }),
                false => None,
            };
            match early {
                Some(early) => begun.extend(early),
                None if takes && operand.is_last && !operand.is_moved => {
                    begun.push(Value::Here(values.take(transport, operand.number)?));
                }
                None => begun.push(self.begin_operand(transport, operand, (values, manual))?),
            }
        }
        let arrived = begun.into_iter().zip(&operation.operands).map(|(value, operand)| {
            let Operand { shards, is_lasting, .. } = operand;
            let array = value.wait(transport)?;
            Ok(LocalOperand { array, shards, is_lasting: *is_lasting })
        });
        arrived.collect()
    }

    /// Runs an operation on local arrays, and begins the exchanges that follow.
    fn begin_results<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        operation: &'r Operation<'_>,
        operands: Vec<LocalOperand<'r>>,
    ) -> Result<Vec<Value<'r, T>>, RunError> {
        let instruction = &operation.instruction;
        let device = transport.device();
        let after = instruction.summed_after();
        let local = operation.results.iter();
        let local = local.map(|made| LocalResult {
            dtype: made.value.dtype,
            shards: &made.shards,
            is_splat: made.is_splat,
        });
        let local: Vec<_> = local.collect();
        let is_first = match operation.results.first() {
            Some(made) if !operation.is_replicated => {
                self.is_first(&made.summed, after, device)
                    && self.is_first(&made.shards, &instruction.counted_once(), device)
            }
            _ => true,
        };
        let mut call = LocalCall {
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
                let made = operation.kernel.run(&mut call);
                made.map(|made| made.into_iter().map(Value::Here).collect())
            }
        };
        let made: Vec<Value<'r, T>> = made.map_err(|error| match error {
            Failed::Run(error) => error,
            Failed::Not(message) => failed(instruction, message),
        })?;
        let made = made.into_iter().zip(&operation.results);
        made.map(|(made, result)| self.finish(transport, operation, made, result)).collect()
    }

    /// Checks a result that a kernel has computed, and begins the exchanges that follow.
    fn finish<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        operation: &'r Operation<'_>,
        computed: Value<'r, T>,
        made: &'r Made<'_>,
    ) -> Result<Value<'r, T>, RunError> {
        let instruction = &operation.instruction;
        let device = transport.device();
        let kept = (made.value.shards(), made.value.sharding.reduction);
        if made.is_splat {
            return Ok(computed);
        }
        let computed = computed.then(move |mut array| {
            let dims = made.shards.local_dims();
            if array.dims() != dims {
                let found = array.dims();
                let message = format!("its result has size {found:?} on each device, not {dims:?}");
                return Err(failed(instruction, message));
            }
            if operation.is_replicated {
                array = part(&array, made.value.shards(), device)?;
                self.keep_one(&mut array, kept, &made.value.sharding.unreduced, device)?;
            } else if made.is_padded {
                clear_padding(&mut array, made.value.shards(), device)?;
            }
            Ok(array)
        })?;
        if operation.is_replicated {
            return Ok(computed);
        }
        let combined = (instruction.summed_after(), operation.reduction);
        let summed = self.begin_reduce(transport, computed, &made.summed, combined)?;
        summed.then(move |mut array| {
            self.keep_one(&mut array, kept, instruction.made_partial(), device)?;
            Ok(array)
        })
    }

    /// Begins to reshard an operand to the sharding in which an operation reads it.
    fn begin_operand<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        operand: &'r Operand<'_>,
        (values, manual): (&mut Values<'r, T>, &'r [AxisRef]),
    ) -> Result<Value<'r, T>, RunError> {
        let array = values.wait(transport, operand.number)?;
        if !operand.is_moved {
            return Ok(Value::Here(array.clone()));
        }
        let (value, to, how) = (operand.value, &*operand.sharding, (manual, &operand.route));
        let moved = self.begin_resharded(transport, array, value, (&value.sharding, to), how)?;
        let summed = (operand.summed, Reduction::of_unreduced(to.reduction));
        self.begin_reduce(transport, moved, &operand.shards, summed)
    }

    /// Begins to combine shards over the devices along axes.
    fn begin_reduce<'r, T: Transport + 'r>(
        &'r self,
        transport: &mut T,
        value: Value<'r, T>,
        shards: &'r Shards,
        (axes, reduction): (&'r [AxisRef], Reduction),
    ) -> Result<Value<'r, T>, RunError> {
        if axes.is_empty() {
            return Ok(value);
        }
        Ok(Value::UnderWay(match value {
            Value::Here(array) => {
                self.begin_combined(transport, array, shards, (axes, reduction))?
            }
            Value::UnderWay(first) => Box::new(move |transport| {
                let array = first(transport)?;
                self.begin_combined(transport, array, shards, (axes, reduction))?(transport)
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
    if array.dims() == shards.local_dims() && shards.dims() == shards.local_dims() {
        return Ok(array.clone());
    }
    let region = region(shards, device);
    let mut part = HostArray::zeroed(array.dtype(), shards.local_dims())?;
    if region.iter().all(|range| !range.is_empty()) {
        let width = array.width();
        let bytes = read(&region, &Shard::whole(array.dims()), width, array.as_bytes());
        let own: Vec<_> = region.iter().map(|range| 0..range.len()).collect();
        let to = Shard::whole(shards.local_dims());
        write(&own, &to, width, &bytes, part.as_bytes_mut()?);
    }
    Ok(part)
}
