//! Builds the graph of a module in which calls have bodies.

use super::prepare::is_removed;
use super::read::{entries, inside, is_call, unquoted};
use super::rules::{self, Known, Made, Ruled};
use super::scan::Scanner;
use super::tree::{Function, Module, Number, Operation, Region, Syntax};
use super::{Failure, Root};
use crate::sharding::ops::Mode;
use crate::sharding::propagation::{Direction, Edge, Graph, ManualAxes, Op, Value};
use crate::sharding::{AxisRef, ShardingError, TensorSharding};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

/// The values of the graph.
pub(super) struct Builder<'m, 't> {
    pub(super) module: &'m Module<'t>,
    pub(super) graph: Graph,
    /// The values by number; `None` for values in the bodies of reductions and similar operations.
    pub(super) values: Vec<Option<Value>>,
    /// Arguments of the program whose size is not completely known. Operations read a scalar instead, and the arguments keep
    /// their written shardings.
    pub(super) unbounded: BTreeMap<Number, Value>,
    made: Vec<Made>,
    /// The functions by name.
    functions: BTreeMap<&'m str, &'m Function<'t>>,
    /// The operations with a rule, and the others.
    pub(super) calls: Vec<Taken>,
    pub(super) unruled: Vec<Taken>,
    /// The states of random number generators.
    seeds: BTreeSet<Number>,
    /// The mode of the rules: how conservative they are.
    pub(super) mode: Mode,
    /// Whether all calls of a function share it. Then calls have no bodies, and arguments and results flow over edges.
    pub(super) shares: bool,
    /// Calls without a body, by their function.
    outside: BTreeMap<&'m str, Vec<Outside>>,
    /// Edges between functions whose sources are not known yet: the value that each of them continues, the edge, and its position
    /// in the text.
    edges: Vec<(Number, Edge, usize)>,
    /// The shardings of values of the function in addition to those in the text.
    pub(super) given: Option<&'m Given<'m>>,
}

/// A call of a function without a copy of its body.
struct Outside {
    operands: Vec<Number>,
    results: Vec<Number>,
}

/// The sharding of a value that is given by name.
pub(super) type Given<'m> = dyn Fn(Number) -> Option<TensorSharding> + 'm;

/// An operation of the graph with the values that it reads and computes.
pub(super) struct Taken {
    pub(super) syntax: usize,
    pub(super) operands: Vec<Number>,
    pub(super) results: Vec<Number>,
    pub(super) op: Op,
    /// Whether its rule is written in the text, and not the rule of the operation.
    pub(super) has_written_rule: bool,
}

/// The first mistake of an error, for the operation `name`.
fn failure(error: &ShardingError, at: usize, name: &str) -> Failure {
    let problem = error.problems().first();
    let (message, help) = problem
        .map_or_else(Default::default, |problem| (problem.message.clone(), problem.help.clone()));
    Failure { at, message: format!("in `{name}`: {message}"), help }
}

impl<'m, 't> Builder<'m, 't> {
    pub(super) fn new(module: &'m Module<'t>, graph: Graph) -> Self {
        let values = vec![None; module.values.len()];
        let functions = module.functions.iter().map(|function| (&*function.name, function));
        Self {
            module,
            graph,
            values,
            unbounded: BTreeMap::new(),
            made: vec![Made::Other; module.values.len()],
            functions: functions.collect(),
            calls: Vec::new(),
            unruled: Vec::new(),
            seeds: BTreeSet::new(),
            mode: Mode::default(),
            shares: false,
            outside: BTreeMap::new(),
            edges: Vec::new(),
            given: None,
        }
    }

    /// The sizes that propagation uses: a value that cannot be sharded is treated like a scalar.
    fn dims(&self, value: Number) -> &'m [usize] {
        self.module.dims(value).unwrap_or(&[])
    }

    fn value(&self, number: Number, at: usize) -> Result<Value, Failure> {
        self.values[number]
            .ok_or_else(|| Failure::new(at, "takes a value of a body that it is not in"))
    }

    fn operands(&self, operation: &Operation) -> Result<Vec<Value>, Failure> {
        let at = self.module.syntax(operation).at;
        operation.operands.iter().map(|value| self.value(*value, at)).collect()
    }

    /// Gives a value the sharding in the text.
    pub(super) fn shard(
        &mut self,
        number: Number,
        sharding: Option<&TensorSharding>,
        at: usize,
        name: &str,
    ) -> Result<(), Failure> {
        let value = self.border(number);
        let (Some(sharding), Some(value)) = (sharding, value) else { return Ok(()) };
        let set = self.graph.set_sharding(value, sharding);
        set.map_err(|error| failure(&error, at, name))
    }

    /// The value of the graph that stores the sharding of value `number`, which can be an argument of unknown size.
    fn border(&self, number: Number) -> Option<Value> {
        match self.module.dims(number) {
            Some(_) => self.values[number],
            None => self.unbounded.get(&number).copied(),
        }
    }

    /// Adds the arguments of a function.
    pub(super) fn arguments(&mut self, region: &Region) {
        for &argument in &region.arguments {
            self.values[argument] = Some(self.graph.argument(self.dims(argument)));
            if let Some(dims) = &self.module.values[argument].ty.unbounded {
                self.unbounded.insert(argument, self.graph.argument(dims));
            }
        }
    }

    /// Adds the arguments of a function that calls share.
    pub(super) fn shared_arguments(&mut self, region: &Region, at: usize) {
        for &argument in &region.arguments {
            self.shared(argument, at);
        }
    }

    /// Adds a value that flows from one function to another.
    fn shared(&mut self, number: Number, at: usize) {
        let (edge, targets) = self.graph.open_edge(self.dims(number), 1);
        self.values[number] = Some(targets[0]);
        self.edges.push((number, edge, at));
    }

    /// Collects the states that generators in a region read.
    pub(super) fn collect_seeds(&mut self, region: &Region) {
        for operation in &region.operations {
            if self.module.name(operation) == "stablehlo.rng_bit_generator" {
                self.seeds.extend(&operation.operands);
            }
            operation.regions.iter().for_each(|region| self.collect_seeds(region));
        }
    }

    /// Adds the operations of a region.
    pub(super) fn region(&mut self, region: &Region) -> Result<(), Failure> {
        for operation in &region.operations {
            let syntax = self.module.syntax(operation);
            let (at, name) = (syntax.at, syntax.name);
            self.operation(operation).map_err(|failure| failure.of(name, at))?;
            if is_removed(self.module, operation, rules::is_pure) {
                let values = operation.results.iter().filter_map(|result| self.values[*result]);
                values.for_each(|value| self.graph.set_removable(value));
            }
            if let &[result] = &operation.results[..] {
                self.made[result] = rules::made(self.module, operation);
            }
            for result in &operation.results {
                let given = self.given.and_then(|given| given(*result));
                self.shard(*result, given.as_ref(), at, name)?;
            }
            // The sharding of an operation without results can specify the device on which it runs.
            let runs = operation.results.is_empty() && syntax.shardings.len() == 1;
            if !syntax.shardings.is_empty() && !runs {
                if syntax.shardings.len() != operation.results.len() {
                    let (shardings, values) = (syntax.shardings.len(), operation.results.len());
                    let message = format!(
                        "shardings don't match number of values: {shardings} shardings vs {values} values"
                    );
                    return Err(Failure::new(at, message).of(name, at));
                }
                for (result, sharding) in operation.results.iter().zip(&syntax.shardings) {
                    self.shard(*result, Some(sharding), at, name)?;
                }
            }
        }
        Ok(())
    }

    fn operation(&mut self, operation: &Operation) -> Result<(), Failure> {
        if self.control(operation)? {
            return Ok(());
        }
        let operands = self.operands(operation)?;
        match self.annotation(operation, &operands)? || self.call(operation)? {
            true => Ok(()),
            false => self.ruled(operation, &operands),
        }
    }

    /// Adds an operation that has bodies or ties values together. Returns whether it is one of these.
    fn control(&mut self, operation: &Operation) -> Result<bool, Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        let regions = operation.regions.len();
        match syntax.name {
            "return" | "func.return" | "stablehlo.return" | "sdy.return" => {
                let returned = operation.operands.iter().filter_map(|value| self.values[*value]);
                returned.for_each(|value| self.graph.keep(value));
            }
            "call" | "func.call" | "sdy.named_computation" if regions == 1 => {
                self.computation(operation)?;
            }
            "stablehlo.while" if regions == 2 => self.repeat(operation)?,
            "stablehlo.case" | "stablehlo.if" if regions > 0 => self.case(operation)?,
            "stablehlo.optimization_barrier" => {
                let operands = self.operands(operation)?;
                for (&result, operand) in operation.results.iter().zip(operands) {
                    let (edge, targets) = self.graph.open_edge(self.dims(result), 1);
                    self.graph.close_edge(edge, &[operand]).map_err(fails)?;
                    self.values[result] = Some(targets[0]);
                }
            }
            "sdy.manual_computation" if regions == 1 => self.manual(operation)?,
            "sdy.sharding_group" => {
                let id = syntax.number(&["group_id"]);
                let id = id.ok_or_else(|| Failure::new(at, "expected `group_id`"))?;
                for (number, operand) in operation.operands.iter().zip(self.operands(operation)?) {
                    let member = self.border(*number).unwrap_or(operand);
                    self.graph.group(id, member).map_err(fails)?;
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds an operation that returns its operand and says how it is sharded. Returns whether it is one of these.
    fn annotation(&mut self, operation: &Operation, operands: &[Value]) -> Result<bool, Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        match (syntax.name, operands, &operation.results[..]) {
            ("sdy.sharding_constraint" | "stablehlo.custom_call", &[operand], &[result])
                if syntax.constraint.is_some() || !syntax.name.ends_with("call") =>
            {
                let sharding = syntax.constraint.as_ref();
                let sharding = sharding.ok_or_else(|| Failure::new(at, "expected a sharding"))?;
                let value = self.graph.constraint(operand, sharding).map_err(fails)?;
                self.values[result] = Some(value);
            }
            ("sdy.propagation_barrier", &[operand], &[result]) => {
                let allowed = match syntax.value("allowed_direction") {
                    Some(text) if text.contains("FORWARD") || text.starts_with('1') => {
                        Direction::Forward
                    }
                    Some(text) if text.contains("BACKWARD") || text.starts_with('2') => {
                        Direction::Backward
                    }
                    Some(text) if text.contains("BOTH") || text.starts_with('3') => Direction::Both,
                    _ => Direction::None,
                };
                self.values[result] = Some(self.graph.barrier(operand, allowed).map_err(fails)?);
            }
            // The value that it continues is already the target of an edge.
            ("sdy.data_flow_edge", &[operand], &[result]) => {
                self.values[result] = Some(operand);
                self.shard(result, syntax.constraint.as_ref(), at, syntax.name)?;
            }
            ("sdy.func_data_flow_edge", &[_], &[result]) => {
                let (edge, targets) = self.graph.open_edge(self.dims(result), 1);
                self.values[result] = Some(targets[0]);
                self.edges.push((operation.operands[0], edge, at));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Records a call without a body. Returns whether the operation is a call of a function that all calls share, which is then
    /// complete.
    fn call(&mut self, operation: &Operation) -> Result<bool, Failure> {
        let module = self.module;
        let syntax = module.syntax(operation);
        if !is_call(syntax.name) {
            return Ok(false);
        }
        self.outside.entry(&syntax.callee).or_default().push(Outside {
            operands: operation.operands.clone(),
            results: operation.results.clone(),
        });
        if self.shares {
            operation.results.iter().for_each(|result| self.shared(*result, syntax.at));
            let function = self.callee(operation).filter(|_| syntax.shardings.is_empty());
            let borders = function.map_or(&[][..], |function| &function.results);
            for (result, border) in operation.results.iter().zip(borders) {
                self.shard(*result, border.sharding.as_ref(), syntax.at, syntax.name)?;
            }
        }
        Ok(self.shares)
    }

    /// Adds any other operation, with its rule if it has one.
    fn ruled(&mut self, operation: &Operation, operands: &[Value]) -> Result<(), Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        let Ruled { kind, rule, is_written } = {
            let known = Known { made: &self.made, seeds: &self.seeds, mode: self.mode };
            rules::rule(self.module, operation, &known)?
        };
        let dims: Vec<_> = operation.results.iter().map(|result| self.dims(*result)).collect();
        let (op, list) = match rule {
            Some(rule) => {
                let op = self.graph.op(kind, rule, operands, &dims).map_err(fails)?;
                (op, &mut self.calls)
            }
            None => (self.graph.opaque_op(operands, &dims), &mut self.unruled),
        };
        list.push(Taken {
            syntax: operation.syntax,
            operands: operation.operands.clone(),
            results: operation.results.clone(),
            op,
            has_written_rule: is_written,
        });
        for (at, &result) in operation.results.iter().enumerate() {
            self.values[result] = Some(self.graph.results(op)[at]);
        }
        if let (Some(sharding), &[result]) = (&syntax.constraint, &operation.results[..]) {
            self.shard(result, Some(sharding), at, syntax.name)?;
        }
        Ok(())
    }

    /// Sets the sources of edges between functions, once all functions are known: the arguments of calls, or the values that
    /// the function returns to a call.
    pub(super) fn close_edges(&mut self, roots: &[Root]) -> Result<(), Failure> {
        let edges = core::mem::take(&mut self.edges);
        let mut sources: BTreeMap<Number, Vec<Number>> = BTreeMap::new();
        for root in roots {
            let name = &*self.module.functions[root.function].name;
            let returned = root.region.returned();
            for call in self.outside.get(name).into_iter().flatten() {
                for (argument, operand) in root.region.arguments.iter().zip(&call.operands) {
                    sources.entry(*argument).or_default().push(*operand);
                }
                for (result, value) in call.results.iter().zip(returned) {
                    sources.entry(*result).or_default().push(*value);
                }
            }
        }
        for (continued, edge, at) in edges {
            let own = [continued];
            let sources = sources.get(&continued).map_or(&own[..], Vec::as_slice);
            let sources = sources.iter().map(|value| self.value(*value, at));
            let sources: Vec<_> = sources.collect::<Result<_, _>>()?;
            let closed = self.graph.close_edge(edge, &sources);
            closed.map_err(|error| failure(&error, at, "sdy.func_data_flow_edge"))?;
        }
        Ok(())
    }

    /// Adds the return of a function. Returns the number of returned values.
    pub(super) fn returns(
        &mut self,
        region: &Region,
        function: &Function<'_>,
    ) -> Result<usize, Failure> {
        let returned = region.returned();
        if returned.len() != function.results.len() {
            let (expected, found) = (function.results.len(), returned.len());
            let message = format!("the function has {expected} results, but returns {found}");
            return Err(Failure::new(function.at, message));
        }
        for (number, border) in returned.iter().zip(&function.results) {
            let value = self.value(*number, function.at)?;
            let ty = &self.module.values[*number].ty;
            let sharded = ty.dims.as_ref().or(ty.unbounded.as_ref());
            let sharding = border.sharding.as_ref().filter(|_| sharded.is_some());
            // Shardy does not propagate between a value of unknown size and a result.
            let apart = ty.unbounded.as_ref().map(|dims| self.graph.argument(dims));
            let returned = self.graph.ret(apart.unwrap_or(value), sharding);
            returned.map_err(|error| failure(&error, function.at, "func.func"))?;
        }
        Ok(returned.len())
    }

    /// Lets the values that a body returns flow to edges.
    fn flow(&mut self, region: &Region, edges: &mut [Edge], at: usize) -> Result<(), Failure> {
        if region.returned().len() != edges.len() {
            let (found, expected) = (region.returned().len(), edges.len());
            let message = format!("expected {expected} values, the body returns {found}");
            return Err(Failure::new(at, message));
        }
        for (value, edge) in region.returned().iter().zip(edges) {
            let value = self.value(*value, at)?;
            let flows = self.graph.returned(edge, value);
            flows.map_err(|error| failure(&error, at, "return"))?;
        }
        Ok(())
    }

    /// A body with a name, which is a function that is called.
    fn computation(&mut self, operation: &Operation) -> Result<(), Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        let region = &operation.regions[0];
        if region.arguments.len() != operation.operands.len() {
            return Err(Failure::new(at, "its body has another number of arguments than operands"));
        }
        let mut arguments = Vec::new();
        for (&argument, operand) in region.arguments.iter().zip(self.operands(operation)?) {
            let (edge, targets) = self.graph.open_edge(self.dims(argument), 1);
            self.graph.close_entry(edge, &[operand]).map_err(fails)?;
            self.values[argument] = Some(targets[0]);
            arguments.push(targets[0]);
        }
        for (argument, sharding) in region.arguments.iter().zip(self.entries(operation)) {
            self.shard(*argument, Some(sharding), at, syntax.name)?;
        }
        let function = self.callee(operation);
        if let Some(function) = function {
            for (argument, border) in region.arguments.iter().zip(&function.arguments) {
                self.shard(*argument, border.sharding.as_ref(), function.at, "func.func")?;
            }
        }
        self.graph.enter(&arguments);
        // The names in `given` are names of values of the calling function.
        let given = self.given.take();
        self.region(region)?;
        self.given = given;
        let (mut edges, mut targets) = (Vec::new(), Vec::new());
        for &result in &operation.results {
            let dims = self.dims(result);
            let (edge, target) = self.graph.outside(|graph| graph.open_edge(dims, 1));
            edges.push(edge);
            targets.push(target[0]);
        }
        self.flow(region, &mut edges, at)?;
        self.graph.leave();
        for ((edge, target), &result) in edges.into_iter().zip(targets).zip(&operation.results) {
            self.graph.close_edge(edge, &[]).map_err(fails)?;
            self.values[result] = Some(target);
        }
        for (result, sharding) in operation.results.iter().zip(self.exits(operation)) {
            self.shard(*result, Some(sharding), at, syntax.name)?;
        }
        // The shardings that the call specifies for its results take precedence.
        if let Some(function) = function.filter(|_| syntax.shardings.is_empty()) {
            for (result, border) in operation.results.iter().zip(&function.results) {
                self.shard(*result, border.sharding.as_ref(), function.at, "func.func")?;
            }
        }
        Ok(())
    }

    /// The function that an operation calls.
    fn callee(&self, operation: &Operation) -> Option<&'m Function<'t>> {
        let syntax = &self.module.syntax[operation.syntax];
        self.functions.get(&*syntax.callee).copied().filter(|_| is_call(syntax.name))
    }

    /// The shardings that a body with a name has for its arguments, if it has any.
    fn entries(&self, operation: &Operation) -> &'m [TensorSharding] {
        &self.module.syntax[operation.syntax].operand_border
    }

    fn exits(&self, operation: &Operation) -> &'m [TensorSharding] {
        &self.module.syntax[operation.syntax].result_border
    }

    fn repeat(&mut self, operation: &Operation) -> Result<(), Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        let count = operation.operands.len();
        let lists = operation.regions.iter().map(|region| &region.arguments);
        if lists.chain([&operation.results]).any(|list| list.len() != count) {
            return Err(Failure::new(at, "its bodies take another number of values than it does"));
        }
        let inputs = self.operands(operation)?;
        let (mut edges, mut bodies) = (Vec::new(), [Vec::new(), Vec::new()]);
        let mut results = Vec::new();
        for (number, &result) in operation.results.iter().enumerate() {
            let (edge, targets) = self.graph.open_edge(self.dims(result), 3);
            edges.push(edge);
            results.push(targets[0]);
            for (body, region) in operation.regions.iter().enumerate() {
                self.values[region.arguments[number]] = Some(targets[1 + body]);
                bodies[body].push(targets[1 + body]);
            }
        }
        for (body, region) in operation.regions.iter().enumerate() {
            self.graph.enter(&bodies[body]);
            self.region(region)?;
            if body == 1 {
                self.flow(region, &mut edges, at)?;
            }
            self.graph.leave();
        }
        for (edge, input) in edges.into_iter().zip(inputs) {
            self.graph.close_edge(edge, &[input]).map_err(fails)?;
        }
        for (&number, value) in operation.results.iter().zip(results) {
            self.values[number] = Some(value);
        }
        Ok(())
    }

    fn case(&mut self, operation: &Operation) -> Result<(), Failure> {
        let syntax = self.module.syntax(operation);
        let at = syntax.at;
        let (mut edges, mut results) = (Vec::new(), Vec::new());
        for &result in &operation.results {
            let (edge, targets) = self.graph.open_edge(self.dims(result), 1);
            edges.push(edge);
            results.push(targets[0]);
        }
        for region in &operation.regions {
            self.graph.enter(&[]);
            self.region(region)?;
            self.flow(region, &mut edges, at)?;
            self.graph.leave();
        }
        for (edge, (&number, value)) in edges.into_iter().zip(operation.results.iter().zip(results))
        {
            let closed = self.graph.close_edge(edge, &[]);
            closed.map_err(|error| failure(&error, at, syntax.name))?;
            self.values[number] = Some(value);
        }
        Ok(())
    }

    fn manual(&mut self, operation: &Operation) -> Result<(), Failure> {
        let syntax = &self.module.syntax[operation.syntax];
        let at = syntax.at;
        let fails = |error: ShardingError| failure(&error, at, syntax.name);
        let axes = ManualAxes::new(manual_axes(syntax));
        self.graph.check_manual(&axes).map_err(fails)?;
        let region = &operation.regions[0];
        let operands = self.operands(operation)?;
        let (entries, exits) = (self.entries(operation), self.exits(operation));
        if entries.len() != operands.len()
            || region.arguments.len() != operands.len()
            || exits.len() != operation.results.len()
            || region.returned().len() != operation.results.len()
        {
            let message = "number of op operands and region operands must match";
            return Err(Failure::new(at, message));
        }
        let mut arguments = Vec::new();
        for ((operand, sharding), &argument) in operands.iter().zip(entries).zip(&region.arguments)
        {
            let value = self.graph.manual_argument(*operand, sharding, &axes).map_err(fails)?;
            if self.module.dims(argument).is_some_and(|dims| dims != self.graph.dims(value)) {
                let message = format!(
                    "operand shape, corresponding sharding, and region operand shape must match. Expected local shape {:?}, actual local shape {:?}",
                    self.graph.dims(value),
                    self.dims(argument)
                );
                return Err(Failure::new(at, message));
            }
            self.values[argument] = Some(value);
            arguments.push(value);
        }
        self.graph.enter_manual(&arguments, &axes);
        self.region(region)?;
        let returned: Vec<_> = region
            .returned()
            .iter()
            .map(|value| self.value(*value, at))
            .collect::<Result<_, _>>()?;
        self.graph.leave();
        for ((value, sharding), &result) in returned.iter().zip(exits).zip(&operation.results) {
            let dims = self.dims(result);
            let made = self.graph.manual_result(*value, dims, sharding, &axes).map_err(fails)?;
            self.values[result] = Some(made);
        }
        Ok(())
    }
}

/// The axes of a manual computation.
pub(super) fn manual_axes<'t>(syntax: &Syntax<'t>) -> impl Iterator<Item = AxisRef> + use<'t> {
    let text = syntax.value("manual_axes").unwrap_or("");
    // `{"data"}` or, in the generic form, `#sdy<manual_axes{"data"}>`.
    let list = text.find('{').and_then(|at| Scanner::new(&text[at..]).ok()?.balanced().ok());
    entries(list.map_or("", inside))
        .map(|axis| AxisRef { name: unquoted(axis).into_owned().into(), sub: None })
}
