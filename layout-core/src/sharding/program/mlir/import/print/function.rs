//! Prints functions: the line of their name, arguments and results, and their operations.

use super::super::names::Names;
use super::super::tree::{Border, Number};
use super::{Export, Printer, with_sharding};
use crate::sharding::TensorSharding;
use crate::sharding::tensor::Symbol;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

impl<'i, 't> Printer<'i, 't> {
    pub(super) fn function(&mut self, mut export: Export<'i, 't>, indent: usize) {
        let imported = self.imported;
        if export.is_declared {
            return self.declaration(&export, indent);
        }
        self.form.simplify(imported, &mut export.region);
        let names = Names::with(&imported.module, &export.region, self.form.is_pass());
        self.line(indent);
        self.text += export.function.map_or("func.func private", |function| function.head);
        let _ = write!(self.text, " {}(", Symbol(&export.name));
        let arguments = export.function.map_or(&[][..], |function| &function.arguments);
        let arguments = export.region.arguments.iter().zip(&export.arguments).enumerate().map(
            |(at, (&value, sharding))| {
                let attributes = self.border_attributes(arguments.get(at), sharding.as_ref());
                format!("%{}: {}{attributes}", names.of(value), self.type_text(value))
            },
        );
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        self.text += &arguments;
        self.text.push(')');
        self.result_types(&export);
        if let Some(function) = export.function.filter(|function| !function.attributes.is_empty()) {
            let _ = write!(self.text, " {}", function.attributes);
        }
        self.text += " {\n";
        self.operations(&export.region, &names, indent + 1);
        self.line(indent);
        self.text += "}\n";
    }

    /// A function without a body: `func.func private @f(tensor<8xf32>) -> tensor<8xf32>`.
    fn declaration(&mut self, export: &Export<'i, 't>, indent: usize) {
        let Some(function) = export.function else { return };
        self.line(indent);
        let arguments = self.border_types(&function.arguments, &export.arguments);
        let arguments = arguments.iter().map(|(ty, attributes)| format!("{ty}{attributes}"));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let _ = write!(self.text, "{} {}({arguments})", function.head, Symbol(&export.name));
        let results = self.border_types(&function.results, &export.results);
        self.arrow(&results);
        if !function.attributes.is_empty() {
            let _ = write!(self.text, " {}", function.attributes);
        }
        self.text.push('\n');
    }

    /// The types of the arguments or results of a function without a body, and their attributes.
    fn border_types(
        &self,
        borders: &[Border<'t>],
        shardings: &[Option<TensorSharding>],
    ) -> Vec<(&'t str, String)> {
        let attributes = borders.iter().zip(shardings).map(|(border, sharding)| {
            (border.ty.text, self.border_attributes(Some(border), sharding.as_ref()))
        });
        attributes.collect()
    }

    /// The types of the results: ` -> tensor<f32>`, ` -> (tensor<f32> {..}, tensor<2xf32>)`.
    fn result_types(&mut self, export: &Export<'i, 't>) {
        let borders = export.function.map_or(&[][..], |function| &function.results);
        let results = export.region.returned().iter().zip(&export.results).enumerate();
        let results: Vec<_> = results
            .map(|(at, (&value, sharding))| {
                let attributes = self.border_attributes(borders.get(at), sharding.as_ref());
                (self.type_text(value), attributes)
            })
            .collect();
        self.arrow(&results);
    }

    /// An arrow and types with their attributes, if there are any.
    fn arrow(&mut self, results: &[(&str, String)]) {
        match results {
            [] => {}
            [(ty, attributes)] if attributes.is_empty() => {
                let _ = write!(self.text, " -> {ty}");
            }
            results => {
                let results: Vec<_> =
                    results.iter().map(|(ty, attributes)| format!("{ty}{attributes}")).collect();
                let _ = write!(self.text, " -> ({})", results.join(", "));
            }
        }
    }

    fn type_text(&self, value: Number) -> &'t str {
        self.imported.module.values[value].ty.text
    }

    /// The attributes of an argument or a result, with its sharding, in braces after a space.
    fn border_attributes(
        &self,
        border: Option<&Border<'t>>,
        sharding: Option<&TensorSharding>,
    ) -> String {
        let written = border.map_or("", |border| border.attributes);
        let sharding =
            sharding.map(|own| format!("#sdy.sharding{}", self.form.sharding(own.clone())));
        match &with_sharding(written, sharding.as_deref())[..] {
            "" => String::new(),
            attributes => format!(" {{{attributes}}}"),
        }
    }
}
