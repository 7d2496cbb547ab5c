//! Prints the loops as readable text, close to Rust written by hand.

use super::ir::*;
use crate::sparse::{LevelFormat, SparseEncoding};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt::{self, Write};

/// Writes the conversions and workspaces, then the loop nest.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Printer { kernel: self, f, depth: 0 };
        for operand in &self.operands {
            if let (Origin::Converted(from), Storage::Sparse(encoding)) =
                (operand.origin, &operand.storage)
            {
                let map = map(encoding);
                let from = &self.operands[from].name;
                text.line(&format!("let {} = {from}.convert(); // to {map}", operand.name))?;
            }
        }
        for workspace in &self.workspaces {
            let size = text.int(&workspace.size);
            text.line(&format!("let mut {} = workspace({size});", workspace.name))?;
        }
        text.block(&self.body)?;
        match self.result {
            OutputMode::Collect { .. } => {
                let name = &self.operands[self.output].name;
                text.line(&format!("{name}.sort_and_build();"))
            }
            _ => Ok(()),
        }
    }
}

/// Writes one loop with the statements of each kernel, one kernel after another.
impl fmt::Display for SharedLoop<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, (row, to, _))) =
            self.0.first().and_then(|kernel| Some((kernel, kernel.outermost()?)))
        else {
            return Ok(());
        };
        for kernel in &self.0 {
            let held = &kernel.operands[kernel.output].held;
            if kernel.body.first() == Some(&Stmt::Fill) && *held == Held::All {
                Printer { kernel, f, depth: 0 }.stmt(&Stmt::Fill)?;
            }
        }
        let mut text = Printer { kernel: first, f, depth: 0 };
        let hint = Hint { parallel: first.parts.is_some(), ..Hint::default() };
        let head = format!("for {} in 0..{}{} {{", text.var(row), text.int(to), run(hint));
        text.line(&head)?;
        for kernel in &self.0 {
            let Some((var, _, body)) = kernel.outermost() else { continue };
            let mut text = Printer { kernel, f, depth: 1 };
            text.line(&format!("// {}", kernel.statement))?;
            if kernel.vars[var.0] != first.vars[row.0] {
                text.line(&format!("let {} = {};", kernel.vars[var.0], first.vars[row.0]))?;
            }
            let output = &kernel.operands[kernel.output];
            let len = match &output.held {
                Held::All => None,
                Held::Row => {
                    let widths = kernel.output_shape.iter().skip(1).map(|size| text.int(size));
                    let widths: Vec<String> = widths.collect();
                    Some(if widths.is_empty() { "1".to_string() } else { widths.join(" * ") })
                }
                Held::RowOf(of) => Some(format!("{of}.level1[{}].len()", kernel.vars[var.0])),
            };
            if let Some(len) = len {
                text.line(&format!("let mut {} = [identity; {len}]; // one row", output.name))?;
            }
            text.block(body)?;
        }
        Printer { kernel: first, f, depth: 0 }.line("}")
    }
}

/// The map of an encoding.
pub(super) fn map(encoding: &SparseEncoding) -> String {
    let text = encoding.to_string();
    let map = text.split_once("map = ").map_or(text.as_str(), |(_, map)| map);
    map.trim_end_matches(" }>").to_string()
}

struct Printer<'k, 'f, 'g> {
    kernel: &'k Kernel,
    f: &'f mut fmt::Formatter<'g>,
    depth: usize,
}

impl Printer<'_, '_, '_> {
    fn line(&mut self, text: &str) -> fmt::Result {
        let indent = 4 * self.depth;
        writeln!(self.f, "{:indent$}{text}", "")
    }

    fn nested(&mut self, head: &str, body: &Body) -> fmt::Result {
        self.braces(&format!("{head} "), |printer| printer.block(body))
    }

    /// Prints `body` in braces after `head`.
    fn braces(&mut self, head: &str, body: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.line(&format!("{head}{{"))?;
        self.inner(body)?;
        self.line("}")
    }

    fn inner(&mut self, body: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.depth += 1;
        body(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn block(&mut self, block: &Body) -> fmt::Result {
        block.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn var(&self, var: Var) -> &str {
        &self.kernel.vars[var.0]
    }

    fn local(&self, local: Local) -> &str {
        &self.kernel.locals[local.0]
    }

    fn name(&self, operand: OperandId) -> &str {
        &self.kernel.operands[operand].name
    }

    fn stmt(&mut self, stmt: &Stmt) -> fmt::Result {
        match stmt {
            Stmt::Let { var, value } => {
                let text = format!("let {} = {};", self.var(*var), self.int(value));
                self.line(&text)
            }
            Stmt::Range { var, to, hint, body } => {
                // A loop that cannot be split into parts runs on one thread.
                let hint = Hint { parallel: self.kernel.parts.is_some() && hint.parallel, ..*hint };
                let head = format!("for {} in 0..{}{}", self.var(*var), self.int(to), run(hint));
                self.nested(&head, body)
            }
            Stmt::Entries { iter, hint, body } => {
                let head = format!("for {}{}", self.iter(iter), run(*hint));
                self.nested(&head, body)
            }
            Stmt::Merge { var, iters, range, cases, gallop, marked, hint } => {
                let how = match (range, gallop) {
                    (Some(to), _) => format!("in 0..{} with", self.int(to)),
                    (None, true) => "galloping over".into(),
                    (None, false) => "over".into(),
                };
                let head = format!("merge {} {how}{} ", self.var(*var), run(*hint));
                self.braces(&head, |printer| printer.cases(iters, *marked, cases))
            }
            Stmt::Find { operand, level, segment, coordinate, position, end, found, absent } => {
                let positions = self.positions(*position, *end);
                let segment = self.segment(*operand, *level, segment);
                let head = format!("if let {positions} = {segment}.find({})", self.int(coordinate));
                self.branch(&head, found, absent)
            }
            Stmt::Inside { value, limit, then, otherwise, .. } => {
                let head = format!("if {} in 0..{}", self.int(value), self.int(limit));
                self.branch(&head, then, otherwise)
            }
            Stmt::When { condition, then } => {
                let head = format!("if {}", self.value(condition));
                self.nested(&head, then)
            }
            Stmt::Local { local, value } => {
                let text = format!("let mut {} = {};", self.local(*local), self.value(value));
                self.line(&text)
            }
            Stmt::Accumulate { local, value } => {
                let target = self.local(*local).to_string();
                self.reduce(&target, true, value)
            }
            Stmt::Gather { local, iter, hint, term, .. } => {
                let mut words = words(*hint);
                words.push("in four lanes".to_string());
                let head = format!("for {} /* {} */ ", self.iter(iter), words.join(", "));
                let target = self.local(*local).to_string();
                self.braces(&head, |printer| printer.reduce(&target, true, term))
            }
            Stmt::IfTouched { local, then } => {
                let head = format!("if {}.touched()", self.local(*local));
                self.nested(&head, then)
            }
            Stmt::Store { at, reduce, value } => {
                let target = self.at(self.kernel.output, at);
                self.reduce(&target, *reduce, value)
            }
            Stmt::Append(entry) => self.append(&entry.index, &entry.value),
            Stmt::Scatter { workspace, at, value } => {
                let workspace = &self.kernel.workspaces[*workspace];
                let target = format!("{}[{}]", workspace.name, self.int(at));
                self.reduce(&target, true, value)
            }
            Stmt::Drain { workspace, at, value, body } => {
                let name = &self.kernel.workspaces[*workspace].name;
                let head =
                    format!("for ({}, {}) in {name}.drain()", self.var(*at), self.local(*value));
                self.nested(&head, body)
            }
            Stmt::ScatterSegment { workspace, iter, value } => {
                let workspace = &self.kernel.workspaces[*workspace].name;
                let target = format!("{workspace}[{}]", self.var(iter.coordinate));
                let head = format!("for {} ", self.iter(iter));
                self.braces(&head, |printer| printer.reduce(&target, true, value))
            }
            Stmt::DrainSegment { workspace, at, value, entry } => {
                let name = &self.kernel.workspaces[*workspace].name;
                let (at, value) = (self.var(*at), self.local(*value));
                let head = format!("for ({at}, {value}) in {name}.drain() /* one segment */ ");
                self.braces(&head, |printer| printer.append(&entry.index, &entry.value))
            }
            Stmt::Union { var, iters, index, values, .. } => {
                let head = format!("merge {} over /* one segment */ ", self.var(*var));
                self.braces(&head, |printer| printer.union(iters, index, values))
            }
            Stmt::Fill => {
                let name = self.name(self.kernel.output).to_string();
                self.line(&format!("{name}.fill(identity);"))
            }
            Stmt::IfDivides { blocks, then, otherwise } => {
                let divides = |(index, block): &(IndexId, i64)| {
                    format!("{} % {block} == 0", self.int(&Int::Size(*index)))
                };
                let all: Vec<String> = blocks.iter().map(divides).collect();
                self.branch(&format!("if {}", all.join(" && ")), then, otherwise)
            }
            Stmt::Panels { product, body } => {
                let dense = self.name(product.dense).to_string();
                self.line(&format!("// from panels of `{dense}` where that is faster"))?;
                self.block(body)
            }
            Stmt::Strips { lanes, rows, groups, body } => {
                self.strips(lanes, *rows, groups.as_ref(), body)
            }
            Stmt::Lanes { lane, body } => {
                let head = format!("for {} in 0..LANES", self.var(*lane));
                self.nested(&head, body)
            }
            Stmt::Add { row, lane, value } => {
                let target = format!("sums[{}][{}]", self.int(row), self.int(lane));
                self.reduce(&target, true, value)
            }
            Stmt::StoreLanes { at, row, reduce, .. } => {
                let target = format!(
                    "{}..][..LANES]",
                    self.at(self.kernel.output, at).trim_end_matches(']')
                );
                let value = format!("sums[{}]", self.int(row));
                self.reduce_text(&target, *reduce, &value)
            }
            Stmt::Vector { vector, at } => self.vector(*vector, at),
            Stmt::Prefetch { of, at, coordinate, .. } => {
                let at = self.at(*of, at);
                self.line(&format!("prefetch(|{}| {at});", self.var(*coordinate)))
            }
            Stmt::PrefetchBelow { below: (operand, level), .. } => {
                self.line(&format!("prefetch({}.level{level});", self.name(*operand)))
            }
        }
    }

    /// The cursors of a merge, and a body for each set of them that is at the coordinate.
    fn cases(&mut self, iters: &[LevelIter], marked: Option<usize>, cases: &[Case]) -> fmt::Result {
        self.iters(iters, marked)?;
        for case in cases {
            let present: Vec<&str> = (iters.iter().zip(&case.present))
                .filter(|(_, present)| **present)
                .map(|(iter, _)| self.name(iter.operand))
                .collect();
            let head = match present.is_empty() {
                true => "neither =>".to_string(),
                false => format!("{} =>", present.join(" & ")),
            };
            self.nested(&head, &case.body)?;
        }
        Ok(())
    }

    fn iters(&mut self, iters: &[LevelIter], marked: Option<usize>) -> fmt::Result {
        iters.iter().enumerate().try_for_each(|(at, iter)| {
            let marked = if marked == Some(at) { " /* marked */" } else { "" };
            let text = format!("{}{marked};", self.iter(iter));
            self.line(&text)
        })
    }

    /// The cases of a union, printed like those of a merge.
    fn union(&mut self, iters: &[LevelIter; 2], index: &[Int], values: &[Value; 3]) -> fmt::Result {
        self.iters(iters, None)?;
        let [a, b] = iters.each_ref().map(|iter| self.name(iter.operand).to_string());
        let heads = [format!("{a} & {b}"), b, a];
        for nth in [0, 2, 1] {
            let head = format!("{} => ", heads[nth]);
            self.braces(&head, |printer| printer.append(index, &values[nth]))?;
        }
        Ok(())
    }

    fn strips(
        &mut self,
        lanes: &Lanes,
        rows: i64,
        groups: Option<&(Var, i64)>,
        body: &Body,
    ) -> fmt::Result {
        let (head, count) = match lanes {
            Lanes::Index { first, to, widths } => {
                let widths: Vec<String> = widths.iter().map(i64::to_string).collect();
                let (first, to) = (self.var(*first), self.int(to));
                let widths = widths.join(", then ");
                (format!("for {first} in (0..{to}).step_by(LANES) "), widths)
            }
            Lanes::Block { size } => (String::new(), size.to_string()),
        };
        let sums = format!("let mut sums = [[identity; LANES]; {rows}]; // LANES: {count}");
        self.braces(&head, |printer| match groups {
            Some((group, number)) => {
                let head = format!("for {} in 0..{number} ", printer.var(*group));
                printer.braces(&head, |printer| {
                    printer.line(&sums)?;
                    printer.block(body)
                })
            }
            None => {
                printer.line(&sums)?;
                printer.block(body)
            }
        })
    }

    fn vector(&mut self, vector: VectorId, at: &Int) -> fmt::Result {
        let Vector { name, operand, len } = &self.kernel.vectors[vector];
        let from = self.at(*operand, at);
        let from = match len {
            VectorLen::One => from,
            VectorLen::Lanes => format!("{}..][..LANES]", from.trim_end_matches(']')),
            VectorLen::Fixed(len) => format!("{}..][..{len}]", from.trim_end_matches(']')),
        };
        self.line(&format!("let {name} = {from};"))
    }

    fn branch(&mut self, head: &str, then: &Body, otherwise: &Body) -> fmt::Result {
        if otherwise.is_empty() {
            return self.nested(head, then);
        }
        self.line(&format!("{head} {{"))?;
        self.inner(|printer| printer.block(then))?;
        self.nested("} else", otherwise)
    }

    fn append(&mut self, index: &[Int], value: &Value) -> fmt::Result {
        let index: Vec<String> = index.iter().map(|x| self.int(x)).collect();
        let output = self.name(self.kernel.output);
        let text = format!("{output}.push([{}], {});", index.join(", "), self.value(value));
        self.line(&text)
    }

    fn reduce(&mut self, target: &str, reduce: bool, value: &Value) -> fmt::Result {
        let value = self.value(value);
        self.reduce_text(target, reduce, &value)
    }

    fn reduce_text(&mut self, target: &str, reduce: bool, value: &str) -> fmt::Result {
        let text = match self.kernel.reduction {
            _ if !reduce => format!("{target} = {value};"),
            Reduction::Sum => format!("{target} += {value};"),
            Reduction::Product => format!("{target} *= {value};"),
            Reduction::Min => format!("{target} = min({target}, {value});"),
            Reduction::Max => format!("{target} = max({target}, {value});"),
            Reduction::Custom { function, .. } => {
                let function = &self.kernel.functions[function].text;
                format!("{target} = ({function})({target}, {value});")
            }
        };
        self.line(&text)
    }

    /// `(pa, j) in a.level1[i]`
    fn iter(&self, iter: &LevelIter) -> String {
        let mut text = String::new();
        let positions = self.positions(iter.position, iter.end);
        let segment = self.segment(iter.operand, iter.level, &iter.segment);
        let _ = write!(text, "({positions}, {}) in {segment}", self.var(iter.coordinate));
        if iter.digit.div != 1 {
            let _ = write!(text, " / {}", iter.digit.div);
        }
        if let Some(size) = iter.digit.size {
            let _ = write!(text, " % {size}");
        }
        if let Some(shift) = &iter.shift {
            let _ = write!(text, " - {}", self.int_in(shift, true));
        }
        text
    }

    fn positions(&self, position: Var, end: Option<Var>) -> String {
        match end {
            Some(end) => format!("{}..{}", self.var(position), self.var(end)),
            None => self.var(position).to_string(),
        }
    }

    fn segment(&self, operand: OperandId, level: usize, segment: &Segment) -> String {
        let name = match &self.kernel.operands[operand].held {
            Held::RowOf(of) => of,
            Held::All | Held::Row => self.name(operand),
        };
        let first = match &self.kernel.operands[operand].storage {
            Storage::Sparse(encoding) => {
                level == 0 && encoding.levels()[0].format != LevelFormat::Singleton
            }
            _ => false,
        };
        match segment {
            Segment::Below(_) if first => format!("{name}.level0"),
            Segment::Below(above) => format!("{name}.level{level}[{}]", self.int(above)),
            Segment::Group(from, to) => {
                format!("{name}.level{level}[{}..{}]", self.var(*from), self.var(*to))
            }
        }
    }

    fn at(&self, operand: OperandId, at: &Int) -> String {
        match self.kernel.operands[operand].storage {
            Storage::Scalar => self.name(operand).to_string(),
            _ => format!("{}[{}]", self.name(operand), self.int(at)),
        }
    }

    fn int(&self, int: &Int) -> String {
        self.int_in(int, false)
    }

    /// A number, in parentheses if it is a sum and `tight` is set.
    fn int_in(&self, int: &Int, tight: bool) -> String {
        let sum = |text: String| if tight { format!("({text})") } else { text };
        match int {
            Int::Const(number) => number.to_string(),
            Int::Var(var) => self.var(*var).to_string(),
            Int::Size(index) => match &self.kernel.indices[*index] {
                Index { size: Int::Const(size), .. } => size.to_string(),
                Index { name, .. } => format!("size({name})"),
            },
            Int::DimSize(operand, dim) => format!("{}.shape[{dim}]", self.name(*operand)),
            Int::LevelSize(operand, level) => format!("{}.size{level}", self.name(*operand)),
            Int::LevelLeast(operand, level) => format!("{}.least{level}", self.name(*operand)),
            Int::Offset(operand, dim, a) => {
                format!("{}.offset{dim}({})", self.name(*operand), self.int(a))
            }
            Int::Element(operand, a) => format!("{}[{}]", self.name(*operand), self.int(a)),
            Int::Add(a, b) => sum(format!("{} + {}", self.int(a), self.int(b))),
            Int::Sub(a, b) => sum(format!("{} - {}", self.int(a), self.int_in(b, true))),
            Int::Mul(a, b) => format!("{} * {}", self.int_in(a, true), self.int_in(b, true)),
            Int::Div(a, b) => sum(format!("{} / {b}", self.int_in(a, true))),
            Int::Rem(a, b) => sum(format!("{} % {b}", self.int_in(a, true))),
            Int::Max(a, b) => format!("max({}, {})", self.int(a), self.int(b)),
        }
    }

    fn value(&self, value: &Value) -> String {
        self.value_in(value, 0)
    }

    /// A value, in parentheses if the operator around it binds tighter.
    fn value_in(&self, value: &Value, around: u8) -> String {
        let tight = |binds: u8, text: String| match binds < around {
            true => format!("({text})"),
            false => text,
        };
        match value {
            Value::Literal(text) => text.clone(),
            Value::Zero => "0".into(),
            Value::Identity => "identity".into(),
            Value::Load { operand, at } => self.at(*operand, at),
            Value::LoadSum { operand, from, to } => {
                format!("{}[{}..{}].sum()", self.name(*operand), self.var(*from), self.var(*to))
            }
            Value::Local(local) => self.local(*local).to_string(),
            Value::Workspace { workspace, at } => {
                format!("{}[{}]", self.kernel.workspaces[*workspace].name, self.int(at))
            }
            Value::Vector { vector, at } => {
                let Vector { name, len, .. } = &self.kernel.vectors[*vector];
                match len {
                    VectorLen::One => name.clone(),
                    VectorLen::Lanes | VectorLen::Fixed(_) => format!("{name}[{}]", self.int(at)),
                }
            }
            Value::Sum { row, lane } => format!("sums[{}][{}]", self.int(row), self.int(lane)),
            Value::SumOfLanes { row } => format!("sums[{}].reduce()", self.int(row)),
            Value::Index(int) => format!("value({})", self.int(int)),
            Value::Unary(UnaryOp::Neg, a) => tight(2, format!("-{}", self.value_in(a, 3))),
            Value::Unary(op, a) => format!("{}({})", op.name(), self.value(a)),
            Value::Binary(op, a, b) => {
                let (left, right) = match op {
                    BinaryOp::Min | BinaryOp::Max | BinaryOp::Pow => (0, 0),
                    BinaryOp::Mul | BinaryOp::Div => (2, 3),
                    BinaryOp::Add | BinaryOp::Sub => (1, 2),
                    _ => (1, 1),
                };
                let (a, b) = (self.value_in(a, left), self.value_in(b, right));
                match left {
                    0 => format!("{}({a}, {b})", op.name()),
                    _ if op.is_comparison() => tight(0, format!("({a} {} {b})", op.name())),
                    _ => tight(left, format!("{a} {} {b}", op.name())),
                }
            }
            Value::Select(condition, a, b) => {
                let parts = [condition, a, b].map(|part| self.value(part));
                format!("select({})", parts.join(", "))
            }
            Value::Call(function, arguments) => {
                let text = &self.kernel.functions[*function].text;
                let arguments: Vec<String> = arguments.iter().map(|a| self.value(a)).collect();
                if arguments.is_empty() {
                    return text.clone();
                }
                format!("({text})({})", arguments.join(", "))
            }
        }
    }
}

/// A hint, as a comment.
fn run(hint: Hint) -> String {
    match words(hint).join(", ") {
        words if words.is_empty() => words,
        words => format!(" /* {words} */"),
    }
}

fn words(hint: Hint) -> Vec<String> {
    let mut words = vec![];
    if hint.parallel {
        words.push("in parallel".to_string());
    }
    if hint.vectorize {
        words.push("in vectors".to_string());
    }
    if let Some(times) = hint.unroll {
        words.push(format!("{times} at once"));
    }
    words
}
