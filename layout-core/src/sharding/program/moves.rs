//! The collectives that reshard a value, on the same mesh or to another one.

use super::{array_bytes, braces, sum};
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::reshard::{Collective, ReshardStep, plan, plan_between};
use crate::sharding::tensor::{ReductionOp, TensorSharding};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The largest number of devices whose parts are compared individually.
const MAX_COMPARED: usize = 1 << 16;

/// A collective of a reshard.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The collective, with its axes.
    pub(super) collective: String,
    /// The bytes that each device receives.
    pub(super) bytes: u128,
}

impl Move {
    fn of(step: &ReshardStep, reduction: ReductionOp) -> Self {
        let word = match (&step.collective, reduction) {
            (Collective::AllReduce(_), ReductionOp::Max) => "max ",
            (Collective::AllReduce(_), ReductionOp::Min) => "min ",
            _ => "",
        };
        let collective = format!("{} {word}{}", step.collective.name(), step.collective);
        Self { collective: collective.trim_end().to_string(), bytes: step.bytes }
    }
}

/// A mesh, and the sharding of a value on it.
type Over<'a> = (&'a Mesh, &'a TensorSharding);

/// The collectives that lead from one sharding of a value to another; the error is the reason why there are none.
pub(super) fn moves(
    from: Over<'_>,
    to: Over<'_>,
    dims: &[usize],
    bits: usize,
) -> Result<Vec<Move>, String> {
    let same_mesh = from.0 == to.0;
    let kept =
        |axis: &&crate::sharding::axis::AxisRef| same_mesh && from.1.unreduced.contains(axis);
    let (kept, made): (Vec<_>, Vec<_>) =
        to.1.unreduced.iter().cloned().partition(|axis| kept(&axis));
    let whole = to.1.clone().with_unreduced(kept);
    let mut moves = match same_mesh {
        true => planned(plan(from.0, from.1, &whole, dims, bits), from.1.reduction)?,
        false => between(from, (to.0, &whole), dims, bits)?,
    };
    if !made.is_empty() {
        // One device keeps the value, and the others set it to zero.
        let collective = format!("replicated_to_unreduced {}", braces(&made));
        moves.push(Move { collective, bytes: 0 });
    }
    Ok(moves)
}

fn planned(
    steps: Result<Vec<ReshardStep>, crate::sharding::ShardingError>,
    reduction: ReductionOp,
) -> Result<Vec<Move>, String> {
    match steps {
        Ok(steps) => Ok(steps.iter().map(|step| Move::of(step, reduction)).collect()),
        Err(error) => Err(error.to_string()),
    }
}

/// The moves between two meshes: first the sums, then the plan in which devices receive the fewest bytes.
fn between(from: Over<'_>, to: Over<'_>, dims: &[usize], bits: usize) -> Result<Vec<Move>, String> {
    if from.0.is_maximal() || to.0.is_maximal() {
        let message = "no collective moves a tensor between a mesh and one device";
        return Err(format!("{message}: from {} to {}", from.1, to.1));
    }
    let summed = from.1.clone().with_unreduced(&[][..]);
    let mut moves = planned(plan(from.0, from.1, &summed, dims, bits), from.1.reduction)?;
    let planned = |steps| planned(steps, ReductionOp::Sum);
    let from = (from.0, &summed);
    let at = |over: Over<'_>| Shards::new(over.1, over.0, dims, Padding::Allowed);
    let (Ok(start), Ok(end)) = (at(from), at(to)) else {
        return Err(format!("no plan from {} to {}", from.1, to.1));
    };
    let mut ways = Vec::new();
    ways.extend(exchange(&start, &end, bits));
    if from.0.axes() == to.0.axes() {
        ways.push(planned(plan_between(from, to, dims, bits))?);
        // Reshards on the first mesh as far as possible, and then sends the parts from device to device.
        let there = TensorSharding { mesh: from.1.mesh.clone(), ..to.1.clone() };
        if let (Ok(way), Ok(reached)) =
            (plan(from.0, from.1, &there, dims, bits), at((from.0, &there)))
            && let Some(rest) = exchange(&reached, &end, bits)
        {
            let way = way.iter().map(|step| Move::of(step, ReductionOp::Sum));
            ways.push(way.chain(rest).collect());
        }
    }
    let nowhere = |over: Over<'_>| TensorSharding::closed(over.1.mesh.clone(), over.1.rank());
    let (all_before, all_after) = (nowhere(from), nowhere(to));
    let mut gathered = planned(plan(from.0, from.1, &all_before, dims, bits))?;
    if let (Ok(start), Ok(end)) = (at((from.0, &all_before)), at((to.0, &all_after))) {
        gathered.extend(exchange(&start, &end, bits).into_iter().flatten());
    }
    gathered.extend(planned(plan(to.0, &all_after, to.1, dims, bits))?);
    ways.push(gathered);
    let bytes = |way: &Vec<Move>| sum(way.iter().map(|step| step.bytes));
    moves.extend(ways.into_iter().min_by_key(bytes).unwrap_or_default());
    Ok(moves)
}

/// No move if every device already has its part; a permutation if another device has it. Devices that only the new mesh has lack
/// all of their part.
fn exchange(from: &Shards, to: &Shards, bits: usize) -> Option<Vec<Move>> {
    if from.tiles() != to.tiles() {
        return None;
    }
    let (before, after) = (from.mesh(), to.mesh());
    let bytes = array_bytes(from.local_dims(), bits);
    // An empty mesh is a placeholder for any other.
    let has_all = before.is_empty() || before.devices() >= after.devices();
    let unsplit = from.tiles().iter().all(|&parts| parts == 1);
    if bytes == 0 || has_all && unsplit {
        return Some(Vec::new());
    }
    if before.devices().max(after.devices()) <= MAX_COMPARED {
        let mut positions = vec![0; before.devices()];
        (0..before.devices()).for_each(|at| positions[before.device_id(at)] = at);
        let lacks = |at: usize| {
            let part = to.slice_at(at);
            let own = positions.get(after.device_id(at)).map(|own| from.slice_at(*own));
            part.iter().all(|range| !range.is_empty()) && own.as_ref() != Some(&part)
        };
        if !(0..after.devices()).any(lacks) {
            return Some(Vec::new());
        }
    }
    let collective = Collective::CollectivePermute.name().to_string();
    Some(vec![Move { collective, bytes }])
}
