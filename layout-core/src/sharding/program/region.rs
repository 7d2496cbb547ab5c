//! Operations with bodies, which have edges instead of rules.

use super::Call;
use super::build::{Builder, Sees, Taken, scope};
use super::nodes::{Body, Node, Region, RegionKind};
use super::sums::Sums;
use crate::dtype::DType;
use crate::sharding::axis::AxisRef;
use crate::sharding::ops::{Attributes, Mlir, PartialSums};
use crate::sharding::propagation::{Edge, ManualAxes, Op, Value};
use crate::sharding::syntax::{
    BodySyntax, CallSyntax, InputSyntax, NameSyntax, PlacedSyntax, RegionSyntax, lower_axis,
};
use crate::sharding::tensor::TensorSharding;
use crate::syntax::Span;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

pub(super) const SPLIT_OF_RESULT: &str =
    "a value that a body returns has the sharding of the result";
pub(super) const HELP_OF_RESULT: &str = "write the sharding after the name of the result";

/// An edge of a program, before all of its sources are known.
struct OpenEdge {
    edge: Edge,
    targets: Vec<Value>,
    /// The element type of its values; `None` until it is known.
    dtype: Option<DType>,
    /// The values that bodies return to it.
    returned: Vec<Taken>,
}

impl<S: Span> Builder<'_, S> {
    pub(super) fn region(
        &mut self,
        region: &RegionSyntax<S>,
        names: &[NameSyntax<S>],
    ) -> Option<Vec<usize>> {
        let is_clear = match &region.keyword.text[..] {
            "while" => region.condition.is_some(),
            "case" => region.index.is_some(),
            "manual" => true,
            _ => false,
        };
        self.built.vague.extend((!is_clear).then(|| region.keyword.clone()));
        self.depth += 1;
        let results = match &region.keyword.text[..] {
            "while" => self.repeat(region, names),
            "case" => self.case(region, names),
            "manual" => self.manual(region, names),
            _ => self.data_flow(region, names),
        };
        self.depth -= 1;
        results
    }

    /// The values that a body reads from outside.
    pub(super) fn inputs(&mut self, inputs: &[InputSyntax<S>]) -> Option<Vec<Taken>> {
        let taken: Vec<_> = inputs
            .iter()
            .map(|input| {
                let text = format!("{}_init", input.name.text);
                self.take(&input.value, &NameSyntax { text, span: input.value.span() })
            })
            .collect();
        taken.into_iter().collect()
    }

    /// Edges for values of these sizes, each with `targets` targets.
    fn open(&mut self, sizes: &[Vec<usize>], targets: usize) -> Vec<OpenEdge> {
        let open = |dims: &Vec<usize>| {
            let (edge, targets) = self.built.graph.open_edge(dims, targets);
            OpenEdge { edge, targets, dtype: None, returned: Vec::new() }
        };
        sizes.iter().map(open).collect()
    }

    pub(super) fn dims(&self, at: usize) -> Vec<usize> {
        self.built.values[at].dims.clone()
    }

    /// Defines the arguments of a body, which have the values `values` inside it.
    pub(super) fn arguments_of(
        &mut self,
        inputs: &[InputSyntax<S>],
        taken: &[Taken],
        values: &[Value],
    ) -> Vec<usize> {
        let arguments = inputs.iter().zip(taken).zip(values);
        arguments
            .map(|((input, taken), value)| {
                let dtype = self.built.values[taken.at].dtype;
                let dims = self.built.graph.dims(*value).to_vec();
                self.define(&input.name, dtype, dims, *value)
            })
            .collect()
    }

    /// The statements of a body, and the values that it returns. Unnamed values get names that begin with `returned`.
    pub(super) fn body(
        &mut self,
        body: &BodySyntax<S>,
        returned: &str,
    ) -> Option<(Vec<Node>, Vec<Taken>)> {
        let outer = core::mem::take(&mut self.built.nodes);
        self.statements(&body.statements);
        let taken: Vec<_> = body
            .returns
            .iter()
            .enumerate()
            .map(|(at, (value, _))| {
                let text = format!("{returned}{at}");
                self.take(value, &NameSyntax { text, span: value.span() })
            })
            .collect();
        let nodes = core::mem::replace(&mut self.built.nodes, outer);
        Some((nodes, taken.into_iter().collect::<Option<_>>()?))
    }

    /// Checks that a body returns values with the sizes of the edges, and makes the values sources of these edges.
    fn flow(
        &mut self,
        body: &BodySyntax<S>,
        taken: &[Taken],
        edges: &mut [OpenEdge],
    ) -> Option<()> {
        if taken.len() != edges.len() {
            let message =
                format!("expected {} values, the body returns {}", edges.len(), taken.len());
            self.error(body.end, message, "");
            return None;
        }
        for ((taken, edge), (value, split)) in taken.iter().zip(edges).zip(&body.returns) {
            if let Some(split) = split {
                self.error(split.split.span, SPLIT_OF_RESULT, HELP_OF_RESULT);
            }
            let (found, expected) =
                (self.dims(taken.at), self.built.graph.dims(edge.targets[0]).to_vec());
            if found != expected {
                let message = format!("expected an array of size {expected:?}, found {found:?}");
                self.error(value.span(), message, "");
                return None;
            }
            let (expected, dtype) = (edge.dtype, self.built.values[taken.at].dtype);
            if expected.is_some_and(|expected| expected != dtype) {
                let expected = expected.unwrap_or(dtype);
                let message = format!("expected elements of type `{expected}`, found `{dtype}`");
                let help = format!("write `convert(.., type={expected})` around it");
                self.error(value.span(), message, help);
                return None;
            }
            edge.dtype = Some(dtype);
            let source = self.built.values[taken.at].value;
            if let Err(error) = self.built.graph.returned(&mut edge.edge, source) {
                self.fails(value.span(), &error);
            }
            edge.returned.push(*taken);
        }
        Some(())
    }

    /// Closes the edges. Returns the numbers of their calls and of their results.
    fn close(
        &mut self,
        keyword: &NameSyntax<S>,
        names: &[NameSyntax<S>],
        edges: Vec<OpenEdge>,
        inputs: &[Taken],
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        if !self.has_names(names, edges.len(), keyword.span) {
            return None;
        }
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        for (at, (open, name)) in edges.into_iter().zip(names).enumerate() {
            let taken: Vec<_> = inputs.get(at).into_iter().chain(&open.returned).copied().collect();
            let source = inputs.get(at).map(|taken| self.built.values[taken.at].value);
            let op = match self.built.graph.close_edge(open.edge, source.as_slice()) {
                Ok(op) => op,
                Err(error) => {
                    self.fails(keyword.span, &error);
                    return None;
                }
            };
            let Some(first) = taken.first() else {
                self.error(keyword.span, "expected bodies, found none", "");
                return None;
            };
            let dtype = self.built.values[first.at].dtype;
            let dims = self.built.graph.dims(open.targets[0]).to_vec();
            let result = self.define(name, dtype, dims, open.targets[0]);
            calls.push(self.edge(&keyword.text, &taken, result, op, name.span));
            results.push(result);
        }
        Some((calls, results))
    }

    /// Adds an edge as a call, because its operands and its result must have the same sharding, like those of a call.
    pub(super) fn edge(
        &mut self,
        name: &str,
        taken: &[Taken],
        result: usize,
        op: Op,
        span: S,
    ) -> usize {
        let call = Call {
            name: name.to_string(),
            operands: taken.iter().map(|taken| taken.at).collect(),
            results: vec![result],
            op,
            attributes: Attributes::default(),
            partial: PartialSums::All,
            // In MLIR, edges are part of the operation with the bodies.
            mlir: Mlir::CustomCall,
            reshards: (0..taken.len()).filter(|&at| taken[at].reshard).collect(),
            planned: Vec::new(),
            sums: Sums::default(),
            line: None,
            refused: None,
            has_written_rule: false,
        };
        self.built.calls.push((call, span));
        self.built.calls.len() - 1
    }

    /// `while (h = x) { .. return h2; }`: the results, the arguments and the returned values of the body have the same
    /// sharding.
    fn repeat(&mut self, region: &RegionSyntax<S>, names: &[NameSyntax<S>]) -> Option<Vec<usize>> {
        let taken = self.inputs(&region.inputs)?;
        let sizes: Vec<_> = taken.iter().map(|taken| self.dims(taken.at)).collect();
        let mut edges = self.open(&sizes, 2 + usize::from(region.condition.is_some()));
        for (edge, taken) in edges.iter_mut().zip(&taken) {
            edge.dtype = Some(self.built.values[taken.at].dtype);
        }
        let entered = |targets: fn(&[Value]) -> Value| -> Vec<_> {
            edges.iter().map(|edge| targets(&edge.targets)).collect()
        };
        let (values, tested) =
            (entered(|targets| targets[targets.len() - 1]), entered(|targets| targets[1]));
        let condition = match &region.condition {
            Some(body) => Some(self.condition(region, body, names, (&taken, &tested))?),
            None => None,
        };
        let body = region.bodies.first()?;
        self.built.graph.enter(&values);
        self.scopes.push(scope(Sees::Around));
        let arguments = self.arguments_of(&region.inputs, &taken, &values);
        for (input, value) in region.inputs.iter().zip(&values) {
            if let Some(split) = &input.split {
                self.shard(*value, split);
            }
        }
        let made = self.body(body, &returned_name(names));
        let made = made.and_then(|(nodes, returned)| {
            self.flow(body, &returned, &mut edges)?;
            Some((nodes, returned))
        });
        self.scopes.pop();
        self.built.graph.leave();
        let (nodes, returned) = made?;
        let (calls, results) = self.close(&region.keyword, names, edges, &taken)?;
        let returned = returned.iter().map(|taken| taken.at).collect();
        let (condition, tests) = condition.unzip();
        self.built.nodes.push(Node::Region(Region {
            kind: RegionKind::While { condition },
            inputs: taken.iter().map(|taken| taken.at).collect(),
            arguments,
            bodies: tests.into_iter().chain([Body { nodes, returned }]).collect(),
            results: results.clone(),
            entries: Vec::new(),
            edges: calls,
        }));
        Some(results)
    }

    /// `cond { .. return p; }`: computes whether the body of a loop runs again. Returns its arguments, which are called
    /// `i_cond` for `i`, and the body.
    fn condition(
        &mut self,
        region: &RegionSyntax<S>,
        body: &BodySyntax<S>,
        names: &[NameSyntax<S>],
        (taken, values): (&[Taken], &[Value]),
    ) -> Option<(Vec<usize>, Body)> {
        self.built.graph.enter(values);
        self.scopes.push(scope(Sees::Around));
        let mut arguments = Vec::new();
        for ((input, taken), value) in region.inputs.iter().zip(taken).zip(values) {
            let (dtype, dims) = (self.built.values[taken.at].dtype, self.dims(taken.at));
            let text = format!("{}_cond", input.name.text);
            let at = self.define(&NameSyntax { text, span: input.name.span }, dtype, dims, *value);
            self.bind(&input.name, at);
            arguments.push(at);
        }
        let made = self.body(body, &format!("{}_cond_return", name_of_first(names)));
        self.scopes.pop();
        self.built.graph.leave();
        let (nodes, returned) = made?;
        let is_one = matches!(&returned[..], [one] if self.is_scalar(one.at, &[DType::PRED]));
        if !is_one {
            let span = body.returns.first().map_or(body.end, |(value, _)| value.span());
            let help = "write one, `return compare(i, n, direction=LT);`";
            self.error(span, "a condition returns one truth value, `pred[]`", help);
            return None;
        }
        if let Some(split) = body.returns.iter().find_map(|(_, split)| split.as_ref()) {
            self.error(split.split.span, "a truth value has no dimension to split", "");
            return None;
        }
        let returned = returned.iter().map(|taken| taken.at).collect();
        Some((arguments, Body { nodes, returned }))
    }

    /// Whether a value is a scalar of one of these types.
    fn is_scalar(&self, at: usize, dtypes: &[DType]) -> bool {
        let value = &self.built.values[at];
        value.dims.is_empty() && dtypes.contains(&value.dtype)
    }

    /// `case (i) { return x; } { .. return y; }`: one of the bodies runs.
    fn case(&mut self, region: &RegionSyntax<S>, names: &[NameSyntax<S>]) -> Option<Vec<usize>> {
        let index = match &region.index {
            Some(index) => {
                let text = format!("{}_index", name_of_first(names));
                let at = self.take(index, &NameSyntax { text, span: index.span() })?.at;
                if self.is_scalar(at, &[DType::PRED]) && region.bodies.len() != 2 {
                    let message = format!(
                        "a `pred[]` selects one of two bodies, found {}",
                        region.bodies.len()
                    );
                    self.error(region.keyword.span, message, "");
                    return None;
                }
                if !self.is_scalar(at, &[DType::PRED, DType::S32]) {
                    let help = "a `pred[]` selects the first body if it is true; an `s32[]` is the number of a body, from 0";
                    self.error(index.span(), "expected one value, `pred[]` or `s32[]`", help);
                    return None;
                }
                Some(at)
            }
            None => None,
        };
        let (mut bodies, mut edges) = (Vec::new(), None);
        for body in &region.bodies {
            self.built.graph.enter(&[]);
            self.scopes.push(scope(Sees::Around));
            let text = format!("{}_case{}_return", name_of_first(names), bodies.len());
            let made = self.body(body, &text).and_then(|(nodes, returned)| {
                let sizes: Vec<_> = returned.iter().map(|taken| self.dims(taken.at)).collect();
                let edges = edges.get_or_insert_with(|| self.open(&sizes, 1));
                self.flow(body, &returned, edges)?;
                Some((nodes, returned))
            });
            self.scopes.pop();
            self.built.graph.leave();
            let (nodes, returned) = made?;
            bodies.push(Body { nodes, returned: returned.iter().map(|taken| taken.at).collect() });
        }
        let edges = edges.unwrap_or_default();
        let (calls, results) = self.close(&region.keyword, names, edges, &[])?;
        self.built.nodes.push(Node::Region(Region {
            kind: RegionKind::Case { index },
            inputs: Vec::new(),
            arguments: Vec::new(),
            bodies,
            results: results.clone(),
            entries: Vec::new(),
            edges: calls,
        }));
        Some(results)
    }

    /// `optimization_barrier(x, y)`
    pub(super) fn optimization_barrier(
        &mut self,
        call: &CallSyntax<S>,
        names: &[NameSyntax<S>],
        taken: &[Taken],
    ) -> Option<Vec<usize>> {
        let sizes: Vec<_> = taken.iter().map(|taken| self.dims(taken.at)).collect();
        let edges = self.open(&sizes, 1);
        let (calls, results) = self.close(&call.op, names, edges, taken)?;
        self.shard_all(call, &results)?;
        self.built.nodes.push(Node::Region(Region {
            kind: RegionKind::OptimizationBarrier,
            inputs: taken.iter().map(|taken| taken.at).collect(),
            arguments: Vec::new(),
            bodies: Vec::new(),
            results: results.clone(),
            entries: Vec::new(),
            edges: calls,
        }));
        Some(results)
    }

    /// The sharding that must be written for values that enter or leave a manual computation.
    fn border(&mut self, split: Option<&PlacedSyntax<S>>, span: S) -> Option<TensorSharding> {
        let Some(split) = split else {
            let help = "say how each value that enters or leaves is sharded: `x [{\"a\"}, {}]`, the manual axes first";
            self.error(span, "expected a sharding at the border of a manual computation", help);
            return None;
        };
        self.lower_split(split)
    }

    /// Checks that all values enter and leave a manual computation on the same mesh.
    fn one_mesh(&mut self, region: &RegionSyntax<S>) {
        let returned = region.bodies.iter().flat_map(|body| &body.returns);
        let borders = region.inputs.iter().map(|input| &input.split);
        let borders = borders.chain(returned.map(|(_, split)| split)).flatten();
        let name = |split: &PlacedSyntax<S>| match &split.mesh {
            Some(mesh) => super::last_name(&mesh.text).to_string(),
            None => self.built.meshes[0].0.clone(),
        };
        let borders: Vec<_> = borders.map(|split| (name(split), split.split.span)).collect();
        if let Some((_, span)) = borders.iter().find(|(name, _)| *name != borders[0].0) {
            let message =
                "all in and out shardings must be bound to the same mesh or an empty mesh";
            self.error(*span, message, "");
        }
    }

    /// `manual {"data"} (a = x [{"data"}, {}]) { .. return y [{"data"}, {}]; }`: the body operates on local arrays.
    fn manual(&mut self, region: &RegionSyntax<S>, names: &[NameSyntax<S>]) -> Option<Vec<usize>> {
        let before = self.diagnostics.len();
        let axes: Vec<AxisRef> =
            region.axes.iter().map(|axis| lower_axis(axis, self.diagnostics)).collect();
        let manual = ManualAxes::new(axes.iter().cloned());
        if let Err(error) = self.built.graph.check_manual(&manual) {
            for problem in error.problems() {
                let at = match problem.location {
                    crate::sharding::Location::Axis { at, .. } => region.axes.get(at),
                    _ => None,
                };
                let span = at.map_or(region.keyword.span, |axis| axis.span);
                super::report(self.diagnostics, span, problem.clone());
            }
            return None;
        }
        let taken = self.inputs(&region.inputs)?;
        let (mut values, mut operands, mut ops) = (Vec::new(), Vec::new(), Vec::new());
        for (input, taken) in region.inputs.iter().zip(&taken) {
            let sharding = self.border(input.split.as_ref(), input.name.span)?;
            let outer = self.built.values[taken.at].value;
            let entered = self.built.graph.manual_argument(outer, &sharding, &manual);
            let value = self.fails_in(input.split.as_ref()?, entered)?;
            ops.push(self.built.graph.definition(value)?);
            operands.push(sharding);
            values.push(value);
        }
        let body = region.bodies.first()?;
        self.built.graph.enter_manual(&values, &manual);
        self.scopes.push(scope(Sees::OwnOfManual));
        let arguments = self.arguments_of(&region.inputs, &taken, &values);
        let mut entries = Vec::new();
        for (((taken, &argument), &op), input) in
            taken.iter().zip(&arguments).zip(&ops).zip(&region.inputs)
        {
            entries.push(self.edge("manual", &[*taken], argument, op, input.name.span));
        }
        let made = self.body(body, &returned_name(names));
        self.scopes.pop();
        self.built.graph.leave();
        self.one_mesh(region);
        let (nodes, returned) = made?;
        if !self.has_names(names, returned.len(), region.keyword.span) {
            return None;
        }
        let (mut edges, mut results, mut shardings) = (Vec::new(), Vec::new(), Vec::new());
        for ((taken, name), (value, split)) in returned.iter().zip(names).zip(&body.returns) {
            let sharding = self.border(split.as_ref(), value.span())?;
            let split = split.as_ref()?;
            let inner = self.built.values[taken.at].value;
            let dims = self.built.graph.manual_size(inner, &sharding, &manual);
            let dims = self.fails_in(split, dims)?;
            let left = self.built.graph.manual_result(inner, &dims, &sharding, &manual);
            let result = self.fails_in(split, left)?;
            let op = self.built.graph.definition(result)?;
            let dtype = self.built.values[taken.at].dtype;
            let result = self.define(name, dtype, dims, result);
            edges.push(self.edge("manual", &[*taken], result, op, value.span()));
            results.push(result);
            shardings.push(sharding);
        }
        if self.diagnostics.len() > before {
            return None;
        }
        let kind = RegionKind::Manual { axes, operands, results: shardings };
        self.built.nodes.push(Node::Region(Region {
            kind,
            inputs: taken.iter().map(|taken| taken.at).collect(),
            arguments,
            bodies: vec![Body { nodes, returned: returned.iter().map(|taken| taken.at).collect() }],
            results: results.clone(),
            entries,
            edges,
        }));
        Some(results)
    }
}

/// The name of the first result.
pub(super) fn name_of_first<S>(names: &[NameSyntax<S>]) -> &str {
    names.first().map_or("", |name| &name.text)
}

/// The prefix of the names of unnamed values that a body returns.
pub(super) fn returned_name<S>(names: &[NameSyntax<S>]) -> String {
    format!("{}_return", name_of_first(names))
}
