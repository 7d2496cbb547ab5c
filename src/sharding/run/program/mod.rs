//! Running programs: each device executes the operations of a [`Program`] on its shards, and exchanges data according to the plan
//! of the program.
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
//! The same program runs on processes that MPI connects, or on any other [`Transport`]: each calls [`Runner::run`] with its
//! shards of the arguments.
//!
//! Devices compute while collectives run. A collective begins as soon as its operands exist, though at most four are under way
//! before the steps that need them, and is waited for when its result is first read. The order depends only on the program, so
//! that all devices begin and wait in the same order.
//!
//! `propagate! { run; .. }` generates a function for a program, which takes and returns typed shards.
//!
//! # Arguments of many runs
//! A [`HostArray`] shares its elements with its clones, and a run copies no argument. A product reads row-major arrays in place,
//! except the right operand in two cases: its columns are contiguous, as in the gradient of a layer, or both operands are of `bf16`,
//! or of `s8`, and the left one has at most 64 rows. If such an operand is an argument of the program, a constant, or an array
//! that each iteration of a loop reads, it is packed once. The array keeps the packed form, of the same size, until it is dropped, or
//! until its elements change. So pass the same arrays, or clones of them, to each run:
//!
//! ```
//! use tensor_layout::{BF16, half::bf16};
//! use tensor_layout::sharding::run::program::{HostArray, Runner};
//! use tensor_layout::sharding::run::threads;
//! use tensor_layout::sharding::{Mesh, program::Program};
//! let mesh: Mesh = r#"<["model"=2]>"#.parse()?;
//! let program = Program::new(r#"
//!     mesh Pod;
//!     fn layer(x: bf16[1,256], w: bf16[256,256] [{}, {"model"}]) {
//!         let y = tanh(dot(x, w));
//!         return y [{}, {}];
//!     }
//! "#, &mesh)?;
//! let runner = Runner::new(&program)?;
//! let array = |dims: &[usize], x| HostArray::new::<BF16>(dims, &vec![bf16::from_f32(x); dims.iter().product()]);
//! let results = threads::run(2, |transport| {
//!     let [x, w] = [array(&[1, 256], 0.5)?, array(&[256, 128], 0.0078125)?];      // the shards of this device
//!     let h = runner.run(transport, &[x, w.clone()])?.remove(0);                  // packs `w`
//!     runner.run(transport, &[h, w])                                              // does not
//! });
//! let y = results[0].as_ref().unwrap()[0].values::<BF16>().unwrap();
//! assert!((y[0].to_f32() - (2.0 * 1f32.tanh()).tanh()).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An operation on each element writes its result over an operand that nothing reads any more, and an update of a part of an array,
//! as of a cache in a loop, then writes only this part.
//!
//! # Operations
//! Programs can contain operations on each element, products, reductions, and operations that move elements, if they are the same
//! operations on local arrays. A program with any other operation is rejected before anything runs. Programs in MLIR can also contain
//! sorts, windows, scatters and reductions whose bodies are functions of scalars, Fourier transforms, generators of random bits,
//! whose bits are those of XLA on CPUs, and the functions of LAPACK by which JAX decomposes matrices there.
//!
//! Programs that [`Program::from_mlir`] reads can run too, with their constants, functions, loops and branches. Shardy leaves it to
//! the compiler how devices run operations that move elements between shards, such as a slice of a sharded dimension. In a
//! [`Runner`], each device collects the whole operands of such an operation, runs it, and keeps its part of the result.
//! [`Program::collectives`] includes these exchanges.
//!
//! ```
//! use tensor_layout::F32;
//! use tensor_layout::sharding::program::Program;
//! use tensor_layout::sharding::run::program::{HostArray, Runner};
//! let program = Program::from_mlir(r#"module @jit_f {
//!   sdy.mesh @mesh = <["data"=2]>
//!   func.func public @main(%arg0: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<2xf32> {
//!     %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
//!     %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<2xf32>
//!     return %0 : tensor<2xf32>
//!   }
//! }
//! "#)?;
//! let x = HostArray::new::<F32>(&[4, 2], &[1.0, -8.0, 3.0, -6.0, 4.0, -7.0, 2.0, -5.0])?;
//! // Two threads, each with two of the rows; they exchange their maxima.
//! let largest = Runner::new(&program)?.run_on_threads(&[x])?;
//! assert_eq!(largest[0].values::<F32>().unwrap(), [4.0, -5.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod array;
mod buffer;
mod collectives;
mod early;
mod elements;
mod execute;
mod kernels;
mod lifetimes;
mod literal;
mod numbers;
mod operation;
mod prepared;
mod reduction;
mod route;
mod routine;
mod scalar;
mod splats;
#[cfg(test)]
mod tests;
mod values;

use super::collective::{Mover, UnderWay, region};
use super::region::{Shard, read, write};
use super::{Combined, RunError, Transport, gather, scatter, threads};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub use array::HostArray;
use layout_core::sharding::program::{Instruction, NamedValue, Program};
use layout_core::sharding::{AxisRef, Mesh, ReductionOp, Shards, TensorSharding};
use operation::is_padded;
#[doc(hidden)]
pub use prepared::Prepared;
use reduction::Reduction;
use route::Route;
use routine::Routine;
use values::Values;

/// A program whose operations can all run. See [the module](self) for an example.
#[derive(Debug)]
pub struct Runner<'a> {
    program: &'a Program,
    /// The mesh whose devices run it.
    mesh: &'a Mesh,
    routine: Routine<'a>,
    /// The routes of the results to the shardings in which they are returned.
    results: Vec<Route>,
}

impl<'a> Runner<'a> {
    /// Checks that every operation of a program has a kernel, and is the same operation on local arrays. The latter is not
    /// required of programs that were read from MLIR: each device collects the operands of such an operation, and keeps its
    /// part of the results.
    ///
    /// # Errors
    /// [`RunError::Operation`] for the first operation that fails the check.
    pub fn new(program: &'a Program) -> Result<Self, RunError> {
        let results = program.results().map(|_| Route::default()).collect();
        let (mesh, routine) = (program.mesh_of_devices(), Routine::of(program)?);
        Ok(Self { program, mesh, routine, results })
    }

    /// Runs the program on the device of the transport. `inputs` are the shards of the arguments that the device has; returns its
    /// shards of the results. Every device calls it.
    ///
    /// # Errors
    /// If the number of arguments is not that of the parameters, if an argument does not have the element type or the local size of the parameter, or if a device cannot be reached.
    pub fn run<T: Transport>(
        &self,
        transport: &mut T,
        inputs: &[HostArray],
    ) -> Result<Vec<HostArray>, RunError> {
        let locals = self.program.parameters().iter().map(NamedValue::local_dims);
        self.check_inputs(inputs, locals)?;
        let device = transport.device();
        let mut inputs = inputs.to_vec();
        // The padding of a shard is zeroed, so that sums over it are correct.
        let parameters = inputs.iter_mut().zip(self.program.parameters());
        for (input, value) in parameters.filter(|(_, value)| is_padded(value.shards())) {
            clear_padding(input, value.shards(), device)?;
        }
        let mut values = Values::new(self.program.values(), inputs);
        self.execute(transport, &self.routine, &mut values)?;
        let results = self.program.results().zip(self.program.returned()).zip(&self.results);
        let begun = results.map(|(((value, to), number), route)| {
            let array = values.wait(transport, number)?;
            self.begin_resharded(transport, array, value, (&value.sharding, to), (&[], route))
        });
        let begun = begun.collect::<Result<Vec<_>, RunError>>()?;
        begun.into_iter().map(|result| result.wait(transport)).collect()
    }

    /// Sends each device its shards of the arguments, which are on device `root`. Every device calls it.
    ///
    /// # Errors
    /// If the number of arguments is not that of the parameters, if an argument does not have the element type or the size of the parameter, or if a device cannot be reached.
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

    /// Collects the shards of the results on device `root`. Returns the whole arrays there, and `None` elsewhere. Every device calls
    /// it with the shards that [`Runner::run`] returned. Results after the last of `outputs` are left out.
    ///
    /// # Errors
    /// If a result is a partial sum, or if a device cannot be reached.
    pub fn gather<T: Transport>(
        &self,
        transport: &mut T,
        root: usize,
        outputs: &[HostArray],
    ) -> Result<Option<Vec<HostArray>>, RunError> {
        let whole = self.program.results().zip(outputs).map(|((value, sharding), shard)| {
            let shards = self.shards(sharding, value)?;
            let width = value.dtype.byte_width();
            let bytes = gather(transport, &shards, width, root, shard.as_bytes())?;
            bytes.map(|bytes| HostArray::from_bytes(value.dtype, &value.dims, bytes)).transpose()
        });
        // Each device takes part in collecting every result, although only one gets arrays.
        let whole: Vec<Option<HostArray>> = whole.collect::<Result<_, RunError>>()?;
        Ok(whole.into_iter().collect())
    }

    /// Runs the program on as many threads as the mesh has devices. Takes and returns whole arrays.
    ///
    /// # Errors
    /// As for [`Runner::run`] and [`Runner::gather`].
    pub fn run_on_threads(&self, inputs: &[HostArray]) -> Result<Vec<HostArray>, RunError> {
        let outputs = threads::run(self.mesh.devices(), |transport| {
            let own = (transport.device() == 0).then_some(inputs);
            let shards = self.scatter(transport, 0, own)?;
            let outputs = self.run(transport, &shards)?;
            self.gather(transport, 0, &outputs)
        });
        // If a device fails, the others cannot reach it; the cause is its own error.
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

    /// The shards of a value in a sharding of the program.
    fn shards(&self, sharding: &TensorSharding, value: &NamedValue) -> Result<Shards, RunError> {
        operation::shards(self.program, sharding, value)
    }

    /// Begins to combine shards over the devices along axes.
    fn begin_combined<'r, T: Transport + 'r>(
        &self,
        transport: &mut T,
        array: HostArray,
        shards: &Shards,
        (axes, reduction): (&[AxisRef], Reduction),
    ) -> Result<UnderWay<'r, T, HostArray>, RunError> {
        let (dtype, dims) = (array.dtype(), array.dims().to_vec());
        let mover = Mover::new(transport, shards, array.width())?;
        let combine =
            move |bytes: &mut [u8], others: &[Vec<u8>]| reduction.of_bytes(bytes, others, dtype);
        let combined = Combined { by: reduction.combine(), dtype };
        let reduced = mover.begin_all_reduce(array.into_bytes(), axes, combined, combine)?;
        Ok(Box::new(move |transport| HostArray::from_bytes(dtype, &dims, reduced(transport)?)))
    }

    /// Whether a device is the first one along axes.
    fn is_first(&self, shards: &Shards, axes: &[AxisRef], device: usize) -> bool {
        if axes.is_empty() {
            return true;
        }
        let coordinates = shards.mesh().coordinates(device);
        let mut axes = axes.iter().filter_map(|axis| shards.mesh().resolve(axis));
        axes.all(|axis| shards.coordinate(axis, &coordinates) == 0)
    }

    /// Makes a complete value a partial result over the devices along axes: for a sum, the first device keeps the value and the
    /// others have zeros; for a maximum or a minimum, all devices keep it.
    fn keep_one(
        &self,
        array: &mut HostArray,
        (shards, reduction): (&Shards, ReductionOp),
        axes: &[AxisRef],
        device: usize,
    ) -> Result<(), RunError> {
        if reduction == ReductionOp::Sum && !self.is_first(shards, axes, device) {
            array.as_bytes_mut()?.fill(0);
        }
        Ok(())
    }
}

/// Writes zeros to everything past the end of the whole array.
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
        write(&own, &whole, width, &bytes, clear.as_bytes_mut()?);
    }
    *array = clear;
    Ok(())
}

fn failed(instruction: &Instruction<'_>, message: String) -> RunError {
    RunError::Operation { name: instruction.name().into(), line: instruction.line(), message }
}

/// The error for a value that is read before an operation computes it.
fn missing(value: &NamedValue) -> RunError {
    let message = format!("`{}` is used before it is computed", value.name);
    RunError::Operation { name: value.name.clone(), line: None, message }
}
