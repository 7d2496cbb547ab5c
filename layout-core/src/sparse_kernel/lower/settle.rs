//! Levels whose coordinates are known: the position is computed if every coordinate of the level has one, and searched for
//! otherwise.
//!
//! For blocks of 2 x 2, `i` has the parts `i div 2` and `i mod 2`. With 5 rows there are 3 rows of blocks, so `i` is
//! `2 * (i div 2) + i mod 2`, 0 to 5, and the rest of the nest is inside `if i < 5`. In the block at position `p` the value of `i` and
//! `j` is at `(p * 2 + i mod 2) * 2 + j mod 2`.

use super::super::ir::*;
use super::super::statement::{Access, AccessId, Expr};
use super::super::view::{Holds, LevelKind, LevelView};
use super::enter::MAX_CASES;
use super::state::{Found, State};
use super::{Lower, Lowered, Stuck};
use alloc::format;
use alloc::vec::Vec;
use core::fmt::Write;

impl Lower<'_> {
    /// Computes indices whose parts are all known, and checks that they are within bounds. Returns the block if the rest of the
    /// nest is inside the check.
    pub(super) fn complete(
        &mut self,
        state: &mut State,
        block: &mut Body,
    ) -> Lowered<Option<Body>> {
        for index in 0..state.indices.len() {
            let units = &self.plan.units[index];
            let known = state.parts[index].iter().take_while(|part| part.is_some()).count();
            if known > state.checked[index] && known < units.len() {
                // The known parts by themselves can already be past the last block.
                state.checked[index] = known;
                let Some(value) = self.parts_value(state, index, 0..known) else { continue };
                let limit = Int::Size(index).blocks(units[known - 1]);
                let because = self.because(state, index);
                let then = self.nest(state.clone())?;
                if !then.is_empty() {
                    let otherwise = Vec::new();
                    block.push(Stmt::Inside { value, limit, because, then, otherwise });
                }
                return Ok(Some(core::mem::take(block)));
            }
            if state.indices[index].is_some() || known < units.len() {
                continue;
            }
            let value = self.parts_value(state, index, 0..known);
            let Some(value) = value else { continue };
            let name = self.statement.indices[index].clone();
            let var = self.var(state, &name);
            block.push(Stmt::Let { var, value });
            state.indices[index] = Some(Int::Var(var));
            let because = self.because(state, index);
            let then = self.nest(state.clone())?;
            let limit = Int::Size(index);
            if !then.is_empty() {
                block.push(Stmt::Inside {
                    value: Int::Var(var),
                    limit,
                    because,
                    then,
                    otherwise: Vec::new(),
                });
            }
            return Ok(Some(core::mem::take(block)));
        }
        Ok(None)
    }

    /// The reason why parts of an index can be past its end.
    fn because(&self, state: &State, index: IndexId) -> Because {
        match state.overhung[index] {
            true => Because::Padding,
            false => Because::Blocks(index, self.plan.units[index][0]),
        }
    }

    /// Advances every access as far as its coordinates are known.
    pub(super) fn settle(&mut self, state: &mut State, block: &mut Body) -> Lowered<Option<Body>> {
        let leaf = state.depth == self.plan.order.len();
        for access in 0..self.views.len() {
            // A level of several dimensions may store coordinates that are out of bounds of one of them, and padding can be
            // past the end.
            let levels = self.views[access].levels.iter();
            let beyond = levels.filter(|level| level.dims.len() > 1 || level.overhangs);
            let dims: Vec<usize> = beyond.flat_map(|level| level.dims.iter().copied()).collect();
            if self.reads(state, access)
                && let Some(outside) = self.outside(state, access, &dims)?
            {
                block.push(outside);
                return Ok(Some(core::mem::take(block)));
            }
            while state.cursors[access].found.is_none() && self.reads(state, access) {
                let cursor = state.cursors[access].clone();
                let level = self.views[access].levels[cursor.level].clone();
                // The driver is advanced by the loops over its levels.
                if self.plan.driver == Some(access) {
                    break;
                }
                let Some(coordinate) = level.holds.as_ref().and_then(|h| self.known(state, h))
                else {
                    break;
                };
                match level.kind {
                    LevelKind::Full => {
                        if let Some(outside) = self.outside(state, access, &level.dims)? {
                            block.push(outside);
                            return Ok(Some(core::mem::take(block)));
                        }
                        // A part of an index can be known before the index can be checked.
                        if level.dims.iter().any(|dim| !state.inside[access][*dim]) {
                            break;
                        }
                        let position =
                            self.position_below(&cursor.segment, &level, coordinate, access)?;
                        let last = cursor.level + 1 == self.views[access].levels.len();
                        // The offset of a row stays part of the expression, for the passes that look for contiguous values.
                        let in_sight = level.packed.is_some() || position.is_short();
                        let position = match in_sight || (last && leaf) {
                            true => position,
                            false => {
                                let name = self.position_name(access, cursor.level);
                                let var = self.var(state, &name);
                                block.push(Stmt::Let { var, value: position });
                                Int::Var(var)
                            }
                        };
                        self.advance(state, access, position, None)?;
                    }
                    LevelKind::Segment | LevelKind::Single if level.ordered => {
                        let find = self.find(state, access, coordinate)?;
                        block.extend(find);
                        return Ok(Some(core::mem::take(block)));
                    }
                    _ => return Err(Stuck::Access(access)),
                }
            }
            self.gather(state, access, block);
        }
        Ok(None)
    }

    /// Binds the indices that are elements of an index array, after the position in the array is known.
    fn gather(&mut self, state: &mut State, access: AccessId, block: &mut Body) {
        let Some(Found::One(at)) = state.cursors[access].found.clone() else { return };
        for index in 0..state.indices.len() {
            if self.statement.gathered[index] != Some(access) || state.indices[index].is_some() {
                continue;
            }
            let Access { operand, subscripts } = &self.statement.accesses[access];
            let value = Int::Element(*operand, at.clone().into());
            let mut name = self.kernel.operands[*operand].name.clone();
            for (_, index) in subscripts.iter().flat_map(|subscript| &subscript.terms) {
                // `p_j`. An element of another index array has no short name.
                if self.statement.gathered[*index].is_none() {
                    let _ = write!(name, "_{}", self.statement.indices[*index]);
                }
            }
            let var = self.var(state, &name);
            block.push(Stmt::Let { var, value });
            state.bind(index, 0, Int::Var(var));
        }
    }

    fn find(&mut self, state: &State, access: AccessId, coordinate: Int) -> Lowered<Option<Stmt>> {
        let cursor = state.cursors[access].clone();
        let (operand, unique) =
            (self.views[access].operand, self.views[access].levels[cursor.level].unique);
        let mut absent = state.without(&|other| other == access);
        let mut state = state.clone();
        if !absent.is_dead() {
            for state in [&mut state, &mut absent] {
                if !state.sought.contains(&access) {
                    state.sought.push(access);
                }
            }
            if 1usize.checked_shl(state.sought.len() as u32).is_none_or(|cases| cases > MAX_CASES) {
                let level = &self.views[access].levels[cursor.level];
                let index = level.holds.as_ref().and_then(Holds::index).unwrap_or(0);
                return Err(Stuck::Meeting { access, index });
            }
        }
        let absent = self.nest(absent)?;
        let name = self.position_name(access, cursor.level);
        let position = self.var(&mut state, &name);
        let end = (!unique).then(|| self.var(&mut state, &format!("{name}_end")));
        self.advance(&mut state, access, Int::Var(position), end.map(|end| (position, end)))?;
        let found = self.nest(state)?;
        if found.is_empty() && absent.is_empty() {
            return Ok(None);
        }
        let (level, segment) = (cursor.level, cursor.segment);
        Ok(Some(Stmt::Find { operand, level, segment, coordinate, position, end, found, absent }))
    }

    /// Checks that known subscripts of these dimensions are within bounds, if they may not be.
    fn outside(
        &mut self,
        state: &State,
        access: AccessId,
        dims: &[usize],
    ) -> Lowered<Option<Stmt>> {
        for &dim in dims.iter().filter(|dim| !state.inside[access][**dim]) {
            let subscript = &self.views[access].subscripts[dim];
            let Some(value) = self.sum(state, &subscript.terms, subscript.constant) else {
                continue;
            };
            let otherwise = self.nest(state.without(&|other| other == access))?;
            let mut inside = state.clone();
            inside.inside[access][dim] = true;
            let then = self.nest(inside)?;
            let limit = Int::DimSize(self.statement.accesses[access].operand, dim);
            let because = Because::Subscript;
            return Ok(Some(Stmt::Inside { value, limit, because, then, otherwise }));
        }
        Ok(None)
    }

    /// The position of a coordinate of a full level.
    pub(super) fn position_below(
        &self,
        segment: &Segment,
        level: &LevelView,
        coordinate: Int,
        access: AccessId,
    ) -> Lowered<Int> {
        // A group of positions has no single position below it.
        let Segment::Below(above) = segment else { return Err(Stuck::Access(access)) };
        Ok(full_position(above.clone(), level, coordinate))
    }

    /// Advances the cursor of an access past a level, to a position or to a group of positions that count as one.
    pub(super) fn advance(
        &mut self,
        state: &mut State,
        access: AccessId,
        position: Int,
        group: Option<(Var, Var)>,
    ) -> Lowered<()> {
        let levels = &self.views[access].levels;
        let cursor = &mut state.cursors[access];
        cursor.level += 1;
        cursor.taken = 0;
        if cursor.level == levels.len() {
            cursor.found = Some(match group {
                Some((from, to)) => Found::Several(from, to),
                None => Found::One(position),
            });
            return Ok(());
        }
        cursor.segment = match group {
            Some((from, to)) if levels[cursor.level].kind == LevelKind::Single => {
                Segment::Group(from, to)
            }
            Some(_) => return Err(Stuck::Access(access)),
            None => Segment::Below(position),
        };
        Ok(())
    }

    /// The name of a position of a level: `p_a` on the last level of `a`, `p_a0` on level 0.
    pub(super) fn position_name(&self, access: AccessId, level: usize) -> alloc::string::String {
        let view = &self.views[access];
        let name = &self.kernel.operands[view.operand].name;
        match level + 1 == view.levels.len() {
            true => format!("p_{name}"),
            false => format!("p_{name}{level}"),
        }
    }

    /// The coordinate of a level, if everything on which it depends is known.
    pub(super) fn known(&self, state: &State, holds: &Holds) -> Option<Int> {
        if let Some(index) = holds.index()
            && let Some(parts) = self.plan.cover(index, holds.digit)
            && let Some(value) = self.parts_value(state, index, parts)
        {
            return Some(value);
        }
        Some(self.sum(state, &holds.terms, holds.constant)?.digit(holds.digit))
    }

    /// A sum of known indices.
    pub(super) fn sum(
        &self,
        state: &State,
        terms: &[(i64, IndexId)],
        constant: i64,
    ) -> Option<Int> {
        // Positive terms come first, so that as few intermediate results as possible are negative.
        let mut value = Int::Const(0);
        for (factor, index) in terms.iter().filter(|(factor, _)| *factor > 0) {
            value = value.plus(state.indices[*index].clone()?.times(Int::Const(*factor)));
        }
        value = value.plus(Int::Const(constant));
        for (factor, index) in terms.iter().filter(|(factor, _)| *factor < 0) {
            let term = state.indices[*index].clone()?.times(Int::Const(factor.saturating_neg()));
            value = value.minus(term);
        }
        Some(value)
    }

    /// Several parts of an index, combined into one number.
    pub(super) fn parts_value(
        &self,
        state: &State,
        index: IndexId,
        parts: core::ops::Range<usize>,
    ) -> Option<Int> {
        if parts == (0..state.parts[index].len())
            && let Some(whole) = &state.indices[index]
        {
            return Some(whole.clone());
        }
        let mut value = Int::Const(0);
        for (nth, part) in parts.enumerate() {
            if nth > 0 {
                value = value.times(self.plan.part_size(index, part));
            }
            value = value.plus(state.parts[index][part].clone()?);
        }
        Some(value)
    }

    /// The value of an access whose position is known.
    pub(super) fn load(&self, state: &State, access: AccessId) -> Value {
        let operand = self.views[access].operand;
        match &state.cursors[access].found {
            Some(Found::One(at)) => Value::Load { operand, at: at.clone() },
            Some(Found::Several(from, to)) => Value::LoadSum { operand, from: *from, to: *to },
            // Inside all loops, the position of every access that is read is known.
            None => Value::Zero,
        }
    }
}

/// The position of a coordinate of a full level below a position of the level above.
pub(super) fn full_position(above: Int, level: &LevelView, coordinate: Int) -> Int {
    let coordinate = match &level.least {
        Some(least) => coordinate.minus(least.clone()),
        None => coordinate,
    };
    match (level.packed, coordinate) {
        (Some(_), Int::Const(0)) => above,
        (Some((operand, dim)), coordinate) => {
            above.plus(Int::Offset(operand, dim, coordinate.into()))
        }
        (None, coordinate) => above.times(level.size.clone()).plus(coordinate),
    }
}

/// Whether a value is the same everywhere.
pub(super) fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Literal(_))
}
