//! Executes the steps of a program on one device.

use super::collectives;
use super::kernels::{Failed, LocalCall, LocalOperand, LocalResult};
use super::numbers::Numbers;
use super::reduction::Reduction;
use super::routine::{Action, Operation, Routine};
use super::{HostArray, Runner, clear_padding, failed, missing};
use crate::sharding::run::collective::region;
use crate::sharding::run::region::{Shard, read, write};
use crate::sharding::run::{RunError, Transport};
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use layout_core::sharding::program::NamedValue;
use layout_core::sharding::{AxisRef, DimSharding, Padding, Shards, TensorSharding};

/// The arrays of the values so far.
type Values = Vec<Option<HostArray>>;

impl Runner<'_> {
    pub(super) fn execute<T: Transport>(
        &self,
        transport: &mut T,
        routine: &Routine<'_>,
        values: &mut Values,
    ) -> Result<(), RunError> {
        let (manual, known) = (&routine.manual[..], self.program.values());
        for step in &routine.steps {
            match &step.action {
                Action::Operation(operation) => {
                    self.operation(transport, operation, (values, manual))?;
                }
                Action::Assign { from, to } => {
                    self.enter(transport, &[*from], &[*to], (values, manual))?;
                }
                Action::While { inputs, condition, body, results } => {
                    // The arrays enter the condition and the body anew each time.
                    self.enter(transport, inputs, results, (values, manual))?;
                    loop {
                        self.enter(transport, results, &condition.arguments, (values, manual))?;
                        self.execute(transport, condition, values)?;
                        if self.integer(condition.returned.first(), values)? == 0 {
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
                    let number = self.integer(Some(index), values)?;
                    let is_truth = self.program.values()[*index].dtype.name() == "pred";
                    let number = if is_truth { 1 - number } else { number };
                    // A number without a branch is for the last one.
                    let last = branches.len() - 1;
                    let branch = &branches[usize::try_from(number).map_or(last, |n| n.min(last))];
                    self.execute(transport, branch, values)?;
                    self.enter(transport, &branch.returned, results, (values, manual))?;
                }
            }
            step.last_taken.iter().for_each(|value| values[*value] = None);
        }
        Ok(())
    }

    /// The integer or truth value that a scalar is.
    fn integer(&self, value: Option<&usize>, values: &Values) -> Result<i128, RunError> {
        let number = value.and_then(|at| values[*at].as_ref()).map(Numbers::of);
        match number {
            Some(Numbers::Integer(number)) if !number.is_empty() => Ok(number[0]),
            _ => Err(missing(&self.program.values()[value.copied().unwrap_or(0)])),
        }
    }

    /// Values become others, all at once.
    fn enter<T: Transport>(
        &self,
        transport: &mut T,
        from: &[usize],
        to: &[usize],
        (values, manual): (&mut Values, &[AxisRef]),
    ) -> Result<(), RunError> {
        let known = self.program.values();
        let mut arrays = Vec::with_capacity(to.len());
        for (&from, &to) in from.iter().zip(to) {
            let (value, to) = (&known[from], &known[to].sharding);
            let array = values[from].as_ref().ok_or_else(|| missing(value))?;
            arrays.push(self.resharded(transport, array, value, (&value.sharding, to), manual)?);
        }
        for (array, &to) in arrays.into_iter().zip(to) {
            values[to] = Some(array);
        }
        Ok(())
    }

    /// A value crosses the border of a manual computation: the shards of `outer` in one of its shardings become those of
    /// the value inside, or the other way round.
    fn crosses<T: Transport>(
        &self,
        transport: &mut T,
        (from, to): (usize, usize),
        (outer, own, other): (usize, &TensorSharding, &TensorSharding),
        (values, manual): (&mut Values, &[AxisRef]),
    ) -> Result<(), RunError> {
        let known = self.program.values();
        let value = &known[outer];
        let array = values[from].as_ref().ok_or_else(|| missing(&known[from]))?;
        // Between an array and what the body sees of it, only the size of the whole differs.
        values[to] = Some(self.resharded(transport, array, value, (own, other), manual)?);
        Ok(())
    }

    fn operation<T: Transport>(
        &self,
        transport: &mut T,
        operation: &Operation<'_>,
        (values, manual): (&mut Values, &[AxisRef]),
    ) -> Result<(), RunError> {
        let instruction = &operation.instruction;
        let device = transport.device();
        let known = self.program.values();
        if let Some(constant) = &operation.constant {
            let number = instruction.results()[0];
            values[number] = Some(constant.shard(&known[number], device)?);
            return Ok(());
        }
        let mut operands = Vec::with_capacity(instruction.operands().len());
        for number in 0..instruction.operands().len() {
            operands.push(self.operand(transport, operation, number, (values, manual))?);
        }
        let results = instruction.results().iter().map(|&at| &known[at]);
        let results: Vec<&NamedValue> = results.collect();
        let mut local = Vec::with_capacity(results.len());
        for value in &results {
            let shards = match operation.is_whole {
                true => {
                    let whole = whole(&value.sharding);
                    Cow::Owned(Shards::new(&whole, self.mesh, &value.dims, Padding::Allowed)?)
                }
                false => Cow::Borrowed(value.shards()),
            };
            local.push(LocalResult { dtype: value.dtype, shards });
        }
        let after = instruction.summed_after();
        let is_first = match results.first() {
            Some(value) if !operation.is_whole => {
                self.is_first(value.shards(), after, device)
                    && self.is_first(value.shards(), &value.sharding.unreduced, device)
            }
            _ => true,
        };
        let call = LocalCall {
            name: instruction.name(),
            attributes: instruction.attributes(),
            operands: &operands,
            results: &local,
            reduction: operation.reduction,
            is_first,
            device,
        };
        let made = match operation.exchanges {
            true => collectives::run(transport, self.mesh, &call),
            false => (operation.kernel)(&call),
        };
        let made = made.map_err(|error| match error {
            Failed::Run(error) => error,
            Failed::Not(message) => failed(instruction, message),
        })?;
        let expected = local.iter().map(|result| result.local_dims().to_vec());
        let expected: Vec<_> = expected.collect();
        for (((mut array, value), &number), dims) in
            made.into_iter().zip(results).zip(instruction.results()).zip(expected)
        {
            if array.dims() != dims {
                let found = array.dims();
                let message = format!("it makes {found:?} on each device, not {dims:?}");
                return Err(failed(instruction, message));
            }
            if operation.is_whole {
                array = part(&array, value.shards(), device)?;
                self.keep_one(&mut array, value.shards(), &value.sharding.unreduced, device);
            } else {
                clear_padding(&mut array, value.shards(), device)?;
                let combined = (after, operation.reduction);
                self.reduce(transport, &mut array, value.shards(), combined)?;
                self.keep_one(&mut array, value.shards(), instruction.made_partial(), device);
            }
            values[number] = Some(array);
        }
        Ok(())
    }

    /// An operand in the sharding in which an operation takes it.
    fn operand<T: Transport>(
        &self,
        transport: &mut T,
        operation: &Operation<'_>,
        at: usize,
        (values, manual): (&Values, &[AxisRef]),
    ) -> Result<LocalOperand, RunError> {
        let instruction = &operation.instruction;
        let number = instruction.operands()[at];
        let value = &self.program.values()[number];
        let array = values[number].as_ref().ok_or_else(|| missing(value))?;
        if operation.is_whole {
            let whole = whole(&value.sharding);
            let array =
                self.resharded(transport, array, value, (&value.sharding, &whole), manual)?;
            let shards = Shards::new(&whole, self.mesh, &value.dims, Padding::Allowed)?;
            return Ok(LocalOperand { array, shards });
        }
        let to = instruction.sharding(at);
        let mut array = self.resharded(transport, array, value, (&value.sharding, to), manual)?;
        let shards = Shards::new(to, self.mesh, &value.dims, Padding::Allowed)?;
        let summed = (instruction.summed_before(at), Reduction::Sum);
        self.reduce(transport, &mut array, &shards, summed)?;
        Ok(LocalOperand { array, shards })
    }
}

/// The sharding of an array that every device has.
fn whole(sharding: &TensorSharding) -> TensorSharding {
    TensorSharding::new(sharding.mesh.clone(), vec![DimSharding::default(); sharding.rank()])
}

/// The shard of a device of an array that it has.
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
