//! Plans of reshards: the collectives that lead from one sharding to another, in order, and the bytes that each device
//! receives.
//!
//! The plan is Shardy's: first slices, which cost nothing; then a permutation of the devices; then all-to-alls; and finally
//! gathers. A plan of one or two steps is kept, unless it gathers what it slices. For any other, and if Shardy finds no plan
//! because sizes do not divide one another, a search looks for a plan that moves fewer bytes.

mod align;
mod moves;
mod permute;
mod search;
mod state;
mod verify;

use super::axis::{Axis, AxisRef, product};
use super::mesh::Mesh;
use super::problem::{Location, Problem, ShardingError};
use super::tensor::{Axes, DimSharding, Split, TensorSharding};
pub(super) use align::{align, without};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt;
use search::Search;
use state::State;

/// The largest number of steps of a plan that is not Shardy's.
const MAX_STEPS: usize = 6;

/// A collective of a reshard: what all devices of a group exchange in one step.
///
/// ```
/// use tensor_layout::sharding::{Mesh, reshard::{Collective, plan}};
/// let mesh: Mesh = r#"<["x"=2]>"#.parse()?;
/// let (from, to) = (r#"<@m, [{"x"}, {}]>"#.parse()?, r#"<@m, [{}, {"x"}]>"#.parse()?);
/// let steps = plan(&mesh, &from, &to, &[8, 8], 32)?;
/// assert!(matches!(steps[0].collective, Collective::AllToAll { from: 0, to: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Collective {
    /// Sums over the devices along these axes.
    AllReduce(Vec<AxisRef>),
    /// Each device keeps a part of its array. The axes split each dimension further.
    AllSlice(Vec<Vec<AxisRef>>),
    /// Each device sends its array to one other device.
    CollectivePermute,
    /// Moves axes from the end of one dimension to the end of another.
    AllToAll {
        /// The axes that move.
        axes: Vec<AxisRef>,
        /// The dimension that they split before the collective.
        from: usize,
        /// The dimension that they split after it.
        to: usize,
    },
    /// Joins parts. The axes no longer split each dimension.
    AllGather(Vec<Vec<AxisRef>>),
}

/// One step of a plan: a collective, the sharding after it, and the bytes that it moves.
///
/// ```
/// use tensor_layout::sharding::{Mesh, reshard::plan};
/// let mesh: Mesh = r#"<["x"=2]>"#.parse()?;
/// let (from, to) = (r#"<@m, [{"x"}]>"#.parse()?, r#"<@m, [{}]>"#.parse()?);
/// let steps = plan(&mesh, &from, &to, &[8], 32)?;
/// assert_eq!((steps.len(), steps[0].collective.name(), steps[0].bytes), (1, "all_gather", 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReshardStep {
    /// The collective.
    pub collective: Collective,
    /// The sharding after the collective.
    pub sharding: TensorSharding,
    /// The bytes that each device receives in the best implementation of the collective.
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

    /// The number of devices that exchange data with one another.
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

    /// The bytes that a device receives if the dimensions are split into `before` parts before the collective, and `after` parts
    /// after it. The padding of parts counts.
    fn bytes(&self, mesh: &Mesh, tensor: Tensor<'_>, before: &[usize], after: &[usize]) -> u128 {
        let group = self.group(mesh).max(1);
        let local = tensor.bytes(tensor.parts(before));
        match self {
            Self::AllReduce(_) => local.saturating_mul(2 * (group - 1)).div_ceil(group),
            Self::AllSlice(_) => tensor.missing(before, after),
            Self::CollectivePermute => local,
            // A message has the old part along one dimension, and the new part along the other: 6 elements that are split from 1
            // part into 4 are padded to 8.
            Self::AllToAll { to, .. } => {
                let sizes = tensor.parts(before).zip(tensor.parts(after)).enumerate();
                let message = sizes.map(|(dim, (before, after))| match dim == *to {
                    true => after,
                    false => before,
                });
                tensor.bytes(message).saturating_mul(group - 1)
            }
            Self::AllGather(_) => local.saturating_mul(group - 1),
        }
    }
}

/// A tensor that is resharded: its size, and the bits of an element.
#[derive(Clone, Copy)]
struct Tensor<'a> {
    dims: &'a [usize],
    element_bits: usize,
}

impl Tensor<'_> {
    /// The size of a part.
    fn parts(&self, parts: &[usize]) -> impl Iterator<Item = u128> {
        self.dims.iter().zip(parts).map(|(size, parts)| size.div_ceil((*parts).max(1)) as u128)
    }

    /// The bytes of an array of this size.
    fn bytes(&self, sizes: impl Iterator<Item = u128>) -> u128 {
        let elements: u128 = sizes.fold(1, |elements, size| elements.saturating_mul(size));
        elements.saturating_mul(self.element_bits as u128).div_ceil(8)
    }

    /// When parts are split further, the number of bytes of its new part that a device does not have, for the device that lacks
    /// most. It is 0 unless parts are padded. If 6 elements in 2 parts are split into 8 parts, the fourth device gets 3..4, but its
    /// old part is 0..3.
    fn missing(&self, before: &[usize], after: &[usize]) -> u128 {
        let dims = self.dims.iter().zip(before.iter().zip(after));
        if dims.clone().all(|(size, (_, after))| size.is_multiple_of((*after).max(1))) {
            return 0;
        }
        // The sizes of a new part, and of what the device has of it, for the parts that can lack most.
        let mut parts = vec![(1_u128, 1_u128)];
        for (&size, (&before, &after)) in dims {
            let options = lacking(size, before, after);
            let all = parts.iter().flat_map(|(new, own)| {
                options.iter().map(move |(all, there)| {
                    (new.saturating_mul(*all as u128), own.saturating_mul(*there as u128))
                })
            });
            parts = all.collect();
            // A part that is not larger and lacks no more than another one never lacks more, whatever the other dimensions are.
            parts.sort_unstable_by_key(|(new, own)| Reverse((*new, new - own)));
            let mut most = None;
            parts.retain(|(new, own)| {
                let is_more = most.is_none_or(|most| new - own > most);
                most = most.max(Some(new - own));
                is_more
            });
        }
        let missing = parts.iter().map(|(new, own)| new - own).max();
        self.bytes([missing.unwrap_or(0)].into_iter())
    }
}

/// For the parts of a dimension that can lack most, if it is split into `after` parts instead of `before`: the size of the part,
/// and the size of what the device has of it.
///
/// The new parts of an old part are together at least as large as it, so that the later of two parts of the same size lacks more if
/// both are the last part within an old one, or if both are within the same old part.
fn lacking(size: usize, before: usize, after: usize) -> Vec<(usize, usize)> {
    let (old, new) = (size.div_ceil(before.max(1)), size.div_ceil(after.max(1)));
    let finer = (after / before.max(1)).max(1);
    let part = |tile: usize| {
        let range = |at: usize, len: usize| {
            (at.saturating_mul(len).min(size), (at + 1).saturating_mul(len).min(size))
        };
        let ((start, end), (from, to)) = (range(tile, new), range(tile / finer, old));
        (end - start, end.min(to).saturating_sub(start.max(from)))
    };
    // The number of parts that are not padded.
    let whole = size.checked_div(new).unwrap_or(0);
    let last = [whole.checked_sub(1), (whole / finer * finer).checked_sub(1)];
    let mut parts: Vec<_> = last.into_iter().flatten().map(part).collect();
    parts.sort_unstable_by_key(|(_, own)| *own);
    parts.truncate(1);
    // The part that is only in part within the dimension, or else an empty one.
    parts.extend((whole < after).then(|| part(whole)));
    parts
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

/// Writes the parameter of a collective in Shardy's notation: `[{"x"}, {}]`, `[{"x"}: 0->1]`, `{"x"}`.
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

impl fmt::Display for ReshardStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.collective.name())?;
        if self.collective != Collective::CollectivePermute {
            write!(f, " {}", self.collective)?;
        }
        write!(f, " -> {}: {} bytes", Split(&self.sharding), self.bytes)
    }
}

/// Plans the reshard of a tensor of size `dims`, with elements of `element_bits` bits, from one sharding to another on the same
/// mesh.
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
/// The time does not depend on the size of the tensor. Shardy's plan takes little time to find, and often has one or two steps; if
/// it has more, or none is found because the sizes of axes do not divide one another, a search tries plans of up to six steps.
///
/// # Errors
/// If one of the shardings violates a rule of Shardy, or if the second one has unreduced axes that the first does not have,
/// because a sum cannot be undone.
pub fn plan(
    mesh: &Mesh,
    from: &TensorSharding,
    to: &TensorSharding,
    dims: &[usize],
    element_bits: usize,
) -> Result<Vec<ReshardStep>, ShardingError> {
    plan_between((mesh, from), (mesh, to), dims, element_bits)
}

/// [`plan`] between two meshes with the same axes, whose devices may be in different orders.
///
/// ```
/// use tensor_layout::sharding::{Mesh, reshard::plan_between};
/// let (mesh, swapped): (Mesh, Mesh) = (r#"<["x"=2]>"#.parse()?, r#"<["x"=2], device_ids=[1, 0]>"#.parse()?);
/// let rows = r#"<@m, [{"x"}]>"#.parse()?;
/// let steps = plan_between((&mesh, &rows), (&swapped, &rows), &[8], 32)?;
/// assert_eq!((steps.len(), steps[0].collective.name()), (1, "collective_permute"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As for [`plan`], or if the meshes differ in their axes, or are two different devices.
pub fn plan_between(
    from: (&Mesh, &TensorSharding),
    to: (&Mesh, &TensorSharding),
    dims: &[usize],
    element_bits: usize,
) -> Result<Vec<ReshardStep>, ShardingError> {
    let ((mesh, from), (to_mesh, to)) = (from, to);
    if mesh.axes() != to_mesh.axes() {
        let message = format!("the meshes differ in their axes: {mesh} and {to_mesh}");
        return Err(Problem::new(Location::Mesh, message).into());
    }
    if mesh.axes().is_empty() && mesh != to_mesh {
        let message = format!("no collective moves a tensor from {mesh} to {to_mesh}");
        return Err(Problem::new(Location::Mesh, message).into());
    }
    from.check(mesh, dims)?;
    to.check(to_mesh, dims)?;
    let summed = summed(mesh, from, to)?;
    let mut start = Steps { mesh, sharding: closed(from), dims, element_bits, steps: Vec::new() };
    if !summed.is_empty() {
        start.sharding = start.sharding.with_unreduced(to.unreduced.clone());
        let dims = start.sharding.dims.clone();
        start.push(Collective::AllReduce(summed), dims.into_owned());
    }
    let reordered = mesh.device_ids() == to_mesh.device_ids();
    let shardys = start.shardys(State::new(mesh, dims, from, to), reordered);
    Ok(start.best(shardys, to, reordered).steps)
}

/// The axes to sum over: those that are unreduced before, but not after.
fn summed(
    mesh: &Mesh,
    from: &TensorSharding,
    to: &TensorSharding,
) -> Result<Vec<AxisRef>, ShardingError> {
    let resolved = |axes: &[AxisRef]| -> Vec<Axis> {
        axes.iter().filter_map(|axis| mesh.resolve(axis)).collect()
    };
    let (before, after) = (resolved(&from.unreduced), resolved(&to.unreduced));
    let sums = |axis: &Axis| before.iter().any(|other| other.contains(*axis));
    if let Some(at) = after.iter().position(|axis| !sums(axis)) {
        let axis = &to.unreduced[at];
        let message = format!("axis {axis} is unreduced after the reshard, but not before");
        return Err(Problem::new(Location::Unreduced(at), message)
            .help("only a sum over the axis can leave the result unreduced")
            .into());
    }
    if !after.is_empty() && from.reduction != to.reduction {
        let [from, to] = [from, to].map(|sharding| sharding.reduction.reducer());
        let message = format!(
            "kept unreduced axes are combined by `{from}` before the reshard, and by `{to}` after it"
        );
        return Err(Problem::new(Location::Unreduced(0), message)
            .help("devices combine what they hold in the same way before and after")
            .into());
    }
    let summed = without(mesh, before, &after);
    Ok(summed.iter().map(|axis| mesh.name(*axis)).collect())
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
#[derive(Clone)]
struct Steps<'a> {
    mesh: &'a Mesh,
    sharding: TensorSharding,
    dims: &'a [usize],
    element_bits: usize,
    steps: Vec<ReshardStep>,
}

impl<'a> Steps<'a> {
    fn push(&mut self, collective: Collective, dims: Vec<DimSharding>) {
        let before = self.sharding.parts(self.mesh);
        self.sharding.dims = dims.into();
        let after = self.sharding.parts(self.mesh);
        let tensor = Tensor { dims: self.dims, element_bits: self.element_bits };
        let bytes = collective.bytes(self.mesh, tensor, &before, &after);
        self.steps.push(ReshardStep { collective, sharding: self.sharding.clone(), bytes });
    }

    /// The remaining steps of Shardy's plan; `None` if they do not reach the goal.
    fn shardys(&self, mut state: State<'_>, mut reordered: bool) -> Option<Self> {
        let mesh = self.mesh;
        let mut steps = self.clone();
        // Two rounds are enough if sizes divide each other.
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
                for from in 0..self.dims.len() {
                    while let Some((axes, to)) = state.all_to_all(from, out_of_order) {
                        let axes = axes.iter().map(|axis| mesh.name(*axis)).collect();
                        steps.push(Collective::AllToAll { axes, from, to }, state.sharding());
                    }
                }
            }
            if let Some(axes) = state.gather() {
                steps.push(Collective::AllGather(state.named(&axes)), state.sharding());
            }
        }
        (state.is_done() && self.leads_to(&steps)).then_some(steps)
    }

    /// Whether each of the `later` steps leads to its sharding from the previous one.
    fn leads_to(&self, later: &Self) -> bool {
        let mut before = &self.sharding;
        later.steps[self.steps.len()..].iter().all(|step| {
            let operand = core::mem::replace(&mut before, &step.sharding);
            step.collective.check(self.mesh, operand, &step.sharding).is_ok()
        })
    }

    /// Shardy's steps, with four exceptions: if they do not reach the goal, if slices and all-to-alls by themselves are cheaper,
    /// if another plan is cheaper and Shardy's steps gather a dimension that they slice again, or are more than three, or if they
    /// are three or more and the moves of XLA's partitioner take fewer bytes.
    fn best(mut self, shardys: Option<Self>, to: &TensorSharding, reordered: bool) -> Self {
        if let Some(shardys) = shardys {
            let steps = shardys.steps.len() - self.steps.len();
            let gathers = shardys.slices_what_it_gathers();
            // A plan of one or two steps is not improved, unless it gathers what it slices. Between meshes, the permutation is
            // necessary.
            if steps <= 2 && !gathers || !reordered {
                return shardys;
            }
            let search = self.search(to);
            let bytes = shardys.bytes() - self.bytes();
            let found = if gathers {
                search.run(Search::anything, bytes, MAX_STEPS)
            } else {
                let anything =
                    || (steps > 3).then(|| search.run(Search::anything, bytes, steps))?;
                let fewer_bytes = || search.run(Search::partitioners, bytes, steps + 1);
                search.run(Search::exchanges, bytes, steps).or_else(anything).or_else(fewer_bytes)
            };
            return found.map_or(shardys, |moves| self.with(moves));
        }
        if !reordered {
            let dims = self.sharding.dims.clone();
            self.push(Collective::CollectivePermute, dims.into_owned());
        }
        let search = self.search(to);
        let plain = self.clone().with(search.plain());
        let found = search.run(Search::anything, plain.bytes() - self.bytes(), MAX_STEPS);
        found.map_or(plain, |moves| self.with(moves))
    }

    /// Whether a dimension is gathered and later sliced.
    ///
    /// From `[{"x":(4)3, "x":(1)4}]` to `[{"x":(6)2, "x":(1)6}]`, whose sub-axes cannot coexist, Shardy gathers everything; a
    /// single permutation of the devices is enough.
    fn slices_what_it_gathers(&self) -> bool {
        let mut gathered = alloc::vec![false; self.dims.len()];
        self.steps.iter().any(|step| match &step.collective {
            Collective::AllGather(axes) => {
                gathered.iter_mut().zip(axes).for_each(|(it, axes)| *it |= !axes.is_empty());
                false
            }
            Collective::AllSlice(axes) => {
                gathered.iter().zip(axes).any(|(it, axes)| *it && !axes.is_empty())
            }
            _ => false,
        })
    }

    fn search(&self, to: &TensorSharding) -> Search<'a> {
        Search::new(self.mesh, (self.dims, self.element_bits), &self.sharding, to)
    }

    fn with(mut self, moves: Vec<search::PlannedStep>) -> Self {
        moves.into_iter().for_each(|(collective, dims)| self.push(collective, dims));
        self
    }

    fn bytes(&self) -> u128 {
        self.steps.iter().fold(0, |bytes: u128, step| bytes.saturating_add(step.bytes))
    }
}
