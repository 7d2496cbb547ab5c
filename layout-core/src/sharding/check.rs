//! The checks of a sharding: the checks of Shardy's verifier, and mistakes that the verifier does not reject.

use super::axis::{Axis, AxisRef, Quoted, product};
use super::mesh::{Mesh, MeshAxis};
use super::problem::{Location, Problem, ShardingError};
use super::tensor::{DimSharding, TensorSharding};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// An explanation of the numbers of a sub-axis.
const SUB_AXIS: &str = "`\"x\":(2)4` is the part of size 4 of an axis below a part of size 2: 2 and 4 multiply to a divisor of its size";

/// The largest number of axes that a message names.
const MAX_NAMED: usize = 32;

/// How to treat a dimension whose size its axes do not divide.
///
/// ```
/// use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};
/// let (mesh, rows): (Mesh, TensorSharding) = (r#"<["x"=4]>"#.parse()?, r#"<@mesh, [{"x"}]>"#.parse()?);
/// assert!(Shards::new(&rows, &mesh, &[10], Padding::Forbidden).is_err());
/// let shards = Shards::new(&rows, &mesh, &[10], Padding::Allowed)?;
/// assert_eq!((shards.local_dims(), shards.slice(3)), (&[3][..], Some(vec![9..10])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Padding {
    /// It is an error.
    #[default]
    Forbidden,
    /// The last devices have fewer elements than the others, or none.
    Allowed,
}

/// An axis of a sharding, and its location.
type Placed = (Location, AxisRef);

/// For one axis, whether a sharding contains the full axis, and the pre-sizes and sizes of the parts of the axis that it contains.
type AxisUses = (bool, BTreeSet<(usize, usize)>);

impl TensorSharding {
    /// Checks the sharding of a tensor of size `dims` against Shardy's rules.
    ///
    /// # Errors
    /// All mistakes: axes that the mesh does not have, axes that are used twice, impossible sub-axes, lists out of order,
    /// priorities of dimensions without axes, and the wrong rank.
    pub fn check(&self, mesh: &Mesh, dims: &[usize]) -> Result<(), ShardingError> {
        ShardingError::unless(self.problems(mesh, dims), ())
    }

    /// Checks that the axes divide the dimensions, and that no dimension of size zero is split. With [`Padding::Allowed`], all sizes
    /// can be split, as in Shardy; all parts of a dimension of size zero are empty.
    ///
    /// # Errors
    /// All dimensions that violate this.
    pub fn check_sizes(
        &self,
        mesh: &Mesh,
        dims: &[usize],
        padding: Padding,
    ) -> Result<(), ShardingError> {
        ShardingError::unless(self.size_problems(mesh, dims, padding), ())
    }

    pub(crate) fn problems(&self, mesh: &Mesh, dims: &[usize]) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.rank() != dims.len() {
            if mesh.is_maximal() && self.rank() == 0 {
                return problems;
            }
            let message =
                format!("sharding doesn't match tensor rank: {} != {}", self.rank(), dims.len());
            problems.push(Problem::new(Location::Dims, message).help(match dims.len() {
                0 => "a scalar has the sharding `[]`".into(),
                rank => format!("write one `{{..}}` for each of the {rank} dimensions"),
            }));
        }
        if mesh.is_maximal() && (self.rank() > 0 || self.lists().next().is_some()) {
            let message = "a maximal sharding can only have a sharding with rank 0 and no replicated or unreduced axes";
            problems.push(Problem::new(Location::All, message).help("write `[]`"));
            return problems;
        }
        problems.extend(self.problems_within());
        problems.extend(self.mesh_problems(mesh));
        problems
    }

    /// The same sharding without the axes that the mesh does not have.
    pub(crate) fn on_axes_of(&self, mesh: &Mesh) -> Self {
        let known = |axes: &[AxisRef]| -> Vec<AxisRef> {
            let has = |axis: &&AxisRef| mesh.axes().iter().any(|own| own.name() == axis.name);
            axes.iter().filter(has).cloned().collect()
        };
        let dims = self.dims.iter().map(|dim| DimSharding {
            axes: known(&dim.axes).into(),
            open: dim.open,
            priority: dim.priority,
        });
        Self {
            mesh: self.mesh.clone(),
            dims: dims.collect::<Vec<_>>().into(),
            replicated: known(&self.replicated).into(),
            unreduced: known(&self.unreduced).into(),
            reduction: self.reduction,
        }
    }

    /// The mistakes that do not depend on the mesh.
    pub(crate) fn problems_within(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (dim, sharding) in self.dims.iter().enumerate() {
            if sharding.axes.is_empty() && !sharding.open && sharding.priority.is_some() {
                let message = format!("dim {dim} is empty and closed but has a priority");
                problems.push(
                    Problem::new(Location::Priority(dim), message)
                        .help("leave the priority out, or open the dimension: `{?}`"),
                );
            }
        }
        let axes: Vec<_> = self.placed().collect();
        // For each axis, the parts of it that occur earlier in the text, and whether the full axis does.
        let mut before: BTreeMap<&str, AxisUses> = BTreeMap::new();
        for (location, axis) in &axes {
            if let Some(sub) = axis.sub {
                if sub.pre == 0 {
                    let message = format!("sub-axis pre-size must be at least 1: {axis}");
                    problems.push(Problem::new(*location, message).help(SUB_AXIS));
                }
                if sub.size <= 1 {
                    let message = format!("sub-axis sizes must be greater than 1: {axis}");
                    problems.push(Problem::new(*location, message).help(SUB_AXIS));
                }
            }
            let (whole, parts) = before.entry(&axis.name).or_default();
            let (is_new, clashes) = match axis.sub {
                None => (!core::mem::replace(whole, true), !parts.is_empty()),
                Some(sub) => (parts.insert((sub.pre, sub.size)), *whole),
            };
            if !is_new {
                let message = format!("duplicate axis ref: {axis}");
                problems.push(
                    Problem::new(*location, message)
                        .help("an axis can split a tensor along one dimension only"),
                );
            } else if clashes {
                let name = Quoted(&axis.name);
                let message = format!("both sub-axis and full-axis are used for axis name: {name}");
                let help = "an axis that is used whole has no parts left: leave one of the two out";
                problems.push(Problem::new(*location, message).help(help));
            }
        }
        problems
    }

    fn mesh_problems(&self, mesh: &Mesh) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut resolved: Vec<(Location, AxisRef, Axis)> = Vec::new();
        for (location, axis) in self.placed() {
            let Some(size) = mesh.axis_size(&axis.name) else {
                let message = format!("unknown axis name: {}", Quoted(&axis.name));
                let names: Vec<_> = mesh.axes().iter().map(MeshAxis::name).collect();
                let help = match crate::syntax::nearest(&axis.name, &names) {
                    Some(name) => format!("did you mean {}?", Quoted(name)),
                    None => axes_of(mesh),
                };
                problems.push(Problem::new(location, message).help(help));
                continue;
            };
            if let Some(problem) = sub_axis_problem(location, &axis, size) {
                problems.push(problem);
                continue;
            }
            if let Some(known) = mesh.resolve(&axis) {
                resolved.push((location, axis, known));
            }
        }
        problems.extend(overlap_problems(&resolved));
        problems.extend(merge_problems(mesh, &resolved));
        if problems.is_empty() {
            problems.extend(order_problems(&resolved));
        }
        problems
    }

    pub(crate) fn size_problems(
        &self,
        mesh: &Mesh,
        dims: &[usize],
        padding: Padding,
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (dim, (sharding, &size)) in self.dims.iter().zip(dims).enumerate() {
            let parts = parts(sharding, mesh);
            let location = Location::Dim(dim);
            if padding == Padding::Allowed {
                continue;
            }
            if size == 0 && !sharding.axes.is_empty() {
                let message = format!("dim {dim} has no elements and cannot be sharded");
                let help = "a dimension that is not split is `{}`; write `padded` after the sharding if the devices may hold nothing";
                problems.push(Problem::new(location, message).help(help));
            } else if parts != 0 && !size.is_multiple_of(parts) {
                let message = format!(
                    "dim {dim} with size {size} is not divisible by its sharded size {parts}"
                );
                let fitting = match size.div_ceil(parts).checked_mul(parts) {
                    Some(padded) => format!("use a size of {padded}, or "),
                    None => String::new(),
                };
                let help = format!(
                    "{fitting}write `padded` after the sharding if the last devices may hold less"
                );
                problems.push(Problem::new(location, message).help(help));
            }
        }
        problems
    }

    /// The number of parts that each dimension is split into.
    pub(crate) fn parts(&self, mesh: &Mesh) -> Vec<usize> {
        self.dims.iter().map(|dim| parts(dim, mesh)).collect()
    }

    /// The axes in the order of the text, each with its location.
    pub(crate) fn placed(&self) -> impl Iterator<Item = Placed> {
        let dims = self.dims.iter().enumerate().flat_map(|(dim, sharding)| {
            let axes = sharding.axes.iter().cloned().enumerate();
            axes.map(move |(at, axis)| (Location::Axis { dim, at }, axis))
        });
        dims.chain(self.lists())
    }

    fn lists(&self) -> impl Iterator<Item = Placed> {
        let replicated = self.replicated.iter().cloned().enumerate();
        let unreduced = self.unreduced.iter().cloned().enumerate();
        replicated
            .map(|(at, axis)| (Location::Replicated(at), axis))
            .chain(unreduced.map(|(at, axis)| (Location::Unreduced(at), axis)))
    }
}

fn parts(dim: &DimSharding, mesh: &Mesh) -> usize {
    let axes: Vec<_> = dim.axes.iter().filter_map(|axis| mesh.resolve(axis)).collect();
    product(&axes)
}

fn axes_of(mesh: &Mesh) -> String {
    let names: Vec<_> = mesh.axes().iter().map(|axis| format!("{}", Quoted(axis.name()))).collect();
    if let Some(more) = names.len().checked_sub(MAX_NAMED).filter(|more| *more > 0) {
        let names = names[..MAX_NAMED].join(", ");
        return format!("the axes of the mesh are {names} and {more} more");
    }
    match names.split_last() {
        None => "the mesh has no axes".into(),
        Some((name, [])) => format!("the only axis of the mesh is {name}"),
        Some((last, names)) => format!("the axes of the mesh are {} and {last}", names.join(", ")),
    }
}

fn sub_axis_problem(location: Location, axis: &AxisRef, full: usize) -> Option<Problem> {
    let sub = axis.sub?;
    if sub.pre == 0 || sub.size <= 1 {
        return None;
    }
    let next = sub.pre.saturating_mul(sub.size);
    if !full.is_multiple_of(next) {
        let message = format!(
            "sub-axis next pre-size {next} doesn't divide the size of the full axis {full}: {axis}"
        );
        return Some(Problem::new(location, message).help(SUB_AXIS));
    }
    (sub.size == full).then(|| {
        let message = format!("sub-axis size is equal to the full axis size: {axis}");
        Problem::new(location, message).help(format!("write {}", Quoted(&axis.name)))
    })
}

fn overlap_problems(axes: &[(Location, AxisRef, Axis)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    // The parts of each axis that occur earlier in the text, each listed once.
    let mut before: BTreeMap<usize, Vec<(&AxisRef, Axis)>> = BTreeMap::new();
    for (location, name, axis) in axes.iter().filter(|(_, _, axis)| !axis.is_full()) {
        let parts = before.entry(axis.index()).or_default();
        let is_new = parts.iter().all(|(_, other)| other != axis);
        for &(other_name, other) in parts.iter().filter(|(_, other)| other != axis) {
            if axis.overlaps(other) {
                let (first, second) =
                    if *axis < other { (name, other_name) } else { (other_name, name) };
                let message = format!("overlapping sub-axes: {first}, {second}");
                let help = "the pre-size of the second must be at least the product of the two numbers of the first";
                problems.push(Problem::new(*location, message).help(help));
            } else if !axis.can_coexist(other) {
                let message = format!("sub-axes that cannot coexist: {other_name}, {name}");
                problems.push(
                    Problem::new(*location, message)
                        .help("no division of the axis has both as parts"),
                );
            }
        }
        if is_new {
            parts.push((name, *axis));
        }
    }
    problems
}

fn merge_problems(mesh: &Mesh, axes: &[(Location, AxisRef, Axis)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for pair in axes.windows(2) {
        let [(first, first_name, a), (second, second_name, b)] = pair else { continue };
        let adjacent = match (*first, *second) {
            (Location::Axis { dim, .. }, Location::Axis { dim: next, .. }) => dim == next,
            (Location::Replicated(_), Location::Replicated(_)) => true,
            (Location::Unreduced(_), Location::Unreduced(_)) => true,
            _ => false,
        };
        if adjacent && a.can_merge(*b) {
            let merged = mesh.name(a.merge(*b, mesh.size_of(a.index())));
            let message =
                format!("two consecutive sub-axes can be merged: {first_name}, {second_name}");
            problems.push(Problem::new(*second, message).help(format!("write {merged}")));
        }
    }
    problems
}

fn order_problems(axes: &[(Location, AxisRef, Axis)]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for pair in axes.windows(2) {
        let [(first, _, a), (second, _, b)] = pair else { continue };
        let list = match (*first, *second) {
            (Location::Replicated(_), Location::Replicated(_)) => "replicated",
            (Location::Unreduced(_), Location::Unreduced(_)) => "unreduced",
            _ => continue,
        };
        if mesh_order(*a) > mesh_order(*b) {
            let message = format!("{list} axes are not ordered w.r.t. mesh");
            problems
                .push(Problem::new(*second, message).help("list them in the order of the mesh"));
        }
    }
    problems
}

/// Orders by axis; within an axis, `"x":(1)k`, `"x"`, `"x":(m)k`.
pub(crate) fn mesh_order(axis: Axis) -> (usize, usize, bool, usize) {
    (axis.index(), axis.pre(), axis.is_full(), axis.size())
}
