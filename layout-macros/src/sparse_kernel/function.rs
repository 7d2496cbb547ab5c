//! A kernel as functions: one returns the output and, for dense outputs, another one writes to a given output.

use super::emit::{Emit, Uses};
use super::names::Names;
use super::values::wide;
use super::written::Written;
use crate::conditions;
use crate::flatten::{Flat, TokenRange};
use crate::rust::{attributes, is_name, unraw};
use crate::sparse_encoding;
use layout_core::sparse_kernel::ElementType;
use layout_core::sparse_kernel::ir::*;
use layout_core::sparse_kernel::syntax::{Kept, KernelSyntax, OperandSyntax, TypeSyntax};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::BTreeSet;
use syn::{Attribute, parse_quote};

/// The destination of the loops' values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A slice of elements.
    Elements,
    /// A slice of values in the type in which they are added up.
    Values,
    /// The return value of the loops.
    Returned,
}

/// A function of the macro's input.
pub(crate) struct Function<'a> {
    pub(crate) flat: &'a Flat,
    pub(crate) syntax: &'a KernelSyntax<TokenRange>,
    /// Its name, if that differs from the name in the input.
    pub(crate) called: Option<Ident>,
}

impl Function<'_> {
    /// A stand-in for a function with mistakes, so that its uses cause no errors.
    pub(crate) fn instead(&self, returned: &TokenStream) -> TokenStream {
        let (attributes, visibility, name) = self.head();
        // A name that is declared twice has been reported already.
        let mut names = std::collections::BTreeSet::new();
        let parameters = self.syntax.parameters.iter();
        let parameters = parameters.filter(|operand| names.insert(&operand.name.text));
        let parameters: Vec<_> = parameters.map(|operand| self.parameter(operand)).collect();
        let (generics, bounds) = (self.generics(), self.named_bounds());
        quote! {
            #bounds
            #(#attributes)*
            #[allow(unused_variables, non_snake_case, non_camel_case_types)]
            #visibility fn #name<#generics>(#(#parameters),*) -> #returned {
                ::core::unreachable!()
            }
        }
    }

    pub(super) fn head(&self) -> (Vec<Attribute>, TokenStream, Ident) {
        let visibility = self.syntax.visibility.map(|range| self.flat.tokens(range));
        let mut attributes = attributes(self.flat, &self.syntax.attributes);
        if self.called.is_some() {
            // One of several statements is not a function that the user can call.
            attributes = self.conditions();
            attributes.push(parse_quote!(#[allow(dead_code)]));
        }
        (attributes, visibility.unwrap_or_default(), self.called())
    }

    /// The conditions under which the function exists.
    pub(crate) fn conditions(&self) -> Vec<Attribute> {
        conditions::of_item(&attributes(self.flat, &self.syntax.attributes))
    }

    pub(super) fn called(&self) -> Ident {
        self.called.clone().unwrap_or_else(|| self.name(self.syntax.name.span))
    }

    /// A name as it is written.
    fn name(&self, range: TokenRange) -> Ident {
        match self.flat.tree(range) {
            TokenTree::Ident(name) => name,
            other => Ident::new("_", other.span()),
        }
    }

    /// The name of an operand.
    pub(super) fn operand_name(&self, operand: &OperandSyntax<TokenRange>) -> TokenTree {
        let (text, span) = (&operand.name.text, operand.name.span);
        match operand.made && is_name(text) {
            true => Ident::new(text, self.flat.span(span)).into(),
            false => self.flat.tree(span),
        }
    }

    /// The element type of an operand.
    pub(super) fn element(&self, operand: &OperandSyntax<TokenRange>) -> TokenStream {
        let known = ElementType::parse(&operand.element.text);
        if let Some(element) = known.filter(|_| operand.made) {
            return rust_type(element);
        }
        let Some(layout) = self.layout(operand) else {
            return self.flat.tokens(operand.element.span);
        };
        match known {
            Some(ElementType::Complex32 | ElementType::Complex64) | None => {
                quote!(::tensor_layout::Host<#layout>)
            }
            Some(element) => rust_type(element),
        }
    }

    /// The layout of a packed operand.
    pub(super) fn layout(&self, operand: &OperandSyntax<TokenRange>) -> Option<TokenStream> {
        match &operand.ty {
            TypeSyntax::Tiled(layout) => Some(self.flat.tokens(layout.text.span)),
            _ => None,
        }
    }

    /// The checks that layouts have as many dimensions as the signature names. They are evaluated even if the kernel is not
    /// called.
    pub(super) fn ranks(&self) -> TokenStream {
        let operands = self.syntax.parameters.iter().chain([&self.syntax.output]);
        let checks = operands.filter_map(|operand| {
            let (layout, rank) = (self.layout(operand)?, operand.dims.len());
            let (span, name) = (self.flat.span(operand.name.span), &operand.name.text);
            let conditions = self.conditions();
            Some(quote_spanned! {span=>
                #(#conditions)*
                const _: () = ::tensor_layout::__private::sparse::same_rank::<#layout>(#name, #rank);
            })
        });
        checks.collect()
    }

    /// The type of the encoding of an operand, if it has one.
    pub(super) fn encoding(&self, operand: &OperandSyntax<TokenRange>) -> TokenStream {
        match &operand.ty {
            TypeSyntax::Scalar | TypeSyntax::Dense | TypeSyntax::Tiled(_) => TokenStream::new(),
            TypeSyntax::Alias(name) => self.flat.tokens(name.span),
            TypeSyntax::Encoding(_) => {
                // In braces, after the name and the colon.
                let tree = self.flat.group_in(operand.span);
                tree.map(|group| sparse_encoding::described(group.stream()).0).unwrap_or_default()
            }
        }
    }

    pub(super) fn parameter(&self, operand: &OperandSyntax<TokenRange>) -> TokenStream {
        let name = self.operand_name(operand);
        let ty = self.type_parameter(operand);
        match operand.ty {
            TypeSyntax::Scalar => {
                let element = self.element(operand);
                quote!(#name: #element)
            }
            TypeSyntax::Dense => quote!(#name: #ty),
            _ => quote!(#name: &#ty),
        }
    }

    /// The type of an argument, which the checks of sizes name: `TypeOf_a`. No encoding is likely to have such a name.
    pub(super) fn type_parameter(&self, operand: &OperandSyntax<TokenRange>) -> Ident {
        match self.operand_name(operand) {
            TokenTree::Ident(name) => format_ident!("TypeOf_{}", unraw(&name)),
            other => Ident::new("TypeOf_", other.span()),
        }
    }

    /// The generic parameters of a function: the lifetime of dense operands, if there are any, and the types of the arguments.
    pub(super) fn generics(&self) -> TokenStream {
        let operands = self.syntax.parameters.iter();
        let dense = operands.clone().any(|operand| matches!(operand.ty, TypeSyntax::Dense));
        let lifetime = dense.then(|| quote!('a,));
        let mut names = std::collections::BTreeSet::new();
        let types = operands.filter(|operand| names.insert(&operand.name.text)).map(|operand| {
            let (ty, rank) = (self.type_parameter(operand), operand.dims.len());
            // An error about the bound quotes the line of the operand instead of the whole macro.
            let span = self.operand_name(operand).span().resolved_at(Span::call_site());
            let takes = match operand.ty {
                TypeSyntax::Scalar => return TokenStream::new(),
                TypeSyntax::Tiled(_) => {
                    let layout = self.layout(operand);
                    quote_spanned!(span=> ::tensor_layout::sparsify::PackedOperand<#layout>)
                }
                _ => match self.named_bound(operand) {
                    Some(named) if matches!(operand.ty, TypeSyntax::Dense) => {
                        quote_spanned!(span=> #named<'a>)
                    }
                    Some(named) => named.into_token_stream(),
                    None => self.bound(operand, span),
                },
            };
            // A dense operand knows its sizes by its own bound.
            let sizes = match operand.ty {
                TypeSyntax::Dense => quote!(),
                _ => {
                    quote!(+ ::tensor_layout::sparsify::StaticSizes<#rank> + ?::core::marker::Sized)
                }
            };
            quote!(#ty: #takes #sizes,)
        });
        let types: TokenStream = types.collect();
        quote!(#lifetime #types)
    }

    /// What the type of a dense or a sparse argument implements.
    fn bound(&self, operand: &OperandSyntax<TokenRange>, span: Span) -> TokenStream {
        let (element, encoding, rank) =
            (self.element(operand), self.encoding(operand), operand.dims.len());
        match operand.ty {
            TypeSyntax::Dense => quote_spanned! {span=>
                ::tensor_layout::sparsify::DenseOperand<'a, #element, #rank>
            },
            _ => quote_spanned! {span=>
                ::tensor_layout::sparsify::SparseOperand<#encoding, #element>
            },
        }
    }

    /// `__spmv_takes_a`: the same as a trait whose error names the operand, for a function that the user calls.
    fn named_bound(&self, operand: &OperandSyntax<TokenRange>) -> Option<Ident> {
        let is_named = matches!(
            operand.ty,
            TypeSyntax::Dense | TypeSyntax::Alias(_) | TypeSyntax::Encoding(_)
        );
        let span = self.operand_name(operand).span().resolved_at(Span::call_site());
        let (function, operand) = (&self.syntax.name.text, &operand.name.text);
        let [function, operand] = [function, operand].map(|name| name.trim_start_matches("r#"));
        (is_named && self.called.is_none())
            .then(|| format_ident!("__{function}_takes_{operand}", span = span))
    }

    /// The traits by which rustc reports an argument that the kernel does not take, in the words of its signature.
    pub(super) fn named_bounds(&self) -> TokenStream {
        let visibility = self.syntax.visibility.map(|range| self.flat.tokens(range));
        let conditions = self.conditions();
        let mut names = BTreeSet::new();
        let operands = self.syntax.parameters.iter();
        let operands = operands.filter(|operand| names.insert(&operand.name.text));
        let bounds = operands.filter_map(|operand| {
            let name = self.named_bound(operand)?;
            let bound = self.bound(operand, Span::call_site());
            let lifetime = matches!(operand.ty, TypeSyntax::Dense).then(|| quote!('a,));
            let (message, label, note) = self.diagnostic_of(operand);
            Some(quote! {
                #(#conditions)*
                #[doc(hidden)]
                #[allow(clippy::all, clippy::pedantic, non_camel_case_types, unreachable_pub)]
                #[diagnostic::on_unimplemented(message = #message, label = #label, note = #note)]
                #visibility trait #name<#lifetime>: #bound {}
                #(#conditions)*
                #[diagnostic::do_not_recommend]
                impl<#lifetime Argument: #bound + ?::core::marker::Sized> #name<#lifetime> for Argument {}
            })
        });
        bounds.collect()
    }

    /// The message, the label and the note of the error about an argument.
    fn diagnostic_of(&self, operand: &OperandSyntax<TokenRange>) -> (String, String, String) {
        let (name, element) = (&operand.name.text, &operand.element.text);
        let (storage, note) = match &operand.ty {
            TypeSyntax::Dense => (
                "Dense",
                format!(
                    "`{name}` is an array, a `Vec` or a slice, of rows for two dimensions, or `DenseRef::new([..], &values)?`"
                ),
            ),
            ty => {
                let (storage, to) = match ty {
                    TypeSyntax::Alias(name) => (name.text.as_str(), name.text.as_str()),
                    _ => ("{{..}}", "E"),
                };
                let note = format!(
                    "`{name}.convert::<{to}>()?` changes the encoding of a sparse tensor, and `{name}.cast::<{element}>()` its values"
                );
                (storage, note)
            }
        };
        let arguments = self.syntax.parameters.iter().map(|operand| match operand.ty {
            TypeSyntax::Scalar => operand.name.text.clone(),
            _ => format!("&{}", operand.name.text),
        });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let note = format!("a call is `{}({arguments})`; {note}", self.syntax.name.text);
        let dims: Vec<_> = operand.dims.iter().map(|dim| dim.text.as_str()).collect();
        let written = format!("{name}: {storage}<{element}>[{}]", dims.join(", "));
        let message = format!("`{}` takes `{written}`, not `{{Self}}`", self.syntax.name.text);
        (message, format!("not an argument for `{name}`"), note)
    }

    pub(super) fn returned(&self) -> TokenStream {
        let ty = self.output_type(&self.syntax.output);
        quote!(::core::result::Result<#ty, ::tensor_layout::sparsify::KernelError>)
    }

    /// The type of an output that is returned.
    pub(super) fn output_type(&self, output: &OperandSyntax<TokenRange>) -> TokenStream {
        let (element, encoding, rank) =
            (self.element(output), self.encoding(output), output.dims.len());
        match output.ty {
            TypeSyntax::Scalar => element,
            TypeSyntax::Dense => quote!(::tensor_layout::sparsify::Dense<#element, #rank>),
            TypeSyntax::Tiled(_) => {
                let layout = self.layout(output);
                quote!(::tensor_layout::Packed<#layout>)
            }
            _ => quote!(::tensor_layout::sparse::SparseTensor<#encoding, #element>),
        }
    }

    /// The functions of a kernel; `kept` are the entries of a given output that remain, if the statement says so, and `sum` is the
    /// kernel that adds to a given output in one pass, if there is one.
    pub(crate) fn emit(
        &self,
        kernel: &Kernel,
        functions: &[TokenRange],
        kept: Option<&Kept<TokenRange>>,
        sum: Option<&Kept<TokenRange>>,
    ) -> TokenStream {
        let emit = self.emitter(kernel, functions, Names::new(kernel));
        // One of several statements makes a new tensor.
        let accumulates = (kernel.accumulates || kept.is_some()) && self.called.is_none();
        match (&kernel.operands[kernel.output].storage, kernel.result) {
            (Storage::Dense { .. }, _) => self.dense(&emit),
            (Storage::Sparse(_), _) if accumulates => self.accumulating(&emit, kept, sum),
            (Storage::Sparse(_), OutputMode::Positions | OutputMode::Pattern(_)) => {
                self.in_place(&emit)
            }
            _ if emit.reuses() => self.reusing(&emit),
            _ => self.alone(&emit),
        }
    }

    /// The emitter of a kernel.
    pub(super) fn emitter<'k>(
        &self,
        kernel: &'k Kernel,
        functions: &[TokenRange],
        names: Names<'k>,
    ) -> Emit<'k> {
        let element = self.element(&self.syntax.output);
        let written = self.syntax.parameters.iter().chain([&self.syntax.output]);
        let mut encodings: Vec<_> = written.map(|operand| self.encoding(operand)).collect();
        for operand in &kernel.operands[encodings.len()..] {
            encodings.push(match &operand.storage {
                Storage::Sparse(encoding) => {
                    sparse_encoding::described(encoding.to_string().parse().unwrap_or_default()).0
                }
                _ => TokenStream::new(),
            });
        }
        let is_float = matches!(element.to_string().as_str(), "f32" | "f64");
        let written = self.syntax.parameters.iter().chain([&self.syntax.output]);
        let mut elements: Vec<_> = written.map(|operand| self.element(operand)).collect();
        for at in elements.len()..kernel.operands.len() {
            // The values of a converted operand are widened during the conversion, if their type differs from the type of the
            // output.
            elements.push(match kernel.is_mixed(at) {
                true => wide(&element, is_float),
                false => element.clone(),
            });
        }
        Emit {
            kernel,
            names,
            is_float,
            elements,
            element,
            signed: kernel.signed(),
            uses: RefCell::new(Uses::default()),
            encodings,
            functions: functions.iter().map(|at| Written::new(self.flat.tokens(*at))).collect(),
            made: BTreeSet::new(),
        }
    }

    /// Dense parameters as views.
    pub(super) fn views(&self, emit: &Emit<'_>) -> TokenStream {
        let written = self.syntax.parameters.iter().enumerate();
        let dense = written.filter(|(_, operand)| matches!(operand.ty, TypeSyntax::Dense));
        let views = dense.map(|(at, operand)| {
            let (written, name) = (self.operand_name(operand), emit.names.operand(at));
            let (element, rank) = (self.element(operand), operand.dims.len());
            quote! {
                let #name: ::tensor_layout::sparsify::DenseRef<'a, #element, #rank> = #written.into();
            }
        });
        let others = self.syntax.parameters.iter().enumerate();
        let others = others.filter(|(_, operand)| !matches!(operand.ty, TypeSyntax::Dense));
        let others = others.map(|(at, operand)| {
            let (written, name) = (self.operand_name(operand), emit.names.operand(at));
            if matches!(operand.ty, TypeSyntax::Scalar) {
                return quote!(let #name = #written;);
            }
            let (encoding, element) = (&emit.encodings[at], self.element(operand));
            if let Some(layout) = self.layout(operand) {
                let (stored, rank) =
                    (emit.names.other(format!("{name}_stored")), operand.dims.len());
                let private = quote!(::tensor_layout::__private::sparse);
                let view = match emit.kernel.operands[at].storage {
                    Storage::Tiled { .. } => quote!(#stored.array::<#rank>()),
                    _ => quote!(#stored.vector::<#rank>()?),
                };
                return quote! {
                    let #stored = #private::stored::<#layout>(#written)?;
                    let #name = #view;
                };
            }
            quote! {
                let #name =
                    ::tensor_layout::sparsify::SparseArgument::tensor(#written)?;
                let #name: &::tensor_layout::sparse::SparseTensor<#encoding, #element> = &*#name;
            }
        });
        let (views, others): (TokenStream, TokenStream) = (views.collect(), others.collect());
        quote!(#views #others)
    }

    /// The operands as arguments, and as parameters of the function with the loops.
    pub(super) fn passed(&self, emit: &Emit<'_>) -> (Vec<Ident>, Vec<TokenStream>) {
        let each = self.syntax.parameters.iter().enumerate().map(|(at, operand)| {
            let name = emit.names.operand(at);
            let ty = self.passed_type(emit, at, operand, quote!('_));
            (name.clone(), quote!(#name: #ty))
        });
        each.unzip()
    }

    /// The type of an operand as an argument of the function with the loops.
    pub(super) fn passed_type(
        &self,
        emit: &Emit<'_>,
        at: OperandId,
        operand: &OperandSyntax<TokenRange>,
        life: TokenStream,
    ) -> TokenStream {
        let (element, encoding, rank) =
            (self.element(operand), &emit.encodings[at], operand.dims.len());
        match operand.ty {
            TypeSyntax::Scalar => element,
            TypeSyntax::Dense => {
                quote!(::tensor_layout::sparsify::DenseRef<#life, #element, #rank>)
            }
            TypeSyntax::Tiled(_) => {
                let layout = self.layout(operand);
                match emit.kernel.operands[at].storage {
                    Storage::Tiled { .. } => {
                        quote!(::tensor_layout::__private::sparse::PackedValues<#life, #layout, #rank>)
                    }
                    _ => quote!(::tensor_layout::sparsify::DenseRef<#life, #element, #rank>),
                }
            }
            _ => quote!(&#life ::tensor_layout::sparse::SparseTensor<#encoding, #element>),
        }
    }
}

/// The sizes of dimensions and of indices and, if `values`, the arrays of values of dense operands.
pub(super) fn sizes(emit: &Emit<'_>, values: bool) -> TokenStream {
    let kernel = emit.kernel;
    let mut tokens = TokenStream::new();
    for (at, operand) in kernel.operands.iter().enumerate() {
        let rank = operand.storage.rank();
        if at == kernel.output
            || rank == 0
            || emit.made.contains(&at)
            || matches!(operand.origin, Origin::Converted(_)) && !values
        {
            continue;
        }
        let (name, dims) = (emit.names.operand(at), (0..rank).map(|dim| emit.dim_name(at, dim)));
        tokens.extend(quote!(let [#(#dims),*] = #name.shape();));
        if values && matches!(operand.storage, Storage::Dense { .. } | Storage::Tiled { .. }) {
            let array = emit.names.values(at);
            tokens.extend(quote!(let #array = #name.values();));
        }
    }
    for (at, index) in kernel.indices.iter().enumerate() {
        let (name, size) = (emit.size_name(at), emit.size(&index.size));
        tokens.extend(quote!(let #name = #size;));
    }
    for (dim, size) in kernel.output_shape.iter().enumerate() {
        let (name, size) = (emit.dim_name(kernel.output, dim), emit.size(size));
        tokens.extend(quote!(let #name = #size;));
    }
    tokens
}

/// The checks that sizes agree, and that the elements of index arrays are valid indices.
pub(super) fn sizes_and_checks(emit: &Emit<'_>) -> TokenStream {
    let kernel = emit.kernel;
    let checks = kernel.size_checks.iter().map(|check| {
        let index = &kernel.indices[check.index];
        let (name, operand) = (&index.name, &kernel.operands[check.operand].name);
        let (size, expected) =
            (emit.dim_name(check.operand, check.dim), emit.size_name(check.index));
        let source = match index.size {
            Int::DimSize(operand, dim) => {
                format!("dimension {dim} of `{}`", kernel.operands[operand].name)
            }
            _ => "the schedule".to_string(),
        };
        quote! {
            ::tensor_layout::__private::sparse::same_size(#name, (#operand, #size), (#source, #expected))?;
        }
    });
    let elements = kernel.index_checks.iter().map(|check| {
        let array = emit.names.operand(check.operand);
        let (name, size) = (&kernel.operands[check.operand].name, emit.size_name(check.index));
        let (index, ty) = (&kernel.indices[check.index].name, &emit.elements[check.operand]);
        quote! {
            ::tensor_layout::__private::sparse::check_elements::<#ty>(
                (#name, #array.values()),
                (#index, #size),
            )?;
        }
    });
    checks.chain(elements).collect()
}

/// The loops, their cost, and the work before and after them.
pub(super) fn docs(kernel: &Kernel) -> TokenStream {
    let mut text = loops(kernel);
    let name = &kernel.operands[kernel.output].name;
    let full = match is_bounded(kernel) {
        true => format!(", if more is to be stored in `{name}` than it has room for"),
        false => String::new(),
    };
    let elements = elements(kernel);
    text.push_str(&format!(
        "\n# Errors\nIf an index has different sizes in different operands{elements}{full}, or there is no memory.\n"
    ));
    quote!(#[doc = #text])
}

/// The possible errors of index arrays, if the kernel has any.
pub(super) fn elements(kernel: &Kernel) -> &'static str {
    match kernel.index_checks.is_empty() {
        true => "",
        false => ", an element of an index array is not below the size of the index",
    }
}

/// The statement, its loops, their cost, and the work before and after them.
pub(super) fn loops(kernel: &Kernel) -> String {
    described(&[kernel], kernel.to_string())
}

/// Like [`loops`], but for kernels that share their outermost loop.
pub(super) fn shared_loops(kernels: Vec<&Kernel>) -> String {
    let text = SharedLoop(kernels.clone()).to_string();
    described(&kernels, text)
}

fn described(kernels: &[&Kernel], loops: String) -> String {
    let statements: Vec<_> = kernels.iter().map(|kernel| kernel.statement.as_str()).collect();
    let mut text = format!("\n`{}`\n\n```text\n{loops}```\n", statements.join("; "));
    let costs = kernels.iter().map(|kernel| kernel.cost.as_str()).filter(|cost| !cost.is_empty());
    let costs: Vec<_> = costs.collect();
    if !costs.is_empty() {
        text.push_str(&format!("\nCost: {}.\n", costs.join(" + ")));
    }
    for note in kernels.iter().flat_map(|kernel| &kernel.notes) {
        text.push_str(&format!("\n{note}\n"));
    }
    text
}

/// Whether the output has room for only a limited number of entries.
pub(super) fn is_bounded(kernel: &Kernel) -> bool {
    matches!(&kernel.operands[kernel.output].storage, Storage::Sparse(encoding) if encoding.is_bounded())
}

/// The Rust type of elements of this type.
fn rust_type(element: ElementType) -> TokenStream {
    match element {
        ElementType::F16 => quote!(::tensor_layout::half::f16),
        ElementType::Bf16 => quote!(::tensor_layout::half::bf16),
        ElementType::Complex32 => quote!(::tensor_layout::num_complex::Complex<f32>),
        ElementType::Complex64 => quote!(::tensor_layout::num_complex::Complex<f64>),
        other => Ident::new(other.name(), Span::call_site()).into_token_stream(),
    }
}
