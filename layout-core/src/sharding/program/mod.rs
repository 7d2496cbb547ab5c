//! Programs: functions of tensors whose shardings are propagated, and the results of propagation.
//!
//! ```
//! use tensor_layout::sharding::{Mesh, program::Program};
//! let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
//! let program = Program::new(r#"
//!     mesh Pod;
//!     fn mlp(x: bf16[64,512] [{"data"}, {}], w1: bf16[512,2048] [{}, {"model"}], w2: bf16[2048,512]) {
//!         let h = dot(x, w1);
//!         let g = tanh(h);
//!         let y = dot(g, w2);
//!         return y;
//!     }
//! "#, &mesh).unwrap();
//! let y = program.value("y").unwrap();
//! assert_eq!(y.sharding.to_string(), r#"<@Pod, [{"data", ?}, {?}]>"#);
//! assert_eq!(y.local_dims(), [32, 512]);
//! assert_eq!(program.collectives().last().unwrap().to_string(), "y: all_reduce {\"model\"}, 49152 bytes");
//! ```

mod body;
mod build;
mod call;
mod data_flow;
mod describe;
mod disagreement;
mod finish;
mod functions;
mod idle;
mod instructions;
mod kernels;
mod literal;
mod mlir;
mod moves;
mod nodes;
mod plan;
mod region;
mod returns;
mod search;
mod shards;
mod sizes;
mod sums;
mod tasks;
mod traffic;
mod types;

use super::local::{Shards, elements};
use super::mesh::Mesh;
use super::ops::{Attributes, Mlir, PartialSums};
use super::problem::Problem;
use super::propagation::{FactorTable, Graph, Op, Round, Strategy, Value};
use super::rule::OpShardingRule;
use super::tensor::{Axes, MeshRef, TensorSharding};
use crate::dtype::DType;
pub use crate::sharding::ops::computes_with;
use crate::sharding::syntax::{ProgramSyntax, read_parsed};
use crate::syntax::{Diagnostics, ParseError, Span};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub use body::{ScalarBody, ScalarStep};
use core::fmt;
pub use disagreement::Disagreement;
pub use instructions::Instruction;
pub use kernels::kernels;
pub use literal::Literal;
pub use mlir::Overrides;
use moves::Move;
use nodes::Node;
pub use search::{Cost, Found, Proposal, Search};
use sums::Sums;
use tasks::Execution;
pub use tasks::{Body, NotRunnable, Task};

/// A function of tensors whose shardings are propagated.
///
/// ```
/// use tensor_layout::sharding::{Mesh, program::Program};
/// let mesh: Mesh = r#"<["data"=2]>"#.parse()?;
/// let program = Program::new(r#"
///     mesh Pod;
///     fn double(x: f32[8,4] [{"data"}, {}]) {
///         let y = add(x, x);
///         return y;
///     }
/// "#, &mesh)?;
/// assert_eq!(program.value("y").unwrap().local_dims(), [4, 4]);
/// assert_eq!(program.collectives().len(), 0);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    name: String,
    meshes: Vec<(String, Mesh)>,
    constants: Vec<(String, usize)>,
    values: Vec<NamedValue>,
    calls: Vec<Call>,
    nodes: Vec<Node>,
    /// For each result, its value by number, its sharding, and the moves from the value to that sharding.
    returns: Vec<(usize, TensorSharding, Vec<Move>)>,
    parameters: usize,
    graph: Graph,
    collectives: Vec<Traffic>,
    /// For each call, the factor table before propagation.
    before: Vec<FactorTable>,
    /// The annotated text of a program that was imported.
    imported: Option<String>,
    /// The tasks that it executes.
    execution: Execution,
}

/// The values of a program by name, with their shardings; `None` if the sharding of the value is unknown.
pub type Shardings = Vec<(String, Option<TensorSharding>)>;

/// The meshes and rules that a program names, in the order of their first use in the text; see [`Program::with`].
///
/// ```
/// use tensor_layout::sharding::program::{Definitions, Program};
/// let definitions = Definitions { meshes: vec![r#"<["data"=2]>"#.parse()?], rules: vec![] };
/// let program = Program::with("mesh Pod; fn f(x: f32[8] [{\"data\"}]) { let y = tanh(x); return y; }", &definitions)?;
/// assert_eq!(program.value("y").unwrap().local_dims(), [4]);
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    /// The meshes.
    pub meshes: Vec<Mesh>,
    /// The rules.
    pub rules: Vec<OpShardingRule>,
}

/// A tensor of a program, with its sharding after propagation; see [`Program::value`] and [`Program::values`].
///
/// ```
/// use tensor_layout::sharding::{Mesh, program::Program};
/// let mesh: Mesh = r#"<["data"=2]>"#.parse()?;
/// let program = Program::new("mesh Pod; fn f(x: f32[8] [{\"data\"}]) { let y = tanh(x); return y; }", &mesh)?;
/// let y = program.value("y").unwrap();
/// assert_eq!((&y.dims[..], y.local_dims(), y.local_bytes()), (&[8][..], &[4][..], 16));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NamedValue {
    /// Its name. The result of a nested call is named after the value of the outer call.
    pub name: String,
    /// Its element type.
    pub dtype: DType,
    /// Its size; 0 for a dimension that is unbounded.
    pub dims: Vec<usize>,
    /// Its sharding over the devices.
    pub sharding: TensorSharding,
    /// Its shards.
    shards: Shards,
    /// Bit `d` is set if dimension `d` is unbounded: `?`.
    unbounded: u16,
    value: Value,
}

impl NamedValue {
    /// The size of its local array on each device; 0 for a dimension that is unbounded.
    pub fn local_dims(&self) -> &[usize] {
        self.shards.local_dims()
    }

    /// Its shards. An unbounded dimension counts as not split.
    pub const fn shards(&self) -> &Shards {
        &self.shards
    }

    /// Whether the size of a dimension is unknown: `?`. Such a value can only be an argument or a result, as in Shardy, whose
    /// operations have tensors of known sizes.
    pub fn is_unbounded(&self, dim: usize) -> bool {
        dim < 16 && self.unbounded >> dim & 1 == 1
    }

    /// The number of bytes of its local array on each device, without the padding of a layout; 0 if a dimension is unbounded. If the
    /// axes do not divide a dimension, the padding of the shard counts. Elements narrower than a byte are packed. At most 2^125.
    pub fn local_bytes(&self) -> u128 {
        array_bytes(self.local_dims(), self.dtype.stored_bits())
    }
}

/// An operation of a program, or an edge between its values.
#[derive(Clone, Debug)]
struct Call {
    name: String,
    /// Values by number.
    operands: Vec<usize>,
    results: Vec<usize>,
    op: Op,
    /// The arguments of the call other than its operands.
    attributes: Attributes,
    /// The effect of the operation on partial sums.
    partial: PartialSums,
    /// The text of the call in MLIR.
    mlir: Mlir,
    /// Operands that may be resharded.
    reshards: Vec<usize>,
    /// For each operand that is resharded: its number, its new sharding, and the moves to that sharding.
    planned: Vec<(usize, TensorSharding, Vec<Move>)>,
    /// The partial sums of the call.
    sums: Sums,
    /// Its line in the text of an imported program.
    line: Option<usize>,
    /// The reason why its results cannot be partial, although they are written as partial results.
    refused: Option<String>,
    /// Whether the text of an imported program has a rule for it that is not the rule of the operation. Such a rule only says how
    /// tensors are sharded.
    has_written_rule: bool,
}

/// The data that devices send to one another for a value: to reshard it, to add up partial sums, or to exchange the edges of their
/// parts.
///
/// ```
/// use tensor_layout::sharding::{Mesh, program::Program};
/// let mesh: Mesh = r#"<["model"=2]>"#.parse()?;
/// let program = Program::new(r#"
///     mesh Pod;
///     fn f(x: f32[4,8] [{}, {"model"}], w: f32[8,2] [{"model"}, {}]) { let y = dot(x, w); return y; }
/// "#, &mesh)?;
/// let traffic = &program.collectives()[0];
/// assert_eq!((&traffic.value[..], traffic.bytes), ("y", 32));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// The value.
    pub value: String,
    /// The collective, with its axes.
    pub collective: String,
    /// The number of bytes that each device receives, rounded up. If devices receive different amounts, this is at least the mean.
    /// The padding of shards counts, and elements narrower than a byte are packed.
    pub bytes: u128,
}

impl fmt::Display for Traffic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}, {} bytes", self.value, self.collective, self.bytes)
    }
}

impl Program {
    /// Reads a program for one mesh, and propagates its shardings.
    ///
    /// Takes time about linear in the length of the text and in the number of operations, of which each call of a function has
    /// copies. Propagation visits operations until no sharding changes.
    ///
    /// # Errors
    /// All mistakes in the text. If there are none, all operations that cannot run on the resulting shardings.
    pub fn new(text: &str, mesh: &Mesh) -> Result<Self, ParseError> {
        let definitions = Definitions { meshes: alloc::vec![mesh.clone()], rules: Vec::new() };
        Self::with(text, &definitions)
    }

    /// [`Program::new`] for a program that names several meshes, or rules.
    ///
    /// # Errors
    /// As for [`Program::new`], or if a mesh or a rule that the text names is missing.
    pub fn with(text: &str, definitions: &Definitions) -> Result<Self, ParseError> {
        read_parsed(text, |syntax, diagnostics| Self::from_syntax(syntax, definitions, diagnostics))
    }

    /// The program of a syntax tree. Mistakes are added to `diagnostics`.
    pub fn from_syntax<S: Span>(
        syntax: &ProgramSyntax<S>,
        definitions: &Definitions,
        diagnostics: &mut Diagnostics<S>,
    ) -> Option<Self> {
        let built = build::build(syntax, definitions, diagnostics)?;
        finish::finish(built, syntax, diagnostics)
    }

    /// The shardings that Shardy finds for the values of a program, whether or not the operations can run on them. The results of
    /// the function are called `ret0`, `ret1` and so on. A sharding is `None` if nothing determines it.
    ///
    /// ```
    /// # use tensor_layout::sharding::{Mesh, program::{Definitions, Program}, propagation::Strategy};
    /// let mesh: Mesh = r#"<["x"=2, "y"=2]>"#.parse().unwrap();
    /// let definitions = Definitions { meshes: vec![mesh], rules: vec![] };
    /// let text = r#"mesh Ring; fn f(a: f32[8] [{"x"}], b: f32[8] [{"y"}]) { let c = add(a, b); return c; }"#;
    /// let shardings = Program::shardings(text, &definitions, Strategy::default()).unwrap();
    /// assert_eq!(shardings[1].1.as_ref().unwrap().to_string(), r#"<@Ring, [{"y"}]>"#);
    /// assert_eq!(shardings[2], ("c".to_string(), None));
    /// ```
    ///
    /// # Errors
    /// All mistakes in the text.
    pub fn shardings(
        text: &str,
        definitions: &Definitions,
        strategy: Strategy,
    ) -> Result<Shardings, ParseError> {
        let mut rounds = Self::rounds(text, definitions, strategy)?;
        Ok(rounds.pop().map(|(_, shardings)| shardings).unwrap_or_default())
    }

    /// [`Program::shardings`] after each round of propagation.
    ///
    /// # Errors
    /// All mistakes in the text.
    pub fn rounds(
        text: &str,
        definitions: &Definitions,
        strategy: Strategy,
    ) -> Result<Vec<(Round, Shardings)>, ParseError> {
        read_parsed(text, |syntax, diagnostics| {
            let built = build::build(syntax, definitions, diagnostics)?;
            Some(finish::rounds(built, strategy))
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All values: the parameters, then the results of operations in order.
    pub fn values(&self) -> &[NamedValue] {
        &self.values
    }

    /// The parameters.
    pub fn parameters(&self) -> &[NamedValue] {
        &self.values[..self.parameters]
    }

    /// The values that it returns, each with its sharding as a result.
    pub fn results(&self) -> impl Iterator<Item = (&NamedValue, &TensorSharding)> {
        self.returns.iter().map(|(at, sharding, _)| (&self.values[*at], sharding))
    }

    /// The value with this name.
    pub fn value(&self, name: &str) -> Option<&NamedValue> {
        self.values.iter().find(|value| value.name == name)
    }

    /// The named numbers.
    pub fn constants(&self) -> &[(String, usize)] {
        &self.constants
    }

    /// The meshes by name, in the order of the text.
    pub fn meshes(&self) -> &[(String, Mesh)] {
        &self.meshes
    }

    /// The mesh of a sharding of the program.
    pub fn mesh_of(&self, sharding: &TensorSharding) -> &Mesh {
        mesh_of(&self.meshes, sharding)
    }

    /// The mesh of the devices that run the program: the first mesh with the largest number of devices.
    pub fn mesh_of_devices(&self) -> &Mesh {
        let meshes = || self.meshes.iter().map(|(_, mesh)| mesh);
        let most = meshes().map(Mesh::devices).max();
        meshes().find(|mesh| Some(mesh.devices()) == most).unwrap_or(&self.meshes[0].1)
    }

    /// The reason why the devices that run the program do not have a tensor with this sharding; `None` if they do: its mesh must
    /// have the devices of [`Program::mesh_of_devices`] in the same order.
    pub fn refused_mesh(&self, sharding: &TensorSharding) -> Option<String> {
        let devices = self.mesh_of_devices();
        let mesh = self.mesh_of(sharding);
        (!mesh.has_devices_of(devices)).then(|| {
            format!(
                "the mesh {} does not list the devices of {devices} in the same order",
                sharding.mesh
            )
        })
    }

    /// Whether every device has the whole tensor, so that devices have it on every mesh.
    pub fn is_on_every_device(&self, sharding: &TensorSharding) -> bool {
        let parts = sharding.parts(self.mesh_of(sharding));
        sharding.unreduced.is_empty() && parts.iter().all(|&parts| parts == 1)
    }

    /// The data that devices send to one another, in the order of the program.
    pub fn collectives(&self) -> &[Traffic] {
        &self.collectives
    }
}

/// The mesh of a sharding; the first mesh if no mesh has its name. Any mesh with devices replaces an empty one, such as JAX's
/// `@empty_mesh`.
fn mesh_of<'a>(meshes: &'a [(String, Mesh)], sharding: &TensorSharding) -> &'a Mesh {
    let is_named = |name: &str| matches!(&sharding.mesh, MeshRef::Name(other) if other == name);
    let found = meshes.iter().find(|(name, _)| is_named(name));
    let mesh = &found.unwrap_or(&meshes[0]).1;
    let has_devices = |mesh: &&Mesh| !mesh.is_empty() && !mesh.is_maximal();
    match mesh.is_empty() {
        true => meshes.iter().map(|(_, mesh)| mesh).find(has_devices).unwrap_or(mesh),
        false => mesh,
    }
}

/// `f32[?,8]`, with a bit in `unbounded` for each dimension that is unbounded.
fn array_text(dtype: DType, dims: &[usize], unbounded: u16) -> String {
    let size = |(dim, size): (usize, &usize)| match dim < 16 && unbounded >> dim & 1 == 1 {
        true => String::from("?"),
        false => alloc::format!("{size}"),
    };
    let dims: Vec<_> = dims.iter().enumerate().map(size).collect();
    alloc::format!("{dtype}[{}]", dims.join(","))
}

/// The bytes of an array with elements of this many bits; 2^125 if there are more.
fn array_bytes(dims: &[usize], bits: usize) -> u128 {
    elements(dims).saturating_mul(bits as u128).div_ceil(8)
}

/// The sum of numbers of bytes; the largest number that `u128` has if there are more.
fn sum(bytes: impl Iterator<Item = u128>) -> u128 {
    bytes.fold(0, u128::saturating_add)
}

/// The last name of a path.
#[doc(hidden)]
pub fn last_name(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// Axes in braces.
fn braces(axes: &[super::axis::AxisRef]) -> String {
    alloc::format!("{{{}}}", Axes(axes))
}

/// Reports a mistake of the model at a position in the text.
fn report<S>(diagnostics: &mut Diagnostics<S>, span: S, problem: Problem) {
    let Problem { message, help, .. } = problem;
    diagnostics.push(crate::syntax::Diagnostic { span, message, help });
}
