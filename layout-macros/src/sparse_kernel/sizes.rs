//! The checks of sizes that rustc makes when it compiles a call of a kernel.

use super::function::Function;
use crate::flatten::TokenRange;
use layout_core::sparse_kernel::ir::{Int, Kernel};
use layout_core::sparse_kernel::syntax::OperandSyntax;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

impl Function<'_> {
    /// The checks, when the function is compiled, that sizes agree where the types of the arguments know them.
    pub(super) fn static_checks(&self, kernel: &Kernel) -> TokenStream {
        let parameters = &self.syntax.parameters;
        let mut checks = TokenStream::new();
        for (index, known) in kernel.indices.iter().enumerate() {
            let first = match known.size {
                Int::DimSize(operand, dim) => Some((operand, dim)),
                _ => None,
            };
            let others = kernel.size_checks.iter().filter(|check| check.index == index);
            let others = others.map(|check| (check.operand, check.dim));
            // Those of the parameters, all with all: of each, rustc may know the size or not.
            let all: Vec<_> =
                first.into_iter().chain(others).filter(|at| at.0 < parameters.len()).collect();
            for (at, &(operand, dim)) in all.iter().enumerate() {
                for &(from, from_dim) in &all[..at] {
                    let (size, expected) = (&parameters[operand], &parameters[from]);
                    checks.extend(self.static_check(
                        &known.name,
                        (size, dim, &self.type_parameter(size).into_token_stream()),
                        (expected, from_dim),
                    ));
                }
            }
        }
        checks
    }

    /// The same for the output that is written to, whose type is `ty`.
    pub(super) fn static_checks_of_output(&self, kernel: &Kernel, ty: &TokenStream) -> TokenStream {
        let shape = kernel.output_shape.iter().enumerate();
        let checks = shape.map(|(dim, size)| {
            let size = match size {
                Int::Size(index) => &kernel.indices[*index].size,
                other => other,
            };
            let Int::DimSize(from, from_dim) = *size else { return TokenStream::new() };
            let Some(from) = self.syntax.parameters.get(from) else { return TokenStream::new() };
            let output = &self.syntax.output;
            let index = output.dims.get(dim).map_or("", |dim| dim.text.as_str());
            self.static_check(index, (output, dim, ty), (from, from_dim))
        });
        checks.collect()
    }

    fn static_check(
        &self,
        index: &str,
        (operand, dim, ty): (&OperandSyntax<TokenRange>, usize, &TokenStream),
        (from, from_dim): (&OperandSyntax<TokenRange>, usize),
    ) -> TokenStream {
        let (rank, from_rank) = (operand.dims.len(), from.dims.len());
        let (name, from_type) = (&operand.name.text, self.type_parameter(from));
        let source = format!("dimension {from_dim} of `{}`", from.name.text);
        let sizes = quote!(::tensor_layout::sparsify::StaticSizes);
        // rustc shows this place, and then the call.
        let span = self.flat.span(operand.name.span);
        quote_spanned! {span=>
            const {
                ::tensor_layout::__private::sparse::same_static_size(
                    #index,
                    (#name, <#ty as #sizes<#rank>>::SIZES[#dim]),
                    (#source, <#from_type as #sizes<#from_rank>>::SIZES[#from_dim]),
                )
            };
        }
    }
}
