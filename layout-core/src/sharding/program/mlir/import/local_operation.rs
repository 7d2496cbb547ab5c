//! Operations of the local program. An operation that is the same on shards runs on shards; for any other, each device collects the
//! whole operands, and keeps its part of the results.

use super::Failure;
use super::local::{Local, LocalArray, replicated};
use super::local_text::{self, Signature};
use super::local_update::Border;
use super::tree::Operation;
use crate::sharding::local::Shards;
use crate::sharding::ops::{self, Effect};
use crate::sharding::program::{Instruction, Literal, NamedValue};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An operation that is being written, in the program and in the text.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub(super) instruction: Instruction<'a>,
    pub(super) operation: &'a Operation,
    /// Its name without its dialect.
    pub(super) name: &'a str,
}

impl Written<'_> {
    fn effect(&self) -> Effect {
        ops::row(self.name).map_or(Effect::None, |operation| operation.effect)
    }
}

/// The results of each device on its shards, besides the values themselves.
struct Parts {
    /// The border of the results.
    border: Option<Border>,
    /// Whether the device has each slice of a gather.
    is_here: Option<LocalArray>,
    /// The values that are combined with the results after devices have combined their results.
    starts: Vec<LocalArray>,
}

impl<'a> Local<'a, '_> {
    pub(super) fn operation(&mut self, number: usize) -> Result<(), Failure> {
        let instruction = self.program.instruction(number);
        let Some(operation) = self.operations.get(&number) else {
            return Err(self.failure(format!("`{}` has no local form", instruction.name())));
        };
        let syntax = self.module.syntax(operation);
        self.at = syntax.at;
        let name = instruction.name().trim_start_matches("chlo.");
        let written = Written { instruction, operation, name };
        if let Some(why) = self.is_refused(&written) {
            return Err(self.failure(format!("`{}` has no local form: {why}", syntax.name)));
        }
        if let Some(constant) = self.creation(&written)? {
            return Ok(constant);
        }
        // In a manual computation, the program itself contains the exchanges.
        let is_own = written.effect().names_devices();
        if is_own || self.is_same_on_shards(&written) {
            let (length, values) = (self.text.len(), self.values);
            let is_last = is_own || !self.is_split(&written);
            match self.on_shards(&written) {
                Err(_) if !is_last => {
                    self.text.truncate(length);
                    self.values = values;
                }
                done => return done,
            }
        }
        self.apart(&written)
    }

    /// The reason why devices cannot run an operation together.
    fn is_refused(&self, written: &Written<'_>) -> Option<String> {
        let syntax = self.module.syntax(written.operation);
        let text = |why: &str| Some(why.to_owned());
        if let Some(why) = written.instruction.makes_no_part() {
            return text(why);
        }
        if let Some(why) = written.instruction.refused_types() {
            return Some(why);
        }
        if let Effect::Once(why) = written.effect() {
            return text(why);
        }
        if let Some(why) = written.instruction.refused_outside()
            && self.manual.is_empty()
        {
            return text(why);
        }
        if !syntax.name.starts_with("stablehlo.") && !syntax.name.starts_with("chlo.") {
            return text("it is not an operation of StableHLO");
        }
        if written.name == "custom_call" && syntax.is_true("has_side_effect") {
            return text("it has an effect, which each device would repeat");
        }
        let calls = ["called_computations", "decomposition"];
        if calls.iter().any(|key| syntax.value(key).is_some_and(|text| text.contains('@'))) {
            return text("it calls a function, but the local program has only one function");
        }
        (written.operation.operands.len() != written.instruction.operands().len())
            .then(|| "its operands differ from those that it is written with".to_owned())
    }

    /// Whether the operation can be written on shards.
    fn is_same_on_shards(&self, written: &Written<'_>) -> bool {
        let Written { instruction, name, .. } = written;
        let values = self.program.values();
        let results = instruction.results().iter().map(|at| &values[*at].sharding);
        let taken = (0..instruction.operands().len()).map(|at| instruction.sharding(at));
        let mut meshes = results.chain(taken).map(|sharding| self.program.mesh_of(sharding));
        let first = meshes.next();
        instruction.not_local().is_none()
            && meshes.all(|mesh| Some(mesh) == first)
            && (ops::row(name).is_some_and(|row| row.on_shards) || !self.is_split(written))
    }

    /// Whether devices have parts of an operand or of a result.
    fn is_split(&self, written: &Written<'_>) -> bool {
        let Written { instruction, .. } = written;
        let values = self.program.values();
        let mut results = instruction.results().iter().map(|at| &values[*at]);
        let is_split = |at: usize| {
            let shards = self.shards(&values[instruction.operands()[at]], instruction.sharding(at));
            shards.is_ok_and(|shards| shards.is_split())
        };
        let partial = |value: &NamedValue| !value.sharding.unreduced.is_empty();
        results.any(|value| value.shards().is_split() || partial(value))
            || (0..instruction.operands().len()).any(is_split)
            || !instruction.summed_after().is_empty()
    }

    /// Each device runs the operation on its shards, and the results are combined as planned.
    fn on_shards(&mut self, written: &Written<'_>) -> Result<(), Failure> {
        let Written { instruction, operation, name } = *written;
        let values = self.program.values();
        let (mut operands, mut shards) = (Vec::new(), Vec::new());
        for (at, &number) in instruction.operands().iter().enumerate() {
            let (value, to) = (&values[number], instruction.sharding(at));
            let array = self.moved(number, to)?;
            let own = self.shards(value, to)?;
            let summed = (instruction.summed_before(at), to.reduction.reducer());
            operands.push(self.summed(array, value, &own, summed));
            shards.push(own);
        }
        let results: Vec<_> = instruction.results().iter().map(|&at| &values[at]).collect();
        for value in &results {
            self.shards(value, &value.sharding)?;
        }
        self.check_sizes(written, &shards)?;
        let starts = self.neutral_starts(written, &mut operands)?;
        self.without_padding(written, &mut operands, &shards)?;
        let mut is_here = None;
        let after = instruction.summed_after();
        match name {
            "gather" if !after.is_empty() || !results[0].sharding.unreduced.is_empty() => {
                let indices = (&operands[1], values[instruction.operands()[1]].dtype);
                let (own, found) = self.own_indices(&instruction, indices, &shards[0])?;
                operands[1] = own;
                is_here = Some(found);
            }
            "scatter" => self.own_updates(written, &mut operands, &shards)?,
            _ => {}
        }
        // The result of an update has the borders that its operand was given.
        let border = match name {
            "dynamic_update_slice" => self.with_border(written, &mut operands, &shards)?,
            _ => None,
        };
        let names: Vec<_> = operands.iter().map(|array| array.name.clone()).collect();
        let taken = instruction.operands().iter().zip(&operands);
        let taken = taken.map(|(&number, array)| (&values[number], &array.dims[..])).collect();
        let own = |value: &'a NamedValue| {
            border.as_ref().map_or(value.local_dims(), |border| &border.dims)
        };
        let made = results.iter().map(|value| (*value, own(value))).collect();
        let signature = Signature { operands: taken, results: made };
        let text = local_text::write(self, operation, &names, &signature)?;
        let head = self.results(instruction.results());
        self.line(&format!("{head}{text}"));
        self.combined(written, &Parts { border, is_here, starts })
    }

    /// Combines the results that each device has computed on its shards.
    fn combined(&mut self, written: &Written<'_>, parts: &Parts) -> Result<(), Failure> {
        let Written { instruction, .. } = *written;
        let (values, after) = (self.program.values(), instruction.summed_after());
        let reducer = instruction.attributes().word("reducer", "add");
        for (at, &number) in instruction.results().iter().enumerate() {
            let value = &values[number];
            let mut array = self.array(number)?;
            if let Some(border) = &parts.border {
                array = self.within_border(&array.name, value, border);
            }
            if let Some(is_here) = &parts.is_here {
                array = self.taken_here(&instruction, (&array, value), is_here);
            }
            let mut made = self.summed(array, value, value.shards(), (after, reducer));
            if let Some(start) = parts.starts.get(at) {
                made = self.begun(made, value, (start, reducer));
            }
            if !instruction.made_partial().is_empty() {
                let partial = (&value.sharding, instruction.made_partial());
                made = self.kept_by_one(made, value, partial)?;
            }
            self.names.insert(number, made.name);
        }
        Ok(())
    }

    /// Each device collects the operands, runs the operation as a whole, and keeps its part of the results.
    fn apart(&mut self, written: &Written<'_>) -> Result<(), Failure> {
        let Written { instruction, operation, .. } = *written;
        let values = self.program.values();
        let mut operands = Vec::with_capacity(instruction.operands().len());
        for &number in instruction.operands() {
            operands.push(self.moved(number, &replicated(&values[number]))?);
        }
        let names: Vec<_> = operands.iter().map(|array| array.name.clone()).collect();
        let every = |numbers: &[usize]| -> Vec<_> {
            numbers.iter().map(|&at| (&values[at], &values[at].dims[..])).collect()
        };
        let (operands, results) = (every(instruction.operands()), every(instruction.results()));
        let text = local_text::write(self, operation, &names, &Signature { operands, results })?;
        let head = self.results(instruction.results());
        self.line(&format!("{head}{text}"));
        for &number in instruction.results() {
            self.keep_part(&values[number], number)?;
        }
        Ok(())
    }

    /// Keeps the part of a value that belongs to each device, which has computed the whole value.
    fn keep_part(&mut self, value: &NamedValue, number: usize) -> Result<(), Failure> {
        let array = LocalArray { name: self.array(number)?.name, dims: value.dims.clone() };
        let own = self.shards(value, &value.sharding)?;
        let replicated = self.shards(value, &replicated(value))?;
        let mut part = self.sliced(array, value, &replicated, &own)?;
        if !value.sharding.unreduced.is_empty() {
            part = self.kept_by_one(part, value, (&value.sharding, &value.sharding.unreduced))?;
        }
        self.names.insert(number, part.name);
        Ok(())
    }

    /// An operation without operands: each device creates the whole array, and keeps its part. If all elements are equal, it
    /// creates only its part. `None` for any other operation.
    fn creation(&mut self, written: &Written<'_>) -> Result<Option<()>, Failure> {
        let Written { instruction, operation, name } = *written;
        let ("constant" | "iota", &[number]) = (name, instruction.results()) else {
            return Ok(None);
        };
        let value = &self.program.values()[number];
        self.shards(value, &value.sharding)?;
        let splat = match instruction.literal() {
            Some(Literal::Splat(splat)) => Some(splat.to_owned()),
            Some(Literal::List(list)) if value.dims.is_empty() && list.len() == 1 => {
                Some(list[0].to_owned())
            }
            _ => None,
        };
        let is_partial = !value.sharding.unreduced.is_empty();
        // If all elements are equal, so are the elements of each part.
        let is_equal = splat.is_some() && !is_partial;
        let dims = if is_equal { value.local_dims() } else { &value.dims }.to_vec();
        let signature = Signature { operands: Vec::new(), results: [(value, &dims[..])].into() };
        let head = self.results(instruction.results());
        let text = local_text::write(self, operation, &[], &signature)?;
        self.line(&format!("{head}{text}"));
        match splat.filter(|_| is_equal) {
            Some(splat) => drop(self.splats.insert(number, splat)),
            None => self.keep_part(value, number)?,
        }
        Ok(Some(()))
    }

    /// Checks that an operation that only moves elements has the same number of elements before and after it on each device.
    fn check_sizes(&self, written: &Written<'_>, shards: &[Shards]) -> Result<(), Failure> {
        let values = self.program.values();
        let [operand] = shards else { return Ok(()) };
        let result = &values[written.instruction.results()[0]];
        let is_even = |shards: &Shards| self.padded(shards).is_empty();
        match written.name != "reshape" || is_even(operand) && is_even(result.shards()) {
            true => Ok(()),
            false => Err(self.failure("its shards differ in size")),
        }
    }
}
