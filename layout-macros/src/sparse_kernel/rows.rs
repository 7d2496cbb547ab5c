//! Statements that share their outermost loop, as one function. Each iteration computes a row of each statement. An operand with
//! only one existing row is a small array, indexed from the first position of the row.

use super::emit::Emit;
use super::function::{Function, sizes, sizes_and_checks};
use super::names::Names;
use super::parts::computes_rows;
use super::several::tuple;
use crate::flatten::TokenRange;
use crate::rust::unraw;
use layout_core::sparse_kernel::ir::*;
use layout_core::sparse_kernel::syntax::{LoweredStatement, OperandSyntax, Source, TypeSyntax};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::ops::Range;

/// The statements.
pub(super) struct Shared<'s> {
    group: Range<usize>,
    steps: Vec<Row<'s>>,
}

/// A statement.
struct Row<'s> {
    function: Function<'s>,
    step: &'s LoweredStatement<TokenRange>,
    emit: Emit<'s>,
}

impl Row<'_> {
    fn output(&self) -> &KernelOperand {
        &self.step.kernel.operands[self.step.kernel.output]
    }

    /// Whether the output exists after the loop has run.
    fn is_kept(&self) -> bool {
        self.output().held == Held::All
    }

    /// The sizes of an operand that statements of the group compute.
    fn shape(&self, operand: OperandId) -> Ident {
        let name = &self.step.kernel.operands[operand].name;
        Ident::new(&format!("__shape_of_{name}"), Span::mixed_site())
    }

    /// The number of positions in a row of the output.
    fn width(&self) -> TokenStream {
        let widths = self.step.kernel.output_shape.iter().skip(1);
        let widths = widths.map(|size| self.emit.int(size));
        quote!(1usize #(* #widths)*)
    }

    /// The sizes, and the sizes of the output under the names that the other statements use.
    fn sizes(&self, values: bool) -> TokenStream {
        let (emit, kernel) = (&self.emit, &self.step.kernel);
        let made = emit.made.iter().map(|operand| {
            let shape = self.shape(*operand);
            let rank = kernel.operands[*operand].storage.rank();
            let dims = (0..rank).map(|dim| emit.dim_name(*operand, dim));
            quote!(let [#(#dims),*] = #shape;)
        });
        let made: TokenStream = made.collect();
        let (sizes, output) = (sizes(emit, values), self.shape(kernel.output));
        let shape = emit.shape(kernel.output);
        quote!(#made #sizes let #output = #shape;)
    }
}

impl<'s> Shared<'s> {
    pub(super) fn new(
        group: Range<usize>,
        steps: Vec<(Function<'s>, &'s LoweredStatement<TokenRange>)>,
    ) -> Self {
        let kernels: Vec<&Kernel> = steps.iter().map(|(_, step)| &step.kernel).collect();
        let steps = steps.into_iter().enumerate().map(|(number, (function, step))| {
            let names = Names::among(&kernels, number);
            let mut emit = function.emitter(&step.kernel, &step.functions, names);
            emit.made = step.made_by(&group).collect();
            Row { function, step, emit }
        });
        let steps = steps.collect();
        Self { group, steps }
    }

    /// The name of the function.
    fn called(&self) -> Ident {
        format_ident!("{}_rows", unraw(&self.steps[0].function.called()))
    }

    /// The operands that the statements read and that exist before the loop, each once: the statement, and the operand in it.
    fn read(&self) -> Vec<(&Row<'s>, OperandId)> {
        let mut read: Vec<(&Row<'s>, OperandId, Source)> = Vec::new();
        for row in &self.steps {
            for (operand, source) in row.step.reads.iter().enumerate() {
                let known = read.iter().any(|(.., other)| other == source);
                if !known && !source.is_of(&self.group) {
                    read.push((row, operand, *source));
                }
            }
        }
        read.into_iter().map(|(row, operand, _)| (row, operand)).collect()
    }

    fn kept(&self) -> impl Iterator<Item = &Row<'s>> {
        self.steps.iter().filter(|row| row.is_kept())
    }

    /// The function with the loop.
    pub(super) fn function(&self) -> TokenStream {
        let (called, conditions) = (self.called(), self.steps[0].function.conditions());
        let private = quote!(::tensor_layout::__private::sparse);
        let result = quote! {
            ::core::result::Result<(), ::tensor_layout::sparsify::KernelError>
        };
        let read = self.read();
        let names: Vec<_> = read.iter().map(|(row, at)| row.emit.names.operand(*at)).collect();
        let types = |life: TokenStream| -> Vec<TokenStream> {
            let types = read.iter().map(|(row, at)| {
                let operand = &row.step.syntax.parameters[*at];
                row.function.passed_type(&row.emit, *at, operand, life.clone())
            });
            types.collect()
        };
        let (any, all) = (types(quote!('_)), types(quote!('a)));
        let values: Vec<_> =
            self.kept().map(|row| row.emit.names.values(row.step.kernel.output)).collect();
        let elements: Vec<_> = self.kept().map(|row| &row.emit.element).collect();
        // The bindings before the loops depend on the loops.
        let (rows, before) = (self.rows(), self.before());
        let all_sizes: TokenStream = self.steps.iter().map(|row| row.sizes(false)).collect();
        let to = self.steps[0].step.kernel.outermost().map(|(_, to, _)| to);
        let count = to.map(|to| self.steps[0].emit.typed(to));
        let parallel = self.steps[0].step.kernel.parts.is_some();
        let (threads, run) = match (parallel, self.kept().next()) {
            (true, Some(row)) => {
                let (element, values, width) = (&row.emit.element, &values[0], row.width());
                (
                    computes_rows(
                        element,
                        &quote!(#private::run(__Part { kernel: *self, rows, #values: output })),
                    ),
                    quote!(#private::in_parts(&kernel, #count, #width, #values)),
                )
            }
            _ => {
                let run = quote!(#private::run(__Part { kernel, rows: 0..#count, #(#values,)* }));
                (quote!(), run)
            }
        };
        quote! {
            #(#conditions)*
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused, non_snake_case)]
            fn #called(#(#names: #any,)* #(#values: &mut [#elements],)*) -> #result {
                #[derive(Clone, Copy)]
                struct __Kernel<'a> { #(#names: #all,)* __life: ::core::marker::PhantomData<&'a ()> }
                struct __Part<'a> {
                    kernel: __Kernel<'a>,
                    rows: ::core::ops::Range<usize>,
                    #(#values: &'a mut [#elements],)*
                }
                #threads
                impl #private::Work for __Part<'_> {
                    type Output = #result;
                    #[inline(always)]
                    fn run(self) -> Self::Output {
                        let Self { kernel: __Kernel { #(#names,)* .. }, rows: __rows, #(#values,)* } = self;
                        #before
                        for __row in __rows { #rows }
                        ::core::result::Result::Ok(())
                    }
                }
                #all_sizes
                let kernel = __Kernel { #(#names,)* __life: ::core::marker::PhantomData };
                #run
            }
        }
    }

    /// The bindings before the loop, which has already been emitted.
    fn before(&self) -> TokenStream {
        let each = self.steps.iter().map(|row| {
            let (emit, kernel) = (&row.emit, &row.step.kernel);
            let output = emit.names.operand(kernel.output);
            let (sizes, bindings) = (row.sizes(true), emit.bindings());
            let more = match &row.output().held {
                Held::All => {
                    let fill = kernel.body.first().filter(|stmt| **stmt == Stmt::Fill);
                    let fill = fill.map(|fill| emit.stmt(fill));
                    let (first, width) = (emit.names.other("first"), row.width());
                    let start = match kernel.parts {
                        Some(_) => quote!(__rows.start * (#width)),
                        None => quote!(0usize),
                    };
                    quote!(let #first = #start; #fill)
                }
                Held::Row if kernel.output_shape.len() == 1 => quote!(),
                Held::Row => {
                    let buffer = emit.names.other("row");
                    quote!(let mut #buffer = ::tensor_layout::__private::sparse::Vec::new();)
                }
                Held::RowOf(of) => {
                    let buffer = emit.names.other("row");
                    let of = self.handle(row, of);
                    quote! {
                        let mut #buffer = ::tensor_layout::__private::sparse::Vec::new();
                        // It has the positions and coordinates of the other operand, but no values.
                        let #output = #of;
                    }
                }
            };
            quote!(#sizes #bindings #more)
        });
        each.collect()
    }

    /// The operand with this name, whose positions and coordinates the output has.
    fn handle(&self, row: &Row<'s>, of: &str) -> Ident {
        let named = |row: &Row<'s>| {
            let at = row.step.kernel.operands.iter().position(|operand| operand.name == of);
            at.map(|at| row.emit.names.operand(at))
        };
        let found = self.steps.iter().find_map(named);
        found.unwrap_or_else(|| row.emit.names.operand(row.step.kernel.output))
    }

    /// A row of each statement, in order.
    fn rows(&self) -> TokenStream {
        self.steps.iter().map(|row| self.row(row)).collect()
    }

    /// A row of a statement.
    fn row(&self, row: &Row<'s>) -> TokenStream {
        let (emit, kernel) = (&row.emit, &row.step.kernel);
        let private = quote!(::tensor_layout::__private::sparse);
        let Some((var, _, body)) = kernel.outermost() else { return TokenStream::new() };
        let (values, first) = (emit.names.values(kernel.output), emit.names.other("first"));
        let (identity, width) = (emit.identity(), row.width());
        let buffer = emit.names.other("row");
        let made = match &row.output().held {
            Held::All => quote!(),
            Held::Row if kernel.output_shape.len() == 1 => quote! {
                let #first = __row;
                let mut #buffer = [#identity];
                let #values = &mut #buffer[..];
            },
            Held::Row => quote! {
                let #first = __row * (#width);
                let #values = #private::row(&mut #buffer, #width, #identity)?;
            },
            Held::RowOf(of) => {
                let of = self.handle(row, of);
                quote! {
                    let (#first, #values) = {
                        let positions = #of.level::<1>().below(__row);
                        (positions.start, #private::row(&mut #buffer, positions.len(), #identity)?)
                    };
                }
            }
        };
        let reads = emit.made.iter().filter_map(|operand| {
            let source = row.step.reads[*operand];
            let Source::Statement(made) = source else { return None };
            let by = &self.steps[made - self.group.start];
            let (values, first) = (emit.names.values(*operand), emit.first_of(*operand));
            let made = by.emit.names.values(by.step.kernel.output);
            let start = by.emit.names.other("first");
            Some(quote!(let #values = &*#made; let #first = #start;))
        });
        let reads: TokenStream = reads.collect();
        let var = emit.names.var(var);
        let body = emit.block(body);
        let (functions, gathers) = (emit.functions(), emit.gathers(true));
        quote! {
            #made
            {
                #functions
                #reads
                #gathers
                let #var = __row;
                #body
            }
        }
    }

    /// Runs the loop, and binds its results. The outputs in `given` are arrays of the caller.
    pub(super) fn call(&self, given: &[usize]) -> TokenStream {
        let private = quote!(::tensor_layout::__private::sparse);
        let read = self.read();
        let (names, bound): (Vec<_>, Vec<_>) = read
            .iter()
            .map(|(row, at)| {
                let name = row.emit.names.operand(*at);
                let operand = &row.step.syntax.parameters[*at];
                let value = Self::argument(row, operand, row.step.reads[*at], given);
                let ty = row.function.passed_type(&row.emit, *at, operand, quote!('_));
                (name.clone(), quote!(let #name: #ty = #value;))
            })
            .unzip();
        let checks = self.steps.iter().map(|row| {
            let (sizes, checks) = (row.sizes(false), sizes_and_checks(&row.emit));
            quote!(#sizes #checks)
        });
        let checks: TokenStream = checks.collect();
        let (mut made, mut arguments, mut left) = (TokenStream::new(), Vec::new(), Vec::new());
        for (number, row) in self.group.clone().zip(&self.steps).filter(|(_, row)| row.is_kept()) {
            let written = row.function.operand_name(&row.step.target);
            let (shape, identity) = (row.shape(row.step.kernel.output), row.emit.identity_alone());
            if given.contains(&number) {
                made.extend(quote! {
                    #private::same_shape(::core::stringify!(#written), #written.0, #shape)?;
                });
                arguments.push(quote!(&mut *#written.1));
                continue;
            }
            made.extend(quote! {
                let mut #written = ::tensor_layout::sparsify::Dense::filled(#shape, #identity)?;
            });
            arguments.push(quote!(#written.values_mut()));
            left.push(written);
        }
        let (called, left) = (self.called(), tuple(&left));
        quote! {
            #[allow(non_snake_case, unused)]
            let #left = {
                #(#bound)*
                #checks
                #made
                #called(#(#names,)* #(#arguments,)*)?;
                #left
            };
        }
    }

    /// The argument for an operand in the call of the loop.
    fn argument(
        row: &Row<'s>,
        operand: &OperandSyntax<TokenRange>,
        source: Source,
        given: &[usize],
    ) -> TokenStream {
        let name = row.function.operand_name(operand);
        match (source, &operand.ty) {
            (Source::Statement(made), TypeSyntax::Dense) if given.contains(&made) => {
                quote!(::tensor_layout::sparsify::DenseRef::new(#name.0, &*#name.1)?)
            }
            (Source::Statement(_), TypeSyntax::Dense) => {
                quote!(::core::convert::Into::into(&#name))
            }
            (Source::Parameter(_), _) | (_, TypeSyntax::Scalar) => quote!(#name),
            _ => quote!(&#name),
        }
    }
}
