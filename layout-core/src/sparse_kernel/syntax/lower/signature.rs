//! The signature of a kernel: how each operand is stored.

use super::super::schedule::ScheduleSyntax;
use super::super::signature::{LayoutSyntax, OperandSyntax, TypeSyntax};
use super::super::subscript::SubscriptSyntax;
use super::super::{Name, gather, values};
use super::{Lower, dedup};
use crate::sparse::SparseEncoding;
use crate::sparse::syntax::lower_encoding;
use crate::sparse_kernel::ElementType;
use crate::sparse_kernel::ir::Storage;
use crate::sparse_kernel::statement::OperandSpec;
use crate::syntax::Span;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl<S: Span> Lower<'_, '_, S> {
    pub(super) fn signature(&mut self, encodings: &dyn Fn(&str) -> Option<SparseEncoding>) {
        let syntax = self.syntax;
        for operand in syntax.parameters.iter().chain([&syntax.output]) {
            if self.operand(&operand.name.text).is_some() {
                let message = format!("`{}` is declared twice", operand.name.text);
                self.report(operand.name.span, message, "give one of them another name");
            }
            let (statement, name) = (&syntax.statement, &operand.name.text);
            let is_index_array = gather::is_only_index_array(statement, name);
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

    /// Whether the values of an operand are converted as Rust's `as` does. They are if they cannot be widened to the type in which
    /// the output is computed, and the statement reads them only in `cast(..)` and `stored(..)`, the latter of which does not
    /// depend on them. In any other place, a type that cannot be widened is reported; for types that are not an [`ElementType`],
    /// only rustc can check that.
    fn converts(&mut self, operand: &OperandSyntax<S>) -> bool {
        let parse = |operand: &OperandSyntax<S>| ElementType::parse(&operand.element.text);
        let output = &self.syntax.output;
        let casts = values::is_only_cast(&self.syntax.statement, &operand.name.text);
        let Some((element, to)) = parse(operand).zip(parse(output)) else { return casts };
        let wide = to.wide();
        if element == to || element.widens_to(wide) {
            return false;
        }
        let casts = casts || values::is_only_stored(&self.syntax.statement, &operand.name.text);
        if casts && (wide.is_complex() || !element.is_complex()) {
            return true;
        }
        let (name, output_name) = (&operand.name.text, &output.name.text);
        let message = format!(
            "`{name}` has elements of type `{element}`, but `{output_name}` is computed in `{wide}`, which cannot represent all of their values"
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

    pub(super) fn storage(
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
    pub(super) fn packed(
        &mut self,
        operand: &OperandSyntax<S>,
        layout: &LayoutSyntax<S>,
    ) -> Storage {
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
    pub(super) fn unread(&mut self) {
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
    pub(super) fn bound(&mut self) {
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
}
