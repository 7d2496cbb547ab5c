//! The local program, which each device runs on its shards, with the communication of the devices written out.

use super::local_operations::{COLLECTIVES, OF_DEVICES, SAME_ON_SHARDS};
use super::local_text::{self, Signature};
use super::tree::{Module, Operation};
use super::{Failure, program::Kept};
use crate::sharding::axis::AxisRef;
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::tasks::{Body, Task};
use crate::sharding::program::{Instruction, Literal, NamedValue, Program};
use crate::sharding::tensor::{Symbol, TensorSharding};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The sharding of a value that is complete on every device.
fn whole(value: &NamedValue) -> TensorSharding {
    TensorSharding::closed(value.sharding.mesh.clone(), value.dims.len())
}

/// A local array: its name in the text, and its size.
#[derive(Clone)]
pub(super) struct LocalArray {
    pub(super) name: String,
    pub(super) dims: Vec<usize>,
}

/// Writes the local program.
pub(super) struct Local<'a, 't> {
    pub(super) module: &'a Module<'t>,
    program: &'a Program,
    /// The operations by number.
    operations: &'a BTreeMap<usize, Operation>,
    pub(super) mesh: &'a Mesh,
    /// The axes of the manual computations that contain the next operation.
    pub(super) manual: Vec<AxisRef>,
    /// The local arrays of the values so far.
    names: BTreeMap<usize, String>,
    /// For each constant whose elements are all equal, that element.
    splats: BTreeMap<usize, String>,
    /// The numbers of values and channels so far.
    values: usize,
    channels: usize,
    pub(super) indent: usize,
    pub(super) text: String,
    /// The position of the operation that is being written.
    at: usize,
}

/// The local program of the first function that nobody calls.
pub(super) fn local(program: &Program, kept: &Kept<'_>, text: &str) -> Result<String, Failure> {
    let tasks = program.tasks().map_err(|refused| {
        let line = refused.line.unwrap_or(1) - 1;
        let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
        let rest = text.get(start..).unwrap_or("");
        let at = start + rest.len() - rest.trim_start().len();
        Failure::new(at, format!("`{}` has no local form: {}", refused.operation, refused.message))
    })?;
    let mut local = Local {
        module: &kept.module,
        program,
        operations: &kept.operations,
        mesh: &program.meshes()[0].1,
        manual: Vec::new(),
        names: BTreeMap::new(),
        splats: BTreeMap::new(),
        values: 0,
        channels: 0,
        indent: 2,
        text: String::new(),
        at: kept.at,
    };
    if kept.others > 0 {
        let message = "the program has several functions that no other one calls";
        return Err(local.failure(message).help("the local program is that of one function"));
    }
    let mut arguments = Vec::new();
    for (at, value) in program.parameters().iter().enumerate() {
        local.shards(value, &value.sharding)?;
        arguments.push(format!("%arg{at}: {}", tensor_type(value.dtype, value.local_dims())));
        local.names.insert(at, format!("%arg{at}"));
    }
    local.tasks(&tasks)?;
    let (mut returned, mut types) = (Vec::new(), Vec::new());
    for ((value, to), number) in program.results().zip(program.returned()) {
        let array = local.moved(number, to)?;
        types.push(tensor_type(value.dtype, &array.dims));
        returned.push(array.name);
    }
    let types = types.join(", ");
    let returned = match returned.is_empty() {
        true => String::new(),
        false => format!(" {} : {types}", returned.join(", ")),
    };
    let devices = program.meshes()[0].1.devices();
    Ok(format!(
        "module attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}} {{\n  \
         func.func public {}({}) -> ({types}) {{\n{}    return{returned}\n  }}\n}}\n",
        Symbol(program.name()),
        arguments.join(", "),
        local.text
    ))
}

impl Local<'_, '_> {
    /// The error that the operation that is being written has no local form.
    pub(super) fn failure(&self, message: impl Into<String>) -> Failure {
        Failure::new(self.at, message)
    }

    /// A new name.
    pub(super) fn fresh(&mut self) -> String {
        self.values += 1;
        format!("%{}", self.values - 1)
    }

    /// The number of a new channel.
    pub(super) fn channel(&mut self) -> usize {
        self.channels += 1;
        self.channels
    }

    pub(super) fn line(&mut self, text: &str) {
        (0..self.indent).for_each(|_| self.text += "  ");
        self.text += text;
        self.text.push('\n');
    }

    /// The shards of a value. They must have the same size, because padding would need a local form of its own.
    pub(super) fn shards(
        &self,
        value: &NamedValue,
        sharding: &TensorSharding,
    ) -> Result<Shards, Failure> {
        if self.program.mesh_of(sharding) != self.mesh {
            let message = format!("`{}` is on another mesh than the first one", value.name);
            return Err(self.failure(message));
        }
        Shards::new(sharding, self.mesh, &value.dims, Padding::Forbidden).map_err(|error| {
            let why = error.problems().first().map_or("", |problem| &problem.message);
            self.failure(format!("the shards of `{}` are not all of one size: {why}", value.name))
        })
    }

    fn value(&self, number: usize) -> &NamedValue {
        &self.program.values()[number]
    }

    fn array(&self, number: usize) -> Result<LocalArray, Failure> {
        let value = self.value(number);
        let dims = value.local_dims().to_vec();
        let name = self.names.get(&number).cloned();
        let message = format!("`{}` is taken before it is made", value.name);
        Ok(LocalArray { name: name.ok_or_else(|| self.failure(message))?, dims })
    }

    /// A value, resharded to a sharding.
    fn moved(&mut self, number: usize, to: &TensorSharding) -> Result<LocalArray, Failure> {
        let array = self.array(number)?;
        let value = &self.program.values()[number];
        self.resharded(array, value, (&value.sharding, to))
    }

    /// Values, resharded to the shardings of other values, when they enter or leave a body.
    fn enter(&mut self, from: &[usize], to: &[usize]) -> Result<Vec<LocalArray>, Failure> {
        let program = self.program;
        let pairs = from.iter().zip(to);
        pairs.map(|(&from, &to)| self.moved(from, &program.values()[to].sharding)).collect()
    }

    fn types(&self, values: &[usize]) -> Vec<String> {
        let values = values.iter().map(|value| self.value(*value));
        values.map(|value| tensor_type(value.dtype, value.local_dims())).collect()
    }

    /// Names for the results of an operation, and the text before the operation.
    fn results(&mut self, values: &[usize]) -> String {
        let base = self.fresh();
        match values {
            [] => String::new(),
            [value] => {
                self.names.insert(*value, base.clone());
                format!("{base} = ")
            }
            values => {
                for (at, value) in values.iter().enumerate() {
                    self.names.insert(*value, format!("{base}#{at}"));
                }
                format!("{base}:{} = ", values.len())
            }
        }
    }

    fn tasks(&mut self, tasks: &[Task]) -> Result<(), Failure> {
        for task in tasks {
            match task {
                Task::Operation(number) => self.operation(*number)?,
                Task::Assign { from, to } => {
                    let array = self.enter(&[*from], &[*to])?.remove(0);
                    if let Some(splat) = self.splats.get(from).cloned() {
                        self.splats.insert(*to, splat);
                    }
                    self.names.insert(*to, array.name);
                }
                Task::While { inputs, condition, body, results } => {
                    self.repeat(inputs, condition, body, results)?;
                }
                Task::Case { index, branches, results } => {
                    self.choice(*index, branches, results)?
                }
                Task::Manual { axes, inputs, body, results } => {
                    self.manual(axes, inputs, body, results)?;
                }
            }
        }
        Ok(())
    }

    /// A manual computation: the local arrays of each device are the arrays in its body.
    fn manual(
        &mut self,
        axes: &[AxisRef],
        inputs: &[(usize, TensorSharding)],
        body: &Body,
        results: &[(usize, TensorSharding)],
    ) -> Result<(), Failure> {
        let values = self.program.values();
        for ((value, to), argument) in inputs.iter().zip(&body.arguments) {
            let array = self.moved(*value, to)?;
            self.names.insert(*argument, array.name);
        }
        let around = self.manual.len();
        self.manual.extend_from_slice(axes);
        self.tasks(&body.tasks)?;
        self.manual.truncate(around);
        for ((value, from), returned) in results.iter().zip(&body.returned) {
            let (array, own) = (self.array(*returned)?, &values[*value]);
            let array = self.resharded(array, own, (from, &own.sharding))?;
            self.names.insert(*value, array.name);
        }
        Ok(())
    }

    fn repeat(
        &mut self,
        inputs: &[usize],
        condition: &Body,
        body: &Body,
        results: &[usize],
    ) -> Result<(), Failure> {
        let entered = self.enter(inputs, results)?;
        let entered: Vec<_> = entered.into_iter().map(|array| array.name).collect();
        let types = self.types(results);
        let base = self.fresh();
        let head =
            format!("{base}:{} = \"stablehlo.while\"({}) ({{", types.len(), entered.join(", "));
        self.line(&head);
        for (at, part) in [condition, body].into_iter().enumerate() {
            let names: Vec<_> = results.iter().map(|_| self.fresh()).collect();
            let arguments = names.iter().zip(&types).map(|(name, ty)| format!("{name}: {ty}"));
            let arguments = arguments.collect::<Vec<_>>().join(", ");
            self.line(&format!("^bb0({arguments}):"));
            // A block reads the values that the loop carries, in the sharding of its results.
            results.iter().zip(names).for_each(|(value, name)| {
                self.names.insert(*value, name);
            });
            self.indent += 1;
            let own = self.enter(results, &part.arguments)?;
            part.arguments.iter().zip(own).for_each(|(value, array)| {
                self.names.insert(*value, array.name);
            });
            self.tasks(&part.tasks)?;
            match at {
                0 => self.ends(&part.returned, &part.returned)?,
                _ => self.ends(&part.returned, results)?,
            }
            self.indent -= 1;
            if at == 0 {
                self.line("}, {");
            }
        }
        let types = types.join(", ");
        self.line(&format!("}}) : ({types}) -> ({types})"));
        for (at, value) in results.iter().enumerate() {
            let name = if results.len() == 1 { base.clone() } else { format!("{base}#{at}") };
            self.names.insert(*value, name);
        }
        Ok(())
    }

    /// The end of a body, which returns values in the shardings of other values.
    fn ends(&mut self, returned: &[usize], to: &[usize]) -> Result<(), Failure> {
        let arrays = self.enter(returned, to)?;
        let names: Vec<_> = arrays.into_iter().map(|array| array.name).collect();
        let types = self.types(to).join(", ");
        self.line(&format!("\"stablehlo.return\"({}) : ({types}) -> ()", names.join(", ")));
        Ok(())
    }

    fn choice(
        &mut self,
        index: usize,
        branches: &[Body],
        results: &[usize],
    ) -> Result<(), Failure> {
        let (number, index_type) = (self.array(index)?.name, self.types(&[index]).remove(0));
        let name = if index_type == "tensor<i1>" { "if" } else { "case" };
        let base = self.fresh();
        let head = format!("{base}:{} = \"stablehlo.{name}\"({number}) ({{", results.len());
        self.line(&head);
        for (at, branch) in branches.iter().enumerate() {
            if at > 0 {
                self.line("}, {");
            }
            self.indent += 1;
            self.tasks(&branch.tasks)?;
            self.ends(&branch.returned, results)?;
            self.indent -= 1;
        }
        let types = self.types(results).join(", ");
        self.line(&format!("}}) : ({index_type}) -> ({types})"));
        for (at, value) in results.iter().enumerate() {
            let name = if results.len() == 1 { base.clone() } else { format!("{base}#{at}") };
            self.names.insert(*value, name);
        }
        Ok(())
    }

    fn operation(&mut self, number: usize) -> Result<(), Failure> {
        let (program, operations, module) = (self.program, self.operations, self.module);
        let instruction = program.instruction(number);
        let Some(operation) = operations.get(&number) else {
            return Err(self.failure(format!("`{}` has no local form", instruction.name())));
        };
        let syntax = module.syntax(operation);
        self.at = syntax.at;
        let refuse = |local: &Self, why: &str| {
            Err(local.failure(format!("`{}` has no local form: {why}", syntax.name)))
        };
        let values: Vec<_> =
            instruction.results().iter().map(|&value| &program.values()[value]).collect();
        let of_stablehlo =
            syntax.name.starts_with("stablehlo.") || syntax.name.starts_with("chlo.");
        let short = instruction.name().trim_start_matches("chlo.");
        // In a manual computation, devices exchange what the operations of the program say.
        let is_own = !self.manual.is_empty() && COLLECTIVES.contains(&short);
        let is_foreign = OF_DEVICES.contains(&short) || COLLECTIVES.contains(&short) && !is_own;
        if is_foreign || !of_stablehlo {
            return refuse(self, "it is written for devices");
        }
        // An operation that is not the same on shards: each device collects the operands, and keeps its part of the results.
        let is_apart = !is_own && instruction.not_local().is_some();
        let mut operands = Vec::with_capacity(instruction.operands().len());
        for (at, &number) in instruction.operands().iter().enumerate() {
            let value = &program.values()[number];
            if is_apart {
                operands.push(self.moved(number, &whole(value))?);
                continue;
            }
            let to = instruction.sharding(at);
            if !to.unreduced.is_empty() {
                return refuse(self, &format!("it takes partial sums, of `{}`", value.name));
            }
            let array = self.moved(number, to)?;
            let shards = self.shards(value, to)?;
            operands.push(self.summed(
                array,
                value,
                &shards,
                (instruction.summed_before(at), "add"),
            ));
        }
        for value in &values {
            self.shards(value, &value.sharding)?;
            if !value.sharding.unreduced.is_empty() || !instruction.made_partial().is_empty() {
                return refuse(self, &format!("it makes partial sums, `{}`", value.name));
            }
        }
        if operation.operands.len() != operands.len() {
            return refuse(self, "it takes other values than it is written with");
        }
        if let ("constant" | "iota", [value]) = (short, &values[..]) {
            return self.creation(&instruction, operation, value);
        }
        let mut names: Vec<_> = operands.iter().map(|array| array.name.clone()).collect();
        let taken = operands.iter().zip(instruction.operands());
        let taken: Vec<_> =
            taken.map(|(array, &number)| (&program.values()[number], &array.dims[..])).collect();
        if is_apart {
            let results = values.iter().map(|value| (*value, &value.dims[..])).collect();
            let head = self.results(instruction.results());
            let signature = Signature { operands: taken, results };
            let text = local_text::write(self, operation, &names, &signature)?;
            self.line(&format!("{head}{text}"));
            return values
                .iter()
                .zip(instruction.results())
                .try_for_each(|(value, &number)| self.keep_part(value, number));
        }
        let is_whole = taken.iter().all(|(value, dims)| value.dims == *dims)
            && values.iter().all(|value| value.local_dims() == value.dims);
        let after = instruction.summed_after();
        let reducer = instruction.attributes().word("reducer", "add");
        if !is_whole || !after.is_empty() {
            if !is_own && !SAME_ON_SHARDS.contains(&short) {
                return refuse(self, "it may be another operation on shards");
            }
            if short == "convolution" && !self.is_ungrouped(operation) {
                return refuse(self, "its groups are sharded");
            }
            if !after.is_empty() {
                self.check_reduction(&instruction, reducer)?;
            }
        }
        let mut is_here = None;
        if let ("gather", [operand, indices], false) = (short, &operands[..], after.is_empty()) {
            let (to, own) = (instruction.sharding(0), taken[0].0);
            let shards = self.shards(own, to)?;
            let (indices, found) =
                self.own_indices(&instruction, (indices, taken[1].0.dtype), &shards)?;
            names = vec![operand.name.clone(), indices.name];
            is_here = Some(found);
        }
        let head = self.results(instruction.results());
        let results = values.iter().map(|value| (*value, value.local_dims())).collect();
        let signature = Signature { operands: taken, results };
        let text = local_text::write(self, operation, &names, &signature)?;
        self.line(&format!("{head}{text}"));
        for (&number, value) in instruction.results().iter().zip(values) {
            let mut array = self.array(number)?;
            if let Some(is_here) = &is_here {
                array = self.taken_here(&instruction, (&array, value), is_here);
            }
            let shards = value.shards();
            let summed = self.summed(array, value, shards, (after, reducer));
            self.names.insert(number, summed.name);
        }
        Ok(())
    }

    /// Each device has computed the whole value, and keeps its part.
    fn keep_part(&mut self, value: &NamedValue, number: usize) -> Result<(), Failure> {
        let array = LocalArray { name: self.array(number)?.name, dims: value.dims.clone() };
        let (whole, own) = (self.shards(value, &whole(value))?, value.shards());
        let part = self.sliced(array, value, &whole, own)?;
        self.names.insert(number, part.name);
        Ok(())
    }

    /// Whether a convolution has neither feature groups nor batch groups.
    fn is_ungrouped(&self, operation: &Operation) -> bool {
        let syntax = self.module.syntax(operation);
        let is_one = |key: &str| syntax.number(&[key]).unwrap_or(1) == 1;
        is_one("feature_group_count") && is_one("batch_group_count")
    }

    /// Checks that devices can combine their results, because each of them adds the initial value of a reduction.
    fn check_reduction(&self, instruction: &Instruction<'_>, reducer: &str) -> Result<(), Failure> {
        let neutral = match (instruction.name(), reducer) {
            ("dot" | "dot_general" | "convolution" | "gather", "add") => return Ok(()),
            ("reduce", "maximum" | "minimum" | "and" | "or") => return Ok(()),
            ("reduce", "add") => 0.0,
            ("reduce", "multiply") => 1.0,
            _ => return Err(self.failure("devices cannot combine what the operation makes")),
        };
        let operands = instruction.operands();
        let starts = &operands[operands.len() / 2..];
        let is_neutral = |value: &usize| {
            let splat = self.splats.get(value).map(|splat| splat.as_str());
            splat.and_then(|splat| splat.parse::<f64>().ok()) == Some(neutral)
        };
        match starts.iter().all(is_neutral) {
            true => Ok(()),
            false => {
                let name = instruction.name();
                let message = format!(
                    "`{name}` has no local form: it does not start at the constant {neutral}, and each device would \
                     add its start to the result"
                );
                Err(self.failure(message))
            }
        }
    }

    /// An operation without operands: each device computes the array, and keeps its part.
    fn creation(
        &mut self,
        instruction: &Instruction<'_>,
        operation: &Operation,
        value: &NamedValue,
    ) -> Result<(), Failure> {
        let number = instruction.results()[0];
        let splat = match instruction.literal() {
            Some(Literal::Splat(splat)) => Some(splat.to_owned()),
            Some(Literal::List(list)) if value.dims.is_empty() && list.len() == 1 => {
                Some(list[0].to_owned())
            }
            _ => None,
        };
        // If all elements are equal, each part has the same elements.
        let made = if splat.is_some() { value.local_dims() } else { &value.dims };
        let dims = made.to_vec();
        let signature = Signature { operands: Vec::new(), results: vec![(value, &dims)] };
        let head = self.results(instruction.results());
        let text = local_text::write(self, operation, &[], &signature)?;
        self.line(&format!("{head}{text}"));
        if let Some(splat) = splat {
            self.splats.insert(number, splat);
        } else {
            self.keep_part(value, number)?;
        }
        Ok(())
    }

    /// The type of a value of a body, such as that of `%arg1`.
    pub(super) fn ty(&self, number: usize) -> String {
        self.module.values[number].ty.text.to_string()
    }
}
