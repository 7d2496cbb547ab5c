//! Prints a module as it was read, with the shardings of all its values, in the form in which Shardy prints it.

mod callees;
mod form;
mod function;
mod operation;

use super::Imported;
use super::gspmd;
use super::read::entries;
use super::tree::{Border, Function, Number, Region};
use crate::sharding::TensorSharding;
use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use callees::{Callees, Exports};
use core::fmt::Write;
use core::ops::Range;
use form::Form;

/// A function that is being printed.
struct Export<'i, 't> {
    name: String,
    function: Option<&'i Function<'t>>,
    /// Whether it has no body.
    is_declared: bool,
    region: Region,
    arguments: Vec<Option<TensorSharding>>,
    results: Vec<Option<TensorSharding>>,
}

impl<'i, 't> Export<'i, 't> {
    /// A function without a body, with its written shardings.
    fn declared(imported: &'i Imported<'t>, at: usize) -> Self {
        let function = &imported.module.functions[at];
        let written = |borders: &[Border<'t>]| -> Vec<_> {
            borders.iter().map(|border| border.sharding.clone()).collect()
        };
        Self {
            name: function.name.clone().into_owned(),
            function: Some(function),
            is_declared: true,
            region: Region::default(),
            arguments: written(&function.arguments),
            results: written(&function.results),
        }
    }
}

/// Prints the functions of a module.
struct Printer<'i, 't> {
    imported: &'i Imported<'t>,
    form: Form,
    callees: Callees,
    text: String,
    /// Long texts of constants, which the program does not store anywhere else, and their positions.
    long: BTreeMap<&'t str, Option<Range<usize>>>,
}

/// The text of a module after one pass.
pub(super) fn pass(imported: &Imported<'_>) -> String {
    let functions = imported.roots.iter().map(|root| {
        let function = &imported.module.functions[root.function];
        let of = |(value, border): (&Number, &Border<'_>)| {
            imported.shardings[*value].clone().or_else(|| border.sharding.clone())
        };
        let results = function.results.iter().enumerate().map(|(at, border)| {
            let written = || border.sharding.clone();
            root.first_return
                .map_or_else(written, |first| imported.graph.return_sharding(first + at))
        });
        Export {
            name: function.name.clone().into_owned(),
            function: Some(function),
            is_declared: false,
            region: root.region.clone(),
            arguments: root.region.arguments.iter().zip(&function.arguments).map(of).collect(),
            results: results.collect(),
        }
    });
    // A pass leaves the functions where they are.
    let mut functions: Vec<_> =
        imported.roots.iter().map(|root| root.function).zip(functions).collect();
    let declared = imported.declared.iter().map(|at| (*at, Export::declared(imported, *at)));
    functions.extend(declared);
    functions.sort_by_key(|(at, _)| *at);
    let functions = functions.into_iter().map(|(_, export)| export).collect();
    let mut printer = Printer {
        imported,
        form: Form::of_pass(imported),
        callees: Callees::default(),
        text: String::new(),
        long: BTreeMap::new(),
    };
    printer.module(functions);
    printer.text
}

/// The text of a module after the whole pipeline, and the position in it of each of the `long` texts of constants.
pub(super) fn pipeline<'t>(
    imported: &Imported<'t>,
    long: impl Iterator<Item = &'t str>,
) -> (String, BTreeMap<&'t str, Option<Range<usize>>>) {
    let mut exports = Exports::new(imported);
    let mut functions = Vec::new();
    // Shardy moves each function that no other one calls to the front of the module.
    let (mentioned, called): (Vec<_>, Vec<_>) =
        imported.roots.iter().partition(|root| root.is_mentioned);
    for root in called.into_iter().rev().chain(mentioned) {
        let function = &imported.module.functions[root.function];
        let region = root.region.clone();
        exports.add(&region);
        let border = |sharding: Option<TensorSharding>, value: Number| {
            let dims = imported.module.dims(value).unwrap_or(&[]);
            sharding.map(|sharding| imported.divisible(sharding, dims, true))
        };
        let arguments = region.arguments.iter();
        let arguments = arguments.map(|value| border(imported.shardings[*value].clone(), *value));
        let arguments = arguments.collect();
        let results = region.returned().iter().enumerate();
        let results = results.map(|(at, value)| match root.first_return {
            Some(first) => border(imported.graph.return_sharding(first + at), *value),
            None => imported.shardings[*value].clone(),
        });
        let results = results.collect();
        let name = function.name.clone().into_owned();
        let (function, is_declared) = (Some(function), false);
        functions.push(Export { name, function, is_declared, region, arguments, results });
    }
    let callees = exports.finish(&mut functions);
    functions.extend(imported.declared.iter().map(|at| Export::declared(imported, *at)));
    let long = long.map(|text| (text, None)).collect();
    let mut printer =
        Printer { imported, form: Form::Pipeline, callees, text: String::new(), long };
    printer.module(functions);
    (printer.text, printer.long)
}

/// Attributes without braces, with the sharding in alphabetical order of their names.
fn with_sharding(attributes: &str, sharding: Option<&str>) -> String {
    let written = entries(attributes).filter(|entry| {
        let name = entry.split('=').next().unwrap_or("").trim();
        name != "sdy.sharding" && (name != gspmd::ATTRIBUTE || sharding.is_none())
    });
    let mut all: Vec<_> = written.map(ToOwned::to_owned).collect();
    if let Some(sharding) = sharding {
        let at = all.iter().position(|entry| entry.as_str() > "sdy.sharding");
        all.insert(at.unwrap_or(all.len()), format!("sdy.sharding = {sharding}"));
    }
    all.join(", ")
}

impl<'i, 't> Printer<'i, 't> {
    fn module(&mut self, exports: Vec<Export<'i, 't>>) {
        let module = &self.imported.module;
        let (open, indent) = if module.has_braces { (" {\n", 1) } else { ("", 0) };
        for alias in &module.aliases {
            self.text += alias;
            self.text.push('\n');
        }
        self.text += module.head.trim_end_matches('{').trim_end();
        self.text += open;
        let lines =
            module.meshes.iter().map(|(_, _, text)| &**text).chain(module.others.iter().copied());
        for line in lines {
            self.line(indent);
            self.text += line;
            self.text.push('\n');
        }
        for export in exports {
            self.function(export, indent);
        }
        if module.has_braces {
            self.text += "}\n";
        }
        for resources in &module.resources {
            let _ = write!(self.text, "\n{resources}\n");
        }
    }

    fn line(&mut self, indent: usize) {
        (0..indent).for_each(|_| self.text += "  ");
    }
}
