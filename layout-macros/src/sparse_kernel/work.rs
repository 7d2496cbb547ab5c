//! The loops of a kernel as work that is compiled for each instruction set.

use super::emit::Emit;
use super::function::{Function, Target, sizes};
use layout_core::sparse_kernel::ir::{Origin, Storage};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Function<'_> {
    /// The loops as work that is compiled for each instruction set, and a call of it.
    pub(super) fn work(&self, emit: &Emit<'_>, target: Target) -> TokenStream {
        let kernel = emit.kernel;
        let private = quote!(::tensor_layout::__private::sparse);
        let (converted, fields) = (conversions(emit), self.fields(emit));
        if let Some(height) = kernel.parts {
            let parts = emit.parts(height, &fields, &sizes(emit, true));
            return quote!(#converted #parts);
        }
        if target == Target::Returned {
            let work = returned_work(emit, fields);
            return quote!(#converted #work);
        }
        let body = emit.body();
        let (names, types): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
        let sizes = sizes(emit, true);
        let output = emit.names.operand(kernel.output);
        let values = emit.names.values(kernel.output);
        let wide = emit.wide();
        let call = quote!(#private::run(__Loops { #(#names,)* #values }));
        let call = match target {
            Target::Elements => quote!(#private::in_wide(#output, |#values| #call)),
            _ => call,
        };
        quote! {
            #converted
            struct __Loops<'a> { #(#names: #types,)* #values: &'a mut [#wide] }
            impl #private::Work for __Loops<'_> {
                type Output = ::core::result::Result<(), ::tensor_layout::sparsify::KernelError>;
                #[inline(always)]
                fn run(self) -> Self::Output {
                    let Self { #(#names,)* #values } = self;
                    #sizes
                    #body
                }
            }
            #call
        }
    }

    /// The operands that the loops read, with their types: the parameters, then those that are converted first.
    fn fields(&self, emit: &Emit<'_>) -> Vec<(Ident, TokenStream)> {
        let parameters = self.syntax.parameters.iter().enumerate().map(|(at, operand)| {
            (emit.names.operand(at), self.passed_type(emit, at, operand, quote!('a)))
        });
        let operands = emit.kernel.operands.iter().enumerate();
        let converted =
            operands.filter(|(_, operand)| matches!(operand.origin, Origin::Converted(_)));
        let converted = converted.map(|(at, _)| {
            let (encoding, element) = (&emit.encodings[at], &emit.elements[at]);
            let ty = quote!(&'a ::tensor_layout::sparse::SparseTensor<#encoding, #element>);
            (emit.names.operand(at), ty)
        });
        parameters.chain(converted).collect()
    }
}

/// The conversions of operands before the loops run.
fn conversions(emit: &Emit<'_>) -> TokenStream {
    let converted = emit.kernel.operands.iter().enumerate().filter_map(|(at, operand)| {
        let Origin::Converted(from) = operand.origin else { return None };
        let (name, from, encoding) =
            (emit.names.operand(at), emit.names.operand(from), &emit.encodings[at]);
        let converted = match (emit.kernel.is_mixed(at), &emit.elements[at]) {
            (true, wide) if operand.casts => quote!(converted_cast::<_, #encoding, _, #wide>),
            (true, wide) => quote!(converted_wide::<_, #encoding, _, #wide>),
            (false, element) => quote!(converted::<_, #encoding, #element>),
        };
        Some(quote! {
            let #name = &::tensor_layout::__private::sparse::#converted(#from)?;
        })
    });
    converted.collect()
}

/// The loops of a kernel that returns its output, as work, and a call of it.
fn returned_work(emit: &Emit<'_>, fields: Vec<(Ident, TokenStream)>) -> TokenStream {
    let private = quote!(::tensor_layout::__private::sparse);
    let (names, types): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let (body, sizes, element) = (emit.body(), sizes(emit, true), &emit.element);
    // A field in addition to the fields of the operands.
    let life = emit.names.other("life");
    let output = emit.kernel.output;
    let encoding = &emit.encodings[output];
    let ty = match emit.kernel.operands[output].storage {
        Storage::Scalar => quote!(#element),
        _ => quote!(::tensor_layout::sparse::SparseTensor<#encoding, #element>),
    };
    // The tensor whose memory the output reuses.
    let old = emit.reuses().then(|| emit.names.other("old"));
    let kept = old.iter().map(|old| quote!(#old: ::core::option::Option<#ty>,));
    let kept: TokenStream = kept.collect();
    let old: TokenStream = old.iter().map(|old| quote!(#old,)).collect();
    quote! {
        struct __Loops<'a> { #(#names: #types,)* #kept #life: ::core::marker::PhantomData<&'a ()> }
        impl #private::Work for __Loops<'_> {
            type Output = ::core::result::Result<#ty, ::tensor_layout::sparsify::KernelError>;
            #[inline(always)]
            fn run(self) -> Self::Output {
                let Self { #(#names,)* #old .. } = self;
                #sizes
                #body
            }
        }
        #private::run(__Loops { #(#names,)* #old #life: ::core::marker::PhantomData })
    }
}
