//! Which values of a program have storage of their own, and which are views of others.

use super::alias::{Alias, Paths, aliases};
use super::shape;
use super::text::{Instruction, computation, is_module, module_attribute, word};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use tensor_layout::Shape;

/// Operations whose result shares the storage of an operand.
const VIEWS: [&str; 8] = [
    "tuple",
    "get-tuple-element",
    "bitcast",
    "after-all",
    "opt-barrier",
    "optimization-barrier",
    "add-dependency",
    "while",
];

/// The attributes that name computations.
const CALLS: [&str; 11] = [
    "calls",
    "to_apply",
    "body",
    "condition",
    "branch_computations",
    "true_computation",
    "false_computation",
    "called_computations",
    "comparator",
    "select",
    "scatter",
];

/// The longest chain of views that is followed.
const MAX_STEPS: usize = 1000;

/// An instruction, and the offset of its line in the text.
pub(super) struct Line<'t> {
    pub(super) instruction: Instruction<'t>,
    /// The number of the line, counted from 1.
    pub(super) number: usize,
    pub(super) start: usize,
    pub(super) computation: usize,
}

pub(super) struct Computation<'t> {
    name: &'t str,
    pub(super) module: usize,
    is_entry: bool,
    pub(super) lines: std::ops::Range<usize>,
}

/// How a program reaches a computation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reached {
    /// Not at all, or an instruction applies it to single elements: the values of the computation have no storage.
    No,
    /// The program starts there: its parameters are the arguments.
    Entry,
    /// By a call: its parameters are the operands of the call.
    Called,
}

/// The position in a program at which its text was cut off.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut<'t> {
    /// Within a computation.
    Computation(&'t str),
    /// Before the entry of its last module.
    Entry,
}

/// An array of the value of an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ArrayId {
    pub(super) line: usize,
    /// The number of the array in the shape.
    pub(super) array: usize,
}

/// The storage of an array.
pub(super) enum StoredIn {
    /// Storage of its own.
    Own,
    View(ArrayId),
    /// A parameter of a computation that is called.
    Parameter(usize),
    /// A view of storage that was not found.
    Unknown,
}

/// The instructions of a dump.
pub(super) struct Program<'t> {
    pub(super) lines: Vec<Line<'t>>,
    pub(super) computations: Vec<Computation<'t>>,
    pub(super) reached: Vec<Reached>,
    /// Whether the result of each computation is the result of an instruction that calls it.
    returns_result: Vec<bool>,
    /// Instructions by computation and name.
    names: HashMap<(usize, &'t str), usize>,
    /// Computations by module and name.
    called: HashMap<(usize, &'t str), usize>,
    /// For each instruction, the number of arrays before each element of its tuple, and their total.
    starts: RefCell<HashMap<usize, Option<Rc<[usize]>>>>,
    /// The operands of instructions, cached because there may be many and each is looked up.
    operands: RefCell<HashMap<usize, Rc<[&'t str]>>>,
    /// The instructions whose values calls return, cached because a call may have many results and each is looked up.
    results: RefCell<HashMap<usize, Option<usize>>>,
    /// The arrays of operands that asynchronous operations forward.
    forwarded: RefCell<HashMap<usize, Rc<[ArrayId]>>>,
    /// The results of called computations, which are storage of the calling instructions.
    returned: HashSet<ArrayId>,
    /// The results of the program.
    outputs: HashSet<ArrayId>,
    /// By module, the arguments in which results of the program are returned.
    donated: HashMap<usize, &'t str>,
    /// The instructions that concatenate operands that are already contiguous.
    joins: HashSet<usize>,
    /// The arrays that are in the storage of others, because an attribute says so or because an operation updates its operand.
    shared: HashMap<ArrayId, ArrayId>,
    /// The results of the program that are in the storage of arguments, as arrays of its root.
    pub(super) aliased: Vec<ArrayId>,
    /// The position at which the text was cut off.
    pub(super) cut: Option<Cut<'t>>,
}

impl<'t> Program<'t> {
    pub(super) fn read(text: &'t str) -> Self {
        let mut program = Self {
            lines: Vec::new(),
            computations: Vec::new(),
            reached: Vec::new(),
            returns_result: Vec::new(),
            names: HashMap::new(),
            called: HashMap::new(),
            starts: RefCell::default(),
            operands: RefCell::default(),
            results: RefCell::default(),
            forwarded: RefCell::default(),
            returned: HashSet::new(),
            outputs: HashSet::new(),
            donated: HashMap::new(),
            joins: HashSet::new(),
            shared: HashMap::new(),
            aliased: Vec::new(),
            cut: None,
        };
        program.lines(text);
        program.reach();
        program.share();
        for at in 0..program.computations.len() {
            let Some(root) = program.root(at) else { continue };
            let results = (0..program.count(root)).map(|array| ArrayId { line: root, array });
            match program.reached[at] {
                Reached::No => {}
                Reached::Entry => {
                    let results = program.origins(results);
                    program.outputs.extend(results);
                }
                // The conditions of loops keep their results.
                Reached::Called if !program.returns_result[at] => {}
                Reached::Called => {
                    let results = program.origins(results);
                    program.returned.extend(results);
                }
            }
        }
        program
    }

    fn lines(&mut self, text: &'t str) {
        let (mut module, mut start) = (0, 0);
        for (at, line) in text.split_inclusive('\n').enumerate() {
            start += line.len();
            if is_module(line) {
                module += 1;
                if let Some(donated) = module_attribute(line, "input_output_alias") {
                    self.donated.insert(module, donated);
                }
                continue;
            }
            let lines = self.lines.len()..self.lines.len();
            if let Some((name, is_entry)) = computation(line) {
                self.called.insert((module, name), self.computations.len());
                // An excerpt, which lacks the line of its module, may end anywhere.
                self.cut = (module > 0).then_some(Cut::Computation(name));
                self.computations.push(Computation { name, module, is_entry, lines });
            } else if let Some(instruction) = Instruction::of(line) {
                // An excerpt of a dump may begin anywhere.
                if self.computations.last().is_none_or(|last| last.module != module) {
                    self.computations.push(Computation { name: "", module, is_entry: true, lines });
                }
                let computation = self.computations.len() - 1;
                self.names.insert((computation, instruction.name), self.lines.len());
                if is_join(&instruction) {
                    self.joins.insert(self.lines.len());
                }
                let start = start - line.len();
                self.lines.push(Line { instruction, number: at + 1, start, computation });
                self.computations[computation].lines.end = self.lines.len();
            } else if line.trim_end() == "}" || line.starts_with("}, ") {
                // `}, execution_thread="host"` names the thread that runs the computation.
                self.cut = None;
            }
        }
        let of_last = || self.computations.iter().rev().take_while(|last| last.module == module);
        let is_entry = |computation: &Computation<'_>| computation.is_entry;
        if module > 0 && self.cut.is_none() && !of_last().any(is_entry) && of_last().count() > 0 {
            self.cut = Some(Cut::Entry);
        }
    }

    /// Follows the calls from the entries of the modules.
    fn reach(&mut self) {
        let entries: HashSet<_> = self.with_entry().collect();
        let mut inner = HashSet::new();
        for line in &self.lines {
            let module = self.computations[line.computation].module;
            // An excerpt of a dump may have no entry: every computation that no instruction names is taken as one.
            if !entries.contains(&module) {
                let names = CALLS.iter().flat_map(|call| line.instruction.computations(call));
                inner.extend(names.map(|name| (module, name)));
            }
        }
        let is_first = |computation: &Computation<'_>| {
            let Computation { name, module, is_entry, .. } = computation;
            *is_entry || !entries.contains(module) && !inner.contains(&(*module, *name))
        };
        let first = |computation| if is_first(computation) { Reached::Entry } else { Reached::No };
        self.reached = self.computations.iter().map(first).collect();
        let mut next: Vec<_> =
            (0..self.reached.len()).filter(|at| self.reached[*at] == Reached::Entry).collect();
        self.returns_result = vec![false; self.computations.len()];
        while let Some(at) = next.pop() {
            for line in self.computations[at].lines.clone() {
                let calls: Vec<_> = self.calls(line).collect();
                calls.iter().for_each(|called| self.returns_result[*called] = true);
                for called in self.conditions(line).chain(calls).collect::<Vec<_>>() {
                    if self.reached[called] == Reached::No {
                        self.reached[called] = Reached::Called;
                        next.push(called);
                    }
                }
            }
        }
    }

    /// Finds the arrays that share the storage of operands, then the results that share that of arguments.
    ///
    /// With `input_output_alias={ {}: (0, {}, may-alias) }`, both updates below are in the storage of argument 0:
    ///
    /// ```text
    /// %a = f32[8] dynamic-update-slice(%p0, %x, %i)
    /// ROOT %b = f32[8] dynamic-update-slice(%a, %y, %j)
    /// ```
    fn share(&mut self) {
        let mut known = HashMap::new();
        let donated = self.donated_arrays(&mut known);
        self.share_as_attributes_say(&mut known);
        self.share_updates(&donated.iter().map(|(_, argument)| *argument).collect());
        for (result, argument) in donated {
            self.aliased.push(result);
            for origin in self.origins([result]) {
                // What is returned as it was passed is in the argument anyway.
                if !self.is_argument(origin.line) {
                    self.shared.insert(origin, argument);
                }
            }
        }
    }

    /// The results of the programs that are returned in the storage of arguments, and these arguments.
    fn donated_arrays(&self, known: &mut HashMap<usize, Paths>) -> Vec<(ArrayId, ArrayId)> {
        let mut arrays = Vec::new();
        for (at, Computation { module, lines, .. }) in self.computations.iter().enumerate() {
            let (Some(text), Some(root)) = (self.donated.get(module), self.root(at)) else {
                continue;
            };
            if self.reached[at] != Reached::Entry {
                continue;
            }
            let arguments: HashMap<_, _> = lines
                .clone()
                .filter(|line| self.is_argument(*line))
                .filter_map(|line| Some((self.lines[line].instruction.number()?, line)))
                .collect();
            for Alias { result, operand, path } in aliases(text) {
                let argument = arguments.get(&operand).copied();
                let argument = argument.and_then(|line| self.array(known, line, &path));
                arrays.extend(self.array(known, root, &result).zip(argument));
            }
        }
        arrays
    }

    /// Finds the results that, by an attribute, are in the storage of operands.
    fn share_as_attributes_say(&mut self, known: &mut HashMap<usize, Paths>) {
        for at in 0..self.lines.len() {
            let instruction = self.lines[at].instruction;
            let operation = instruction.operation;
            let may_share =
                matches!(started(operation), "fusion" | "custom-call" | "async" | "call");
            let Some(text) =
                may_share.then(|| instruction.attribute("output_to_operand_aliasing")).flatten()
            else {
                continue;
            };
            for Alias { mut result, operand, path } in aliases(text) {
                // The attribute of what is started names its own results, which come after the operands. That of a computation
                // that is started, `{1}: (0, {})`, names arrays of the value of the start.
                if matches!(operation, "fusion-start" | "custom-call-start") {
                    result.insert(0, 1);
                }
                let of = self.operand(at, operand, 0);
                let of = of.and_then(|of| self.array(known, of.line, &path));
                if let (Some(result), Some(of)) = (self.array(known, at, &result), of) {
                    self.shared.insert(result, of);
                }
            }
        }
    }

    /// Finds the results of operations that update their operands in place. `donated` are the arguments whose storage results of
    /// the programs may have.
    fn share_updates(&mut self, donated: &HashSet<ArrayId>) {
        for line in 0..self.lines.len() {
            for (array, number) in self.updated_operands(line).enumerate() {
                let of = self.operand(line, number, 0);
                self.share_update(ArrayId { line, array }, of, donated);
            }
        }
        // Fusions within a fusion are listed before it.
        for line in 0..self.lines.len() {
            let Some(root) = self.root_of_fusion(line) else { continue };
            for array in 0..self.count(root) {
                let updated = self.updated_parameter(ArrayId { line: root, array });
                let of = updated.and_then(|(number, array)| self.operand(line, number, array));
                self.share_update(ArrayId { line, array }, of, donated);
            }
        }
    }

    /// Places an array in the storage that it is an update of, unless an attribute has placed it elsewhere.
    fn share_update(&mut self, array: ArrayId, of: Option<ArrayId>, donated: &HashSet<ArrayId>) {
        if let Some(of) = of.filter(|of| self.is_writable(*of, donated)) {
            self.shared.entry(array).or_insert(of);
        }
    }

    /// The numbers of the operands whose storage the results of an operation have, as XLA's `alias_info.cc` says.
    fn updated_operands(&self, line: usize) -> std::ops::Range<usize> {
        match self.lines[line].instruction.operation {
            "dynamic-update-slice" | "set-dimension-size" => 0..1,
            "ragged-all-to-all" => 1..2,
            // The operands that are updated come before the indices and the updates.
            "scatter" | "all-reduce-start" => 0..self.count(line),
            _ => 0..0,
        }
    }

    /// The instruction whose value is the result of a fusion.
    fn root_of_fusion(&self, line: usize) -> Option<usize> {
        let is_fusion = self.lines[line].instruction.operation == "fusion";
        let called = if is_fusion { self.named(line, &["calls"]).next() } else { None };
        called.and_then(|called| self.root(called))
    }

    /// The parameter, and its array, that an array in a fused computation is an update of: `(0, 0)` for the root of
    ///
    /// ```text
    /// %p0 = f32[8] parameter(0)
    /// %b = f32[2,4] bitcast(%p0)
    /// ROOT %c = f32[2,4] dynamic-update-slice(%b, %x, %i, %j)
    /// ```
    fn updated_parameter(&self, root: ArrayId) -> Option<(usize, usize)> {
        let (mut at, mut is_updated) = (root, false);
        for _ in 0..MAX_STEPS {
            if self.shared.contains_key(&at) {
                // XLA does not update an update in place, unless that is a fusion itself.
                if is_updated && self.lines[at.line].instruction.operation != "fusion" {
                    return None;
                }
                is_updated = true;
            }
            match self.step(at) {
                StoredIn::View(of) => at = of,
                StoredIn::Parameter(number) => return is_updated.then_some((number, at.array)),
                StoredIn::Own | StoredIn::Unknown => return None,
            }
        }
        None
    }

    /// Whether the storage of an array may be overwritten. That of constants and of arguments that are not donated may not: XLA
    /// updates a copy, which only the texts of earlier stages lack.
    fn is_writable(&self, array: ArrayId, donated: &HashSet<ArrayId>) -> bool {
        let mut at = array;
        for _ in 0..MAX_STEPS {
            // Whatever has an update in its storage is writable.
            if self.shared.contains_key(&at) {
                return true;
            }
            at = match self.step(at) {
                StoredIn::View(of) => of,
                StoredIn::Own => {
                    return !self.is_constant(at.line)
                        && (!self.is_argument(at.line) || donated.contains(&at));
                }
                StoredIn::Parameter(_) | StoredIn::Unknown => return true,
            };
        }
        true
    }

    /// The array at the end of a path in the value of an instruction. The paths of each value are read once.
    fn array(
        &self,
        known: &mut HashMap<usize, Paths>,
        line: usize,
        path: &[usize],
    ) -> Option<ArrayId> {
        let shape = self.lines[line].instruction.shape;
        let read = || Paths::of(&shape::read(shape).shape);
        let array = known.entry(line).or_insert_with(read).array(path)?;
        Some(ArrayId { line, array })
    }

    /// The modules that have an entry.
    fn with_entry(&self) -> impl Iterator<Item = usize> {
        let entries = self.computations.iter().filter(|computation| computation.is_entry);
        entries.map(|computation| computation.module)
    }

    /// The computations that an instruction calls as a whole and whose results become its own.
    pub(super) fn calls(&self, line: usize) -> impl Iterator<Item = usize> {
        // The start of an operation names the same computations as the operation: `call-start(%x), to_apply=%c`. `fusion-start`
        // calls nothing.
        let names: &[&str] = match started(self.lines[line].instruction.operation) {
            "call" => &["to_apply"],
            "while" => &["body"],
            "conditional" => &["branch_computations", "true_computation", "false_computation"],
            "async" => &["calls", "called_computation"],
            _ => &[],
        };
        self.named(line, names)
    }

    /// The conditions of loops, which are also called, but keep their results.
    pub(super) fn conditions(&self, line: usize) -> impl Iterator<Item = usize> {
        let is_loop = started(self.lines[line].instruction.operation) == "while";
        self.named(line, if is_loop { &["condition"] } else { &[] })
    }

    fn named(&self, line: usize, attributes: &'static [&str]) -> impl Iterator<Item = usize> {
        let Line { instruction, computation, .. } = &self.lines[line];
        let module = self.computations[*computation].module;
        let names = attributes.iter().flat_map(|attribute| instruction.computations(attribute));
        names.filter_map(move |name| self.called.get(&(module, name)).copied())
    }

    /// The instruction called `name` in the computation of another instruction.
    pub(super) fn defined(&self, line: usize, name: &str) -> Option<usize> {
        self.names.get(&(self.lines[line].computation, name)).copied()
    }

    /// The instruction whose value is the result of a computation.
    fn root(&self, computation: usize) -> Option<usize> {
        let mut lines = self.computations[computation].lines.clone();
        lines.rfind(|line| self.lines[*line].instruction.is_root)
    }

    /// The instructions that return the results of the programs.
    pub(super) fn roots(&self) -> impl Iterator<Item = &Line<'t>> {
        let entries = (0..self.computations.len()).filter(|at| self.reached[*at] == Reached::Entry);
        entries.filter_map(|at| Some(&self.lines[self.root(at)?]))
    }

    /// Whether the values of an instruction can have storage.
    pub(super) fn is_stored(&self, line: usize) -> bool {
        let Line { instruction, computation, .. } = &self.lines[line];
        match self.reached[*computation] {
            Reached::No => false,
            Reached::Called if instruction.operation == "parameter" => false,
            _ => !self.is_view(line),
        }
    }

    /// Whether an array in the value of an instruction that [is stored](Self::is_stored) has storage of its own.
    pub(super) fn is_own(&self, line: usize, array: usize) -> bool {
        let id = ArrayId { line, array };
        !self.returned.contains(&id) && matches!(self.step(id), StoredIn::Own)
    }

    /// Whether an instruction is an argument of the program.
    pub(super) fn is_argument(&self, line: usize) -> bool {
        let Line { instruction, computation, .. } = &self.lines[line];
        instruction.operation == "parameter" && self.reached[*computation] == Reached::Entry
    }

    /// Whether the value of an instruction is a constant of the program.
    pub(super) fn is_constant(&self, line: usize) -> bool {
        self.lines[line].instruction.operation == "constant"
    }

    /// Whether an array is a result of the program.
    pub(super) fn is_output(&self, line: usize, array: usize) -> bool {
        self.outputs.contains(&ArrayId { line, array })
    }

    /// The storage of arrays, except what belongs to operands of the computation or is not found.
    fn origins(&self, arrays: impl IntoIterator<Item = ArrayId>) -> Vec<ArrayId> {
        let mut next: Vec<_> = arrays.into_iter().collect();
        let (mut seen, mut origins) = (HashSet::new(), Vec::new());
        while let Some(id) = next.pop() {
            if !seen.insert(id) {
                continue;
            }
            next.extend(self.joined(id.line));
            match self.step(id) {
                StoredIn::Own => origins.push(id),
                StoredIn::View(of) => next.push(of),
                StoredIn::Parameter(_) | StoredIn::Unknown => {}
            }
        }
        origins
    }

    /// The arrays that a concatenation in place views in addition to its first operand.
    pub(super) fn joined(&self, line: usize) -> impl Iterator<Item = ArrayId> {
        let is_join = self.joins.contains(&line);
        let names = is_join.then(|| self.lines[line].instruction.operands().skip(1));
        let operands = names.into_iter().flatten();
        let defined = operands.filter_map(move |name| self.defined(line, word(name)));
        defined.map(|line| ArrayId { line, array: 0 })
    }

    /// One step from an array towards its storage.
    pub(super) fn step(&self, id: ArrayId) -> StoredIn {
        let ArrayId { line, array } = id;
        if let Some(of) = self.shared.get(&id) {
            return StoredIn::View(*of);
        }
        let Line { instruction, computation, .. } = &self.lines[line];
        let view = match instruction.operation {
            "parameter" if self.reached[*computation] == Reached::Entry => return StoredIn::Own,
            "parameter" => {
                return instruction.number().map_or(StoredIn::Unknown, StoredIn::Parameter);
            }
            "tuple" => self.starts(line).and_then(|starts| {
                let element = starts.partition_point(|start| *start <= array).checked_sub(1)?;
                self.operand(line, element, array - starts[element])
            }),
            "get-tuple-element" => {
                let index =
                    instruction.attribute("index").and_then(|index| index.trim().parse().ok());
                index.and_then(|index: usize| {
                    let of = self.operand(line, 0, 0)?;
                    Some(ArrayId {
                        array: self.starts(of.line)?.get(index)?.checked_add(array)?,
                        ..of
                    })
                })
            }
            "call" if self.result_of_call(line).is_some() => return self.returned_by(id),
            operation if begins(operation) => match self.views_of_start(line) {
                Some(views) if views.contains(&array) => {
                    self.forwarded(line, views.len()).get(array - views.start).copied()
                }
                _ => return StoredIn::Own,
            },
            // The results follow the operands, whether or not the start is reached through a tuple.
            "all-gather-done" | "collective-permute-done" => {
                self.operand(line, 0, 0).and_then(|start| {
                    let first = *self.starts(start.line)?.get(1)?;
                    Some(ArrayId { array: first.checked_add(array)?, ..start })
                })
            }
            operation if operation.ends_with("-done") => {
                self.operand(line, 0, array).map(|start| match self.views_of_start(start.line) {
                    // The results follow the operands.
                    Some(views) if views.start == 0 => {
                        ArrayId { array: array + views.end, ..start }
                    }
                    _ => start,
                })
            }
            _ if self.is_view(line) => self.operand(line, 0, array),
            _ => return StoredIn::Own,
        };
        view.map_or(StoredIn::Unknown, StoredIn::View)
    }

    /// An array of an operand of an instruction.
    pub(super) fn operand(&self, line: usize, number: usize, array: usize) -> Option<ArrayId> {
        let instruction = &self.lines[line].instruction;
        let name = match number {
            0 => instruction.operands().next()?,
            _ => {
                let mut known = self.operands.borrow_mut();
                let names = known.entry(line).or_insert_with(|| instruction.operands().collect());
                *names.get(number)?
            }
        };
        Some(ArrayId { line: self.defined(line, word(name))?, array })
    }

    /// The result of a call: storage of its own, or an operand.
    fn returned_by(&self, id: ArrayId) -> StoredIn {
        // The calls that were entered so far.
        let mut calls = Vec::new();
        let mut at = id;
        for _ in 0..MAX_STEPS {
            if let Some(line) = self.result_of_call(at.line) {
                calls.push(at.line);
                at = ArrayId { line, ..at };
                continue;
            }
            at = match self.step(at) {
                StoredIn::View(of) => of,
                StoredIn::Parameter(number) => {
                    let operand = calls.pop().and_then(|call| self.operand(call, number, at.array));
                    let Some(operand) = operand else { return StoredIn::Unknown };
                    if calls.is_empty() {
                        return StoredIn::View(operand);
                    }
                    operand
                }
                StoredIn::Own | StoredIn::Unknown => break,
            };
        }
        StoredIn::Own
    }

    /// The instruction whose value a call returns.
    fn result_of_call(&self, line: usize) -> Option<usize> {
        if self.lines[line].instruction.operation != "call" {
            return None;
        }
        let read = || self.calls(line).next().and_then(|called| self.root(called));
        *self.results.borrow_mut().entry(line).or_insert_with(read)
    }

    /// The arrays in the value of an instruction that begins an operation that are operands of it.
    fn views_of_start(&self, line: usize) -> Option<std::ops::Range<usize>> {
        let Instruction { operation, shape, .. } = self.lines[line].instruction;
        let element = match operation {
            "copy-start" => 1,
            "all-gather-start" | "collective-permute-start" | "send" => 0,
            "all-reduce-start" | "recv" => return None,
            // The operands are in a nested tuple.
            _ if shape.trim_start().starts_with("((") => 0,
            _ => return None,
        };
        let starts = self.starts(line)?;
        Some(*starts.get(element)?..*starts.get(element + 1)?)
    }

    /// The first `count` arrays of the operands of an instruction.
    fn forwarded(&self, line: usize, count: usize) -> Rc<[ArrayId]> {
        let mut known = self.forwarded.borrow_mut();
        let read = || {
            let names = self.lines[line].instruction.operands();
            // The arrays after an undefined operand are unknown.
            let operands = names.map_while(|name| self.defined(line, word(name)));
            let arrays = operands
                .flat_map(|line| (0..self.count(line)).map(move |array| ArrayId { line, array }));
            arrays.take(count).collect()
        };
        known.entry(line).or_insert_with(read).clone()
    }

    /// The number of arrays before each element of a tuple, and their total.
    fn starts(&self, line: usize) -> Option<Rc<[usize]>> {
        let mut known = self.starts.borrow_mut();
        let read = || match shape::read(self.lines[line].instruction.shape).shape {
            Shape::Tuple(elements) => {
                let mut count = 0;
                let mut starts = vec![0];
                for element in &elements {
                    count += element.arrays().count();
                    starts.push(count);
                }
                Some(starts.into())
            }
            _ => None,
        };
        known.entry(line).or_insert_with(read).clone()
    }

    /// The number of arrays in the value of an instruction.
    pub(super) fn count(&self, line: usize) -> usize {
        self.starts(line).map_or(1, |starts| starts.last().copied().unwrap_or(0))
    }

    /// Whether the whole value of an instruction shares the storage of its operands.
    fn is_view(&self, line: usize) -> bool {
        let operation = self.lines[line].instruction.operation;
        VIEWS.contains(&operation)
            || operation.ends_with("-done")
            || operation.ends_with("-update")
            || self.joins.contains(&line)
    }
}

/// Whether an operation only begins something, which another one ends.
fn begins(operation: &str) -> bool {
    operation.ends_with("-start") || matches!(operation, "send" | "recv")
}

/// The operation that a `-start` instruction starts, or the operation itself.
pub(super) fn started(operation: &str) -> &str {
    operation.strip_suffix("-start").unwrap_or(operation)
}

/// Whether an instruction concatenates operands that are already contiguous.
fn is_join(instruction: &Instruction<'_>) -> bool {
    instruction.operation == "custom-call"
        && instruction.attribute("custom_call_target") == Some("\"ConcatBitcast\"")
}
