//! The operations of a program in the form in which devices run them.

use super::body::ScalarBody;
use super::kernels::{NO_EXCHANGE, can_exchange};
use super::literal::Literal;
use super::plan::rest;
use super::tasks::Constant;
use super::{Call, NamedValue, Program};
use crate::sharding::axis::AxisRef;
use crate::sharding::mesh::Mesh;
use crate::sharding::ops::{self, Attributes, PartialSums, Shifts};
use crate::sharding::rule::FactorKind;
use crate::sharding::tensor::TensorSharding;
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An operation of a program as devices run it: operands are resharded and summed over axes, the operation runs on local arrays,
/// and its results are summed.
///
/// ```
/// use tensor_layout::sharding::program::{Program, Task};
/// let program = Program::new(
///     "mesh Pod; fn f(x: f32[8] [{\"data\"}]) { let y = tanh(x); return y; }",
///     &r#"<["data"=2]>"#.parse()?,
/// )?;
/// let tasks = program.tasks().unwrap();
/// let [Task::Operation(number)] = tasks[..] else { panic!("one operation") };
/// let tanh = program.instruction(number);
/// assert_eq!((tanh.name(), tanh.operands().len(), tanh.results().len()), ("tanh", 1, 1));
/// # Ok::<(), tensor_layout::ParseError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Instruction<'a> {
    program: &'a Program,
    call: &'a Call,
    number: usize,
}

impl Program {
    /// The operation with this number, as in [`Task::Operation`](super::Task::Operation).
    ///
    /// # Panics
    /// If there is no such operation.
    pub fn instruction(&self, number: usize) -> Instruction<'_> {
        let ruled = self.calls.get(number);
        let call = ruled.unwrap_or_else(|| &self.execution.unruled[number - self.calls.len()]);
        Instruction { program: self, call, number }
    }
}

/// Prints the operation with the names of its values, without the program that it belongs to.
impl fmt::Debug for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |values: &[usize]| -> Vec<&str> {
            values.iter().map(|&value| &*self.program.values[value].name).collect()
        };
        f.debug_struct("Instruction")
            .field("name", &self.name())
            .field("operands", &names(self.operands()))
            .field("results", &names(self.results()))
            .field("line", &self.line())
            .finish_non_exhaustive()
    }
}

impl<'a> Instruction<'a> {
    /// The name of the operation.
    pub fn name(&self) -> &'a str {
        &self.call.name
    }

    /// The arguments other than its operands.
    pub const fn attributes(&self) -> &'a Attributes {
        &self.call.attributes
    }

    /// The numbers of its operands among [`Program::values`].
    pub fn operands(&self) -> &'a [usize] {
        &self.call.operands
    }

    /// The numbers of its results.
    pub fn results(&self) -> &'a [usize] {
        &self.call.results
    }

    /// Its line in the text, counted from 1, if the program was read from MLIR.
    pub const fn line(&self) -> Option<usize> {
        self.call.line
    }

    /// Whether the program was read from MLIR. For such programs, operations that are not the same on local arrays are left to the
    /// compiler, as Shardy does.
    pub const fn is_imported(&self) -> bool {
        self.program.imported.is_some()
    }

    /// The elements of a constant; `None` if the program does not have them.
    pub fn literal(&self) -> Option<Literal<'a>> {
        Literal::parse(match self.program.execution.constants.get(&self.number)? {
            Constant::Own(text) => text,
            Constant::Within(range) => self.program.imported.as_deref()?.get(range.clone())?,
        })
    }

    /// Its bodies, which operate on scalars: the body of a reduction, a sort or a scatter. Empty if the program does not have them.
    pub fn bodies(&self) -> &'a [ScalarBody] {
        self.program.execution.bodies.get(&self.number).map_or(&[], Vec::as_slice)
    }

    /// The sharding in which it reads operand `at`.
    pub fn sharding(&self, at: usize) -> &'a TensorSharding {
        let planned = self.call.planned.iter().find(|(operand, _, _)| *operand == at);
        planned.map_or(&self.value(at).sharding, |(_, sharding, _)| sharding)
    }

    /// The values of its program.
    pub(super) fn values(&self) -> &'a [NamedValue] {
        &self.program.values
    }

    fn value(&self, at: usize) -> &'a NamedValue {
        &self.program.values[self.call.operands[at]]
    }

    /// The axes over which operand `at` is summed before the operation.
    pub fn summed_before(&self, at: usize) -> &'a [AxisRef] {
        let before = self.call.sums.before.iter().find(|(operand, _)| *operand == at);
        before.map_or(&[], |(_, axes)| axes)
    }

    /// The axes over which the results are summed after the operation.
    pub fn summed_after(&self) -> &'a [AxisRef] {
        &self.call.sums.after
    }

    /// The axes along which the results are partial although the operands are not. The initial value of a sum counts once, so only
    /// one of the devices along these axes adds it. Operands that are partial, as the initial value then is too, are added by all.
    pub fn counted_once(&self) -> Cow<'static, [AxisRef]> {
        let result = self.results().first().map(|at| &self.values()[*at].sharding);
        let Some(result) = result.filter(|result| !result.unreduced.is_empty()) else {
            return Cow::Borrowed(&[]);
        };
        let mesh = self.mesh(result);
        let partial = match self.operands() {
            [] => Cow::Borrowed(&[][..]),
            _ => rest(mesh, &self.sharding(0).unreduced, self.summed_before(0)),
        };
        rest(mesh, &result.unreduced, &partial)
    }

    /// The axes along which complete values become partial sums: one device keeps the value, and the others set it to zero.
    pub fn made_partial(&self) -> &'a [AxisRef] {
        &self.call.sums.made
    }

    /// The reason why its results cannot be partial, although they are written as partial results.
    pub(in crate::sharding) fn makes_no_part(&self) -> Option<&'a str> {
        self.call.refused.as_deref()
    }

    /// Whether the sharding rule of the operation is written in the program, so that the name of the operation does not determine
    /// what it computes.
    pub fn has_own_rule(&self) -> bool {
        self.call.partial == PartialSums::Custom
    }

    /// The reason why a function of LAPACK is not the same function of shards: its rule does not say that it needs whole matrices.
    fn shares_matrices(&self) -> Option<String> {
        let is_function = !self.attributes().word("function", "").is_empty();
        if self.name() != "custom_call" || !is_function || self.operands().is_empty() {
            return None;
        }
        let batch = self.value(0).dims.len().saturating_sub(2);
        let own = self.results().iter().map(|at| &self.values()[*at]);
        let own = own.map(|value| (&value.name, &value.sharding));
        let taken = (0..self.operands().len()).map(|at| (&self.value(at).name, self.sharding(at)));
        let is_split = |sharding: &TensorSharding| {
            sharding.dims.iter().skip(batch).any(|dim| !dim.axes.is_empty())
        };
        let mut split = taken.chain(own).filter(|(_, sharding)| is_split(sharding));
        split.next().map(|(name, _)| {
            format!("the matrices of `{name}` are sharded, and each device needs whole matrices")
        })
    }

    /// The reason why devices cannot run it outside of a manual computation; `None` if they can. Arrays are complete there, and
    /// an operation has no parts to exchange and no device whose number it could read, unless there is only one device.
    pub fn refused_outside(&self) -> Option<&'static str> {
        let names_devices =
            ops::row(self.name()).is_some_and(|operation| operation.effect.names_devices());
        (names_devices && self.program.mesh_of_devices().devices() > 1)
            .then_some("outside of a manual computation, it names devices")
    }

    /// The reason why the operation is not the same operation on local arrays; `None` if it is.
    pub fn not_local(&self) -> Option<String> {
        let Self { program, call, .. } = self;
        let graph = &program.graph;
        let planned = call.planned.iter().map(|(at, to, _)| (*at, to.clone()));
        let planned: Vec<_> = planned.collect();
        if let Some(conflict) = graph.conflict_after(call.op, &planned) {
            let tensors = call.operands.iter().chain(&call.results);
            let names: Vec<_> = tensors.map(|&at| program.values[at].name.as_str()).collect();
            return Some(conflict.message(&names));
        }
        if let Some(message) = self.shares_matrices() {
            return Some(message);
        }
        if call.has_written_rule && self.split().next().is_some() {
            let message = "its sharding rule is written in the program: it says how the operation is sharded, \
                 but not what shards can compute apart";
            return Some(message.to_string());
        }
        if self.moves_parts() {
            let message = "devices have other elements of its operand than of its result; \
                 constrain both along dimensions that it keeps";
            return Some(message.to_string());
        }
        let rule = graph.rule(call.op);
        if rule.factor_count() == 0 {
            // Devices have only parts of an array that is split, and of the sums of one that is unreduced. An operation without
            // operands creates an array: each device computes its part of one that is split, but all would compute whole sums.
            let is_created = call.operands.is_empty();
            let in_parts = |at: &usize| {
                let value = &program.values[*at];
                let is_split = !is_created && value.shards().is_split();
                match (is_split, value.sharding.unreduced.is_empty()) {
                    (true, _) => Some((value, "sharded")),
                    (false, false) => Some((value, "unreduced")),
                    (false, true) => None,
                }
            };
            let mut parts = call.operands.iter().chain(&call.results).filter_map(in_parts);
            return parts.next().map(|(value, word)| {
                format!("`{}` is {word}, and the operation has no rule", value.name)
            });
        }
        let (_, factors) = graph.factor_axes(call.op, &planned)?;
        let crosses = |(factor, axes): (usize, &crate::sharding::axis::AxisList)| {
            let kind = rule.factor_kind(factor);
            matches!(kind, FactorKind::Permutation | FactorKind::NeedReplication)
                && !axes.is_empty()
        };
        if factors.iter().enumerate().any(crosses)
            || graph.splits_no_factor(call.op, &planned)
            || self.shifts_elements()
        {
            let message = "it moves elements across the edges of shards, along a dimension that is sharded; \
                 constrain its operand so that this dimension is not sharded";
            return Some(message.to_string());
        }
        let is_reduced = |(factor, axes): (usize, &crate::sharding::axis::AxisList)| {
            rule.factor_kind(factor) == FactorKind::Reduction && !axes.is_empty()
        };
        let reducer = call.attributes.word("reducer", "add");
        (!can_exchange(reducer) && factors.iter().enumerate().any(is_reduced))
            .then(|| NO_EXCHANGE.to_string())
    }

    /// Whether the operation is a reshape whose devices have other parts of its operand than of its result. No factor says so if
    /// the axes are along factors of only one of them: from 3x16 with the axis on the 16 to 16x3 with the axis on the 16.
    fn moves_parts(&self) -> bool {
        let ("reshape", &[result]) = (self.name(), self.results()) else { return false };
        let (from, to) = (self.value(0), &self.values()[result]);
        if from.unbounded != 0 || to.unbounded != 0 {
            return false;
        }
        let tensors = [(self.sharding(0), &from.dims), (&to.sharding, &to.dims)];
        let [from, to] =
            tensors.map(|(sharding, dims)| pieces(self.mesh(sharding), sharding, dims));
        let is_split = from.iter().any(|piece| !piece.axes.is_empty());
        from != to || is_split && self.mesh(tensors[0].0) != self.mesh(tensors[1].0)
    }

    /// Whether an element of a shard can depend on elements of other shards although the rule does not say so.
    fn shifts_elements(&self) -> bool {
        let Some(row) = ops::row(self.name()) else { return false };
        let Some(result) = self.results().first().map(|at| &self.values()[*at].sharding) else {
            return false;
        };
        let is_split = |sharding: &TensorSharding, dim: usize| {
            sharding.dims.get(dim).is_some_and(|dim| !dim.axes.is_empty())
        };
        let numbers = |name: &str| self.attributes().named_numbers(name);
        let any_dim = |shifts: &dyn Fn(usize) -> bool, tensors: &[&TensorSharding]| {
            let rank = self.value(0).dims.len();
            (0..rank).any(|dim| shifts(dim) && tensors.iter().any(|own| is_split(own, dim)))
        };
        match row.shifts {
            Shifts::None => false,
            Shifts::Unless(lists) => {
                let differs = |dim: usize| {
                    let mut found =
                        lists.iter().map(|(name, number)| (numbers(name).get(dim), number));
                    found.any(|(found, number)| found.is_some_and(|found| found != number))
                };
                any_dim(&differs, &[self.sharding(0), result])
            }
            Shifts::Smaller => {
                let is_smaller = |dim: usize| self.value(0).dims[dim] != self.value(1).dims[dim];
                any_dim(&is_smaller, &[self.sharding(1)])
            }
            Shifts::Spatial => {
                // The lists begin with the batch and the features.
                let tensors =
                    [("input", self.sharding(0)), ("kernel", self.sharding(1)), ("output", result)];
                tensors.iter().any(|(name, sharding)| {
                    numbers(name).iter().skip(2).any(|dim| is_split(sharding, *dim))
                })
            }
        }
    }

    /// The mesh of a sharding.
    pub fn mesh(&self, sharding: &TensorSharding) -> &'a Mesh {
        self.program.mesh_of(sharding)
    }

    /// The shardings of its tensors that not every device has whole: of operands as it takes them, then of results.
    fn split(&self) -> impl Iterator<Item = &'a TensorSharding> {
        let (all, program) = (*self, self.program);
        let taken = (0..self.operands().len()).map(move |at| all.sharding(at));
        let results = self.results().iter().map(|at| &program.values[*at].sharding);
        taken.chain(results).filter(|sharding| !program.is_on_every_device(sharding))
    }

    /// The sharding of a whole array of rank `rank` on the mesh on which the operation runs: the mesh of the tensors that not every
    /// device has; `None` if there are none.
    pub fn whole(&self, rank: usize) -> Option<TensorSharding> {
        let first = self.split().next()?;
        Some(TensorSharding::closed(first.mesh.clone(), rank))
    }

    /// The reason why devices cannot have all its tensors on one mesh; `None` if they can. An operand can arrive from another mesh
    /// of the same devices.
    pub(super) fn refused_meshes(&self) -> Option<String> {
        let of = |at: &usize| &self.values()[*at].sharding;
        let taken = (0..self.operands().len()).map(|at| self.sharding(at));
        let mut all = self.operands().iter().chain(self.results()).map(of).chain(taken);
        if let Some(message) = all.find_map(|sharding| self.program.refused_mesh(sharding)) {
            return Some(message);
        }
        let mut meshes = self.split().map(|sharding| self.mesh(sharding));
        let first = meshes.next()?;
        meshes.any(|mesh| mesh != first).then(|| "its tensors are on several meshes".into())
    }
}

/// A factor of the number of elements of an array.
#[derive(PartialEq)]
struct Piece<'a> {
    size: usize,
    /// The axes that split it. Empty if it is whole on each device.
    axes: &'a [AxisRef],
}

/// The factors of the number of elements of an array, major to minor, which say which elements in row-major order a device has: for
/// 4x6 with an axis of size 2 on the 6, they are 4, the axis, and 3. Factors that are whole are joined, whatever their dimensions.
fn pieces<'a>(mesh: &Mesh, sharding: &'a TensorSharding, dims: &[usize]) -> Vec<Piece<'a>> {
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut push = |size: usize, axes: &'a [AxisRef]| match pieces.last_mut() {
        _ if size == 1 => {}
        Some(last) if last.axes.is_empty() && axes.is_empty() => last.size *= size,
        _ => pieces.push(Piece { size, axes }),
    };
    for (dim, size) in sharding.dims.iter().zip(dims) {
        let of = |axis: &AxisRef| mesh.resolve(axis).map_or(1, |axis| axis.size());
        let parts = dim.axes.iter().map(of).product::<usize>();
        if !size.is_multiple_of(parts) {
            // The last parts are shorter.
            push(*size, &dim.axes);
            continue;
        }
        dim.axes.iter().for_each(|axis| push(of(axis), core::slice::from_ref(axis)));
        push(size / parts, &[]);
    }
    pieces
}
