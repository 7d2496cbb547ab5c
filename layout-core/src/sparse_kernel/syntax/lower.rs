use super::body::ReductionSyntax;
use super::expr::FunctionSyntax;
use super::schedule::{PartSyntax, ScheduleSyntax};
use super::signature::{KernelSyntax, LayoutSyntax, OperandSyntax, TypeSyntax};
use super::subscript::SubscriptSyntax;
use super::{Name, values};
use crate::sparse::SparseEncoding;
use crate::sparse::syntax::lower_encoding;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::{Function, IndexId, Kernel, OperandId, Reduction, Storage};
use crate::sparse_kernel::statement::{
    Access, AccessId, Expr, HintSpec, MAX_UNIT, OperandSpec, PartSpec, Schedule, Statement,
    Subscript,
};
use crate::sparse_kernel::{Literal, Monoid, Subject, compile};
use crate::syntax::{Diagnostics, Number, Span};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

/// The largest number of copies of the body of a loop.
const MAX_UNROLLED: i64 = 16;

/// Turns a written kernel into loops, and returns the location of each of their functions. `encodings` finds encodings by name.
/// Every mistake is reported at its location.
pub fn lower_kernel<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<(Kernel, Vec<S>)> {
    let (statement, functions) = lower_statement(syntax, encodings, diagnostics)?;
    match compile(&statement) {
        Ok(kernel) => Some((kernel, functions)),
        Err(problem) => {
            let span = match problem.subject {
                Subject::Statement => syntax.statement.span,
                Subject::Output => syntax.output.span,
                Subject::Operand(operand) => {
                    syntax.parameters.get(operand).map_or(syntax.output.span, |o| o.span)
                }
                Subject::Index(index) => {
                    let names = Names { syntax, indices: Vec::new() };
                    names.index_span(index).unwrap_or(syntax.statement.span)
                }
                Subject::Order => syntax
                    .schedule
                    .iter()
                    .find_map(|schedule| match schedule {
                        ScheduleSyntax::Order(_, span) => Some(*span),
                        _ => None,
                    })
                    .unwrap_or(syntax.statement.span),
                Subject::OrderPart(nth) => {
                    let orders = syntax.schedule.iter().flat_map(|schedule| match schedule {
                        ScheduleSyntax::Order(parts, _) => &parts[..],
                        _ => &[],
                    });
                    orders.map(|part| part.span).nth(nth).unwrap_or(syntax.statement.span)
                }
                Subject::Hint(hint) => {
                    let mut hints = syntax.schedule.iter().filter_map(ScheduleSyntax::part);
                    hints.nth(hint).map_or(syntax.statement.span, |part| part.span)
                }
            };
            report(diagnostics, span, problem.message, problem.help);
            None
        }
    }
}

/// Turns a written kernel into a statement whose names are resolved, and returns the location of each of its functions.
fn lower_statement<S: Span>(
    syntax: &KernelSyntax<S>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<(Statement, Vec<S>)> {
    let mut names = Names { syntax, indices: Vec::new() };
    names.collect();
    let mut lower = Lower {
        syntax,
        gathered: alloc::vec![None; names.indices.len()],
        indices: names.indices,
        operands: Vec::new(),
        accesses: Vec::new(),
        functions: Vec::new(),
        diagnostics,
    };
    let before = lower.diagnostics.len();
    lower.signature(encodings);
    lower.bound();
    let statement = lower.statement();
    if diagnostics.len() > before { None } else { statement }
}

pub(super) fn report<S>(
    diagnostics: &mut Diagnostics<S>,
    span: S,
    message: impl Into<String>,
    help: impl Into<String>,
) {
    let (message, help) = (message.into(), help.into());
    diagnostics.push(crate::syntax::Diagnostic { span, message, help });
}

/// The indices of a statement, in the order of their first use.
struct Names<'a, S> {
    syntax: &'a KernelSyntax<S>,
    indices: Vec<&'a Name<S>>,
}

impl<'a, S: Span> Names<'a, S> {
    fn collect(&mut self) {
        let statement = &self.syntax.statement;
        self.subscripts(&statement.subscripts);
        values::subscripts(&statement.value, &mut |subscripts| self.subscripts(subscripts));
        if let Some(guard) = &statement.guard {
            values::subscripts(guard, &mut |subscripts| self.subscripts(subscripts));
        }
    }

    fn subscripts(&mut self, subscripts: &'a [SubscriptSyntax<S>]) {
        for subscript in subscripts {
            subscript.each(&mut |inner| {
                for (_, name) in &inner.terms {
                    if self.indices.iter().all(|index| index.text != name.text) {
                        self.indices.push(name);
                    }
                }
            });
        }
    }

    fn index_span(mut self, index: IndexId) -> Option<S> {
        self.collect();
        self.indices.get(index).map(|name| name.span)
    }
}

pub(super) struct Lower<'a, 'd, S> {
    pub(super) syntax: &'a KernelSyntax<S>,
    pub(super) indices: Vec<&'a Name<S>>,
    /// For each index that is an element of an index array instead of a loop, the access to that array.
    pub(super) gathered: Vec<Option<AccessId>>,
    pub(super) operands: Vec<OperandSpec>,
    pub(super) accesses: Vec<Access>,
    functions: Vec<(Function, S)>,
    pub(super) diagnostics: &'d mut Diagnostics<S>,
}

impl<'a, S: Span> Lower<'a, '_, S> {
    pub(super) fn report(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        report(self.diagnostics, span, message, help);
    }

    pub(super) fn index(&self, name: &str) -> Option<IndexId> {
        self.indices.iter().position(|index| index.text == name)
    }

    pub(super) fn operand(&self, name: &str) -> Option<OperandId> {
        self.operands.iter().position(|operand| operand.name == name)
    }

    /// The operand that a capitalized name means, as in formulas.
    pub(super) fn operand_in_another_case(&self, name: &str) -> Option<OperandId> {
        self.operands.iter().position(|operand| operand.name.eq_ignore_ascii_case(name))
    }

    pub(super) fn output(&self) -> OperandId {
        self.operands.len() - 1
    }

    pub(super) fn function(&mut self, function: &FunctionSyntax<S>, arity: usize) -> usize {
        let span = function.span;
        if arity == 0 {
            self.number(&function.text, span);
        }
        let function = Function { text: function.text.clone(), arity };
        let known = self.functions.iter().position(|(other, _)| *other == function);
        known.unwrap_or_else(|| {
            self.functions.push((function, span));
            self.functions.len() - 1
        })
    }

    /// The element type.
    pub(super) fn element(&self) -> &'a str {
        &self.syntax.output.element.text
    }

    /// Reports a number that is not a value of the element type.
    pub(super) fn number(&mut self, text: &str, span: S) {
        let element = self.element();
        let infinite = |element| Literal::in_type(text, element).is_none();
        if Literal::parse(text).is_some() && ElementType::parse(element).is_some_and(infinite) {
            let message = format!("`{text}` is not a number of type `{element}`");
            self.report(span, message, "it is infinite in this type: use a larger type");
        }
        if let Some(number) = Literal::parse(text)
            && let Some(range) = Literal::range(element)
            && !number.is_in(&range)
        {
            let message = format!("`{text}` is not a number of type `{element}`");
            let help = format!("write a whole number from {} to {}", range.start(), range.end());
            self.report(span, message, help);
        }
    }

    /// Reports a minus sign before a value of an unsigned type.
    pub(super) fn sign(&mut self, span: S) {
        let element = self.element();
        if ElementType::parse(element).is_some_and(ElementType::is_unsigned) {
            let message = format!("`{element}` has no negative values");
            let help = "write a difference, such as `x - a[i]`, or use a signed type";
            self.report(span, message, help);
        }
    }

    fn signature(&mut self, encodings: &dyn Fn(&str) -> Option<SparseEncoding>) {
        let syntax = self.syntax;
        for operand in syntax.parameters.iter().chain([&syntax.output]) {
            if self.operand(&operand.name.text).is_some() {
                let message = format!("`{}` is declared twice", operand.name.text);
                self.report(operand.name.span, message, "give one of them another name");
            }
            let (statement, name) = (&syntax.statement, &operand.name.text);
            let is_index_array = super::gather::is_only_index_array(statement, name);
            let casts = !is_index_array && self.converts(operand);
            let storage = self.storage(operand, encodings);
            let dims = operand.dims.iter().map(|dim| self.index(&dim.text)).collect();
            let name = operand.name.text.clone();
            let element = &operand.element.text;
            let known = ElementType::parse(element).map(|known| known.name().to_string());
            let element = known.unwrap_or_else(|| element.clone());
            let layout = match &operand.ty {
                TypeSyntax::Tiled(layout) => Some(layout.text.text.clone()),
                _ => None,
            };
            self.operands.push(OperandSpec { name, storage, element, casts, layout, dims });
        }
    }

    /// Whether the values of an operand are converted as Rust's `as` does, because `cast(..)` says so and they cannot be widened to
    /// the type in which the output is computed. Without `cast(..)`, that is reported; for types that are not an [`ElementType`],
    /// only rustc can check it.
    fn converts(&mut self, operand: &OperandSyntax<S>) -> bool {
        let parse = |operand: &OperandSyntax<S>| ElementType::parse(&operand.element.text);
        let output = &self.syntax.output;
        let casts = values::is_only_cast(&self.syntax.statement, &operand.name.text);
        let Some((element, to)) = parse(operand).zip(parse(output)) else { return casts };
        let wide = to.wide();
        if element == to || element.widens_to(wide) {
            return false;
        }
        if casts && (wide.is_complex() || !element.is_complex()) {
            return true;
        }
        let (name, output_name) = (&operand.name.text, &output.name.text);
        let message = format!(
            "`{name}` has elements of type `{element}`, but `{output_name}` is computed in `{wide}`, which does not hold all of their values"
        );
        let all: Option<Vec<_>> = self.syntax.parameters.iter().map(parse).collect();
        let cast = match operand.ty {
            TypeSyntax::Scalar => format!("convert `{name}` before the call: `{name} as {wide}`"),
            TypeSyntax::Tiled(_) => format!("unpack and convert `{name}` before the call"),
            _ => format!("convert `{name}` before the call: `{name}.cast::<{wide}>()`"),
        };
        let help = match all.and_then(|all| ElementType::common(&all)) {
            Some(common) => format!("give `{output_name}` elements of type `{common}`, or {cast}"),
            None => cast,
        };
        self.report(operand.element.span, message, help);
        false
    }

    fn storage(
        &mut self,
        operand: &OperandSyntax<S>,
        encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    ) -> Storage {
        let rank = operand.dims.len();
        let span;
        let encoding = match &operand.ty {
            TypeSyntax::Scalar if rank == 0 => return Storage::Scalar,
            TypeSyntax::Scalar => {
                let element = &operand.element.text;
                let message = format!("`{element}` is one value, and has no dimensions");
                let help = match element.starts_with(char::is_uppercase) {
                    true => {
                        format!(
                            "write the type of the elements after the encoding: `{element}<f64>`"
                        )
                    }
                    false => format!("for all values in row-major order write `Dense<{element}>`"),
                };
                self.report(operand.element.span, message, help);
                return Storage::Dense { rank };
            }
            TypeSyntax::Dense => {
                if rank > crate::sparse::MAX_RANK {
                    let most = crate::sparse::MAX_RANK;
                    let message =
                        format!("{rank} dimensions are more than the {most} that are supported");
                    self.report(operand.span, message, "");
                }
                return Storage::Dense { rank };
            }
            TypeSyntax::Tiled(layout) => return self.packed(operand, layout),
            TypeSyntax::Alias(name) => {
                span = name.span;
                let encoding = encodings(&name.text);
                if encoding.is_none() {
                    let message = format!("unknown encoding `{}`", name.text);
                    let help = "declare it with `sparse_encoding! { pub type Csr = (i, j) -> (i : dense, j : compressed); }`, or write it in braces";
                    self.report(span, message, help);
                }
                encoding
            }
            TypeSyntax::Encoding(encoding) => {
                span = encoding.span;
                lower_encoding(encoding, self.diagnostics)
            }
        };
        let Some(encoding) = encoding else { return Storage::Dense { rank } };
        if encoding.rank() != rank {
            let dimensions = if rank == 1 { "dimension" } else { "dimensions" };
            let message = format!(
                "`{}` is given {rank} {dimensions}, but its encoding has {}",
                operand.name.text,
                encoding.rank()
            );
            self.report(
                operand.span,
                message,
                "name each dimension of the encoding: `a: Csr<f64>[i, j]`",
            );
        }
        if encoding.is_slice() {
            let message = "the encoding of a slice has no storage of its own";
            self.report(
                span,
                message,
                "leave out the slices, and shift the subscript instead: `a[i + 2]`",
            );
        }
        Storage::Sparse(Box::new(encoding))
    }

    /// How a packed operand is stored while the loops run. The output is row-major, and so is a vector, since reading the whole
    /// vector takes the same number of steps as unpacking it.
    fn packed(&mut self, operand: &OperandSyntax<S>, layout: &LayoutSyntax<S>) -> Storage {
        let rank = operand.dims.len();
        let name = &operand.name.text;
        let written = layout.rank.filter(|written| *written != rank);
        if written.is_some() || rank == 0 {
            let dimensions = if rank == 1 { "dimension" } else { "dimensions" };
            let message = match written {
                Some(written) => {
                    format!("`{name}` is given {rank} {dimensions}, but its layout has {written}")
                }
                None => format!("`{name}` is given no dimensions"),
            };
            let help = "name each dimension of the layout: `x: Packed<tpu!(f32[64,128])>[j, k]`";
            self.report(operand.span, message, help);
        }
        let most = crate::sparse::MAX_RANK;
        if rank > most {
            let message = format!("{rank} dimensions are more than the {most} that are supported");
            self.report(operand.span, message, "");
        }
        match core::ptr::eq(operand, &self.syntax.output) || rank == 1 {
            true => Storage::Dense { rank },
            false => Storage::Tiled { rank },
        }
    }

    /// Reports packed parameters that the statement does not read.
    fn unread(&mut self) {
        let syntax = self.syntax;
        for (number, operand) in syntax.parameters.iter().enumerate() {
            let read = self.accesses.iter().any(|access| access.operand == number);
            if matches!(operand.ty, TypeSyntax::Tiled(_)) && !read {
                let name = &operand.name.text;
                let message = format!("the packed operand `{name}` is not read");
                let read = self.as_declared(number).replace("write", "read it in the statement as");
                self.report(operand.span, message, format!("{read}, or leave it out"));
            }
        }
    }

    /// Checks that each index is a dimension of some operand, or has a given size.
    fn bound(&mut self) {
        let syntax = self.syntax;
        for name in self.indices.clone() {
            if name.text.ends_with(']') {
                // An element of an index array.
                continue;
            }
            let declared = syntax
                .parameters
                .iter()
                .chain([&syntax.output])
                .any(|operand| operand.dims.iter().any(|dim| dim.text == name.text));
            let sized = syntax.schedule.iter().any(
                |schedule| matches!(schedule, ScheduleSyntax::Size(index, _) if index.text == name.text),
            );
            if !declared && !sized && !self.is_second_name(&name.text) {
                let message =
                    format!("index `{}` is not bound: no operand has a dimension `{0}`", name.text);
                let names: Vec<&str> = syntax
                    .parameters
                    .iter()
                    .flat_map(|operand| &operand.dims)
                    .map(|dim| dim.text.as_str())
                    .collect();
                let slip =
                    crate::syntax::nearest(&name.text, &names).filter(|_| name.text.len() > 1);
                let known: Vec<String> = syntax
                    .parameters
                    .iter()
                    .flat_map(|operand| &operand.dims)
                    .map(|dim| format!("`{}`", dim.text))
                    .collect();
                let help = match known.is_empty() {
                    _ if let Some(slip) = slip => format!("did you mean `{slip}`?"),
                    true => format!("name it in the signature: `x: Dense<f64>[{}]`", name.text),
                    false => format!(
                        "the dimensions are {}; name this one in the signature, or give its size: `; size({}, 4)`",
                        dedup(known).join(", "),
                        name.text
                    ),
                };
                self.report(name.span, message, help);
            }
        }
    }

    /// Whether an index is a second name for a dimension of an operand that is also read under the name in the signature, as `j`
    /// is in `s += a[i, k] * a[j, k]`.
    fn is_second_name(&self, index: &str) -> bool {
        let statement = &self.syntax.statement;
        let mut read: Vec<(&Name<S>, &[SubscriptSyntax<S>])> = Vec::new();
        for value in [Some(&statement.value), statement.guard.as_ref()].into_iter().flatten() {
            values::accesses(value, &mut |name, subscripts| read.push((name, subscripts)));
        }
        let at = |subscripts: &[SubscriptSyntax<S>], dim: usize, index: &str| {
            let subscript = subscripts.get(dim).and_then(SubscriptSyntax::plain);
            subscript.is_some_and(|name| name.text == index)
        };
        self.syntax.parameters.iter().any(|operand| {
            let read = || read.iter().filter(|(name, _)| name.text == operand.name.text);
            operand.dims.iter().enumerate().any(|(dim, declared)| {
                read().any(|(_, subscripts)| at(subscripts, dim, index))
                    && read().any(|(_, subscripts)| at(subscripts, dim, &declared.text))
            })
        })
    }

    fn statement(mut self) -> Option<(Statement, Vec<S>)> {
        let body = &self.syntax.statement;
        let output = self.output();
        if body.target.text != self.operands[output].name {
            let message = format!("`{}` is not the output", body.target.text);
            let help = format!("the output is `{}`", self.operands[output].name);
            self.report(body.target.span, message, help);
        }
        let target = self.subscripts(&body.subscripts);
        let target_sizes = self.target_sizes();
        self.rank(output, target.len(), body.target_span);
        let value = self.value(&body.value);
        let guard = body.guard.as_ref().map(|guard| self.value(guard));
        let (reduction, accumulates) = match &body.reduction {
            // A witness has been split into two statements.
            ReductionSyntax::Assign | ReductionSyntax::Witness { .. } => (Reduction::Sum, false),
            ReductionSyntax::Sum => (Reduction::Sum, true),
            ReductionSyntax::Product => (Reduction::Product, true),
            ReductionSyntax::Min => (Reduction::Min, true),
            ReductionSyntax::Max => (Reduction::Max, true),
            ReductionSyntax::Semiring { monoid, accumulates, span } => {
                self.logical(*monoid, *span);
                (monoid.reduction(), *accumulates)
            }
            ReductionSyntax::Custom { function, identity } => {
                let (function, identity) = (self.function(function, 2), self.function(identity, 0));
                (Reduction::Custom { function, identity }, false)
            }
        };
        if reduction == Reduction::Product
            && ElementType::parse(self.element()) == Some(ElementType::Bool)
        {
            let message = "`bool` has no product of numbers";
            let help =
                "to compute whether all are true, write `min=` or a semiring: `land.first(x, y)`";
            self.report(body.target_span, message, help);
        }
        let schedule = self.schedule();
        let sizes = self.sizes();
        let (value, guard) = (value?, guard.map_or(Some(None), |guard| guard.map(Some))?);
        self.unread();
        let floats = matches!(self.element(), "f32" | "f64");
        let sum_bytes = ElementType::parse(self.element()).map_or(8, ElementType::sum_bytes);
        let (functions, spans) = self.functions.into_iter().unzip();
        let statement = Statement {
            name: self.syntax.name.text.clone(),
            text: super::print::statement(body),
            operands: self.operands,
            indices: self.indices.iter().map(|name| name.text.clone()).collect(),
            sizes,
            gathered: self.gathered,
            target,
            target_sizes,
            reduction,
            accumulates,
            accesses: self.accesses,
            value,
            guard,
            floats,
            sum_bytes,
            functions,
            schedule,
        };
        Some((statement, spans))
    }

    /// Reports a monoid of `bool` if the elements of the output have another type.
    fn logical(&mut self, monoid: Monoid, span: S) {
        let element = self.element();
        if monoid.is_logical() && ElementType::parse(element) != Some(ElementType::Bool) {
            let (name, output) = (monoid.name(), &self.syntax.output.name.text);
            let message =
                format!("`{name}` reduces `bool`, but `{output}` has elements of type `{element}`");
            let other = if monoid == Monoid::Lor { "max" } else { "min" };
            let help = format!("give `{output}` elements of type `bool`, or use `{other}`");
            self.report(span, message, help);
        }
    }

    pub(super) fn subscripts(&mut self, subscripts: &[SubscriptSyntax<S>]) -> Vec<Subscript> {
        for gather in subscripts.iter().flat_map(|subscript| &subscript.gathers) {
            super::gather::gather(self, gather);
        }
        let lower = |syntax: &SubscriptSyntax<S>| {
            let mut terms: Vec<(i64, IndexId)> = Vec::new();
            for (coefficient, name) in &syntax.terms {
                let Some(index) = self.index(&name.text) else { continue };
                match terms.iter_mut().find(|(_, other)| *other == index) {
                    Some((sum, _)) => *sum = sum.saturating_add(*coefficient),
                    None => terms.push((*coefficient, index)),
                }
            }
            terms.retain(|(coefficient, _)| *coefficient != 0);
            Subscript { terms, constant: syntax.constant }
        };
        subscripts.iter().map(lower).collect()
    }

    /// Reports the wrong number of subscripts.
    pub(super) fn rank(&mut self, operand: OperandId, subscripts: usize, span: S) {
        let OperandSpec { name, dims, .. } = &self.operands[operand];
        if dims.len() != subscripts {
            let plural = |n: usize| if n == 1 { "" } else { "s" };
            let message = format!(
                "`{name}` has {} dimension{}, but {subscripts} subscript{}",
                dims.len(),
                plural(dims.len()),
                plural(subscripts)
            );
            let mut help = self.as_declared(operand);
            let declared = self.syntax.parameters.get(operand).unwrap_or(&self.syntax.output);
            // An encoding has a fixed number of dimensions.
            if matches!(declared.ty, TypeSyntax::Dense) && subscripts > dims.len() {
                help += &format!(", or name {subscripts} dimensions in the signature");
            }
            self.report(span, message, help);
        }
    }

    /// The help that shows an operand with the names of its dimensions.
    pub(super) fn as_declared(&self, operand: OperandId) -> String {
        let declared = self.syntax.parameters.get(operand).unwrap_or(&self.syntax.output);
        let name = &declared.name.text;
        let dims: Vec<&str> = declared.dims.iter().map(|dim| dim.text.as_str()).collect();
        match dims.is_empty() {
            true => format!("write `{name}`"),
            false => format!("write `{name}[{}]`", dims.join(", ")),
        }
    }

    pub(super) fn access(&mut self, access: Access) -> AccessId {
        let known = self.accesses.iter().position(|other| *other == access);
        known.unwrap_or_else(|| {
            self.accesses.push(access);
            self.accesses.len() - 1
        })
    }

    fn sizes(&mut self) -> Vec<Option<usize>> {
        let mut sizes = alloc::vec![None; self.indices.len()];
        for schedule in &self.syntax.schedule {
            if let ScheduleSyntax::Size(name, size) = schedule {
                let value = usize::try_from(size.value).ok().filter(|size| *size <= 1 << 40);
                if self.is_scattered(&name.text) && self.index(&name.text).is_none() {
                    continue;
                }
                match (self.scheduled(name), value) {
                    (Some(index), Some(_)) if sizes[index].is_some() => {
                        let message = format!("the size of `{}` is given twice", name.text);
                        self.report(name.span, message, "");
                    }
                    (Some(index), Some(size)) => sizes[index] = Some(size),
                    (_, None) => self.report(size.span, "this is not a size", ""),
                    _ => {}
                }
            }
        }
        sizes
    }

    /// The index that the schedule names.
    fn scheduled(&mut self, name: &Name<S>) -> Option<IndexId> {
        let index = self.index(&name.text);
        if index.is_none() {
            let message = format!("the statement has no index `{}`", name.text);
            let names: Vec<String> =
                self.indices.iter().map(|index| format!("`{}`", index.text)).collect();
            let help = format!("its indices are {}", names.join(", "));
            self.report(name.span, message, if names.is_empty() { String::new() } else { help });
        }
        index
    }

    fn factor(&mut self, number: &Number<S>, range: RangeInclusive<i64>) -> Option<i64> {
        let value = i64::try_from(number.value).ok().filter(|n| range.contains(n));
        if value.is_none() {
            let (least, most) = range.into_inner();
            let message =
                format!("expected a number from {least} to {most}, found {}", number.value);
            self.report(number.span, message, "");
        }
        value
    }

    fn part(&mut self, part: &PartSyntax<S>) -> Option<PartSpec> {
        let index = self.scheduled(&part.index);
        let div = part.div.as_ref().map(|div| self.factor(div, 1..=MAX_UNIT));
        let modulus = part.modulus.as_ref().map(|modulus| self.factor(modulus, 1..=MAX_UNIT));
        let (div, modulus) =
            (div.map_or(Some(None), |d| d.map(Some)), modulus.map_or(Some(None), |m| m.map(Some)));
        Some(PartSpec { index: index?, div: div?, modulus: modulus? })
    }

    fn schedule(&mut self) -> Schedule {
        let mut schedule = Schedule::default();
        let syntax = self.syntax;
        for line in &syntax.schedule {
            let (part, hint) = match line {
                ScheduleSyntax::Order(parts, _) => {
                    for part in parts {
                        if let Some(spec) = self.part(part) {
                            if schedule.order.contains(&spec) {
                                let message = format!("`{}` is listed twice", part.index.text);
                                self.report(part.span, message, "list each index once");
                            }
                            schedule.order.push(spec);
                        }
                    }
                    continue;
                }
                ScheduleSyntax::Split(name, size) => {
                    let index = self.scheduled(name);
                    let unit = self.factor(size, 2..=MAX_UNIT);
                    let Some((index, unit)) = index.zip(unit) else { continue };
                    let mut others = schedule.splits.iter().filter(|(other, _)| *other == index);
                    if let Some((_, other)) =
                        others.find(|(_, other)| other % unit != 0 && unit % other != 0)
                    {
                        let message = format!("blocks of {unit} do not fit those of {other}");
                        self.report(size.span, message, "one size must divide the other");
                        continue;
                    }
                    schedule.splits.push((index, unit));
                    continue;
                }
                ScheduleSyntax::Size(..) | ScheduleSyntax::Outside(..) => continue,
                ScheduleSyntax::Unroll(part, times) => {
                    let times = times.as_ref().map(|times| self.factor(times, 2..=MAX_UNROLLED));
                    let times = times.map_or(Some(4), |times| times).unwrap_or(4);
                    (part, HintSpec::Unroll(times as usize))
                }
                ScheduleSyntax::Parallel(part) => (part, HintSpec::Parallel),
                ScheduleSyntax::Vectorize(part) => (part, HintSpec::Vectorize),
                ScheduleSyntax::Gallop(part) => (part, HintSpec::Gallop),
            };
            let part = self.part(part);
            schedule.hints.extend(part.map(|part| (part, hint)));
        }
        schedule
    }

    fn value(&mut self, syntax: &'a super::ExprSyntax<S>) -> Option<Expr> {
        values::value(self, syntax)
    }
}

fn dedup(mut names: Vec<String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    names.retain(|name| {
        let new = !seen.contains(name);
        if new {
            seen.push(name.to_string());
        }
        new
    });
    names
}
