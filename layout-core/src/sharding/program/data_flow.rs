//! Data-flow operations: any operation with a body, and edges between its values.
//!
//! `y_1, ..., y_n = custom_op (x_1, ..., x_n) ((b_1, ..., b_n) { ... return r_1, ..., r_n })` has an edge from each `x_i` to
//! `b_i`, and one from each `r_i` to `y_i`. Other edges are written: `(x, r) -> (y, b)`.

use super::build::{Builder, Sees, Taken, scope};
use super::nodes::{Body, Custom, Node, Region, RegionKind};
use super::region::{HELP_OF_RESULT, SPLIT_OF_RESULT, returned_name};
use crate::dtype::DType;
use crate::sharding::propagation::{Edge, Op, Value};
use crate::sharding::syntax::{
    ArgumentSyntax, BodySyntax, EdgeSyntax, ExpressionSyntax, NameSyntax, RegionSyntax,
};
use crate::syntax::Span;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// An end of an edge, by its number among the operands, the returned values, the arguments or the results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Operand(usize),
    Returned(usize),
    Argument(usize),
    Result(usize),
}

/// The ends of an edge. The first target owns it.
struct Ends {
    sources: Vec<End>,
    targets: Vec<End>,
}

impl Ends {
    /// Whether the edge only leads into the body, so that all of its ends are known before the body is read.
    fn enters(&self) -> bool {
        let is_outer = |end: &End| matches!(end, End::Operand(_) | End::Argument(_));
        self.sources.iter().chain(&self.targets).all(is_outer)
    }
}

/// The nodes of a body, and the values that it returns.
type MadeBody = (Vec<Node>, Vec<Taken>);

/// An edge that is open, and its targets.
type OpenEdge = (Edge, Vec<Value>);

/// The edges of an operation and the arguments of its body, before the body is read.
struct Opened {
    /// For each edge, the open edge; `None` if it is closed, or if its size depends on the body.
    edges: Vec<Option<OpenEdge>>,
    /// For each edge, its operation if it is closed.
    ops: Vec<Option<Op>>,
    arguments: Vec<Value>,
}

/// The name for a value that an operation reads, for use in edges.
fn source_name<S>(expression: &ExpressionSyntax<S>) -> Option<&str> {
    match expression {
        ExpressionSyntax::Name(name) => Some(&name.text),
        ExpressionSyntax::Call(call) if call.op.text == "reshard" => match &call.arguments[..] {
            [ArgumentSyntax::Value(value)] => source_name(value),
            _ => None,
        },
        _ => None,
    }
}

/// The names that ends can have, and whether each end already belongs to an edge.
struct Known<'a> {
    ends: Vec<(Option<&'a str>, End, bool)>,
    /// The kind of things that the names denote.
    what: &'static str,
    /// The role of an end in the edge.
    role: &'static str,
}

impl<'a> Known<'a> {
    fn new(
        outer: impl Iterator<Item = Option<&'a str>>,
        inner: impl Iterator<Item = Option<&'a str>>,
        ends: [fn(usize) -> End; 2],
        words: [&'static str; 2],
    ) -> Self {
        let numbered =
            |(at, name): (usize, Option<&'a str>), end: fn(usize) -> End| (name, end(at), false);
        let outer = outer.enumerate().map(|name| numbered(name, ends[0]));
        let inner = inner.enumerate().map(|name| numbered(name, ends[1]));
        Self { ends: outer.chain(inner).collect(), what: words[0], role: words[1] }
    }
}

impl<S: Span> Builder<'_, S> {
    /// The end with this name, which must not belong to another edge.
    fn end(&mut self, name: &NameSyntax<S>, known: &mut Known<'_>) -> Option<End> {
        let mut named = known.ends.iter_mut().filter(|(own, ..)| *own == Some(&name.text));
        if let Some((_, end, taken)) = named.find(|(_, _, taken)| !taken) {
            *taken = true;
            return Some(*end);
        }
        let names: Vec<_> = known.ends.iter().filter_map(|(own, ..)| *own).collect();
        let (message, help) = if names.contains(&&name.text[..]) {
            let message = format!("`{}` is the {} of two edges", name.text, known.role);
            (message, "write one edge with all its ends: `(x, r) -> (y, b)`".to_owned())
        } else {
            let all: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            let help = match &all[..] {
                [] => "give the values names with `let`".to_owned(),
                all => format!("there are {}", all.join(", ")),
            };
            (format!("`{}` is not {}", name.text, known.what), help)
        };
        self.error(name.span, message, help);
        None
    }

    /// The ends of the edges of an operation.
    fn ends(
        &mut self,
        region: &RegionSyntax<S>,
        body: &BodySyntax<S>,
        names: &[NameSyntax<S>],
    ) -> Option<Vec<Ends>> {
        let Some(edges) = &region.edges else {
            let inner = (0..region.inputs.len()).map(|at| Ends {
                sources: vec![End::Operand(at)],
                targets: vec![End::Argument(at)],
            });
            let outer = (0..names.len()).map(|at| Ends {
                sources: vec![End::Returned(at)],
                targets: vec![End::Result(at)],
            });
            return Some(inner.chain(outer).collect());
        };
        let mut sources = Known::new(
            region.inputs.iter().map(|input| source_name(&input.value)),
            body.returns.iter().map(|(value, _)| source_name(value)),
            [End::Operand, End::Returned],
            ["an operand, nor does the body return it", "source"],
        );
        let mut targets = Known::new(
            region.inputs.iter().map(|input| Some(&input.name.text[..])),
            names.iter().map(|name| Some(&name.text[..])),
            [End::Argument, End::Result],
            ["an argument of the body or a result", "target"],
        );
        let before = self.diagnostics.len();
        let mut list = |names: &[NameSyntax<S>], known: &mut Known<'_>| -> Vec<End> {
            names.iter().filter_map(|name| self.end(name, known)).collect()
        };
        let ends: Vec<_> = edges
            .iter()
            .map(|EdgeSyntax { sources: from, targets: to }| Ends {
                sources: list(from, &mut sources),
                targets: list(to, &mut targets),
            })
            .collect();
        (self.diagnostics.len() == before).then_some(ends)
    }

    /// Whether the ends of an edge have the same size and element type: the operands in `known`, and the arguments and results
    /// that must have the type of these.
    fn alike(&mut self, edge: &Ends, known: &[(End, &Taken)], span: S) -> bool {
        let is = |own: End, end: End| {
            own == end
                || matches!((own, end), (End::Operand(a), End::Argument(b)) | (End::Returned(a), End::Result(b)) if a == b)
        };
        let mut first: Option<(usize, DType, Vec<usize>)> = None;
        for &end in edge.sources.iter().chain(&edge.targets) {
            let Some((_, taken)) = known.iter().find(|(own, _)| is(*own, end)) else { continue };
            let value = &self.built.values[taken.at];
            match &first {
                None => first = Some((taken.at, value.dtype, value.dims.clone())),
                Some((other, dtype, dims)) if (*dtype, dims) != (value.dtype, &value.dims) => {
                    let message = format!(
                        "an edge joins values of one size and type: `{}` is `{dtype}{dims:?}`, `{}` is `{}{:?}`",
                        self.built.values[*other].name, value.name, value.dtype, value.dims
                    );
                    self.error(span, message, "give each of them a separate edge");
                    return false;
                }
                Some(_) => {}
            }
        }
        true
    }

    /// `op(b = x) { .. return r; }`, `op(b = x) : (x, r) -> (y, b) { .. return r; }`
    pub(super) fn data_flow(
        &mut self,
        region: &RegionSyntax<S>,
        names: &[NameSyntax<S>],
    ) -> Option<Vec<usize>> {
        let body = region.bodies.first()?;
        let taken = self.inputs(&region.inputs)?;
        if let Some((_, Some(split))) = body.returns.iter().find(|(_, split)| split.is_some()) {
            self.error(split.split.span, SPLIT_OF_RESULT, HELP_OF_RESULT);
            return None;
        }
        self.data_flow_of(region, body, &taken, names, None)
    }

    /// An operation with a body, or the call of a function. The names of its values begin with `function`.
    pub(super) fn data_flow_of(
        &mut self,
        region: &RegionSyntax<S>,
        body: &BodySyntax<S>,
        taken: &[Taken],
        names: &[NameSyntax<S>],
        function: Option<&str>,
    ) -> Option<Vec<usize>> {
        if !self.has_names(names, body.returns.len(), region.keyword.span) {
            return None;
        }
        let ends = self.ends(region, body, names)?;
        let span = |at: usize| {
            let written = region.edges.as_ref().and_then(|edges| edges.get(at));
            written.map_or(region.keyword.span, |edge| edge.sources[0].span)
        };
        let operands: Vec<_> =
            taken.iter().enumerate().map(|(at, t)| (End::Operand(at), t)).collect();
        for (at, edge) in ends.iter().enumerate() {
            if !self.alike(edge, &operands, span(at)) {
                return None;
            }
        }
        let Opened { mut edges, ops, arguments } = self.open_edges(&ends, taken, &span)?;
        self.built.graph.enter(&arguments);
        let (inner, made) = self.scoped_body(region, body, (taken, &arguments), names, function);
        let results = made.and_then(|(nodes, returned)| {
            let results = self.returned_to(&ends, &mut edges, &returned, &operands, &span)?;
            Some((nodes, returned, results))
        });
        self.built.graph.leave();
        let (nodes, returned, results) = results?;

        let mut numbers = Vec::new();
        for ((name, value), taken) in names.iter().zip(results).zip(&returned) {
            let (dtype, dims) = (self.built.values[taken.at].dtype, self.dims(taken.at));
            numbers.push(self.define(name, dtype, dims, value));
        }
        let mut custom = Custom {
            name: region.keyword.text.clone(),
            operands: vec![None; taken.len()],
            returned: vec![None; returned.len()],
            edges: region.edges.as_ref().map(|edges| written(edges)),
            is_function: function.is_some(),
        };
        let owner = |end: End| match end {
            End::Result(at) => Some((numbers[at], names[at].span)),
            End::Argument(at) => Some((inner[at], region.inputs[at].name.span)),
            _ => None,
        };
        let opened = ops.into_iter().zip(edges).collect();
        let inputs = [taken, &returned];
        let [entries, exits] =
            self.close_edges(&ends, opened, inputs, owner, &mut custom, &span)?;
        self.built.nodes.push(Node::Region(Region {
            kind: RegionKind::Custom(Box::new(custom)),
            inputs: taken.iter().map(|taken| taken.at).collect(),
            arguments: inner,
            bodies: vec![Body { nodes, returned: returned.iter().map(|taken| taken.at).collect() }],
            results: numbers.clone(),
            entries,
            edges: exits,
        }));
        Some(numbers)
    }

    /// Opens the edges whose size is that of an operand or an argument, because the body reads their targets, and closes those of
    /// them that enter the body.
    fn open_edges(
        &mut self,
        ends: &[Ends],
        taken: &[Taken],
        span: &impl Fn(usize) -> S,
    ) -> Option<Opened> {
        let mut edges = Vec::new();
        let mut ops = vec![None; ends.len()];
        let mut arguments = vec![None; taken.len()];
        for (number, edge) in ends.iter().enumerate() {
            let early = edge.sources.iter().chain(&edge.targets).find_map(|end| match end {
                End::Operand(at) | End::Argument(at) => Some(taken[*at].at),
                _ => None,
            });
            let Some(sized) = early else {
                edges.push(None);
                continue;
            };
            let dims = self.dims(sized);
            let (open, targets) = self.built.graph.open_edge(&dims, edge.targets.len());
            for (target, value) in edge.targets.iter().zip(&targets) {
                if let End::Argument(at) = target {
                    arguments[*at] = Some(*value);
                }
            }
            if edge.enters() {
                let sources = self.operands_of(edge, taken);
                let closed = self.built.graph.close_entry(open, &sources);
                ops[number] = Some(closed.map_err(|error| self.fails(span(number), &error)).ok()?);
                edges.push(None);
            } else {
                edges.push(Some((open, targets)));
            }
        }
        let arguments = arguments.into_iter().zip(taken).map(|(value, taken)| {
            // Nothing propagates to an argument without an edge.
            let dims = self.dims(taken.at);
            value.unwrap_or_else(|| self.built.graph.argument(&dims))
        });
        let arguments = arguments.collect();
        Some(Opened { edges, ops, arguments })
    }

    /// Reads a body in a separate scope. Returns the numbers of its arguments, its nodes, and the values that it returns.
    fn scoped_body(
        &mut self,
        region: &RegionSyntax<S>,
        body: &BodySyntax<S>,
        (taken, arguments): (&[Taken], &[Value]),
        names: &[NameSyntax<S>],
        function: Option<&str>,
    ) -> (Vec<usize>, Option<MadeBody>) {
        let outer = self.prefix.len();
        let sees = match function {
            Some(prefix) => {
                self.prefix += prefix;
                Sees::OwnOfFunction
            }
            None => Sees::Around,
        };
        self.scopes.push(scope(sees));
        let numbers = self.arguments_of(&region.inputs, taken, arguments);
        for (input, value) in region.inputs.iter().zip(arguments) {
            if let Some(split) = &input.split {
                self.shard(*value, split);
            }
        }
        let returned = match function {
            Some(_) => "return",
            None => &returned_name(names),
        };
        let made = self.body(body, returned);
        self.scopes.pop();
        self.prefix.truncate(outer);
        (numbers, made)
    }

    /// Closes the edges that are still open. Returns the calls of the edges that enter the body, and of the others. `inputs`
    /// contains the operands and the values that the body returns, and `owner` returns the number and the span of a target.
    fn close_edges(
        &mut self,
        ends: &[Ends],
        opened: Vec<(Option<Op>, Option<OpenEdge>)>,
        inputs: [&[Taken]; 2],
        owner: impl Fn(End) -> Option<(usize, S)>,
        custom: &mut Custom,
        span: &impl Fn(usize) -> S,
    ) -> Option<[Vec<usize>; 2]> {
        let [taken, returned] = inputs;
        let (mut entries, mut exits) = (Vec::new(), Vec::new());
        for (number, (edge, opened)) in ends.iter().zip(opened).enumerate() {
            let op = match opened {
                (Some(op), _) => op,
                (None, Some((open, _))) => {
                    let sources = self.operands_of(edge, taken);
                    let closed = self.built.graph.close_edge(open, &sources);
                    closed.map_err(|error| self.fails(span(number), &error)).ok()?
                }
                (None, None) => continue,
            };
            // The operands come first, as in the graph.
            let outer = edge.sources.iter().filter_map(|end| match end {
                End::Operand(at) => Some((*end, taken[*at])),
                _ => None,
            });
            let inner = edge.sources.iter().filter_map(|end| match end {
                End::Returned(at) => Some((*end, returned[*at])),
                _ => None,
            });
            let (sources, from): (Vec<_>, Vec<_>) = outer.chain(inner).unzip();
            let Some((target, target_span)) = owner(edge.targets[0]) else { continue };
            let call = self.edge(&custom.name, &from, target, op, target_span);
            for (at, source) in sources.into_iter().enumerate() {
                match source {
                    End::Operand(operand) => custom.operands[operand] = Some((call, at)),
                    End::Returned(value) => custom.returned[value] = Some((call, at)),
                    _ => {}
                }
            }
            if edge.enters() { entries.push(call) } else { exits.push(call) }
        }
        Some([entries, exits])
    }

    /// The operands that are sources of an edge.
    fn operands_of(&self, edge: &Ends, taken: &[Taken]) -> Vec<Value> {
        let values = edge.sources.iter().filter_map(|end| match end {
            End::Operand(at) => Some(self.built.values[taken[*at].at].value),
            _ => None,
        });
        values.collect()
    }

    /// Lets the values that the body returns flow to the edges, within the body. Opens the edges whose size they determine.
    /// Returns the results.
    fn returned_to(
        &mut self,
        ends: &[Ends],
        edges: &mut [Option<OpenEdge>],
        returned: &[Taken],
        operands: &[(End, &Taken)],
        span: &impl Fn(usize) -> S,
    ) -> Option<Vec<Value>> {
        let mut known = operands.to_vec();
        known.extend(returned.iter().enumerate().map(|(at, taken)| (End::Returned(at), taken)));
        let mut results = vec![None; returned.len()];
        for (number, edge) in ends.iter().enumerate() {
            if !self.alike(edge, &known, span(number)) {
                return None;
            }
            if edge.enters() {
                continue;
            }
            if edges[number].is_none() {
                let of = edge.sources.iter().find_map(|end| match end {
                    End::Returned(at) => Some(returned[*at].at),
                    _ => None,
                });
                let (dims, targets) = (self.dims(of?), edge.targets.len());
                let open = self.built.graph.outside(|graph| graph.open_edge(&dims, targets));
                edges[number] = Some(open);
            }
            let (open, targets) = edges[number].as_mut()?;
            for (target, value) in edge.targets.iter().zip(targets) {
                if let End::Result(at) = target {
                    results[*at] = Some(*value);
                }
            }
            for end in &edge.sources {
                let End::Returned(at) = end else { continue };
                let source = self.built.values[returned[*at].at].value;
                let flows = self.built.graph.returned(open, source);
                flows.map_err(|error| self.fails(span(number), &error)).ok()?;
            }
        }
        let results = results.into_iter().zip(returned).map(|(value, taken)| {
            // Nothing propagates to a result without an edge.
            let dims = self.dims(taken.at);
            value.unwrap_or_else(|| self.built.graph.outside(|graph| graph.argument(&dims)))
        });
        Some(results.collect())
    }
}

/// The text of edges.
fn written<S>(edges: &[EdgeSyntax<S>]) -> String {
    let list = |names: &[NameSyntax<S>]| {
        let texts: Vec<_> = names.iter().map(|name| &name.text[..]).collect();
        if texts.len() == 1 { texts[0].to_owned() } else { format!("({})", texts.join(", ")) }
    };
    let edges: Vec<_> = edges
        .iter()
        .map(|edge| format!("{} -> {}", list(&edge.sources), list(&edge.targets)))
        .collect();
    edges.join(", ")
}
