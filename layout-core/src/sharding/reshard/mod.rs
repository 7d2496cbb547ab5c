//! From one sharding to another: which collectives, in which order, and what each device receives.
//!
//! The plan is Shardy's: slicing first, which costs nothing; then a permutation of the devices; then all-to-alls; and
//! gathering last.

mod align;
mod moves;
mod permute;
mod state;
mod verify;

use super::axis::{AxisRef, product};
use super::mesh::Mesh;
use super::problem::{Place, Problem, ShardingError};
use super::tensor::{Axes, DimSharding, Split, TensorSharding};
pub(super) use align::align;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use state::State;

/// What devices do together to reshard a tensor.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Collective {
    /// Sums over the devices along axes.
    AllReduce(Vec<AxisRef>),
    /// Each device keeps a part of what it has: the axes that split each dimension further.
    AllSlice(Vec<Vec<AxisRef>>),
    /// Each device sends what it has to one other.
    CollectivePermute,
    /// Moves axes from the end of one dimension to the end of another.
    AllToAll {
        /// The axes.
        axes: Vec<AxisRef>,
        /// The dimension that they split before.
        from: usize,
        /// The dimension that they split then.
        to: usize,
    },
    /// Joins parts: the axes that no longer split each dimension.
    AllGather(Vec<Vec<AxisRef>>),
}

/// A collective, and what comes of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// What the devices do.
    pub collective: Collective,
    /// How the tensor is sharded then.
    pub sharding: TensorSharding,
    /// Bytes that each device receives, if the collective is done as well as it can be.
    pub bytes: u128,
}

impl Collective {
    /// Its name in Shardy.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AllReduce(_) => "all_reduce",
            Self::AllSlice(_) => "all_slice",
            Self::CollectivePermute => "collective_permute",
            Self::AllToAll { .. } => "all_to_all",
            Self::AllGather(_) => "all_gather",
        }
    }

    /// How many devices work together.
    fn group(&self, mesh: &Mesh) -> u128 {
        let size = |axes: &[AxisRef]| {
            product(&axes.iter().filter_map(|axis| mesh.resolve(axis)).collect::<Vec<_>>()) as u128
        };
        match self {
            Self::AllReduce(axes) | Self::AllToAll { axes, .. } => size(axes),
            Self::AllSlice(dims) | Self::AllGather(dims) => {
                dims.iter().map(|axes| size(axes)).product()
            }
            Self::CollectivePermute => 1,
        }
    }

    /// Bytes that a device receives, which has `local` bytes of the tensor before.
    fn bytes(&self, mesh: &Mesh, local: u128) -> u128 {
        let group = self.group(mesh).max(1);
        match self {
            Self::AllReduce(_) => 2 * local * (group - 1) / group,
            Self::AllSlice(_) => 0,
            Self::CollectivePermute => local,
            Self::AllToAll { .. } => local * (group - 1) / group,
            Self::AllGather(_) => local * (group - 1),
        }
    }
}

/// The axes of each dimension: `[{"x"}, {}]`.
struct PerDim<'a>(&'a [Vec<AxisRef>]);

impl fmt::Display for PerDim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, axes) in self.0.iter().enumerate() {
            write!(f, "{}{{{}}}", if i > 0 { ", " } else { "" }, Axes(axes))?;
        }
        f.write_str("]")
    }
}

/// As Shardy writes its parameter: `[{"x"}, {}]`, `[{"x"}: 0->1]`, `{"x"}`.
impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AllReduce(axes) => write!(f, "{{{}}}", Axes(axes)),
            Self::AllSlice(dims) | Self::AllGather(dims) => PerDim(dims).fmt(f),
            Self::CollectivePermute => Ok(()),
            Self::AllToAll { axes, from, to } => {
                write!(f, "[{{{}}}: {from}->{to}]", Axes(axes))
            }
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.collective.name())?;
        if self.collective != Collective::CollectivePermute {
            write!(f, " {}", self.collective)?;
        }
        write!(f, " -> {}: {} bytes", Split(&self.sharding), self.bytes)
    }
}

/// Plans how a tensor of size `dims`, with elements of `element_bits`, gets from one sharding to another on one mesh.
///
/// ```
/// use tensor_layout::sharding::{Mesh, reshard};
/// let mesh: Mesh = r#"<["x"=2, "y"=2]>"#.parse().unwrap();
/// let (from, to) = (r#"<@m, [{"y", "x"}, {}]>"#.parse().unwrap(), r#"<@m, [{"x"}, {}]>"#.parse().unwrap());
/// let steps = reshard::plan(&mesh, &from, &to, &[64, 64], 32).unwrap();
/// let steps: Vec<_> = steps.iter().map(|step| step.to_string()).collect();
/// assert_eq!(steps, [
///     r#"collective_permute -> [{"x", "y"}, {}]: 4096 bytes"#,
///     r#"all_gather [{"y"}, {}] -> [{"x"}, {}]: 4096 bytes"#,
/// ]);
/// ```
///
/// # Errors
/// If one of the shardings breaks a rule of Shardy, or if the second has unreduced axes that the first has not: a sum
/// cannot be undone.
pub fn plan(
    mesh: &Mesh,
    from: &TensorSharding,
    to: &TensorSharding,
    dims: &[usize],
    element_bits: usize,
) -> Result<Vec<Step>, ShardingError> {
    plan_between((mesh, from), (mesh, to), dims, element_bits)
}

/// [`plan`] between two meshes that have the same axes, but may have their devices in another order.
///
/// # Errors
/// As [`plan`], or if the meshes differ in their axes.
pub fn plan_between(
    from: (&Mesh, &TensorSharding),
    to: (&Mesh, &TensorSharding),
    dims: &[usize],
    element_bits: usize,
) -> Result<Vec<Step>, ShardingError> {
    let ((mesh, from), (to_mesh, to)) = (from, to);
    if mesh.axes() != to_mesh.axes() {
        let message = format!("the meshes differ in their axes: {mesh} and {to_mesh}");
        return Err(Problem::new(Place::Mesh, message).into());
    }
    from.check(mesh, dims)?;
    to.check(to_mesh, dims)?;
    if let Some(axis) = to.unreduced.iter().find(|axis| !from.unreduced.contains(axis)) {
        let at = to.unreduced.iter().position(|other| other == axis).unwrap_or(0);
        let message = format!("axis {axis} is unreduced after the reshard, but not before");
        return Err(Problem::new(Place::Unreduced(at), message)
            .help("only a sum over the axis can come out unreduced")
            .into());
    }
    let mut steps = Steps { mesh, sharding: closed(from), dims, element_bits, steps: Vec::new() };
    let summed: Vec<_> =
        from.unreduced.iter().filter(|axis| !to.unreduced.contains(axis)).cloned().collect();
    if !summed.is_empty() {
        steps.sharding.unreduced = to.unreduced.clone();
        let dims = steps.sharding.dims.clone();
        steps.push(Collective::AllReduce(summed), dims.into_owned());
    }
    let mut state = State::new(mesh, dims, from, to);
    let mut reordered = mesh.device_ids() == to_mesh.device_ids();
    // Two rounds are enough where sizes divide each other.
    for _ in 0..2 {
        if state.is_done() && reordered {
            break;
        }
        if let Some(axes) = state.slice() {
            steps.push(Collective::AllSlice(state.named(&axes)), state.sharding());
        }
        let permutes = state.needs_permute();
        if permutes {
            state.permute();
        }
        if permutes || !reordered {
            reordered = true;
            steps.push(Collective::CollectivePermute, state.sharding());
        }
        for out_of_order in [false, true] {
            for from in 0..dims.len() {
                while let Some((axes, to)) = state.all_to_all(from, out_of_order) {
                    let axes = axes.iter().map(|axis| mesh.name(*axis)).collect();
                    steps.push(Collective::AllToAll { axes, from, to }, state.sharding());
                }
            }
        }
        if let Some(axes) = state.gather(false) {
            steps.push(Collective::AllGather(state.named(&axes)), state.sharding());
        }
    }
    if !state.is_done() {
        if let Some(axes) = state.gather(true) {
            steps.push(Collective::AllGather(state.named(&axes)), state.sharding());
        }
        let axes = state.slice_rest();
        steps.push(Collective::AllSlice(state.named(&axes)), state.sharding());
    }
    Ok(steps.steps)
}

fn closed(sharding: &TensorSharding) -> TensorSharding {
    let dim = |dim: &DimSharding| DimSharding { axes: dim.axes.clone(), ..DimSharding::default() };
    TensorSharding {
        dims: sharding.dims.iter().map(dim).collect::<Vec<_>>().into(),
        replicated: (&[][..]).into(),
        ..sharding.clone()
    }
}

/// The steps so far.
struct Steps<'a> {
    mesh: &'a Mesh,
    sharding: TensorSharding,
    dims: &'a [usize],
    element_bits: usize,
    steps: Vec<Step>,
}

impl Steps<'_> {
    fn push(&mut self, collective: Collective, dims: Vec<DimSharding>) {
        let local = self.local_bytes();
        self.sharding.dims = dims.into();
        let bytes = collective.bytes(self.mesh, local);
        self.steps.push(Step { collective, sharding: self.sharding.clone(), bytes });
    }

    /// Bytes of the tensor that a device has.
    fn local_bytes(&self) -> u128 {
        let sizes = self.sharding.dims.iter().zip(self.dims).map(|(dim, &size)| {
            let axes: Vec<_> = dim.axes.iter().filter_map(|axis| self.mesh.resolve(axis)).collect();
            size.div_ceil(product(&axes).max(1)) as u128
        });
        let elements: u128 = sizes.fold(1, |elements, size| elements.saturating_mul(size));
        elements.saturating_mul(self.element_bits as u128).div_ceil(8)
    }
}
