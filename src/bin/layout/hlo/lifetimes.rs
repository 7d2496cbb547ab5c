//! The times at which each array of a program is alive: from the instruction that writes it to the last instruction that reads it
//! or a view of it.
//!
//! ```text
//! 1  %a = f32[8] parameter(0)
//! 2  %b = f32[8] add(%a, %a)
//! 3  %t = (f32[8], f32[8]) tuple(%a, %b)
//! 4  %c = f32[8] get-tuple-element(%t), index=1
//! 5  ROOT %d = f32[8] multiply(%c, %c)
//! ```
//!
//! `%b` is alive from 2 to 5: the tuple and its element are views, and only the product reads it. Arguments and results have
//! memory during the whole program.

use super::storage::{ArrayId, Program, Reached, StoredIn, started};
use super::text::word;
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// When the arrays of a program are alive. Times count the instructions from 1 in the order in which they run. The instructions
/// of loops and other calls come before the call itself.
pub(super) struct Lifetimes {
    /// The instructions in the order in which they end.
    order: Vec<usize>,
    /// For each instruction, when it begins and ends; 0 for those that do not run.
    times: Vec<(usize, usize)>,
    /// For each instruction, when its whole value is last read.
    read: Vec<usize>,
    /// When single arrays of the values of the other instructions are last read.
    read_arrays: HashMap<ArrayId, usize>,
    /// For each computation, the first instruction that calls it.
    caller: Vec<Option<usize>>,
    /// By module, when its program begins and ends.
    programs: HashMap<usize, (usize, usize)>,
}

/// A computation that is being run.
struct Frame {
    /// The instructions that have not run yet.
    lines: std::ops::Range<usize>,
    /// The instruction that is running, and the computations that it has not called yet.
    running: Option<(usize, Vec<usize>)>,
}

impl Lifetimes {
    pub(super) fn of(program: &Program<'_>) -> Self {
        let mut lifetimes = Self {
            order: Vec::new(),
            times: vec![(0, 0); program.lines.len()],
            read: vec![0; program.lines.len()],
            read_arrays: HashMap::new(),
            caller: vec![None; program.computations.len()],
            programs: HashMap::new(),
        };
        for (at, reached) in program.reached.iter().enumerate() {
            if *reached == Reached::Entry {
                let begin = lifetimes.order.len() + 1;
                lifetimes.run(program, at);
                let end = lifetimes.order.len();
                let module = program.computations[at].module;
                lifetimes.programs.entry(module).or_insert((begin, end)).1 = end;
            }
        }
        lifetimes.follow_views(program);
        lifetimes
    }

    /// The instruction that runs at `time`.
    pub(super) fn at(&self, time: usize) -> Option<usize> {
        self.order.get(time.checked_sub(1)?).copied()
    }

    /// When an array with storage of its own is alive.
    pub(super) fn alive(&self, array: ArrayId) -> RangeInclusive<usize> {
        let (begin, end) = self.times[array.line];
        begin..=end.max(self.last_read(array))
    }

    /// When the program of an instruction runs.
    pub(super) fn whole(&self, program: &Program<'_>, line: usize) -> RangeInclusive<usize> {
        let module = program.computations[program.lines[line].computation].module;
        let (begin, end) = self.programs.get(&module).copied().unwrap_or(self.times[line]);
        begin..=end
    }

    fn last_read(&self, array: ArrayId) -> usize {
        let whole = self.read[array.line];
        self.read_arrays.get(&array).copied().unwrap_or(0).max(whole)
    }

    /// Runs a computation and everything that it calls. A computation that is called twice runs at its first call.
    fn run(&mut self, program: &Program<'_>, entry: usize) {
        let frame =
            |at: usize| Frame { lines: program.computations[at].lines.clone(), running: None };
        let mut frames = vec![frame(entry)];
        while let Some(Frame { lines, running }) = frames.last_mut() {
            if let Some((line, calls)) = running {
                let line = *line;
                match calls.pop() {
                    Some(called) => frames.push(frame(called)),
                    None => {
                        *running = None;
                        self.end(program, line);
                    }
                }
                continue;
            }
            let Some(line) = lines.next() else {
                frames.pop();
                continue;
            };
            // A call begins with the first instruction of the computation that it calls.
            self.times[line].0 = self.order.len() + 1;
            let mut calls = Vec::new();
            for called in program.conditions(line).chain(program.calls(line)) {
                if program.reached[called] == Reached::Called && self.caller[called].is_none() {
                    self.caller[called] = Some(line);
                    calls.push(called);
                }
            }
            calls.reverse();
            *running = Some((line, calls));
        }
    }

    /// Ends an instruction, which reads its operands.
    fn end(&mut self, program: &Program<'_>, line: usize) {
        self.order.push(line);
        let now = self.order.len();
        self.times[line].1 = now;
        if program.reads(line) {
            self.read_operands(program, line, now);
        }
    }

    fn read_operands(&mut self, program: &Program<'_>, line: usize, now: usize) {
        for operand in program.operands(line) {
            self.read[operand] = self.read[operand].max(now);
            // The operands of an operation that has begun must last until the operation is done.
            if program.lines[line].instruction.operation.ends_with("-done") {
                for operand in program.operands(operand) {
                    self.read[operand] = self.read[operand].max(now);
                }
            }
        }
    }

    /// An instruction that reads a view reads the array that it views, which was written before.
    fn follow_views(&mut self, program: &Program<'_>) {
        for &line in self.order.iter().rev() {
            for array in 0..program.count(line) {
                let view = ArrayId { line, array };
                let read = self.last_read(view);
                if read == 0 {
                    continue;
                }
                let of = match program.step(view) {
                    StoredIn::View(of) => Some(of),
                    StoredIn::Parameter(number) => {
                        let caller = self.caller[program.lines[line].computation];
                        caller.and_then(|caller| program.argument(caller, line, number, array))
                    }
                    StoredIn::Own | StoredIn::Unknown => None,
                };
                for of in of.into_iter().chain(program.joined(line)) {
                    let last = self.read_arrays.entry(of).or_default();
                    *last = read.max(*last);
                }
            }
        }
    }
}

impl Program<'_> {
    /// Whether an instruction reads its operands, instead of only naming them.
    fn reads(&self, line: usize) -> bool {
        let operation = self.lines[line].instruction.operation;
        let names =
            ["tuple", "get-tuple-element", "bitcast", "after-all", "add-dependency", "parameter"];
        !names.contains(&operation)
    }

    /// The instructions whose values are operands.
    fn operands(&self, line: usize) -> impl Iterator<Item = usize> {
        let names = self.lines[line].instruction.operands();
        names.filter_map(move |name| self.defined(line, word(name)))
    }

    /// The operand of a call that is bound to a parameter of the called computation.
    fn argument(
        &self,
        caller: usize,
        parameter: usize,
        number: usize,
        array: usize,
    ) -> Option<ArrayId> {
        let number = match started(self.lines[caller].instruction.operation) {
            // The first operand picks the branch; the operands after it are the arguments of the branches, one each.
            "conditional" => {
                let branch = self.lines[parameter].computation;
                1 + self.calls(caller).position(|called| called == branch)?
            }
            _ => number,
        };
        self.operand(caller, number, array)
    }
}
