//! Notes about the loops for users: their cost, and the work before and after them.

use super::ir::visit::Visitor;
use super::ir::*;
use crate::sparse::{LevelExpr, LevelFormat, SparseEncoding};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Fills in the cost and the notes.
pub(super) fn describe(kernel: &mut Kernel) {
    kernel.notes = notes(kernel);
    kernel.cost = Terms::of(kernel).to_string();
}

fn notes(kernel: &Kernel) -> Vec<String> {
    let mut notes = Vec::new();
    for operand in &kernel.operands {
        if let (Origin::Converted(from), Storage::Sparse(encoding)) =
            (operand.origin, &operand.storage)
        {
            let from = &kernel.operands[from].name;
            let map = super::print::map(encoding);
            notes.push(format!(
                "`{from}` is first converted to `{map}`: its own encoding does not agree with the order of the loops"
            ));
        }
    }
    let output = &kernel.operands[kernel.output].name;
    if kernel.workspaces.iter().any(|workspace| workspace.tracked) {
        notes.push(format!(
            "a workspace collects values that are scattered over a part of `{output}`"
        ));
    }
    for operand in marked_operands(kernel) {
        let name = &kernel.operands[operand].name;
        notes.push(format!(
            "the coordinates of a row of `{name}` are marked, so that those of the other operand are looked up in it"
        ));
    }
    match kernel.result {
        OutputMode::Collect { .. } => notes.push(format!(
            "the entries of `{output}` are not computed in storage order, and are sorted at the end"
        )),
        OutputMode::Pattern(operand) => notes.push(format!(
            "`{output}` has the positions and coordinates of `{}`",
            kernel.operands[operand].name
        )),
        _ => {}
    }
    notes
}

/// The largest number of alternative bounds of a count that are kept.
const MAX_WAYS: usize = 8;

/// A product as factors with their powers, without constant factors.
type Product = BTreeMap<String, i32>;

/// The operands of which coordinates are marked, each once.
fn marked_operands(kernel: &Kernel) -> BTreeSet<OperandId> {
    let mut found = BTreeSet::new();
    for stmt in &kernel.body {
        stmt.any(&mut |stmt| {
            if let Stmt::Merge { iters, marked: Some(marked), .. } = stmt {
                found.insert(iters[*marked].operand);
            }
            false
        });
    }
    found
}

fn multiply(product: &mut Product, factor: &Product, power: i32) {
    for (name, n) in factor {
        let sum = product.entry(name.clone()).or_insert(0);
        *sum += n * power;
    }
    product.retain(|_, power| *power != 0);
}

/// Multiplies each of several products by the same factor.
fn times(products: &[Product], factor: &Product) -> Vec<Product> {
    let mut products = products.to_vec();
    products.iter_mut().for_each(|product| multiply(product, factor, 1));
    products
}

fn factor(name: String) -> Product {
    Product::from([(name, 1)])
}

/// Counts operations as a sum of products.
struct Terms<'k> {
    kernel: &'k Kernel,
    terms: Vec<Product>,
    /// The number of lanes of the strip.
    lanes: Product,
}

/// A count is a list of products, each of which is an upper bound of it.
impl<'k> Visitor<'k> for Terms<'k> {
    type Times = Vec<Product>;

    fn stmt(&mut self, stmt: &'k Stmt, around: &Vec<Product>) -> Vec<Option<Vec<Product>>> {
        let same = || Some(around.clone());
        match stmt {
            Stmt::Range { to, .. } => self.repeated(around, &self.size(to)),
            Stmt::Lanes { .. } => self.repeated(around, &self.lanes.clone()),
            Stmt::Entries { iter, .. }
            | Stmt::Gather { iter, .. }
            | Stmt::ScatterSegment { iter, .. } => self.repeated(around, &self.visits(iter)),
            Stmt::Merge { iters, range, cases, marked, .. } => {
                let everywhere = range.as_ref().map(|to| times(around, &self.size(to)));
                let visits: Vec<Vec<Product>> =
                    iters.iter().map(|iter| times(around, &self.visits(iter))).collect();
                // The coordinates of a marked segment are not visited with those of the other one.
                let visited = visits.iter().enumerate().filter(|(at, _)| Some(*at) != *marked);
                let visited: Vec<_> = visited.map(|(_, visits)| visits).collect();
                visited.into_iter().chain(&everywhere).for_each(|visits| self.count(visits));
                let case = |case: &Case| {
                    // Bounded by the number of entries of each iterator that is present, and by the number of coordinates.
                    let here = visits.iter().zip(&case.present).filter(|(_, present)| **present);
                    let within = here.map(|(visits, _)| visits).chain(&everywhere);
                    Some(within.flatten().take(MAX_WAYS).cloned().collect())
                };
                cases.iter().map(case).collect()
            }
            Stmt::Union { iters, .. } => {
                iters.iter().for_each(|iter| self.count(&times(around, &self.visits(iter))));
                Vec::new()
            }
            Stmt::Find { operand, .. } => {
                let name = &self.kernel.operands[*operand].name;
                self.count(&times(around, &factor(format!("log(nnz({name}))"))));
                alloc::vec![same(), same()]
            }
            Stmt::Strips { lanes, .. } => {
                self.lanes = match lanes {
                    Lanes::Index { to, .. } => self.size(to),
                    Lanes::Block { .. } => Product::new(),
                };
                alloc::vec![same()]
            }
            // The versions differ only in their checks, so only one is counted.
            Stmt::IfDivides { .. } => alloc::vec![None, same()],
            Stmt::Inside { .. } => alloc::vec![same(), same()],
            Stmt::Panels { .. } | Stmt::When { .. } | Stmt::IfTouched { .. } => alloc::vec![same()],
            Stmt::Drain { .. } | Stmt::DrainSegment { .. } => {
                let name = &self.kernel.operands[self.kernel.output].name;
                self.terms.push(factor(format!("nnz({name})")));
                Vec::new()
            }
            Stmt::Let { .. }
            | Stmt::Local { .. }
            | Stmt::Accumulate { .. }
            | Stmt::Store { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Append(_)
            | Stmt::Scatter { .. }
            | Stmt::Fill
            | Stmt::Add { .. }
            | Stmt::Vector { .. }
            | Stmt::Prefetch { .. }
            | Stmt::PrefetchBelow { .. } => Vec::new(),
        }
    }
}

impl<'k> Terms<'k> {
    fn of(kernel: &'k Kernel) -> Self {
        let mut terms = Self { kernel, terms: Vec::new(), lanes: Product::new() };
        for operand in &kernel.operands {
            if let Origin::Converted(from) = operand.origin {
                let entries = format!("nnz({})", kernel.operands[from].name);
                let mut sort = factor(entries.clone());
                multiply(&mut sort, &factor(format!("log({entries})")), 1);
                terms.terms.push(sort);
            }
        }
        terms.block(&kernel.body, &alloc::vec![Product::new()]);
        if let OutputMode::Collect { .. } = kernel.result {
            let entries = format!("nnz({})", kernel.operands[kernel.output].name);
            let mut sort = factor(entries.clone());
            multiply(&mut sort, &factor(format!("log({entries})")), 1);
            terms.terms.push(sort);
        }
        terms
    }

    /// Adds a count, by its shortest bound.
    fn count(&mut self, bounds: &[Product]) {
        let length = |product: &&Product| product.values().map(|power| power.abs()).sum::<i32>();
        self.terms.extend(bounds.iter().min_by_key(length).cloned());
    }

    /// Adds the iterations of a loop, and returns the number of times that its body runs.
    fn repeated(&mut self, around: &[Product], iterations: &Product) -> Vec<Option<Vec<Product>>> {
        let within = times(around, iterations);
        self.count(&within);
        alloc::vec![Some(within)]
    }

    /// The average number of iterations of a loop over a level, for each iteration of the loops around it.
    fn visits(&self, iter: &LevelIter) -> Product {
        // A level that several loops visit in parts is counted by the first of these loops.
        if iter.digit.size.is_some() {
            return Product::new();
        }
        let grouped = iter.end.is_some();
        let mut visits = self.positions(iter.operand, iter.level, grouped);
        if let Some(above) = iter.level.checked_sub(1) {
            let above =
                self.positions(iter.operand, above, matches!(iter.segment, Segment::Group(..)));
            multiply(&mut visits, &above, -1);
        }
        visits
    }

    /// The number of positions of a level, or of its groups of equal coordinates.
    fn positions(&self, operand: OperandId, level: usize, grouped: bool) -> Product {
        let KernelOperand { name, storage, origin, .. } = &self.kernel.operands[operand];
        let Storage::Sparse(encoding) = storage else { return Product::new() };
        // Conversion does not change the number of entries.
        let name = match origin {
            Origin::Converted(from) => &self.kernel.operands[*from].name,
            _ => name,
        };
        let levels = encoding.levels();
        let format = levels[level].format;
        if format.is_full() {
            let mut count = match level.checked_sub(1) {
                Some(above) => self.positions(operand, above, false),
                None => Product::new(),
            };
            multiply(&mut count, &self.level_size(operand, encoding, level), 1);
            return count;
        }
        let single = |level: &crate::sparse::LevelSpec| level.format == LevelFormat::Singleton;
        let last = !grouped && levels[level + 1..].iter().all(|l| single(l) || l.format.is_full());
        if !last && level + 1 < levels.len() {
            return factor(format!("{name}.level{level}"));
        }
        let mut count = factor(format!("nnz({name})"));
        for (below, spec) in levels.iter().enumerate().skip(level + 1) {
            if spec.format.is_full() {
                multiply(&mut count, &self.level_size(operand, encoding, below), -1);
            }
        }
        count
    }

    /// The number of coordinates of a level.
    fn level_size(&self, operand: OperandId, encoding: &SparseEncoding, level: usize) -> Product {
        match &encoding.levels()[level].expr {
            LevelExpr::Part { modulus: Some(_), .. } | LevelExpr::Count { .. } => Product::new(),
            LevelExpr::Part { form, .. } => match form.first() {
                Some(dim) if form.terms() == 1 => self.dim(operand, dim),
                _ => factor(format!("{}.size{level}", self.kernel.operands[operand].name)),
            },
        }
    }

    /// The size of a dimension, named after an index that has this size.
    fn dim(&self, operand: OperandId, dim: usize) -> Product {
        let operand = match self.kernel.operands[operand].origin {
            Origin::Converted(from) => from,
            _ => operand,
        };
        let same = |index: &&Index| index.size == Int::DimSize(operand, dim);
        let check = self.kernel.size_checks.iter().find(|c| c.operand == operand && c.dim == dim);
        let index = match check {
            Some(check) => self.kernel.indices.get(check.index),
            None => self.kernel.indices.iter().find(same),
        };
        match index {
            Some(index) => factor(index.name.clone()),
            None => factor(format!("{}.shape[{dim}]", self.kernel.operands[operand].name)),
        }
    }

    fn size(&self, int: &Int) -> Product {
        match int {
            Int::Size(index) => factor(self.kernel.indices[*index].name.clone()),
            Int::DimSize(operand, dim) => self.dim(*operand, *dim),
            Int::LevelSize(operand, level) => match &self.kernel.operands[*operand].storage {
                Storage::Sparse(encoding) => self.level_size(*operand, encoding, *level),
                _ => Product::new(),
            },
            Int::Mul(a, b) => {
                let mut product = self.size(a);
                multiply(&mut product, &self.size(b), 1);
                product
            }
            Int::Add(a, _)
            | Int::Sub(a, _)
            | Int::Div(a, _)
            | Int::Max(a, _)
            | Int::Offset(_, _, a) => self.size(a),
            Int::Const(_) | Int::Var(_) | Int::LevelLeast(..) | Int::Rem(..) | Int::Element(..) => {
                Product::new()
            }
        }
    }

    /// The terms that no other term dominates.
    fn largest(&self) -> Vec<&Product> {
        let mut largest: Vec<&Product> = Vec::new();
        for (number, term) in self.terms.iter().enumerate() {
            let outgrown = self.terms.iter().enumerate().any(|(other, larger)| {
                other != number
                    && outgrows(larger, term)
                    && (other < number || !outgrows(term, larger))
            });
            if !outgrown && !term.is_empty() {
                largest.push(term);
            }
        }
        largest
    }
}

/// Whether one term is at least as large as another for all operands. A level has at most as many positions as its operand has
/// entries: `nnz(a)` is at least the number of positions of any level of `a`.
fn outgrows(larger: &Product, term: &Product) -> bool {
    let mut rest = larger.clone();
    for (name, power) in term {
        let entries = name.split_once(".level").map(|(operand, _)| format!("nnz({operand})"));
        let by = match (rest.contains_key(name), entries) {
            (false, Some(entries)) if *power > 0 => entries,
            _ => name.clone(),
        };
        multiply(&mut rest, &factor(by), -power);
    }
    rest.values().all(|power| *power > 0)
}

impl core::fmt::Display for Terms<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let largest = self.largest();
        if largest.is_empty() {
            return f.write_str("1");
        }
        for (number, term) in largest.into_iter().enumerate() {
            f.write_str(if number > 0 { " + " } else { "" })?;
            let names = |sign: i32| -> Vec<&str> {
                let powers = term.iter().filter(|(_, power)| power.signum() == sign);
                let names = powers.flat_map(|(name, n)| (0..n.abs()).map(move |_| name.as_str()));
                // Numbers of entries come first, then sizes.
                let mut names: Vec<&str> = names.collect();
                names.sort_by_key(|name| (!name.contains('('), name.starts_with("log")));
                names
            };
            let above = names(1);
            f.write_str(&if above.is_empty() { "1".to_string() } else { above.join(" * ") })?;
            names(-1).into_iter().try_for_each(|name| write!(f, " / {name}"))?;
        }
        Ok(())
    }
}
