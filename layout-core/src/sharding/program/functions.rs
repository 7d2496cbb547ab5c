//! Calls of functions: each call has its own copies of the values in the body of the function, and edges like a named
//! computation.

use super::build::Builder;
use super::call::Arguments;
use super::region::name_of_first;
use crate::dtype::DType;
use crate::sharding::ops::{self, Attributes};
use crate::sharding::syntax::{
    ArgumentSyntax, CallSyntax, FunctionSyntax, InputSyntax, NameSyntax, RegionSyntax, Unbounded,
};
use crate::syntax::Span;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The largest depth to which calls, bodies and calls of functions can be nested.
const MAX_DEPTH: usize = 128;

/// The largest number of values of a program whose calls have copies of the values of their functions.
const MAX_VALUES: usize = 1 << 17;

/// The properties of a function that is called.
pub(super) struct Signature {
    /// The element types and sizes of its parameters; `None` if they have mistakes.
    parameters: Option<Vec<(DType, Vec<usize>)>>,
    /// Whether a call found mistakes in its body, so that other calls do not report them again.
    is_wrong: bool,
}

/// Words that cannot be names of functions, because they begin statements or operations with a body.
const KEYWORDS: [&str; 6] = ["while", "case", "manual", "reshard", "constrain", "group"];

impl<S: Span> Builder<'_, S> {
    /// Reads the parameters of the functions that are called.
    pub(super) fn signatures(&mut self) {
        for function in self.called {
            let name = &function.name;
            if KEYWORDS.contains(&&name.text[..]) || ops::find(&name.text).is_ok() {
                let message = format!("`{}` is an operation", name.text);
                self.error(name.span, message, "give the function another name");
            }
            let mut names = function.parameters.iter().enumerate();
            let twice = names.find(|(at, own)| {
                function.parameters[..*at].iter().any(|other| other.name.text == own.name.text)
            });
            if let Some((_, parameter)) = twice {
                let message = format!("the name `{}` is defined twice", parameter.name.text);
                self.error(parameter.name.span, message, "every value must have a different name");
            }
            let parameters = function.parameters.iter();
            let parameters = parameters.map(|own| self.array(&own.array, Unbounded::Refused));
            let parameters: Vec<_> = parameters.collect();
            let parameters = parameters.into_iter().collect();
            self.signatures.push(Signature { parameters, is_wrong: twice.is_some() });
        }
    }

    /// Calls function number `at`. Its values are named after the first result: `a_h` is `h` in `let a = f(x);`.
    pub(super) fn function(
        &mut self,
        at: usize,
        call: &CallSyntax<S>,
        names: &[NameSyntax<S>],
    ) -> Option<Vec<usize>> {
        let called = self.called;
        let function = &called[at];
        let arguments = self.arguments(call, name_of_first(names))?;
        if arguments.attributes != Attributes::default() {
            let message = format!("the function `{}` takes only values", call.op.text);
            self.error(call.op.span, message, "");
            return None;
        }
        let (expected, found) = (function.parameters.len(), arguments.taken.len());
        if expected != found {
            let plural = if expected == 1 { "" } else { "s" };
            let message =
                format!("`{}` takes {expected} value{plural}, found {found}", call.op.text);
            self.error(call.span, message, signature(function));
            return None;
        }
        self.fit_parameters(at, call, &arguments)?;
        self.may_enter(at, call)?;
        let values = call.arguments.iter().filter_map(|argument| match argument {
            ArgumentSyntax::Value(value) => Some(value.clone()),
            _ => None,
        });
        let inputs = function.parameters.iter().zip(values).map(|(parameter, value)| InputSyntax {
            name: parameter.name.clone(),
            value,
            split: parameter.split.clone(),
        });
        let region = RegionSyntax {
            keyword: call.op.clone(),
            edges: None,
            axes: Vec::new(),
            inputs: inputs.collect(),
            condition: None,
            index: None,
            bodies: Vec::new(),
        };
        let prefix = format!("{}_", name_of_first(names));
        let before = self.diagnostics.len();
        self.open.push(at);
        self.depth += 1;
        let results =
            self.data_flow_of(&region, &function.body, &arguments.taken, names, Some(&prefix));
        self.depth -= 1;
        self.open.pop();
        self.signatures[at].is_wrong |= self.diagnostics.len() > before;
        let results = results?;
        if call.splits.is_empty() {
            for ((_, split), &result) in function.body.returns.iter().zip(&results) {
                if let Some(split) = split {
                    self.shard(self.built.values[result].value, split);
                }
            }
        }
        self.shard_all(call, &results)?;
        Some(results)
    }

    /// Checks that the arguments of a call have the types of the parameters.
    fn fit_parameters(
        &mut self,
        at: usize,
        call: &CallSyntax<S>,
        arguments: &Arguments<S>,
    ) -> Option<()> {
        let function = &self.called[at];
        let parameters = self.signatures[at].parameters.clone()?;
        let mut fits = !self.signatures[at].is_wrong;
        for (((dtype, dims), taken), (span, parameter)) in parameters
            .iter()
            .zip(&arguments.taken)
            .zip(arguments.spans.iter().zip(&function.parameters))
        {
            let own = &self.built.values[taken.at];
            if (dtype, dims) != (&own.dtype, &own.dims) {
                let message = format!(
                    "`{}` of `{}` is `{dtype}{dims:?}`, found `{}{:?}`",
                    parameter.name.text, call.op.text, own.dtype, own.dims
                );
                let help = "every call of a function takes arrays of the same sizes";
                self.error(*span, message, help);
                fits = false;
            }
        }
        fits.then_some(())
    }

    /// Checks that a function does not call itself, and that calls do not create too many values.
    fn may_enter(&mut self, at: usize, call: &CallSyntax<S>) -> Option<()> {
        let message = if self.open.contains(&at) {
            format!("the function `{}` calls itself", call.op.text)
        } else if self.depth > MAX_DEPTH {
            format!("calls and bodies are nested deeper than {MAX_DEPTH}")
        } else if self.built.values.len() > MAX_VALUES {
            format!("with the values of its functions, the program has more than {MAX_VALUES}")
        } else {
            return Some(());
        };
        self.error(call.op.span, message, "");
        None
    }
}

/// `block(x, w)`
fn signature<S>(function: &FunctionSyntax<S>) -> String {
    let names: Vec<_> =
        function.parameters.iter().map(|parameter| &parameter.name.text[..]).collect();
    format!("write `{}({})`", function.name.text, names.join(", "))
}
