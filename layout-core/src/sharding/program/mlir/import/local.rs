//! The local program, which each device runs on its shards, with explicit communication between the devices.

use super::tree::{Module, Operation};
use super::{Failure, program::Kept};
use crate::sharding::axis::AxisRef;
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::tensor_type;
use crate::sharding::program::tasks::{Body, Task};
use crate::sharding::program::{NamedValue, Program};
use crate::sharding::tensor::{Symbol, TensorSharding};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The sharding of a value that is complete on every device.
pub(super) fn replicated(value: &NamedValue) -> TensorSharding {
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
    pub(super) program: &'a Program,
    /// The operations by number.
    pub(super) operations: &'a BTreeMap<usize, Operation>,
    /// [`Program::mesh_of_devices`].
    pub(super) mesh: &'a Mesh,
    /// The axes of the manual computations that contain the next operation.
    pub(super) manual: Vec<AxisRef>,
    /// The local arrays of the values so far.
    pub(super) names: BTreeMap<usize, String>,
    /// For each constant whose elements are all equal, that element.
    pub(super) splats: BTreeMap<usize, String>,
    /// The numbers of values and channels so far.
    pub(super) values: usize,
    channels: usize,
    pub(super) indent: usize,
    pub(super) text: String,
    /// The position of the operation that is being written.
    pub(super) at: usize,
}

/// The local program of the function that the program runs.
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
        mesh: program.mesh_of_devices(),
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
    let devices = local.mesh.devices();
    let aliases: String = kept.module.aliases.iter().map(|alias| format!("{alias}\n")).collect();
    let resources = kept.module.resources.iter();
    let resources: String = resources.map(|text| format!("\n{text}\n")).collect();
    Ok(format!(
        "{aliases}module attributes {{mhlo.num_partitions = {devices} : i32, mhlo.num_replicas = 1 : i32}} {{\n  \
         func.func public {}({}) -> ({types}) {{\n{}    return{returned}\n  }}\n}}\n{resources}",
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

    /// The shards of a value, on a mesh of all devices.
    pub(super) fn shards(
        &self,
        value: &NamedValue,
        sharding: &TensorSharding,
    ) -> Result<Shards, Failure> {
        let mesh = self.program.mesh_of(sharding);
        let (count, all) = (mesh.devices(), self.mesh.devices());
        let failure = |message: String| Err(self.failure(message));
        // Without axes, each device has everything.
        let (mesh, sharding) = match mesh.axes().is_empty() && !mesh.is_maximal() {
            true => (self.mesh, &replicated(value)),
            false => (mesh, sharding),
        };
        if mesh.is_maximal() && all > 1 {
            let device = mesh.device_id(0);
            return failure(format!(
                "`{}` is only on device {device}, but all devices run the same local program",
                value.name
            ));
        }
        if mesh.devices() != all {
            return failure(format!(
                "`{}` is on a mesh of {count} devices, but all {all} devices run the same local program",
                value.name
            ));
        }
        Shards::new(sharding, mesh, &value.dims, Padding::Allowed).map_err(|error| {
            let why = error.problems().first().map_or("", |problem| &problem.message);
            self.failure(format!("`{}` has no shards: {why}", value.name))
        })
    }

    pub(super) fn value(&self, number: usize) -> &NamedValue {
        &self.program.values()[number]
    }

    pub(super) fn array(&self, number: usize) -> Result<LocalArray, Failure> {
        let value = self.value(number);
        let dims = value.local_dims().to_vec();
        let name = self.names.get(&number).cloned();
        let message = format!("`{}` is used before it is computed", value.name);
        Ok(LocalArray { name: name.ok_or_else(|| self.failure(message))?, dims })
    }

    /// A value, resharded to a sharding.
    pub(super) fn moved(
        &mut self,
        number: usize,
        to: &TensorSharding,
    ) -> Result<LocalArray, Failure> {
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
    pub(super) fn results(&mut self, values: &[usize]) -> String {
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

    pub(super) fn tasks(&mut self, tasks: &[Task]) -> Result<(), Failure> {
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
            // A block reads the values that the loop carries in the shardings of the loop's results.
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

    /// The type of a value of a body, such as that of `%arg1`.
    pub(super) fn ty(&self, number: usize) -> String {
        self.module.values[number].ty.text.to_string()
    }
}
