//! Leaves of strips: loads their operands as vectors, and adds their values to the sums.

use super::super::ir::visit::bound;
use super::super::ir::*;
use super::leaf::Leaf;
use super::linear::linear;
use super::strip::{BLOCK_LANES, Lane, Strip, Strips, nest};
use alloc::format;
use alloc::vec::Vec;

/// Vectors that have been loaded, each with its operand and the position of its first value.
pub(super) type Held = Vec<(OperandId, Int, VectorId)>;

/// The longest vector that is loaded before the loops of a leaf: all values of a block, or of some rows of it.
const MAX_REACH: i64 = 1024;
/// The largest number of rows that are prefetched for a later entry.
const MAX_PREFETCHED: i64 = 16;

/// The loads of a leaf.
struct Loads<'l> {
    leaf: &'l Leaf,
    /// The value that replaces each load.
    known: Vec<(OperandId, Int, Value)>,
    /// The statements that load vectors before all loops of the leaf.
    before: Body,
    /// The statements that load a vector for each row, because it starts at another position for each part of a block.
    rows: Body,
    /// The positions of these vectors.
    starts: Vec<Int>,
}

impl Strips<'_> {
    /// `sums[row][lane] += value` for all rows and lanes of a leaf.
    pub(super) fn add(&mut self, strip: &Strip, leaf: &Leaf, block: &mut Body) {
        let (first, lane) = (self.first_var(), self.lane_var());
        let element = |vector: VectorId| Value::Vector { vector, at: Int::Var(lane) };
        let held = strip.held.iter();
        let known = held.map(|(operand, at, vector)| (*operand, at.clone(), element(*vector)));
        let (before, rows, starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut loads = Loads { leaf, known: known.collect(), before, rows, starts };
        let mut all = Vec::new();
        leaf.value.loads(&mut |operand, at| all.push((operand, at)));
        for (operand, at) in all {
            self.load(&mut loads, operand, at);
        }
        let value = leaf.value.replaced(&|value| {
            let Value::Load { operand, at } = value else { return None };
            let found =
                loads.known.iter().find(|(known, start, _)| known == operand && start == at);
            found.map(|(.., element)| element.clone())
        });
        let lane_var = match strip.lane {
            Lane::Index => leaf.lanes.as_ref().map(|(var, _)| *var),
            Lane::Block(var, _) => Some(var),
        };
        let mut body = Vec::new();
        let blocks = leaf.blocks.iter().filter(|(var, _)| lane_var != Some(*var));
        let mut outer: Vec<(Var, i64)> = blocks.copied().collect();
        // Lanes are loaded once and used for all rows.
        let moves = |(var, _): &(Var, i64)| loads.starts.iter().any(|start| start.mentions(*var));
        outer.sort_by_key(|part| !moves(part));
        let inner = outer.split_off(outer.iter().take_while(|part| moves(part)).count());
        block.extend(loads.before);
        let coordinate = match strip.lane {
            Lane::Index => Int::Add(Int::Var(first).into(), Int::Var(lane).into()),
            Lane::Block(_, size) if size > BLOCK_LANES => {
                return self.add_long(strip, (size, &inner), value, block);
            }
            Lane::Block(..) => Int::Var(lane),
        };
        if let Some(var) = lane_var {
            body.push(Stmt::Let { var, value: coordinate });
        }
        body.push(Stmt::Add { row: strip.row(), lane: Int::Var(lane), value });
        let mut rows = loads.rows;
        rows.extend(nest(&inner, alloc::vec![Stmt::Lanes { lane, body }]));
        block.extend(nest(&outer, rows));
    }

    /// [`Strips::add`] for rows of blocks that are longer than the lanes: value `n` of a row is added to lane `n mod 8`.
    fn add_long(
        &mut self,
        strip: &Strip,
        (size, outer): (i64, &[(Var, i64)]),
        value: Value,
        block: &mut Body,
    ) {
        let Lane::Block(var, _) = strip.lane else { return };
        let (lane, chunk) = (self.lane_var(), self.chunk_var());
        let (chunks, rest) = (size / BLOCK_LANES, size % BLOCK_LANES);
        let add = |coordinate: Int| {
            let add = Stmt::Add { row: strip.row(), lane: Int::Var(lane), value: value.clone() };
            alloc::vec![Stmt::Let { var, value: coordinate }, add]
        };
        let first = Int::Var(chunk).times(Int::Const(BLOCK_LANES));
        let lanes = Stmt::Lanes { lane, body: add(first.plus(Int::Var(lane))) };
        let mut loops = alloc::vec![(chunk, chunks)];
        loops.extend(outer);
        block.extend(nest(&loops, alloc::vec![lanes]));
        if rest > 0 {
            let mut loops = outer.to_vec();
            loops.push((lane, rest));
            block.extend(nest(&loops, add(Int::Const(size - rest).plus(Int::Var(lane)))));
        }
    }

    /// Replaces a load of a leaf by a vector that starts at the load's position in the first iteration of all loops of the
    /// leaf.
    fn load(&mut self, loads: &mut Loads<'_>, operand: OperandId, at: &Int) {
        let known = loads.known.iter().any(|(known, start, _)| *known == operand && start == at);
        if known || self.kernel.operands[operand].storage == Storage::Scalar {
            return;
        }
        let (leaf, lane) = (loads.leaf, Int::Var(self.lane_var()));
        let name = format!("{}_lanes{}", self.kernel.operands[operand].name, loads.known.len());
        let Some(position) = linear(at, &leaf.vars()) else {
            // The lanes start at another position for each part of a block.
            if let Some(row) = self.unit(leaf, at) {
                let vector = self.vector(name, operand, VectorLen::Lanes);
                let from = row.from(self.first_var());
                loads.rows.push(Stmt::Vector { vector, at: from });
                loads.starts.push(row.start);
                loads.known.push((operand, at.clone(), Value::Vector { vector, at: lane }));
            }
            return;
        };
        let coefficient = |var: &Var| position.coefficients.get(var).copied();
        let index_lane = leaf.lanes.as_ref().and_then(|(var, _)| coefficient(var));
        let reach = leaf.blocks.iter().try_fold(0i64, |reach, (var, n)| {
            reach.checked_add(coefficient(var).unwrap_or(0).checked_mul(n - 1)?)
        });
        let Some(reach) = reach else { return };
        let (len, start, at_lane) = match (index_lane, reach) {
            (None, 0) => (VectorLen::One, position.rest, Int::Const(0)),
            (None, reach) if (1..MAX_REACH).contains(&reach) => {
                let blocks = position.coefficients.iter();
                let index = blocks.fold(Int::Const(0), |index, (var, coefficient)| {
                    index.plus(Int::Var(*var).times(Int::Const(*coefficient)))
                });
                (VectorLen::Fixed(reach + 1), position.rest, index)
            }
            (Some(1), 0) => {
                let first = Int::Var(self.first_var());
                (VectorLen::Lanes, Int::Add(position.rest.into(), first.into()), lane)
            }
            _ => return,
        };
        let vector = self.vector(name, operand, len);
        loads.before.push(Stmt::Vector { vector, at: start });
        loads.known.push((operand, at.clone(), Value::Vector { vector, at: at_lane }));
    }

    fn vector(
        &mut self,
        name: alloc::string::String,
        operand: OperandId,
        len: VectorLen,
    ) -> VectorId {
        self.kernel.vectors.push(Vector { name, operand, len });
        self.kernel.vectors.len() - 1
    }

    /// If the rows of lanes of a leaf do not change in a loop around it, loads them before that loop, and returns the strip with
    /// these vectors. Values are still multiplied in the order in which they are written: taking a factor out of a sum would round
    /// differently, and an empty sum would become infinity times zero.
    pub(super) fn holding(
        &mut self,
        strip: &Strip,
        iter: &LevelIter,
        body: &Body,
        block: &mut Body,
    ) -> Strip {
        let mut strip = strip.clone();
        let leaf = body.last().and_then(|stmt| strip.leaf_of(stmt, self.exact));
        let lane = leaf.as_ref().and_then(|leaf| leaf.lanes.as_ref()).map(|(var, _)| *var);
        let (Lane::Index, Some(leaf), Some(lane)) = (strip.lane, leaf, lane) else { return strip };
        let mut inside = leaf.blocks.iter().map(|(var, _)| *var).collect();
        bound(body, &mut inside);
        inside.extend([iter.position, iter.coordinate]);
        inside.extend(iter.end);
        inside.retain(|var| *var != lane);
        let mut all = Vec::new();
        leaf.value.loads(&mut |operand, at| all.push((operand, at)));
        for (operand, at) in all {
            let stays = !inside.iter().any(|var| at.mentions(*var));
            let known = strip.held.iter().any(|(known, start, _)| *known == operand && start == at);
            let Some(row) = self.unit(&leaf, at).filter(|_| stays && !known) else { continue };
            let name = &self.kernel.operands[operand].name;
            let name = format!("{name}_held{}", strip.held.len());
            let vector = self.vector(name, operand, VectorLen::Lanes);
            block.push(Stmt::Vector { vector, at: row.from(self.first_var()) });
            strip.held.push((operand, at.clone(), vector));
        }
        strip
    }

    /// In a loop over the entries of a level around a leaf of a strip, prefetches the rows of dense operands that later entries
    /// will read.
    pub(super) fn prefetches(
        &mut self,
        strip: &Strip,
        iter: &LevelIter,
        body: &Body,
        block: &mut Body,
    ) {
        let leaf = body.last().and_then(|stmt| strip.leaf_of(stmt, self.exact));
        let (Lane::Index, Some(leaf)) = (strip.lane, leaf) else { return };
        if !super::prefetch::has_entries(self.kernel, iter) {
            return;
        }
        let mut inside = Vec::new();
        bound(body, &mut inside);
        inside.push(iter.position);
        inside.retain(|var| leaf.blocks.iter().all(|(block, _)| block != var));
        let mut all = Vec::new();
        leaf.value.loads(&mut |operand, at| all.push((operand, at)));
        for (operand, at) in all {
            let dense = !matches!(self.kernel.operands[operand].storage, Storage::Sparse(_));
            let Some(row) = self.unit(&leaf, at).filter(|_| dense) else { continue };
            let start = &row.start;
            let known =
                start.mentions(iter.coordinate) && !inside.iter().any(|var| start.mentions(*var));
            // Reading an index array ahead costs as much as it would save.
            if !known || !start.is_natural(self.signed) || start.has_element() {
                continue;
            }
            // One row for each part of a block.
            let mut parts = leaf.blocks.clone();
            parts.retain(|(var, _)| row.start.mentions(*var));
            if parts.iter().map(|(_, size)| size).product::<i64>() > MAX_PREFETCHED {
                continue;
            }
            let prefetch = Stmt::Prefetch {
                operand: iter.operand,
                level: iter.level,
                position: iter.position,
                coordinate: iter.coordinate,
                of: operand,
                at: row.from(self.first_var()),
            };
            block.extend(nest(&parts, alloc::vec![prefetch]));
        }
    }

    /// The row of values along the lanes of a leaf, if they are contiguous.
    fn unit(&self, leaf: &Leaf, at: &Int) -> Option<Row> {
        let (lane, _) = leaf.lanes.as_ref()?;
        let (start, last) = match at {
            Int::Add(start, last) => (&**start, &**last),
            last => (&Int::Const(0), last),
        };
        // Strips start at multiples of their width, which divides the runs of a layout that is read in place.
        if let Int::Offset(operand, dim, coordinate) = last
            && **coordinate == Int::Var(*lane)
            && dim + 1 == self.kernel.operands[*operand].storage.rank()
            && !start.mentions(*lane)
        {
            return Some(Row { start: start.clone(), packed: Some((*operand, *dim)) });
        }
        let row = linear(at, &[*lane])?;
        let start = row.coefficients.values().eq([&1]).then_some(row.rest)?;
        Some(Row { start, packed: None })
    }
}

/// Contiguous values along the lanes of a leaf.
struct Row {
    /// The position of lane 0 of the first strip.
    start: Int,
    /// If the operand is packed, the operand and the dimension whose offsets the lanes add.
    packed: Option<(OperandId, usize)>,
}

impl Row {
    /// The position of lane 0 of the strip whose first coordinate is `first`.
    fn from(&self, first: Var) -> Int {
        let first = match self.packed {
            Some((operand, dim)) => Int::Offset(operand, dim, Int::Var(first).into()),
            None => Int::Var(first),
        };
        match &self.start {
            Int::Const(0) if self.packed.is_some() => first,
            start => Int::Add(start.clone().into(), first.into()),
        }
    }
}
