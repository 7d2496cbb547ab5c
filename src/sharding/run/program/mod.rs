//! Programs that run: each device executes the operations of a [`Program`] on its shards, and exchanges what the plan of
//! the program says.
//!
//! ```
//! use tensor_layout::F32;
//! use tensor_layout::sharding::run::program::{HostArray, Runner};
//! use tensor_layout::sharding::{Mesh, program::Program};
//! let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse()?;
//! let program = Program::new(r#"
//!     mesh Pod;
//!     fn mlp(x: f32[4,8] [{"data"}, {}], w1: f32[8,16] [{}, {"model"}], w2: f32[16,8]) {
//!         let h = dot(x, w1);
//!         let y = dot(tanh(h), w2);
//!         return y;
//!     }
//! "#, &mesh)?;
//! let array = |dims: &[usize]| HostArray::new::<F32>(dims, &vec![0.125; dims.iter().product()]);
//! // Eight threads, each with a half of `x` and a quarter of `w1` and `w2`; they add up their parts of `y`.
//! let outputs = Runner::new(&program)?.run_on_threads(&[array(&[4, 8])?, array(&[8, 16])?, array(&[16, 8])?])?;
//! let y = outputs[0].values::<F32>().unwrap();
//! assert!(y.iter().all(|y| (y - 2.0 * 0.125f32.tanh()).abs() < 1e-6));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same runs on processes that MPI connects, or on any other [`Transport`]: each calls [`Runner::run`] with its shards
//! of the arguments.
//!
//! What runs: operations on each element, products, sums over dimensions, and those that move elements, as long as they
//! are the same operations on local arrays. A program with any other is an error before anything runs.

mod array;
mod kernels;
mod numbers;

use super::collective::{Mover, region};
use super::region::{Shard, read, write};
use super::{RunError, Transport, gather, reshard, scatter, threads};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub use array::HostArray;
use kernels::{Failed, Kernel, LocalCall, LocalOperand};
use layout_core::sharding::program::{Instruction, NamedValue, Program};
use layout_core::sharding::{AxisRef, Mesh, Padding, Shards, TensorSharding};

/// A program of which every operation can run. See [the module](self) for an example.
#[derive(Debug)]
pub struct Runner<'a> {
    program: &'a Program,
    mesh: &'a Mesh,
    steps: Vec<(Instruction<'a>, Kernel)>,
    /// For each value, the number of the last step that takes it.
    last: Vec<usize>,
}

impl<'a> Runner<'a> {
    /// Checks that every operation of a program has a kernel, and is the same operation on local arrays.
    ///
    /// # Errors
    /// [`RunError::Operation`] for the first one that is not.
    pub fn new(program: &'a Program) -> Result<Self, RunError> {
        let instructions = program.instructions().map_err(|error| RunError::Operation {
            name: error.operation,
            line: None,
            message: error.message,
        })?;
        let mesh = &program.meshes()[0].1;
        let mut steps = Vec::with_capacity(instructions.len());
        let mut last = alloc::vec![0; program.values().len()];
        for (at, instruction) in instructions.into_iter().enumerate() {
            let fails = |message| Err(failed(&instruction, message));
            if instruction.name() == "constant" {
                return fails("a program does not say its elements: pass it as an argument".into());
            }
            let kernel = kernels::find(instruction.name());
            let Some(kernel) = kernel.filter(|_| !instruction.has_own_rule()) else {
                let names = kernels::names().join(", ");
                return fails(format!("it has no kernel; these operations have one: {names}"));
            };
            let tensors = instruction.operands().iter().chain(instruction.results());
            let values = tensors.map(|&value| &program.values()[value]);
            if let Some(value) = values.clone().find(|value| !numbers::is_known(value.dtype)) {
                return fails(format!("there is no kernel for elements of type `{}`", value.dtype));
            }
            let own = values.map(|value| &value.sharding);
            let taken = (0..instruction.operands().len()).map(|at| instruction.sharding(at));
            if own.chain(taken).any(|sharding| program.mesh_of(sharding) != mesh) {
                return fails("its tensors are on several meshes".into());
            }
            if let Some(message) = instruction.not_local() {
                return fails(message);
            }
            instruction.operands().iter().for_each(|&value| last[value] = at);
            steps.push((instruction, kernel));
        }
        // What is returned stays to the end.
        program.returned().for_each(|value| last[value] = usize::MAX);
        Ok(Self { program, mesh, steps, last })
    }

    /// Runs the program on the device that the transport stands for. Takes and returns its shards of the arguments and
    /// of the results.
    ///
    /// # Errors
    /// If an argument does not have the element type or the local size of the parameter, or a device cannot be reached.
    pub fn run<T: Transport>(
        &self,
        transport: &mut T,
        inputs: &[HostArray],
    ) -> Result<Vec<HostArray>, RunError> {
        let locals = self.program.parameters().iter().map(NamedValue::local_dims);
        self.check_inputs(inputs, locals)?;
        let device = transport.device();
        let mut values: Vec<Option<HostArray>> = inputs.iter().cloned().map(Some).collect();
        values.resize(self.program.values().len(), None);
        // The padding of a shard is zero, so that sums over it are right.
        for (input, value) in values.iter_mut().flatten().zip(self.program.parameters()) {
            clear_padding(input, value.shards(), device)?;
        }
        for (at, (instruction, kernel)) in self.steps.iter().enumerate() {
            let mut operands = Vec::with_capacity(instruction.operands().len());
            for number in 0..instruction.operands().len() {
                operands.push(self.operand(transport, instruction, number, &values)?);
            }
            let results = instruction.results().iter().map(|&at| &self.program.values()[at]);
            let results: Vec<_> = results.collect();
            let call = LocalCall {
                name: instruction.name(),
                attributes: instruction.attributes(),
                operands: &operands,
                results: &results,
                device,
            };
            let made = kernel(&call).map_err(|error| match error {
                Failed::Run(error) => error,
                Failed::Not(message) => failed(instruction, message),
            })?;
            for ((mut array, value), &number) in
                made.into_iter().zip(&results).zip(instruction.results())
            {
                if array.dims() != value.local_dims() {
                    let (found, expected) = (array.dims(), value.local_dims());
                    let message = format!("it makes {found:?} on each device, not {expected:?}");
                    return Err(failed(instruction, message));
                }
                clear_padding(&mut array, value.shards(), device)?;
                self.sum(transport, &mut array, value.shards(), instruction.summed_after())?;
                self.keep_one(&mut array, value.shards(), instruction.made_partial(), device);
                values[number] = Some(array);
            }
            for &operand in instruction.operands() {
                if self.last[operand] == at {
                    values[operand] = None;
                }
            }
        }
        let results = self.program.results().zip(self.program.returned());
        let results = results.map(|((value, to), number)| {
            let array = values[number].as_ref().ok_or_else(|| missing(value))?;
            self.resharded(transport, array, value, to)
        });
        results.collect()
    }

    /// Sends each device its shards of the arguments, which device `root` has.
    ///
    /// # Errors
    /// If an argument does not have the element type or the size of the parameter, or a device cannot be reached.
    pub fn scatter<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
        inputs: Option<&[HostArray]>,
    ) -> Result<Vec<HostArray>, RunError> {
        let parameters = self.program.parameters();
        if let Some(inputs) = inputs {
            self.check_inputs(inputs, parameters.iter().map(|value| &value.dims[..]))?;
        }
        let shard = |(at, value): (usize, &NamedValue)| {
            let global = inputs.map(|inputs| inputs[at].as_bytes());
            let width = value.dtype.byte_width();
            let bytes = scatter(transport, value.shards(), width, root, global)?;
            HostArray::from_bytes(value.dtype, value.local_dims(), bytes)
        };
        parameters.iter().enumerate().map(shard).collect()
    }

    /// Collects the shards of the results on device `root`. Returns the whole arrays there, and `None` elsewhere.
    ///
    /// # Errors
    /// If a result is partial sums, or a device cannot be reached.
    pub fn gather<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
        outputs: &[HostArray],
    ) -> Result<Option<Vec<HostArray>>, RunError> {
        let whole = self.program.results().zip(outputs).map(|((value, sharding), shard)| {
            let shards = Shards::new(sharding, self.mesh, &value.dims, Padding::Allowed)?;
            let width = value.dtype.byte_width();
            let bytes = gather(transport, &shards, width, root, shard.as_bytes())?;
            bytes.map(|bytes| HostArray::from_bytes(value.dtype, &value.dims, bytes)).transpose()
        });
        // Each device takes part in collecting every result, though only one gets arrays.
        let whole: Vec<Option<HostArray>> = whole.collect::<Result<_, RunError>>()?;
        Ok(whole.into_iter().collect())
    }

    /// Runs the program on as many threads as the mesh has devices. Takes and returns whole arrays.
    ///
    /// # Errors
    /// As [`Runner::run`] and [`Runner::gather`].
    pub fn run_on_threads(&self, inputs: &[HostArray]) -> Result<Vec<HostArray>, RunError> {
        let outputs = threads::run(self.mesh.devices(), |transport| {
            let own = (transport.device() == 0).then_some(inputs);
            let shards = self.scatter(transport, 0, own)?;
            let outputs = self.run(transport, &shards)?;
            self.gather(transport, 0, &outputs)
        });
        // If a device fails, the others cannot reach it: the reason is its own.
        let (mut whole, mut error) = (None, None);
        for output in outputs {
            match output {
                Ok(arrays) => whole = whole.or(arrays),
                Err(RunError::Transport(lost)) => {
                    error = error.or(Some(RunError::Transport(lost)));
                }
                Err(own) => error = Some(own),
            }
        }
        match error {
            Some(error) => Err(error),
            None => Ok(whole.unwrap_or_default()),
        }
    }

    fn check_inputs<'b>(
        &self,
        inputs: &[HostArray],
        dims: impl Iterator<Item = &'b [usize]>,
    ) -> Result<(), RunError> {
        let parameters = self.program.parameters();
        if inputs.len() != parameters.len() {
            return Err(RunError::Arguments { expected: parameters.len(), found: inputs.len() });
        }
        for ((input, value), dims) in inputs.iter().zip(parameters).zip(dims) {
            if input.dtype() != value.dtype || input.dims() != dims {
                return Err(RunError::Argument {
                    name: value.name.clone(),
                    expected: format!("{}{dims:?}", value.dtype),
                    found: format!("{}{:?}", input.dtype(), input.dims()),
                });
            }
        }
        Ok(())
    }

    /// An operand in the sharding in which an operation takes it.
    fn operand<T: Transport>(
        &self,
        transport: &mut T,
        instruction: &Instruction<'_>,
        at: usize,
        values: &[Option<HostArray>],
    ) -> Result<LocalOperand, RunError> {
        let number = instruction.operands()[at];
        let value = &self.program.values()[number];
        let array = values[number].as_ref().ok_or_else(|| missing(value))?;
        let to = instruction.sharding(at);
        let mut array = self.resharded(transport, array, value, to)?;
        let shards = Shards::new(to, self.mesh, &value.dims, Padding::Allowed)?;
        self.sum(transport, &mut array, &shards, instruction.summed_before(at))?;
        Ok(LocalOperand { array, shards })
    }

    /// A value in another sharding.
    fn resharded<T: Transport>(
        &self,
        transport: &mut T,
        array: &HostArray,
        value: &NamedValue,
        to: &TensorSharding,
    ) -> Result<HostArray, RunError> {
        let from = &value.sharding;
        if from == to {
            return Ok(array.clone());
        }
        let (kept, made): (Vec<_>, Vec<_>) =
            to.unreduced.iter().cloned().partition(|axis| from.unreduced.contains(axis));
        let whole = TensorSharding { unreduced: kept.into(), ..to.clone() };
        let of = (value.dtype, &value.dims[..]);
        let bytes = reshard(transport, self.mesh, (from, &whole), of, array.as_bytes())?;
        let shards = Shards::new(to, self.mesh, &value.dims, Padding::Allowed)?;
        let mut array = HostArray::from_bytes(value.dtype, shards.local_dims(), bytes)?;
        self.keep_one(&mut array, &shards, &made, transport.device());
        Ok(array)
    }

    /// Sums shards over the devices along axes.
    fn sum<T: Transport>(
        &self,
        transport: &mut T,
        array: &mut HostArray,
        shards: &Shards,
        axes: &[AxisRef],
    ) -> Result<(), RunError> {
        if axes.is_empty() {
            return Ok(());
        }
        let (width, dtype) = (array.width(), array.dtype());
        Mover::new(transport, shards, width)?.all_reduce(array.as_bytes_mut(), axes, dtype)
    }

    /// Makes a complete value a sum over the devices along axes: the first of them keeps it, the others take zeros.
    fn keep_one(&self, array: &mut HostArray, shards: &Shards, axes: &[AxisRef], device: usize) {
        let coordinates = self.mesh.coordinates(device);
        let mut axes = axes.iter().filter_map(|axis| self.mesh.resolve(axis));
        if axes.any(|axis| shards.coordinate(axis, &coordinates) > 0) {
            array.as_bytes_mut().fill(0);
        }
    }
}

/// Writes zeros to what lies past the end of the whole array.
fn clear_padding(array: &mut HostArray, shards: &Shards, device: usize) -> Result<(), RunError> {
    let region = region(shards, device);
    let own: Vec<_> = region.iter().map(|range| 0..range.len()).collect();
    if own.iter().zip(array.dims()).all(|(own, size)| own.len() == *size) {
        return Ok(());
    }
    let mut clear = HostArray::zeroed(array.dtype(), array.dims())?;
    if own.iter().all(|range| !range.is_empty()) {
        let (whole, width) = (Shard::whole(array.dims()), array.width());
        let bytes = read(&own, &whole, width, array.as_bytes());
        write(&own, &whole, width, &bytes, clear.as_bytes_mut());
    }
    *array = clear;
    Ok(())
}

fn failed(instruction: &Instruction<'_>, message: String) -> RunError {
    RunError::Operation { name: instruction.name().into(), line: instruction.line(), message }
}

/// A value that is taken before an operation makes it.
fn missing(value: &NamedValue) -> RunError {
    let message = format!("`{}` is taken before it is made", value.name);
    RunError::Operation { name: value.name.clone(), line: None, message }
}
