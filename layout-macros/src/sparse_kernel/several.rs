//! Functions of several statements. Each statement is an inner function, and its result is a variable.

use super::function::{Function, elements, is_bounded, loops, shared_loops};
use super::pair::PairNames;
use super::rows::Shared;
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::rust::unraw;
use layout_core::sparse::SparseEncoding;
use layout_core::sparse_kernel::syntax::{
    KernelSyntax, LoweredStatement, OperandSyntax, Program, SeveralSyntax, Source, StatementSyntax,
    TypeSyntax, lower_several,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// A function of the macro's input with several statements.
pub(crate) struct Several<'a> {
    flat: &'a Flat,
    syntax: &'a SeveralSyntax<TokenRange>,
    /// The signature of a function with only the first statement.
    signature: KernelSyntax<TokenRange>,
}

impl<'a> Several<'a> {
    pub(crate) fn new(flat: &'a Flat, syntax: &'a SeveralSyntax<TokenRange>) -> Self {
        let signature = KernelSyntax {
            attributes: syntax.attributes.clone(),
            visibility: syntax.visibility,
            name: syntax.name.clone(),
            parameters: syntax.parameters.clone(),
            output: syntax.outputs[0].clone(),
            statement: syntax.steps.first().map_or_else(
                || StatementSyntax::absent(&syntax.outputs[0].name),
                |step| step.statement.clone(),
            ),
            schedule: Vec::new(),
            span: syntax.span,
        };
        Self { flat, syntax, signature }
    }

    fn function(&self) -> Function<'_> {
        Function { flat: self.flat, syntax: &self.signature, called: None }
    }

    /// The function, or the errors about it and what stands in its place.
    pub(crate) fn expand(
        &self,
        encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
    ) -> Result<TokenStream, TokenStream> {
        let mut diagnostics = Vec::new();
        if let Some(program) = lower_several(self.syntax, encodings, &mut diagnostics) {
            return Ok(self.emit(&program));
        }
        let function = self.function();
        let conditions = function.conditions();
        // A function whose parameters could not be read has no stand-in, because its uses would cause further errors.
        let instead = self
            .syntax
            .has_parameters
            .then(|| function.instead(&self.returned(self.syntax.outputs.iter())));
        let errors = compile_errors(self.flat, diagnostics);
        let errors = errors.map(|error| quote!(#(#conditions)* #error;));
        Err(quote!(#(#errors)* #instead))
    }

    /// The return type of a function with one output or several.
    fn returned<'o>(
        &self,
        outputs: impl Iterator<Item = &'o OperandSyntax<TokenRange>>,
    ) -> TokenStream {
        let types: Vec<_> = outputs.map(|output| self.function().output_type(output)).collect();
        let all = tuple(&types);
        quote!(::core::result::Result<#all, ::tensor_layout::sparsify::KernelError>)
    }

    /// The function of a step.
    fn step<'s>(
        &'s self,
        number: usize,
        step: &'s LoweredStatement<TokenRange>,
        kind: &str,
    ) -> Function<'s> {
        let name = unraw(&self.function().called());
        let called = Ident::new(&format!("__{name}_{number}{kind}"), Span::mixed_site());
        Function { flat: self.flat, syntax: &step.syntax, called: Some(called) }
    }

    /// The steps that share their outermost loop.
    fn shared<'s>(
        &'s self,
        program: &'s Program<TokenRange>,
        group: &std::ops::Range<usize>,
    ) -> Shared<'s> {
        let steps = group.clone().map(|number| {
            let function = self.step(number, &program.steps[number], "");
            (function, &program.steps[number])
        });
        Shared::new(group.clone(), steps.collect())
    }

    fn emit(&self, program: &Program<TokenRange>) -> TokenStream {
        let function = self.function();
        let (attributes, visibility, name) = function.head();
        let others = attributes.iter().filter(|attribute| !attribute.path().is_ident("doc"));
        let (parameters, generics) = (self.parameters(), function.generics());
        let (ranks, named, views) = (function.ranks(), function.named_bounds(), self.views());
        let returned = self.returned(self.syntax.outputs.iter());
        let (mut functions, mut bounds) = (TokenStream::new(), TokenStream::new());
        for (number, step) in program.steps.iter().enumerate() {
            if !program.shared.iter().any(|group| group.contains(&number)) {
                functions.extend(self.step(number, step, "").emit(
                    &step.kernel,
                    &step.functions,
                    None,
                    None,
                ));
            }
            // The arguments of the statements have no static sizes, so the sizes of the function's arguments are compared here.
            let function = self.step(number, step, "_given");
            let is_parameter = |at: usize| matches!(step.reads.get(at), Some(Source::Parameter(_)));
            let known = function.static_checks_among(&step.kernel, is_parameter);
            functions.extend(function.sizes([&known]));
            bounds.extend(known.bounds);
        }
        functions.extend(program.shared.iter().map(|group| self.shared(program, group).function()));
        let (steps, results) = (self.steps(program, &[]), self.results(program, &[]));
        let (docs, into) = (self.docs(program), self.into(program, &quote!(#(#others)*), &bounds));
        quote! {
            #ranks
            #named
            #functions
            #(#attributes)*
            #docs
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused_variables, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned
            where
                #bounds
            {
                #views
                #steps
                ::core::result::Result::Ok(#results)
            }
            #into
        }
    }

    /// The function that writes to given arrays, if an output can be given.
    fn into(
        &self,
        program: &Program<TokenRange>,
        attributes: &TokenStream,
        bounds: &TokenStream,
    ) -> TokenStream {
        let given: Vec<usize> = (program.outputs.iter().copied())
            .filter(|step| {
                let step = &program.steps[*step];
                matches!(step.target.ty, TypeSyntax::Dense) && !step.casts()
            })
            .collect();
        if given.is_empty() {
            return TokenStream::new();
        }
        let function = self.function();
        let (_, visibility, _) = function.head();
        let PairNames { called, into, .. } = function.pair_names();
        let (parameters, generics) = (self.parameters(), function.generics());
        let mut taken = Vec::new();
        let (mut types, mut starts) = (TokenStream::new(), TokenStream::new());
        let mut names = Vec::new();
        for step in &given {
            let target = &program.steps[*step].target;
            let (written, ty) = (function.operand_name(target), function.type_parameter(target));
            let (element, rank) = (function.element(target), target.dims.len());
            let view = quote!(::tensor_layout::sparsify::DenseMut<'o, #element, #rank>);
            taken.push(quote!(#written: #ty));
            types.extend(quote!(#ty: ::tensor_layout::sparsify::DenseOutput<'o, #element, #rank>,));
            starts.extend(quote! {
                let #written: #view = #written.into();
                let #written = (#written.shape(), #written.into_values());
            });
            let accumulates = program.steps[*step].kernel.accumulates;
            let does = if accumulates { "adds to what it holds" } else { "overwrites it" };
            names.push(format!("`{}` ({does})", target.name.text));
        }
        let outputs = self.syntax.outputs.iter().zip(&program.outputs);
        let others = outputs.filter(|(_, step)| !given.contains(step)).map(|(output, _)| output);
        let returned = self.returned(others);
        let (views, steps) = (self.views(), self.steps(program, &given));
        let results = self.results(program, &given);
        let docs = format!(
            "As [`{called}`], but writes to a given {}. If a statement fails, those before it have written.",
            names.join(", ")
        );
        quote! {
            #attributes
            #[doc = #docs]
            ///
            /// # Errors
            /// If sizes disagree, or if memory cannot be allocated.
            #[inline]
            #[allow(clippy::all, clippy::pedantic, unused_variables, non_snake_case, non_camel_case_types)]
            #visibility fn #into<'o, #generics #types>(#(#parameters,)* #(#taken),*) -> #returned
            where
                #bounds
            {
                #views
                #starts
                #steps
                ::core::result::Result::Ok(#results)
            }
        }
    }

    fn parameters(&self) -> Vec<TokenStream> {
        let function = self.function();
        self.syntax.parameters.iter().map(|operand| function.parameter(operand)).collect()
    }

    /// The parameters in the form in which the statements take them.
    fn views(&self) -> TokenStream {
        let function = self.function();
        let views = self.syntax.parameters.iter().map(|operand| {
            let name = function.operand_name(operand);
            let (element, rank) = (function.element(operand), operand.dims.len());
            match operand.ty {
                TypeSyntax::Scalar => TokenStream::new(),
                TypeSyntax::Dense => quote! {
                    let #name: ::tensor_layout::sparsify::DenseRef<'a, #element, #rank> = #name.into();
                },
                TypeSyntax::Tiled(_) => {
                    let layout = function.layout(operand);
                    quote! {
                        let #name = &::tensor_layout::sparsify::PackedOperand::<#layout>::packed(#name);
                    }
                }
                _ => {
                    let encoding = function.encoding(operand);
                    quote! {
                        let #name = ::tensor_layout::sparsify::SparseArgument::tensor(#name)?;
                        let #name: &::tensor_layout::sparse::SparseTensor<#encoding, #element> = &*#name;
                    }
                }
            }
        });
        views.collect()
    }

    /// The statements one after another. Those in `given` write to arrays of the caller.
    fn steps(&self, program: &Program<TokenRange>, given: &[usize]) -> TokenStream {
        let function = self.function();
        let ref_type = quote!(::tensor_layout::sparsify::DenseRef);
        let steps = program.groups().map(|group| {
            let (number, step) = (group.start, &program.steps[group.start]);
            // A temporary is dropped after the last statement that reads it.
            let last = |made: usize| {
                let reads = |step: &LoweredStatement<TokenRange>| step.reads.contains(&Source::Statement(made));
                program.steps.iter().rposition(reads).is_some_and(|last| group.contains(&last))
            };
            let dropped = (0..number).filter(|made| last(*made) && !program.outputs.contains(made));
            let dropped = dropped.map(|made| {
                let name = function.operand_name(&program.steps[made].target);
                quote!(::core::mem::drop(#name);)
            });
            if group.len() > 1 {
                let compute = self.shared(program, &group).call(given);
                return quote!(#compute #(#dropped)*);
            }
            let arguments = step.reads.iter().zip(&step.syntax.parameters).map(|(source, operand)| {
                let name = function.operand_name(operand);
                match (source, &operand.ty) {
                    (Source::Statement(made), TypeSyntax::Dense) if given.contains(made) => {
                        quote!(#ref_type::new(#name.0, &*#name.1)?)
                    }
                    (Source::Parameter(_), _) | (_, TypeSyntax::Scalar) => quote!(#name),
                    _ => quote!(&#name),
                }
            });
            let arguments: Vec<_> = arguments.collect();
            let (name, target) = (self.step(number, step, "").called(), &step.target);
            let variable = function.operand_name(target);
            let compute = match (given.contains(&number), step.casts(), &target.ty) {
                (true, ..) => {
                    let into = format_ident!("{name}_into");
                    quote! {
                        #into(
                            #(#arguments,)*
                            ::tensor_layout::sparsify::DenseMut::new(#variable.0, &mut *#variable.1)?,
                        )?;
                    }
                }
                (_, false, _) => quote!(let #variable = #name(#(#arguments),*)?;),
                (_, true, TypeSyntax::Scalar) => {
                    let element = function.element(target);
                    quote! {
                        let #variable = ::tensor_layout::sparse::Cast::<#element>::cast(#name(#(#arguments),*)?);
                    }
                }
                (_, true, _) => {
                    let element = function.element(target);
                    quote!(let #variable = #name(#(#arguments),*)?.cast::<#element>();)
                }
            };
            quote!(#compute #(#dropped)*)
        });
        steps.collect()
    }

    /// The outputs that are returned.
    fn results(&self, program: &Program<TokenRange>, given: &[usize]) -> TokenStream {
        let function = self.function();
        let returned = program.outputs.iter().filter(|step| !given.contains(step));
        let names = returned.map(|step| function.operand_name(&program.steps[*step].target));
        tuple(&names.collect::<Vec<_>>())
    }

    /// The loops of all statements.
    fn docs(&self, program: &Program<TokenRange>) -> TokenStream {
        let groups = program.groups().map(|group| match &program.steps[group] {
            [step] => loops(&step.kernel),
            steps => shared_loops(steps.iter().map(|step| &step.kernel).collect()),
        });
        let mut text: String = groups.collect();
        if program.groups().count() > 1 {
            text.push_str("\nThe statements run one after another.\n");
        }
        let full = match program.steps.iter().any(|step| is_bounded(&step.kernel)) {
            true => ", if more is to be stored in a tensor than it has room for",
            false => "",
        };
        let elements = program.steps.iter().map(|step| elements(&step.kernel));
        let elements = elements.max().unwrap_or_default();
        text.push_str(&format!(
            "\n# Errors\nIf an index has different sizes in the operands of a statement{elements}{full}, or there is no memory.\n"
        ));
        quote!(#[doc = #text])
    }
}

/// A single value, or a tuple of several.
pub(super) fn tuple(all: &[impl quote::ToTokens]) -> TokenStream {
    match all {
        [one] => quote!(#one),
        all => quote!((#(#all),*)),
    }
}
