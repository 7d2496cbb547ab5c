//! The checks of sizes that rustc makes at a call of a kernel.

use super::function::Function;
use crate::flatten::TokenRange;
use crate::rust::unraw;
use layout_core::sparse_kernel::ir::{Int, Kernel, OperandId};
use layout_core::sparse_kernel::syntax::OperandSyntax;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// A dimension of an operand, and the type of the argument.
struct Dim<'a> {
    operand: &'a OperandSyntax<TokenRange>,
    ty: TokenStream,
    dim: usize,
}

impl Dim<'_> {
    /// The sizes that the argument's type contains.
    fn sizes(&self, span: Span) -> TokenStream {
        let (ty, rank) = (&self.ty, self.operand.dims.len());
        quote_spanned!(span=> <#ty as ::tensor_layout::sparsify::StaticSizes<#rank>>::Sizes)
    }

    fn size(&self, span: Span) -> TokenStream {
        let (sizes, dim) = (self.sizes(span), self.dim);
        quote_spanned!(span=> <#sizes as ::tensor_layout::types::SizeOf<#dim>>::Size)
    }

    /// The bound on a type parameter by which the size exists.
    fn exists(&self, span: Span) -> TokenStream {
        let (sizes, dim) = (self.sizes(span), self.dim);
        quote_spanned!(span=> #sizes: ::tensor_layout::types::SizeOf<#dim>,)
    }
}

/// A check that two sizes of an index do not contradict each other.
struct Check<'a> {
    index: &'a str,
    size: Dim<'a>,
    expected: Dim<'a>,
    /// Whether `size` is the size of an argument. `expected` always is.
    is_argument: bool,
}

impl Check<'_> {
    /// The trait `agree`, of two sizes as types, and the trait `equal`, of two known sizes, which has the message. The numbers are
    /// parameters of the trait, so that they can be in the message. Its type differs from the type of the argument, since rustc
    /// would otherwise report `agree`.
    fn traits(&self, equal: &Ident, agree: &Ident, span: Span) -> TokenStream {
        let (name, from, dim) =
            (&self.size.operand.name.text, &self.expected.operand.name.text, self.expected.dim);
        let index = self.index;
        let message = format!(
            "index `{index}` is {{SIZE}} in `{name}`, but {{EXPECTED}} in dimension {dim} of `{from}`"
        );
        let label = match self.is_argument {
            true => format!("index `{index}` is {{SIZE}} here"),
            false => format!("index `{index}` is {{EXPECTED}} here"),
        };
        let types = quote_spanned!(span=> ::tensor_layout::types);
        quote_spanned! {span=>
            #[diagnostic::on_unimplemented(
                message = #message,
                label = #label,
                note = "a generic function says that sizes are equal with `where Known<{SIZE}>: SameSize<{EXPECTED}>`"
            )]
            pub trait #equal<const SIZE: usize, const EXPECTED: usize> {}
            #[diagnostic::do_not_recommend]
            impl<T: #types::SameSize<EXPECTED>, const SIZE: usize, const EXPECTED: usize>
                #equal<SIZE, EXPECTED> for T {}

            pub trait #agree<Size, Expected> {}
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized, Expected> #agree<#types::Unknown, Expected> for T {}
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized, const SIZE: usize> #agree<#types::Known<SIZE>, #types::Unknown> for T {}
            impl<T: ?Sized, const SIZE: usize, const EXPECTED: usize>
                #agree<#types::Known<SIZE>, #types::Known<EXPECTED>> for T
            where
                #types::Known<SIZE>: #equal<SIZE, EXPECTED> {}
        }
    }
}

/// The checks of a function: the traits that they need, and the bounds.
#[derive(Default)]
pub(super) struct StaticChecks {
    pub(super) traits: TokenStream,
    pub(super) bounds: TokenStream,
}

impl Function<'_> {
    /// The checks of sizes that the types of the arguments contain.
    pub(super) fn static_checks(&self, kernel: &Kernel) -> StaticChecks {
        self.static_checks_among(kernel, |_| true)
    }

    /// The same for some of the arguments.
    pub(super) fn static_checks_among(
        &self,
        kernel: &Kernel,
        among: impl Fn(OperandId) -> bool,
    ) -> StaticChecks {
        let parameters = &self.syntax.parameters;
        let mut checks = Vec::new();
        for (index, known) in kernel.indices.iter().enumerate() {
            let first = match known.size {
                Int::DimSize(operand, dim) => Some((operand, dim)),
                _ => None,
            };
            let others = kernel.size_checks.iter().filter(|check| check.index == index);
            let others = others.map(|check| (check.operand, check.dim));
            // The sizes of the parameters, each compared with all others, because rustc may or may not know each of them.
            let all: Vec<_> = first
                .into_iter()
                .chain(others)
                .filter(|at| at.0 < parameters.len() && among(at.0))
                .collect();
            for (at, &(operand, dim)) in all.iter().enumerate() {
                for &(from, from_dim) in &all[..at] {
                    let (size, from) = (&parameters[operand], &parameters[from]);
                    let size = self.parameter_dim(size, dim);
                    let expected = self.parameter_dim(from, from_dim);
                    checks.push(Check { index: &known.name, size, expected, is_argument: true });
                }
            }
        }
        self.traits_and_bounds("", &checks)
    }

    /// The same for an output that is written to.
    pub(super) fn static_checks_of_output(&self, kernel: &Kernel) -> StaticChecks {
        let ty = self.type_parameter(&self.syntax.output).into_token_stream();
        self.traits_and_bounds("Output", &self.output_checks(kernel, &ty, true))
    }

    /// The same for an output of type `ty` that is returned.
    pub(super) fn static_checks_of_result(
        &self,
        kernel: &Kernel,
        ty: &TokenStream,
    ) -> StaticChecks {
        self.traits_and_bounds("Result", &self.output_checks(kernel, ty, false))
    }

    fn output_checks(
        &self,
        kernel: &Kernel,
        ty: &TokenStream,
        is_argument: bool,
    ) -> Vec<Check<'_>> {
        let shape = kernel.output_shape.iter().enumerate();
        let checks = shape.filter_map(|(dim, size)| {
            let size = match size {
                Int::Size(index) => &kernel.indices[*index].size,
                other => other,
            };
            let Int::DimSize(from, from_dim) = *size else { return None };
            let from = self.syntax.parameters.get(from)?;
            let expected = self.parameter_dim(from, from_dim);
            let operand = &self.syntax.output;
            let index = operand.dims.get(dim).map_or("", |dim| dim.text.as_str());
            let size = Dim { operand, ty: ty.clone(), dim };
            Some(Check { index, size, expected, is_argument })
        });
        checks.collect()
    }

    /// The module of the traits of all checks, if there are any.
    pub(super) fn sizes<const N: usize>(&self, checks: [&StaticChecks; N]) -> TokenStream {
        let traits = checks.map(|checks| &checks.traits);
        if traits.iter().all(|traits| traits.is_empty()) {
            return TokenStream::new();
        }
        let (conditions, module) = (self.conditions(), self.sizes_module());
        quote! {
            #(#conditions)*
            #[doc(hidden)]
            #[allow(clippy::all, clippy::pedantic, dead_code, non_snake_case, unreachable_pub)]
            pub mod #module { #(#traits)* }
        }
    }

    fn sizes_module(&self) -> Ident {
        format_ident!("__{}_sizes", unraw(&self.called()))
    }

    fn parameter_dim<'a>(&self, operand: &'a OperandSyntax<TokenRange>, dim: usize) -> Dim<'a> {
        Dim { operand, ty: self.type_parameter(operand).into_token_stream(), dim }
    }

    fn traits_and_bounds(&self, kind: &str, checks: &[Check<'_>]) -> StaticChecks {
        let mut result = StaticChecks::default();
        for (number, check) in checks.iter().enumerate() {
            let Check { size, expected, is_argument, .. } = check;
            // All spans are the same, because rustc shows this position.
            let span = self.flat.span(size.operand.name.span);
            let equal = format_ident!("{kind}Equal{number}", span = span);
            let agree = format_ident!("{kind}Agree{number}", span = span);
            result.traits.extend(check.traits(&equal, &agree, span));
            // rustc shows the argument of the type that has the bound.
            let (blamed, exists) = match is_argument {
                true => (&size.ty, size.exists(span)),
                false => (&expected.ty, TokenStream::new()),
            };
            let (size, expected_exists, expected) =
                (size.size(span), expected.exists(span), expected.size(span));
            let module = Ident::new(&self.sizes_module().to_string(), span);
            result.bounds.extend(quote_spanned! {span=>
                #exists
                #expected_exists
                #blamed: #module::#agree<#size, #expected>,
            });
        }
        result
    }
}
