//! Chooses the plan: tries orders of the loops, ways to split indices into parts, and sets of operands to convert first, and
//! takes the cheapest plan that follows the schedule.

use super::cost::cost;
use super::describe::describe;
use super::ir::{IndexId, Kernel, OutputMode, Stmt, Storage};
use super::lower::{MAX_CASES, Stuck, is_dead, lower};
use super::passes;
use super::plan::{LoopPlan, LoopVar, Mode};
use super::problem::{Problem, Subject};
use super::sizes::Sizes;
use super::statement::{AccessId, HintSpec, MAX_UNIT, PartSpec, Statement};
use super::view::{LevelKind, View};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest number of plans that are tried. If all of these fail, ten times as many are tried.
const MAX_PLANS: usize = 1_000;
/// The number of variables, over all plans, after which the best plan so far is taken. If there is none after twice as many
/// variables, the search fails. Plans in which many operands meet have thousands of variables each.
const MAX_WORK: usize = 100_000;

/// The number of plans in which too many operands meet after which the search gives up: they probably meet in all plans.
const MAX_REJECTED: usize = 32;

/// Compiles a statement to loops. `SparseKernel` does this for a statement as text.
///
/// ```
/// use tensor_layout::sparsify::{compile, ir, statement as s};
/// let subscript = || s::Subscript { terms: vec![(1, 0)], constant: 0 };
/// let vector = |name: &str| s::OperandSpec {
///     name: name.into(),
///     storage: ir::Storage::Dense { rank: 1 },
///     element: "f64".into(),
///     casts: false,
///     layout: None,
///     dims: vec![Some(0)],
/// };
/// // y[i] = -x[i]
/// let statement = s::Statement {
///     name: "negate".into(),
///     text: "y[i] = -x[i]".into(),
///     operands: vec![vector("x"), vector("y")],
///     indices: vec!["i".into()],
///     sizes: vec![None],
///     gathered: vec![None],
///     target: vec![subscript()],
///     target_sizes: vec![None],
///     reduction: ir::Reduction::Sum,
///     accumulates: false,
///     accesses: vec![s::Access { operand: 0, subscripts: vec![subscript()] }],
///     value: s::Expr::Unary(ir::UnaryOp::Neg, Box::new(s::Expr::Access(0))),
///     guard: None,
///     floats: true,
///     sum_bytes: 8,
///     functions: vec![],
///     schedule: s::Schedule::default(),
/// };
/// let kernel = compile(&statement)?;
/// assert_eq!(kernel.cost, "i");
/// assert!(kernel.to_string().starts_with("for i in 0..size(i)"));
/// # Ok::<(), tensor_layout::sparsify::Problem>(())
/// ```
///
/// # Complexity
/// At most 1,000 plans are tried, or 10,000 if the first ones fail: orders of the loops and conversions of operands, each in time
/// proportional to the size of its loops. With many operands, the search ends after 100,000 variables over all plans, or 200,000.
///
/// # Errors
/// If the statement is inconsistent, or if it cannot run as its schedule requires.
pub fn compile(statement: &Statement) -> Result<Kernel, Problem> {
    let sizes = Sizes::new(statement)?;
    let mut search = Search::new(statement, &sizes);
    search.run();
    let Some(Best { runs, mut kernel, .. }) = search.best else { return Err(search.no_plan()) };
    runs?;
    // Plans are compared before the passes run. All plans gain from the passes, and the plans that gain most would convert
    // their operands for that.
    passes::run(statement, &mut kernel);
    describe(&mut kernel);
    Ok(kernel)
}

struct Search<'a> {
    statement: &'a Statement,
    sizes: &'a Sizes,
    views: Vec<View>,
    output: View,
    /// The number of plans that were tried, and of the variables that were made for them.
    tried: usize,
    work: usize,
    /// The first access for which too many accesses met in the loop over an index, that index, and the number of plans in which
    /// that happened.
    crowded: Option<(AccessId, IndexId)>,
    too_many_operands: usize,
    best: Option<Best>,
}

/// The best plan so far.
struct Best {
    /// Whether the loops that should run in parallel or gallop are at positions that allow it.
    fits: bool,
    /// Whether the loops can run as the schedule requires.
    runs: Result<(), Problem>,
    cost: f64,
    kernel: Kernel,
}

impl<'a> Search<'a> {
    fn new(statement: &'a Statement, sizes: &'a Sizes) -> Self {
        let view = |(number, access): (usize, &super::statement::Access)| {
            View::new(access.operand, statement.storage(number), &access.subscripts)
        };
        let output =
            View::new(statement.output(), statement.storage_of_output(), &statement.target);
        let views = statement.accesses.iter().enumerate().map(view).collect();
        Self {
            statement,
            sizes,
            views,
            output,
            tried: 0,
            work: 0,
            crowded: None,
            too_many_operands: 0,
            best: None,
        }
    }

    /// Tries all plans, or as many as the limits allow.
    fn run(&mut self) {
        for units in self.units() {
            for driver in self.drivers(&units) {
                let base = self.base(&units, driver);
                for order in self.orders(&base) {
                    if self.is_done() {
                        return;
                    }
                    self.try_order(LoopPlan { order, ..base.clone() });
                }
            }
        }
    }

    /// Whether a limit of the search is reached. If there is no plan yet, the search goes on for longer.
    fn is_done(&self) -> bool {
        let (plans, work) = match self.best {
            Some(_) => (MAX_PLANS, MAX_WORK),
            None => (10 * MAX_PLANS, 2 * MAX_WORK),
        };
        let is_hopeless = self.too_many_operands > MAX_REJECTED && self.best.is_none();
        is_hopeless || self.tried > plans || self.work > work
    }

    /// The ways to split the indices: as the schedule requires, and by the blocks of any subset of the operands.
    fn units(&self) -> Vec<Vec<Vec<i64>>> {
        let count = self.statement.indices.len();
        let gathered = |index: IndexId| self.statement.gathered[index].is_some();
        let mut asked = alloc::vec![Vec::new(); count];
        for (index, size) in &self.statement.schedule.splits {
            asked[*index].push(*size);
        }
        for (spec, div) in
            self.statement.schedule.order.iter().filter_map(|part| Some((part, part.div?)))
        {
            asked[spec.index].push(div);
        }
        let blocked: Vec<Vec<(IndexId, i64)>> = self
            .views
            .iter()
            .chain([&self.output])
            .map(blocks)
            .filter(|blocks| !blocks.is_empty())
            .collect();
        let mut ways: Vec<Vec<Vec<i64>>> = Vec::new();
        for subset in 0..1usize << blocked.len().min(4) {
            let mut cuts = asked.clone();
            for (nth, blocks) in blocked.iter().enumerate() {
                if nth < 4 && subset >> nth & 1 == 1 {
                    for (index, unit) in blocks.iter().filter(|(index, _)| !gathered(*index)) {
                        cuts[*index].push(*unit);
                    }
                }
            }
            let chains: Option<Vec<Vec<i64>>> = cuts.into_iter().map(chain).collect();
            if let Some(chains) = chains
                && !ways.contains(&chains)
            {
                ways.push(chains);
            }
        }
        ways
    }

    /// The accesses that can drive, or `None` for no driver: accesses that no order of indices can visit in storage order.
    fn drivers(&self, units: &[Vec<i64>]) -> Vec<Option<AccessId>> {
        let mut drivers = alloc::vec![None];
        for (access, view) in self.views.iter().enumerate() {
            let odd = view
                .levels
                .iter()
                .any(|level| level.holds.as_ref().is_none_or(|holds| holds.index().is_none()));
            let subscripts = view.subscripts.iter().filter_map(|subscript| subscript.plain());
            let whole = subscripts.into_iter().all(|index| units[index].len() == 1);
            let (value, guard) = (&self.statement.value, self.statement.guard.as_ref());
            let adds = match view.has(LevelKind::Slot) {
                true => self.statement.distributes(access),
                false => {
                    view.levels.last().is_none_or(|level| level.unique)
                        || self.statement.adds_up(access, value, guard)
                }
            };
            if odd
                && whole
                && adds
                && view.is_plain()
                && !view.subscripts.iter().any(|subscript| self.statement.is_gathered(subscript))
                && !self.sizes.guarded[access].contains(&true)
                && !view.has(LevelKind::Batch)
                && !view.forks()
                && is_dead(self.statement, &|other| other == access)
            {
                drivers.push(Some(access));
            }
        }
        drivers
    }

    /// A plan without an order that converts only the accesses that cannot be read as they are stored.
    fn base(&self, units: &[Vec<i64>], driver: Option<AccessId>) -> LoopPlan {
        let mode = |(access, view): (usize, &View)| {
            let odd = view.has(LevelKind::Batch) || view.has(LevelKind::Slot) || view.forks();
            if odd && Some(access) != driver { Mode::Sorted } else { Mode::Merged }
        };
        let modes = self.views.iter().enumerate().map(mode).collect();
        LoopPlan { units: units.to_vec(), order: Vec::new(), modes, driver }
    }

    /// The orders of the loops that follow the schedule, with the parts of each index from the largest to the smallest.
    fn orders(&self, plan: &LoopPlan) -> Vec<Vec<LoopVar>> {
        let mut first = Vec::new();
        let mut driven = Vec::new();
        if let Some(driver) = plan.driver {
            first.extend((0..self.views[driver].levels.len()).map(LoopVar::Level));
            driven.extend(self.views[driver].subscripts.iter().filter_map(|s| s.plain()));
        }
        let mut rest = Vec::new();
        for (index, units) in plan.units.iter().enumerate() {
            if !driven.contains(&index) && self.statement.gathered[index].is_none() {
                rest.extend((0..units.len()).map(|part| LoopVar::Part { index, part }));
            }
        }
        let wanted = &self.statement.schedule.order;
        let position = |var: &LoopVar| wanted.iter().position(|spec| plan.is_named(*var, spec));
        let rest: Vec<_> = rest.into_iter().map(|var| (var, position(&var))).collect();
        let swapped = |(larger, at): &(LoopVar, Option<usize>)| {
            let before = |(other, position): &(LoopVar, Option<usize>)| {
                is_larger(larger, other) && position.is_some() && position < at
            };
            rest.iter().any(before)
        };
        let mut orders = Vec::new();
        let drives = plan.driver.is_some() && !wanted.is_empty();
        if !drives && wanted.iter().all(|spec| plan.names(spec)) && !rest.iter().any(swapped) {
            permute(&mut first, &mut rest.clone(), &mut orders);
        }
        orders
    }

    /// The reason why no plan exists.
    fn no_plan(&self) -> Problem {
        let wanted = &self.statement.schedule.order;
        let ways = self.units();
        let plans: Vec<LoopPlan> = ways.iter().map(|units| self.base(units, None)).collect();
        let named = |spec: &PartSpec| plans.iter().any(|plan| plan.names(spec));
        if let Some(nth) = wanted.iter().position(|spec| !named(spec)) {
            return self.no_loop(nth, plans.first());
        }
        if !wanted.is_empty() {
            return Problem {
                subject: Subject::Order,
                message: "the loops cannot be in this order".into(),
                help: "order the parts of an index from the largest to the smallest, or leave the order out to have one chosen"
                    .into(),
            };
        }
        let help = "split the statement in two: first compute a part of it into a sparse output, then read that in a second statement";
        if let Some((access, index)) = self.crowded {
            let operand = self.statement.accesses[access].operand;
            let name = &self.statement.operands[operand].name;
            let index = &self.statement.indices[index];
            return Problem {
                subject: Subject::Operand(operand),
                message: format!(
                    "too many sparse operands meet in the loop over `{index}`: with `{name}` there are more than {MAX_CASES} combinations of stored and absent operands"
                ),
                help: help.into(),
            };
        }
        if let Some(access) = self.sizes.guarded.iter().position(|dims| dims.contains(&true)) {
            let operand = self.statement.accesses[access].operand;
            let name = &self.statement.operands[operand].name;
            return Problem {
                subject: Subject::Operand(operand),
                message: format!(
                    "too many operands are read at indices that can be out of bounds, such as those of `{name}`: the loops have a case for each combination of them"
                ),
                help: "split the statement in two: compute a part of the terms first, then add the others with `+=`"
                    .into(),
            };
        }
        Problem {
            subject: Subject::Statement,
            message: "too many sparse operands meet in nested loops".into(),
            help: help.into(),
        }
    }

    /// The error for a part in the order that is not a loop. Its help says how to make it a loop, or which parts are loops.
    fn no_loop(&self, nth: usize, plan: Option<&LoopPlan>) -> Problem {
        let spec = &self.statement.schedule.order[nth];
        let name = &self.statement.indices[spec.index];
        let (div, modulus) = (spec.div.unwrap_or(1), spec.modulus.unwrap_or(1));
        let help = match plan {
            Some(plan) => {
                let cuts = |block: &i64| {
                    let mut cut = plan.clone();
                    cut.units[spec.index].push(*block);
                    let units = chain(cut.units[spec.index].clone()).filter(|_| *block <= MAX_UNIT);
                    units.is_some_and(|units| {
                        cut.units[spec.index] = units;
                        cut.names(spec)
                    })
                };
                match div.checked_mul(modulus).filter(cuts) {
                    Some(block) => format!("cut the index: `split({name}, {block})`"),
                    None => {
                        let parts = parts_of(name, &plan.units[spec.index]);
                        format!("the loops over `{name}` are {parts}")
                    }
                }
            }
            None => "of two block sizes of one index, one must divide the other".into(),
        };
        let message = format!("there is no loop over this part of `{name}`");
        Problem { subject: Subject::OrderPart(nth), message, help }
    }

    /// Tries an order of the loops, then other ways to read each access, and keeps those that reduce the cost.
    fn try_order(&mut self, mut plan: LoopPlan) {
        let mut known = self.attempt(&mut plan);
        for access in 0..self.views.len() {
            let sparse = matches!(self.statement.storage(access), Storage::Sparse(_));
            if !sparse || plan.driver == Some(access) {
                continue;
            }
            let others: &[Mode] = match plan.modes[access] {
                Mode::Merged => &[Mode::Located, Mode::Sorted, Mode::Indexed],
                Mode::Sorted => &[Mode::Indexed],
                _ => &[],
            };
            for mode in others {
                let mut other = plan.clone();
                other.modes[access] = *mode;
                let cost = self.attempt(&mut other);
                if let Some(cost) = cost
                    && known.is_none_or(|known| cost < known)
                {
                    (known, plan) = (Some(cost), other);
                }
            }
        }
    }

    /// Lowers a plan, converts the accesses that it is stuck on, and keeps the plan if it is the best so far.
    fn attempt(&mut self, plan: &mut LoopPlan) -> Option<f64> {
        for _ in 0..=self.views.len() {
            self.tried += 1;
            if self.is_done() {
                return None;
            }
            match lower(self.statement, self.sizes, plan, &mut self.work) {
                Ok(kernel) => {
                    let check = |hint| check_hint(self.statement, plan, &kernel, hint);
                    let hints = self.statement.schedule.hints.iter().enumerate();
                    let (moving, staying): (Vec<_>, Vec<_>) = hints.partition(|(_, (_, hint))| {
                        matches!(hint, HintSpec::Parallel | HintSpec::Gallop)
                    });
                    let fits = moving.iter().try_for_each(|(hint, _)| check(*hint));
                    let runs = || staying.iter().try_for_each(|(hint, _)| check(*hint));
                    let runs = fits.clone().and_then(|()| runs());
                    let fits = fits.is_ok();
                    let cost = cost(&kernel);
                    let better = |best: &Best| match (fits, best.fits) {
                        (true, false) => true,
                        (false, true) => false,
                        _ => cost < best.cost,
                    };
                    if self.best.as_ref().is_none_or(better) {
                        self.best = Some(Best { fits, runs, cost, kernel });
                    }
                    return Some(cost);
                }
                Err(Stuck::Access(access))
                    if !plan.modes[access].is_converted() && plan.driver != Some(access) =>
                {
                    plan.modes[access] = Mode::Sorted;
                }
                Err(Stuck::Meeting { access, index }) => {
                    self.crowded.get_or_insert((access, index));
                    self.too_many_operands += 1;
                    return None;
                }
                Err(_) => return None,
            }
        }
        None
    }
}

/// Appends to `orders` all orders that start with `order` and continue with `rest`, which are loops with their position in the
/// order of the schedule if they have one.
fn permute(
    order: &mut Vec<LoopVar>,
    rest: &mut Vec<(LoopVar, Option<usize>)>,
    orders: &mut Vec<Vec<LoopVar>>,
) {
    if orders.len() >= MAX_PLANS {
        return;
    }
    if rest.is_empty() {
        orders.push(order.clone());
        return;
    }
    let first = rest.iter().filter_map(|(_, position)| *position).min();
    for at in 0..rest.len() {
        let (next, position) = rest[at];
        let later = position.is_some() && position > first;
        if later || rest.iter().any(|(other, _)| is_larger(other, &next)) {
            continue;
        }
        rest.remove(at);
        order.push(next);
        permute(order, rest, orders);
        order.pop();
        rest.insert(at, (next, position));
    }
}

/// Whether two loops are over parts of one index, the first one over a larger part.
fn is_larger(a: &LoopVar, b: &LoopVar) -> bool {
    match (a, b) {
        (LoopVar::Part { index, part }, LoopVar::Part { index: same, part: less }) => {
            index == same && part < less
        }
        _ => false,
    }
}

/// The parts of an index with these units, as a schedule writes them.
fn parts_of(name: &str, units: &[i64]) -> String {
    let part = |(nth, unit): (usize, &i64)| {
        let div = if *unit > 1 { format!(" floordiv {unit}") } else { String::new() };
        let above = nth.checked_sub(1).map(|above| units[above] / unit);
        let modulus = above.map_or(String::new(), |modulus| format!(" mod {modulus}"));
        format!("`{name}{div}{modulus}`")
    };
    units.iter().enumerate().map(part).collect::<Vec<_>>().join(", ")
}

/// The units larger than 1 by which an access splits indices.
fn blocks(view: &View) -> Vec<(IndexId, i64)> {
    let mut blocks = Vec::new();
    for holds in view.levels.iter().filter_map(|level| level.holds.as_ref()) {
        if let Some(index) = holds.index()
            && holds.digit.div > 1
        {
            blocks.push((index, holds.digit.div));
        }
    }
    blocks
}

/// The units from the largest to 1; `None` unless each divides the one before it.
fn chain(mut units: Vec<i64>) -> Option<Vec<i64>> {
    units.push(1);
    units.sort_unstable_by(|a, b| b.cmp(a));
    units.dedup();
    units.windows(2).all(|pair| pair[0] % pair[1] == 0).then_some(units)
}

/// Checks that a loop can run as one of the hints of the schedule says.
fn check_hint(
    statement: &Statement,
    plan: &LoopPlan,
    kernel: &Kernel,
    number: usize,
) -> Result<(), Problem> {
    let (spec, hint) = &statement.schedule.hints[number];
    let name = &statement.indices[spec.index];
    let problem = |message, help: &str| {
        Err(Problem { subject: Subject::Hint(number), message, help: help.into() })
    };
    let mut named = (0..plan.order.len()).filter(|depth| plan.is_named(plan.order[*depth], spec));
    let Some(depth) = named.next() else {
        let message = format!("there is no loop over this part of `{name}`");
        return problem(message, "the parts are those of blocked operands and of `split`");
    };
    match hint {
        HintSpec::Parallel => {
            let is_number = kernel.operands[kernel.output].storage == Storage::Scalar;
            if !is_number && !statement.target.iter().any(|s| s.plain() == Some(spec.index)) {
                let message =
                    format!("iterations of `{name}` write to the same elements of the output");
                return problem(message, "a loop over an index of the output can run in parallel");
            }
            if depth != 0 {
                let message = format!("the loop over `{name}` is not the outermost");
                return problem(message, "only the outermost loop runs on several threads");
            }
            if kernel.result != OutputMode::Positions && passes::rows_of_a_part(kernel).is_none() {
                let output = &kernel.operands[kernel.output].name;
                let message = format!("several threads cannot add entries to `{output}`");
                let help = format!(
                    "they can if the loop visits each `{name}`, `{name}` is the first level of `{output}`, and all levels are dense, compressed or singletons"
                );
                return problem(message, &help);
            }
        }
        HintSpec::Vectorize if named.next_back().unwrap_or(depth) + 1 < plan.order.len() => {
            let message = format!("the loop over `{name}` is not the innermost");
            let help = "only the innermost loop runs in vectors: choose it with `order(..)`";
            return problem(message, help);
        }
        HintSpec::Gallop if !any(&kernel.body, gallops) => {
            let message = format!("no two sparse operands are intersected over `{name}`");
            let help = "galloping searches one operand for the coordinates of the other";
            return problem(message, help);
        }
        HintSpec::Unroll(_) if !any(&kernel.body, unrolls) => {
            let message = format!("the loop over `{name}` merges several operands");
            let help =
                "a loop over a whole index, or over the entries of one operand, can be unrolled";
            return problem(message, help);
        }
        _ => {}
    }
    Ok(())
}

fn any(block: &[Stmt], found: fn(&Stmt) -> bool) -> bool {
    block.iter().any(|stmt| stmt.any(&mut |stmt| found(stmt)))
}

fn gallops(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Merge { gallop: true, .. })
}

fn unrolls(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Range { hint, .. } | Stmt::Entries { hint, .. } if hint.unroll.is_some())
}
