//! Computes sums along contiguous arrays, such as the inner products of a sampled product, in eight lanes at once.
//!
//! ```text
//! let mut sum = identity;                            let mut sum = identity;
//! for k in 0..size(k) {                              let mut sums = [[identity; 8]; 1];
//!     sum += u[i * n + k] * v[j * n + k];            for chunk in 0..size(k) / 8 {
//! }                                           ->         let u_lanes0 = u[i * n + chunk * 8..][..LANES];
//! c[p_s] += sum;                                         let v_lanes1 = v[j * n + chunk * 8..][..LANES];
//!                                                        for lane in 0..LANES { sums[0][lane] += u_lanes0[lane] * v_lanes1[lane]; }
//!                                                    }
//!                                                    for rest in 0..size(k) % 8 { .. }
//!                                                    sum += sums[0].reduce();
//!                                                    c[p_s] += sum;
//! ```
//!
//! Term `n` is added to sum `n mod 8`, and at the end the sums are added from the first to the last, on every CPU. With a single
//! sum, each addition would wait for the one before, and the order could not be changed later. With 19 terms, two chunks add terms
//! 0 to 15 to sums 0 to 7, and the last three terms are added to sums 0 to 2.

use super::super::ir::visit::bound;
use super::super::ir::*;
use super::linear::linear;
use super::prefetch::has_entries;
use super::strip::BLOCK_LANES;
use super::var;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

/// Rewrites the sums in a block and in the blocks inside it.
pub(super) fn block(kernel: &mut Kernel, block: &mut Body) {
    let custom = matches!(kernel.reduction, Reduction::Custom { .. });
    if !kernel.floats || custom {
        return;
    }
    let mut dots = Dots { vars: None, asked: Vec::new(), around: None };
    for stmt in &*block {
        stmt.any(&mut |stmt| {
            if let Stmt::IfTouched { local, .. } = stmt {
                dots.asked.push(*local);
            }
            false
        });
    }
    inside(kernel, block, &mut dots);
}

struct Dots {
    /// The variables of the loops, once they exist: the number of a chunk, the lane, and the number of a term of the rest.
    vars: Option<[Var; 3]>,
    /// The accumulators with a statement that depends on whether any terms were added.
    asked: Vec<Local>,
    /// The innermost loop over entries around the sum, and the variables that it binds besides the coordinate.
    around: Option<(LevelIter, Vec<Var>)>,
}

fn inside(kernel: &mut Kernel, block: &mut Body, dots: &mut Dots) {
    for stmt in block {
        if matches!(stmt, Stmt::Strips { .. }) {
            continue;
        }
        if let Some(dot) = dot(kernel, stmt, dots) {
            *stmt = dot;
            continue;
        }
        let around = match stmt {
            Stmt::Entries { iter, body, .. } => {
                let mut vars = alloc::vec![iter.position];
                bound(body, &mut vars);
                Some((iter.clone(), vars))
            }
            _ => None,
        };
        let entered = around.is_some();
        let outer = if entered { core::mem::replace(&mut dots.around, around) } else { None };
        stmt.blocks_mut(&mut |block| inside(kernel, block, dots));
        if entered {
            dots.around = outer;
        }
    }
}

fn dot(kernel: &mut Kernel, stmt: &Stmt, dots: &mut Dots) -> Option<Stmt> {
    let Stmt::Range { var: term, to, hint, body } = stmt else { return None };
    let (Stmt::Accumulate { local, value }, above) = body.split_last()? else { return None };
    let few = match to {
        Int::Size(index) => matches!(kernel.indices[*index].size, Int::Const(..BLOCK_LANES)),
        to => matches!(to, Int::Const(..BLOCK_LANES)),
    };
    if few || *hint != Hint::default() || dots.asked.contains(local) {
        return None;
    }
    let mut lets = BTreeMap::new();
    for stmt in above {
        let Stmt::Let { var, value } = stmt else { return None };
        lets.insert(*var, value.inlined(&lets));
    }
    let value = value.inlined(&lets);
    let mut loads: Vec<(OperandId, Int, Load)> = Vec::new();
    let mut fits = true;
    value.loads(&mut |operand, at| {
        let known = loads.iter().any(|(other, start, _)| *other == operand && start == at);
        if known || kernel.operands[operand].storage == Storage::Scalar {
            return;
        }
        match Load::of(at, *term) {
            Some(load) if operand != kernel.output => loads.push((operand, at.clone(), load)),
            _ => fits = false,
        }
    });
    if !fits || !loads.iter().any(|(.., load)| matches!(load, Load::Lanes(_))) {
        return None;
    }
    let [chunk, lane, rest] =
        *dots.vars.get_or_insert_with(|| ["chunk", "lane", "rest"].map(|name| var(kernel, name)));
    let eight = Int::Const(BLOCK_LANES);
    let first = Int::Var(chunk).times(eight.clone());
    let (mut before, mut chunks, mut known) = (Vec::new(), Vec::new(), Vec::new());
    let starts = loads.iter().filter_map(|(operand, _, load)| match load {
        Load::Lanes(start) => Some((*operand, start)),
        Load::One => None,
    });
    for (operand, start) in starts {
        before.extend(ahead(kernel, dots, operand, start).into_iter().flatten());
    }
    for (number, (operand, at, load)) in loads.into_iter().enumerate() {
        let name = format!("{}_lanes{number}", kernel.operands[operand].name);
        let (len, block, start, element) = match load {
            Load::One => (VectorLen::One, &mut before, at.clone(), Int::Const(0)),
            Load::Lanes(start) => {
                let start = start.plus(first.clone());
                (VectorLen::Lanes, &mut chunks, start, Int::Var(lane))
            }
        };
        kernel.vectors.push(Vector { name, operand, len });
        let vector = kernel.vectors.len() - 1;
        block.push(Stmt::Vector { vector, at: start });
        known.push((operand, at, Value::Vector { vector, at: element }));
    }
    let in_lanes = value.replaced(&|value| {
        let Value::Load { operand, at } = value else { return None };
        let found = known.iter().find(|(other, start, _)| other == operand && start == at);
        found.map(|(.., element)| element.clone())
    });
    let add = |coordinate: Int, lane: Var, value: Value| {
        let add = Stmt::Add { row: Int::Const(0), lane: Int::Var(lane), value };
        alloc::vec![Stmt::Let { var: *term, value: coordinate }, add]
    };
    let body = add(first.plus(Int::Var(lane)), lane, in_lanes);
    chunks.push(Stmt::Lanes { lane, body });
    let range =
        |var: Var, to: Int, body: Body| Stmt::Range { var, to, hint: Hint::default(), body };
    before.push(range(chunk, to.clone().over(BLOCK_LANES), chunks));
    let left = to.clone().modulo(BLOCK_LANES);
    if left != Int::Const(0) {
        let start = to.clone().over(BLOCK_LANES).times(eight);
        before.push(range(rest, left, add(start.plus(Int::Var(rest)), rest, value)));
    }
    before
        .push(Stmt::Accumulate { local: *local, value: Value::SumOfLanes { row: Int::Const(0) } });
    let lanes = Lanes::Block { size: BLOCK_LANES };
    Some(Stmt::Strips { lanes, rows: 1, groups: None, body: before })
}

/// Prefetches the part of a dense operand that a later entry reads: its first two vectors. The others follow them in memory.
fn ahead(kernel: &Kernel, dots: &Dots, operand: OperandId, start: &Int) -> Option<[Stmt; 2]> {
    let (iter, bound) = dots.around.as_ref()?;
    let dense = !matches!(kernel.operands[operand].storage, Storage::Sparse(_));
    let known = start.mentions(iter.coordinate) && !bound.iter().any(|var| start.mentions(*var));
    // No part of it may be negative, and reading an index array ahead costs as much as it would save.
    let signed = BTreeSet::from_iter(iter.shift.is_some().then_some(iter.coordinate));
    let simple = start.is_natural(&signed) && !start.has_element();
    (dense && known && simple && has_entries(kernel, iter)).then(|| {
        [0, BLOCK_LANES].map(|further| Stmt::Prefetch {
            operand: iter.operand,
            level: iter.level,
            position: iter.position,
            coordinate: iter.coordinate,
            of: operand,
            at: start.clone().plus(Int::Const(further)),
        })
    })
}

/// How an operand is read in a loop.
enum Load {
    /// At the same position in all iterations.
    One,
    /// At consecutive positions, from this one on.
    Lanes(Int),
}

impl Load {
    fn of(at: &Int, term: Var) -> Option<Self> {
        if !at.mentions(term) {
            return Some(Self::One);
        }
        let at = linear(at, &[term])?;
        at.coefficients.values().eq([&1]).then_some(Self::Lanes(at.rest))
    }
}
