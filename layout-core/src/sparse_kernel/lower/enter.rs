//! Lowers loops: over a part of an index, driven by the accesses that store it, or over a level of the driver.
//!
//! If `a` stores 0, 2 and 3, and `b` stores 2 and 5, the loop of `a[i] + b[i]` visits 0, 2, 3 and 5, with a case for both, one for
//! `a` alone and one for `b` alone. The loop of `a[i] * b[i]` has only the first case, and visits 2.

use super::super::ir::*;
use super::super::plan::{LoopVar, Mode};
use super::super::statement::{AccessId, Subscript};
use super::super::view::{Holds, LevelKind};
use super::state::State;
use super::{Lower, Lowered, Stuck};
use crate::parts::Digit;
use crate::sparse::LevelExpr;
use alloc::format;
use alloc::vec::Vec;

/// The largest number of cases of a loop in which accesses meet. A product has one case, but each term of a sum doubles their
/// number: six terms have 63, and seven would have 127.
pub(in super::super) const MAX_CASES: usize = 64;

/// How an access takes part in a loop.
struct Iterates {
    access: AccessId,
    digit: Digit<i64>,
    /// The number that is subtracted from the coordinate, if the subscript is a sum.
    shift: Option<Int>,
    /// Whether this is the last part that the level contains.
    last: bool,
}

impl Lower<'_> {
    /// The loop over a part of an index.
    pub(super) fn part(
        &mut self,
        state: State,
        index: IndexId,
        part: usize,
        block: &mut Body,
    ) -> Lowered<()> {
        let var = LoopVar::Part { index, part };
        let mut meeting: Vec<Iterates> = (0..self.views.len())
            .filter(|access| self.reads(&state, *access))
            .filter_map(|access| self.iterates(&state, access, index, part))
            .collect();
        // If other accesses drive the loop, the located ones need not be iterated.
        let drives = |meets: &Iterates| self.plan.modes[meets.access] != Mode::Located;
        let without = state
            .without(&|access| meeting.iter().any(|meets| meets.access == access && drives(meets)));
        if without.is_dead() {
            meeting.retain(drives);
        }
        // An access with shifted coordinates can only be iterated by itself; otherwise its coordinates are searched for.
        let full = loop {
            let absent = state.without(&|access| meeting.iter().any(|m| m.access == access));
            let full = !absent.is_dead();
            let shifted = meeting.iter().rposition(|meets| meets.shift.is_some());
            match shifted {
                Some(nth) if full || meeting.len() > 1 => meeting.remove(nth),
                _ => break full,
            };
        };
        match &meeting[..] {
            [] => {
                let (hint, _) = self.hint(var);
                let mut state = state;
                let name = self.part_name(index, part);
                let coordinate = self.var(&mut state, &name);
                state.open(var, Int::Var(coordinate));
                let body = self.nest(state)?;
                let to = self.plan.part_size(index, part);
                if !body.is_empty() {
                    block.push(Stmt::Range { var: coordinate, to, hint, body });
                }
                Ok(())
            }
            [one] if !full => self.alone(state, one, var, block),
            _ => self.merge(&state, &meeting, var, full, block),
        }
    }

    /// How an access takes part in the loop over a part of an index, if it does.
    fn iterates(
        &self,
        state: &State,
        access: AccessId,
        index: IndexId,
        part: usize,
    ) -> Option<Iterates> {
        let cursor = &state.cursors[access];
        if cursor.found.is_some() || self.plan.driver == Some(access) {
            return None;
        }
        let level = &self.views[access].levels[cursor.level];
        if !matches!(level.kind, LevelKind::Segment | LevelKind::Gaps | LevelKind::Single) {
            return None;
        }
        let holds = level.holds.as_ref()?;
        // An index can be the remainder of a sum of dimensions; its range then differs from the range of the level.
        let subscripts = &self.views[access].subscripts;
        let plain = level
            .dims
            .iter()
            .all(|dim| subscripts[*dim].plain().is_some() && !self.sizes.guarded[access][*dim]);
        if plain && holds.index() == Some(index) {
            let parts = self.plan.cover(index, holds.digit)?;
            // Parts that were known before the level could be entered are searched for together with this one.
            let opened = (parts.start..part).filter(|p| state.parts[index][*p].is_some()).count();
            if parts.start + cursor.taken != part || opened != cursor.taken {
                return None;
            }
            let units = &self.plan.units[index];
            let digit = Digit {
                div: units[part] / holds.digit.div,
                size: (part > parts.start).then(|| units[part - 1] / units[part]),
            };
            return Some(Iterates { access, digit, shift: None, last: part + 1 == parts.end });
        }
        // A sum in which everything but this index is known. The loop does not visit positions past the end of the operand.
        let rest: Vec<_> = holds.terms.iter().filter(|(_, i)| *i != index).copied().collect();
        let alone = holds.terms.contains(&(1, index));
        let cut = !holds.digit.is_whole() || self.plan.is_split(index);
        if !alone || cut || level.overhangs {
            return None;
        }
        let shift = Some(self.sum(state, &rest, holds.constant)?);
        Some(Iterates { access, digit: Digit::<i64>::WHOLE, shift, last: true })
    }

    /// Enters the level of an access: binds the variables of its iterator, and advances its cursor.
    fn enter(
        &mut self,
        state: &mut State,
        meets: &Iterates,
        coordinate: Var,
        grouped: bool,
    ) -> Lowered<LevelIter> {
        let access = meets.access;
        let cursor = state.cursors[access].clone();
        let view = &self.views[access];
        let (operand, level) = (view.operand, view.levels[cursor.level].clone());
        let name = self.position_name(access, cursor.level);
        let splits = !meets.last;
        if (splits || meets.digit.size.is_some())
            && (!level.ordered || level.kind == LevelKind::Gaps)
        {
            return Err(Stuck::Access(access));
        }
        let position = self.var(state, &name);
        let needs_end = splits || (grouped && !level.unique);
        let end = needs_end.then(|| self.var(state, &format!("{name}_end")));
        if splits {
            let cursor = &mut state.cursors[access];
            cursor.taken += 1;
            cursor.segment = Segment::Group(position, end.unwrap_or(position));
        } else {
            let group = end.map(|end| (position, end));
            self.advance(state, access, Int::Var(position), group)?;
        }
        Ok(LevelIter {
            operand,
            level: cursor.level,
            segment: cursor.segment,
            digit: meets.digit,
            shift: meets.shift.clone(),
            position,
            end,
            coordinate,
        })
    }

    /// A loop that one access drives.
    fn alone(
        &mut self,
        mut state: State,
        meets: &Iterates,
        var: LoopVar,
        block: &mut Body,
    ) -> Lowered<()> {
        let LoopVar::Part { index, part } = var else { return Ok(()) };
        let access = meets.access;
        let level = self.views[access].levels[state.cursors[access].level].clone();
        let grouped = !self.may_scatter(&state, access);
        let orders = self.kernel.result == OutputMode::Append;
        if !level.ordered && (orders || (grouped && !level.unique)) {
            return Err(Stuck::Access(access));
        }
        let name = self.part_name(index, part);
        let coordinate = self.var(&mut state, &name);
        let iter = self.enter(&mut state, meets, coordinate, grouped)?;
        state.open(var, Int::Var(coordinate));
        let because = match (&meets.shift, level.overhangs) {
            (Some(_), _) => Some(Because::Subscript),
            (None, true) if !self.plan.is_split(index) => Some(Because::Padding),
            _ => None,
        };
        if level.overhangs && self.plan.is_split(index) {
            state.overhang(index, part);
        }
        let mut body = self.nest(state)?;
        if body.is_empty() {
            return Ok(());
        }
        if let Some(because) = because {
            let (value, limit) = (Int::Var(coordinate), Int::Size(index));
            let inside = Stmt::Inside { value, limit, because, then: body, otherwise: Vec::new() };
            body = alloc::vec![inside];
        }
        let (hint, _) = self.hint(var);
        block.push(Stmt::Entries { iter, hint, body });
        Ok(())
    }

    /// Whether the positions of a level can be visited one by one although several may have the same coordinate: no other access is
    /// merged with them, the output can be written in any order, and entries at the same index are summed.
    fn may_scatter(&self, state: &State, access: AccessId) -> bool {
        let view = &self.views[access];
        let others_full = (0..self.views.len()).filter(|other| *other != access).all(|other| {
            !self.reads(state, other)
                || state.cursors[other].found.is_some()
                || self.views[other].levels[state.cursors[other].level..]
                    .iter()
                    .all(|level| level.kind == LevelKind::Full)
        });
        let adds = view.levels.last().is_none_or(|level| level.unique)
            || self.statement.adds_up(access, &state.value, state.guard.as_ref());
        let written = matches!(self.output.mode, OutputMode::Positions | OutputMode::Pattern(_));
        // Two threads must not write to the same element.
        let parallel =
            self.plan.order.get(state.depth).is_some_and(|var| self.hint(*var).0.parallel);
        others_full && adds && written && !parallel
    }

    /// A loop that merges several accesses, or one access with the full range.
    fn merge(
        &mut self,
        state: &State,
        meeting: &[Iterates],
        var: LoopVar,
        full: bool,
        block: &mut Body,
    ) -> Lowered<()> {
        let LoopVar::Part { index, part } = var else { return Ok(()) };
        let mut overhangs = false;
        for meets in meeting {
            let level = &self.views[meets.access].levels[state.cursors[meets.access].level];
            // Coordinates past the end of the index, which the padding of `structured` levels can have, must not be visited.
            let beyond = level.overhangs && !self.plan.is_split(index) && !full;
            if !level.ordered || beyond {
                return Err(Stuck::Access(meets.access));
            }
            overhangs |= level.overhangs;
        }
        let mut subsets = self.subsets(state, meeting, index)?;
        if !full {
            subsets.retain(|present| present.contains(&true));
        }
        let mut state = state.clone();
        let name = self.part_name(index, part);
        let coordinate = self.var(&mut state, &name);
        let mut iters = Vec::new();
        for meets in meeting {
            let operand = &self.kernel.operands[self.views[meets.access].operand].name;
            let own = format!("{name}_{operand}");
            let own = self.var(&mut state, &own);
            iters.push(self.enter(&mut state, meets, own, true)?);
        }
        if full {
            // Accesses that are searched for in each case multiply the number of cases.
            for meets in meeting {
                if !state.sought.contains(&meets.access) {
                    state.sought.push(meets.access);
                }
            }
        }
        state.open(var, Int::Var(coordinate));
        if overhangs && self.plan.is_split(index) {
            state.overhang(index, part);
        }
        let mut cases = Vec::new();
        for present in subsets {
            let absent = |access: AccessId| {
                meeting.iter().zip(&present).any(|(m, here)| m.access == access && !here)
            };
            let body = self.nest(state.without(&absent))?;
            if !body.is_empty() {
                cases.push(Case { present, body });
            }
        }
        if cases.is_empty() {
            return Ok(());
        }
        let (hint, gallop) = self.hint(var);
        let range = full.then(|| self.plan.part_size(index, part));
        let all = cases.len() == 1 && cases[0].present.iter().all(|present| *present);
        let gallop = gallop && all && !full;
        block.push(Stmt::Merge {
            var: coordinate,
            iters,
            range,
            cases,
            gallop,
            marked: None,
            hint,
        });
        Ok(())
    }

    /// The sets of accesses for which the value is not zero if exactly these are present; the largest sets come first.
    fn subsets(
        &self,
        state: &State,
        meeting: &[Iterates],
        index: IndexId,
    ) -> Lowered<Vec<Vec<bool>>> {
        let mut subsets = alloc::vec![(Vec::new(), state.clone())];
        for meets in meeting {
            let mut longer = Vec::new();
            for (present, state) in subsets {
                let absent = state.without(&|access| access == meets.access);
                for (here, state) in [(true, state), (false, absent)] {
                    if !state.is_dead() {
                        let mut present = present.clone();
                        present.push(here);
                        longer.push((present, state));
                    }
                }
            }
            if longer.len() > MAX_CASES {
                return Err(Stuck::Meeting { access: meets.access, index });
            }
            subsets = longer;
        }
        let mut subsets: Vec<Vec<bool>> = subsets.into_iter().map(|(present, _)| present).collect();
        let count = |present: &[bool]| present.iter().filter(|here| **here).count();
        subsets.sort_by(|a, b| {
            count(b).cmp(&count(a)).then_with(|| a.iter().rev().cmp(b.iter().rev()))
        });
        Ok(subsets)
    }

    /// The loop over a level of the driver.
    pub(super) fn driven(
        &mut self,
        mut state: State,
        level: usize,
        block: &mut Body,
    ) -> Lowered<()> {
        let Some(access) = self.plan.driver else { return Ok(()) };
        let cursor = state.cursors[access].clone();
        let view = self.views[access].levels[level].clone();
        let operand = self.views[access].operand;
        let (hint, _) = self.hint(LoopVar::Level(level));
        let name = match view.holds.as_ref().and_then(Holds::index) {
            Some(index) => self.part_name(index, 0),
            None => format!("c_{}{level}", self.kernel.operands[operand].name),
        };
        let coordinate = self.var(&mut state, &name);
        state.depth += 1;
        match view.kind {
            LevelKind::Batch => Err(Stuck::Access(access)),
            LevelKind::Full => {
                let held = match &view.least {
                    Some(least) => Int::Var(coordinate).plus(least.clone()),
                    None => Int::Var(coordinate),
                };
                let position = self.position_below(&cursor.segment, &view, held.clone(), access)?;
                // The smallest coordinate cancels out.
                let position = match (&view.least, &cursor.segment) {
                    (Some(_), Segment::Below(above)) => {
                        above.clone().times(view.size.clone()).plus(Int::Var(coordinate))
                    }
                    _ => position,
                };
                state.driver.push(held);
                let mut body = Vec::new();
                let name = self.position_name(access, level);
                let var = self.var(&mut state, &name);
                body.push(Stmt::Let { var, value: position });
                self.advance(&mut state, access, Int::Var(var), None)?;
                body.extend(self.within(state, access)?);
                block.push(Stmt::Range { var: coordinate, to: view.size, hint, body });
                Ok(())
            }
            _ => {
                let meets =
                    Iterates { access, digit: Digit::<i64>::WHOLE, shift: None, last: true };
                let iter = self.enter(&mut state, &meets, coordinate, false)?;
                state.driver.push(Int::Var(coordinate));
                let body = self.within(state, access)?;
                block.push(Stmt::Entries { iter, hint, body });
                Ok(())
            }
        }
    }

    /// The rest of the nest below a level of the driver: its next level or, once its indices are known, the other loops.
    fn within(&mut self, mut state: State, access: AccessId) -> Lowered<Body> {
        let count = self.views[access].levels.len();
        if state.driver.len() < count {
            return self.nest(state);
        }
        let Storage::Sparse(encoding) = self.statement.storage(access) else {
            return Err(Stuck::Access(access));
        };
        let subscripts = self.views[access].subscripts.clone();
        let mut block = Vec::new();
        let mut checks = Vec::new();
        for (dim, index) in subscripts.iter().map(Subscript::plain).enumerate() {
            let Some(index) = index else { return Err(Stuck::Access(access)) };
            let (mut plus, mut minus) = (Int::Const(0), Int::Const(0));
            for (level, coordinate) in state.driver.iter().enumerate() {
                let weight = encoding.inverse().weight(dim, level);
                let term = |weight: i64| coordinate.clone().times(Int::Const(weight));
                match weight {
                    0 => {}
                    1.. => plus = plus.plus(term(weight)),
                    _ => minus = minus.plus(term(weight.saturating_neg())),
                }
            }
            let mut value = plus.minus(minus).digit(encoding.inverse().digit(dim));
            if !value.is_short() {
                let name = self.part_name(index, 0);
                let var = self.var(&mut state, &name);
                block.push(Stmt::Let { var, value });
                value = Int::Var(var);
            }
            let level = self.views[access].levels.iter().find(|level| {
                level.kind == LevelKind::Full
                    && level.holds.as_ref().is_some_and(|holds| holds.index() == Some(index))
            });
            if encoding.overhangs() && level.is_none() {
                checks.push((value.clone(), Int::Size(index)));
            }
            state.bind(index, 0, value);
        }
        let load = self.load(&state, access);
        let mut body = self.nest(state)?;
        if encoding.levels().iter().any(|level| matches!(level.expr, LevelExpr::Count { .. })) {
            // An empty slot contains a zero.
            let condition = Value::Binary(BinaryOp::NotEqual, load.into(), Value::Zero.into());
            body = alloc::vec![Stmt::When { condition, then: body }];
        }
        for (value, limit) in checks.into_iter().rev() {
            let (because, otherwise) = (Because::Padding, Vec::new());
            body = alloc::vec![Stmt::Inside { value, limit, because, then: body, otherwise }];
        }
        block.extend(body);
        Ok(block)
    }
}
