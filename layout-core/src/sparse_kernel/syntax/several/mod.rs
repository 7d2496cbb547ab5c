//! Functions of several statements: each statement becomes a separate kernel, which reads the results of earlier statements.

mod witness;

use super::body::{ReductionSyntax, StatementSyntax};
use super::expr::ExprSyntax;
use super::fuse::fuse;
use super::kept::{Kept, lower_kept};
use super::lower::{lower_kernel, report};
use super::rows::share;
use super::schedule::ScheduleSyntax;
use super::signature::{KernelSyntax, OperandSyntax, SeveralSyntax, StepSyntax, TypeSyntax};
use super::{Name, values};
use crate::sparse::SparseEncoding;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{Kernel, OperandId};
use crate::syntax::{Diagnostics, Span, nearest};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

/// The statements of a function as kernels, in the order in which they run.
#[derive(Debug)]
pub struct Program<S> {
    /// The kernels.
    pub steps: Vec<LoweredStatement<S>>,
    /// The statements that share their outermost loop, group by group.
    pub shared: Vec<Range<usize>>,
    /// For each output, the number of the statement that computes it.
    pub outputs: Vec<usize>,
    /// The number of parameters.
    pub parameters: usize,
}

/// One of several statements, lowered to a kernel.
#[derive(Debug)]
pub struct LoweredStatement<S> {
    /// The kernel as if it were written by itself.
    pub syntax: KernelSyntax<S>,
    /// Its loops.
    pub kernel: Kernel,
    /// The location of each of its Rust functions.
    pub functions: Vec<S>,
    /// The source of each of its operands.
    pub reads: Vec<Source>,
    /// The operand that is computed, as it is declared. If its elements have another type than those of the kernel's output,
    /// they are converted.
    pub target: OperandSyntax<S>,
    /// The statements that are fused into the loops, each with the operand that is computed here.
    pub fused: Vec<(Kernel, OperandId)>,
    /// The entries of a given output that remain, if the statement says so.
    pub kept: Option<Kept<S>>,
}

impl<S> LoweredStatement<S> {
    /// Whether the elements are converted after the kernel has run.
    pub fn casts(&self) -> bool {
        self.target.element.text != self.syntax.output.element.text
    }

    /// The operands that statements of a group compute.
    pub fn made_by(&self, group: &Range<usize>) -> impl Iterator<Item = OperandId> {
        let reads = self.reads.iter().enumerate();
        reads.filter(|(_, source)| source.is_of(group)).map(|(operand, _)| operand)
    }
}

/// The source of an operand of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A parameter of the function, by its number.
    Parameter(usize),
    /// The result of an earlier statement, by its number.
    Statement(usize),
}

impl Source {
    /// Whether a statement of the group computes it.
    pub fn is_of(self, group: &Range<usize>) -> bool {
        matches!(self, Self::Statement(number) if group.contains(&number))
    }
}

impl<S> Program<S> {
    /// The steps in the order in which they run, in groups: steps that share their outermost loop form one group, and every other
    /// step forms a group by itself.
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = (0..self.steps.len()).map(|step| {
            let group = self.shared.iter().find(|group| group.contains(&step));
            group.cloned().unwrap_or(step..step + 1)
        });
        starts.enumerate().filter(|(step, group)| group.start == *step).map(|(_, group)| group)
    }
}

impl<S: Span> Program<S> {
    /// A function of one statement.
    pub(super) fn of_one(
        syntax: &KernelSyntax<S>,
        encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
        diagnostics: &mut Diagnostics<S>,
    ) -> Option<Self> {
        let (kernel, functions) = lower_kernel(syntax, encodings, diagnostics)?;
        let parameters = syntax.parameters.len();
        let reads = (0..parameters).map(Source::Parameter).collect();
        let kept = lower_kept(syntax, encodings, diagnostics);
        let (syntax, target) = (syntax.clone(), syntax.output.clone());
        let fused = Vec::new();
        let steps =
            alloc::vec![LoweredStatement { syntax, kernel, functions, reads, target, fused, kept }];
        Some(Self { steps, shared: Vec::new(), outputs: alloc::vec![0], parameters })
    }
}

/// Turns the statements of a function into loops, one statement after another. Every mistake is reported at its location.
pub fn lower_several<S: Span>(
    syntax: &SeveralSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Program<S>> {
    let before = diagnostics.len();
    let failed = syntax.failed.iter().map(String::as_str).collect();
    let mut several = Several { syntax, known: Vec::new(), steps: Vec::new(), failed, diagnostics };
    several.declare();
    for (number, step) in syntax.steps.iter().enumerate() {
        several.step(number, step);
    }
    if syntax.failed.is_empty() {
        several.check_outputs(before);
    }
    let outputs = syntax.outputs.iter().filter_map(|output| {
        several.steps.iter().position(|step| step.target.name.text == output.name.text)
    });
    let mut outputs: Vec<usize> = outputs.collect();
    let (planned, diagnostics) = (several.steps, several.diagnostics);
    let mut steps = Vec::new();
    for Planned { syntax, reads, target } in planned {
        let mut own = Vec::new();
        if let Some((kernel, functions)) = lower_kernel(&syntax, encodings, &mut own) {
            let (fused, kept) = (Vec::new(), None);
            steps.push(LoweredStatement { syntax, kernel, functions, reads, target, fused, kept });
        }
        // A mistake in the signature is reported once, even if several statements read the operand.
        for mistake in own {
            let same = |other: &crate::syntax::Diagnostic<S>| {
                other.message == mistake.message && other.help == mistake.help
            };
            if !diagnostics.iter().any(same) {
                diagnostics.push(mistake);
            }
        }
    }
    let parameters = syntax.parameters.len();
    if diagnostics.len() > before || !syntax.failed.is_empty() {
        return None;
    }
    fuse(&mut steps, &mut outputs, encodings);
    let shared = share(&mut steps, &outputs);
    Some(Program { steps, shared, outputs, parameters })
}

/// An operand that a statement can read.
struct Known<'a, S> {
    operand: &'a OperandSyntax<S>,
    source: Source,
}

/// A step whose loops are not known yet.
struct Planned<S> {
    syntax: KernelSyntax<S>,
    reads: Vec<Source>,
    target: OperandSyntax<S>,
}

struct Several<'a, 'd, S> {
    syntax: &'a SeveralSyntax<S>,
    /// The parameters, and the results so far.
    known: Vec<Known<'a, S>>,
    steps: Vec<Planned<S>>,
    /// The names of results that are not computed because of a mistake.
    failed: Vec<&'a str>,
    diagnostics: &'d mut Diagnostics<S>,
}

impl<'a, S: Span> Several<'a, '_, S> {
    fn report(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        report(self.diagnostics, span, message, help);
    }

    /// Adds the parameters to the known names, and reports names with two meanings.
    fn declare(&mut self) {
        let syntax = self.syntax;
        for (number, operand) in syntax.parameters.iter().enumerate() {
            self.known.push(Known { operand, source: Source::Parameter(number) });
        }
        let temporaries = syntax.steps.iter().filter_map(|step| step.declared.as_ref());
        let mut seen: Vec<&str> = Vec::new();
        let declared = syntax.parameters.iter().chain(&syntax.outputs);
        let declared = declared.map(|operand| (operand, false));
        for (operand, is_temporary) in declared.chain(temporaries.map(|operand| (operand, true))) {
            let name = operand.name.text.as_str();
            if seen.contains(&name) {
                let is_output = syntax.outputs.iter().any(|output| output.name.text == name);
                let (message, help) = match is_temporary && is_output {
                    true => ("is declared in the signature", "an output is computed without `let`"),
                    false => ("is declared twice", "give one of them another name"),
                };
                self.report(operand.name.span, format!("`{name}` {message}"), help);
            }
            seen.push(name);
        }
    }

    /// Reports outputs that are not computed and temporaries that are not read. Reports nothing if there are more than `before`
    /// mistakes, because these can be the cause.
    fn check_outputs(&mut self, before: usize) {
        let syntax = self.syntax;
        if self.diagnostics.len() > before {
            return;
        }
        for output in &syntax.outputs {
            let name = &output.name.text;
            if !syntax.steps.iter().any(|step| step.statement.target.text == *name) {
                let target = output.access();
                let message = format!("the output `{name}` is not computed");
                let help = format!("add a statement `{target} = ..`, or leave out the output");
                self.report(output.name.span, message, help);
            }
        }
        for (number, step) in syntax.steps.iter().enumerate() {
            let Some(declared) = &step.declared else { continue };
            let name = &declared.name.text;
            let read =
                |other: &StepSyntax<S>| reads(&other.statement).any(|read| read.text == *name);
            if !syntax.steps[number + 1..].iter().any(read) {
                let message = format!("the temporary `{name}` is not read");
                let help = "read it in a later statement, or name it as an output of the function";
                self.report(declared.name.span, message, help);
            }
        }
    }

    /// The operand that a statement computes.
    fn target(&mut self, number: usize, step: &'a StepSyntax<S>) -> Option<&'a OperandSyntax<S>> {
        let (syntax, written) = (self.syntax, &step.statement.target);
        let name = &written.text;
        let is = |operand: &&'a OperandSyntax<S>| operand.name.text == *name;
        let earlier = syntax.steps[..number].iter().any(|step| step.statement.target.text == *name);
        if step.declared.is_some() {
            return step.declared.as_ref();
        }
        if syntax.parameters.iter().any(|operand| is(&operand)) {
            let message = format!("`{name}` is an operand, and keeps its values");
            let help =
                "compute a temporary, `let t[i] = ..`, or name an output: `-> y: Dense<f64>[i]`";
            self.report(written.span, message, help);
            return None;
        }
        if earlier {
            let message = format!("`{name}` is computed twice");
            let is_temporary = |step: &StepSyntax<S>| {
                step.declared.is_some() && step.statement.target.text == *name
            };
            let help = match syntax.steps[..number].iter().any(is_temporary) {
                true => {
                    "one statement computes a temporary, and sums over the indices that it does not have: `let t[i] = a[i, j]`"
                }
                false => "compute the first one as a temporary: `let t[i] = ..`",
            };
            self.report(written.span, message, help);
            return None;
        }
        let output = syntax.outputs.iter().find(is);
        if output.is_none() {
            let message = format!("`{name}` is not declared");
            let outputs: Vec<&str> = syntax.outputs.iter().map(|o| o.name.text.as_str()).collect();
            let help = match nearest(name, &outputs) {
                Some(output) => format!("did you mean `{output}`?"),
                None => format!("a temporary is declared where it is computed: `let {name}`"),
            };
            self.report(written.span, message, help);
        }
        output
    }

    fn step(&mut self, number: usize, step: &'a StepSyntax<S>) {
        for schedule in &step.schedule {
            if let ScheduleSyntax::Outside(outside, span) = schedule {
                let word = outside.word();
                let message = format!("`{word}` is for functions of one statement");
                let help = "only the output of such a function is a given sparse tensor: write one, without `accumulator`";
                self.report(*span, message, help);
            }
        }
        let target = self.target(number, step);
        let readable = self.check_names(number, &step.statement);
        let called = calls(&step.statement).into_iter().map(|(name, _)| name);
        let mut names = reads(&step.statement).chain(called);
        let sound = names.all(|name| !self.has_failed(&name.text));
        let before = self.steps.len();
        let Some(target) = target else { return };
        if readable && sound {
            match &step.statement.reduction {
                ReductionSyntax::Witness { largest, index, span } => {
                    self.witness(step, target, (*largest, index, *span));
                }
                _ => {
                    let mut output = target.clone();
                    if let Some(accumulator) = &step.accumulator {
                        output.element = accumulator.clone();
                    }
                    self.check_accumulator(target, step);
                    self.plan(step.statement.clone(), step, output, target.clone());
                }
            }
        }
        if self.steps.len() == before {
            self.failed.push(&target.name.text);
        }
        // A result that could not be computed is still known, so that statements that read it are not reported too.
        let source = Source::Statement(self.steps.len().saturating_sub(1));
        self.known.push(Known { operand: target, source });
    }

    /// Whether a name belongs, or may belong, to an operand or a result that could not be read.
    fn has_failed(&self, name: &str) -> bool {
        let is_known = || self.known.iter().any(|known| known.operand.name.text == name);
        self.failed.contains(&name) || self.failed.contains(&"") && !is_known()
    }

    /// Reports an accumulator whose values cannot become elements of the output.
    fn check_accumulator(&mut self, target: &OperandSyntax<S>, step: &StepSyntax<S>) {
        let Some(accumulator) = &step.accumulator else { return };
        let parse = |name: &Name<S>| ElementType::parse(&name.text);
        let complex = |ty| matches!(ty, Some(ElementType::Complex32 | ElementType::Complex64));
        let (from, to) = (parse(accumulator), parse(&target.element));
        if (complex(from) || complex(to)) && from != to {
            let message = format!(
                "values of `{}` do not become elements of `{}`",
                accumulator.text, target.element.text
            );
            self.report(accumulator.span, message, "compute a real part in a function of your own");
        }
        if matches!(target.ty, TypeSyntax::Tiled(_)) {
            let message = "a packed output has no accumulator";
            let help =
                "compute a temporary with it, and pack that: `let t[i, k] = ..; accumulator(f64)`";
            self.report(accumulator.span, message, help);
        }
    }

    /// Reports names that a statement cannot read. Returns whether there are none.
    fn check_names(&mut self, number: usize, statement: &'a StatementSyntax<S>) -> bool {
        let syntax = self.syntax;
        let before = self.diagnostics.len();
        let mut indices = indices(statement);
        // The subscripts of `a(i, j)`, which is reported as a whole.
        for (name, arguments) in calls(statement) {
            let text = name.text.as_str();
            let is_known = self.known.iter().any(|known| known.operand.name.text == text);
            if is_known || self.has_failed(text) {
                arguments.iter().for_each(|argument| {
                    values::names(argument, &mut |name| indices.push(name.text.as_str()));
                });
            }
        }
        let mut reported: Vec<&str> = Vec::new();
        for name in reads(statement) {
            let text = name.text.as_str();
            let known = self.known.iter().any(|known| known.operand.name.text == text)
                || self.has_failed(text);
            if known || indices.contains(&text) || reported.contains(&text) {
                continue;
            }
            reported.push(text);
            let later = |step: &StepSyntax<S>| step.statement.target.text == text;
            let (message, help) = if statement.target.text == text {
                let help = "`+=` adds to what an output holds; other values come from a temporary: `let t[i] = ..`";
                (format!("`{text}` is read while it is computed"), help.to_string())
            } else if syntax.steps[number + 1..].iter().any(later) {
                let help = "move the statement that computes it before this one";
                (format!("`{text}` is read before it is computed"), help.to_string())
            } else {
                let known: Vec<String> = self
                    .known
                    .iter()
                    .map(|known| format!("`{}`", known.operand.name.text))
                    .collect();
                let help = match known.is_empty() {
                    true => "name it in the signature".to_string(),
                    false => format!(
                        "a statement reads operands, and what was computed before it: {}",
                        known.join(", ")
                    ),
                };
                (format!("unknown operand `{text}`"), help)
            };
            self.report(name.span, message, help);
        }
        self.diagnostics.len() == before
    }

    /// Adds a step: a kernel whose operands are the operands that the statement reads, and parameters with its indices, whose sizes
    /// must agree.
    fn plan(
        &mut self,
        statement: StatementSyntax<S>,
        step: &StepSyntax<S>,
        output: OperandSyntax<S>,
        target: OperandSyntax<S>,
    ) {
        let mut indices: Vec<String> = indices(&statement).into_iter().map(String::from).collect();
        if statement.subscripts.iter().any(|subscript| !subscript.gathers.is_empty()) {
            // The size of a dimension that is scattered to comes from an operand with a dimension of that name.
            indices.extend(output.dims.iter().map(|dim| dim.text.clone()));
        }
        let called = calls(&statement).into_iter().map(|(name, _)| name);
        let read: Vec<String> =
            reads(&statement).chain(called).map(|name| name.text.clone()).collect();
        let (mut parameters, mut sources) = (Vec::new(), Vec::new());
        let made = self
            .steps
            .iter()
            .enumerate()
            .map(|(number, step)| (&step.target, Source::Statement(number)));
        let known = self.known.iter().filter(|known| matches!(known.source, Source::Parameter(_)));
        let all = known.map(|known| (known.operand, known.source)).chain(made);
        for (operand, source) in all {
            let sized = operand.dims.iter().any(|dim| indices.contains(&dim.text));
            let unpacked = !matches!(operand.ty, TypeSyntax::Tiled(_));
            // Values that are not read need not fit the type in which the statement is computed.
            let parse = |operand: &OperandSyntax<S>| ElementType::parse(&operand.element.text);
            let fits = parse(operand)
                .zip(parse(&output))
                .is_none_or(|(element, to)| element == to || element.widens_to(to.wide()));
            let compared = matches!(source, Source::Parameter(_)) && sized && unpacked && fits;
            if read.contains(&operand.name.text) || compared {
                parameters.push(operand.clone());
                sources.push(source);
            }
        }
        let name = &self.syntax.name;
        let text = format!("{}_{}", name.text, self.steps.len());
        let syntax = KernelSyntax {
            attributes: self.syntax.attributes.clone(),
            visibility: None,
            name: Name { text, span: name.span },
            parameters,
            output,
            span: statement.span,
            statement,
            schedule: step.schedule.clone(),
        };
        self.steps.push(Planned { syntax, reads: sources, target });
    }
}

/// The names that a statement reads as values.
fn reads<S: Span>(statement: &StatementSyntax<S>) -> impl Iterator<Item = &Name<S>> {
    let mut names = Vec::new();
    values::index_arrays(&statement.subscripts, &mut |name| names.push(name));
    values::names(&statement.value, &mut |name| names.push(name));
    if let Some(guard) = &statement.guard {
        values::names(guard, &mut |name| names.push(name));
    }
    names.into_iter()
}

/// The functions that a statement calls by their names, and their arguments.
fn calls<S: Span>(statement: &StatementSyntax<S>) -> Vec<(&Name<S>, &[ExprSyntax<S>])> {
    let mut calls = Vec::new();
    let values = [Some(&statement.value), statement.guard.as_ref()];
    for value in values.into_iter().flatten() {
        values::calls(value, &mut |name, arguments| calls.push((name, arguments)));
    }
    calls
}

/// The indices of a statement.
fn indices<S: Span>(statement: &StatementSyntax<S>) -> Vec<&str> {
    let mut all: Vec<&[super::SubscriptSyntax<S>]> = alloc::vec![&statement.subscripts];
    values::subscripts(&statement.value, &mut |subscripts| all.push(subscripts));
    if let Some(guard) = &statement.guard {
        values::subscripts(guard, &mut |subscripts| all.push(subscripts));
    }
    let mut names = Vec::new();
    for subscript in all.into_iter().flatten() {
        subscript.each(&mut |inner| {
            names.extend(inner.terms.iter().map(|(_, name)| name.text.as_str()));
        });
    }
    names
}
