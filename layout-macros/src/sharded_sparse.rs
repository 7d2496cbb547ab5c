//! `sharded!(f64[4,6] Csr @ Pod [{"data"}, {}])`: a sparse tensor over a mesh.

use crate::emit::{number, with_arguments};
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::sharded::{axes, dim_type};
use crate::sparse_encoding::known;
use crate::sparse_tensor::{checked, instead_of, shape, size};
use layout_core::sharding::Mesh;
use layout_core::sharding::syntax::{
    ShardedSparseDraft, ShardedSparseSyntax, is_sparse, lower_sharded_sparse, parse_sharded_sparse,
};
use layout_core::sparse::syntax::SparseSize;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};

/// The type, if the input is that of a sparse tensor. Without a mesh there is at least one mistake.
pub(crate) fn expand(flat: &Flat, path: &TokenStream, mesh: Option<&Mesh>) -> Option<TokenStream> {
    let mut cursor = flat.cursor();
    if !is_sparse(&cursor) {
        return None;
    }
    let syntax = parse_sharded_sparse(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the sharded tensor");
    }
    let mut diagnostics = cursor.diagnostics;
    let parts = syntax.as_ref().and_then(|syntax| {
        let tensor = checked(flat, &syntax.tensor, &mut diagnostics);
        let draft = lower_sharded_sparse(syntax, mesh?, &mut diagnostics);
        Some((syntax, tensor?, draft?, mesh?))
    });
    let (Some((syntax, (encoding, element), draft, mesh)), true) = (parts, diagnostics.is_empty())
    else {
        let errors = compile_errors(flat, diagnostics);
        let tensor = syntax.as_ref().map(|syntax| &syntax.tensor);
        let (encoding, element, shape) = instead_of(tensor, errors);
        return Some(quote! {
            ::tensor_layout::sharding::ShardedSparse::<#encoding, #element, #shape, #shape, #path, ()>
        });
    };
    let sizes: Vec<_> = syntax.tensor.sizes.iter().map(|written| size(flat, written)).collect();
    let span = flat.span(syntax.tensor.sizes_span);
    let shape = with_arguments("Shape", sizes.len(), span, &sizes);
    let local = local(flat, syntax, &draft, &encoding, &sizes);
    let dims = draft.sharding.dims.iter().map(|dim| dim_type(mesh, dim));
    let replicated = axes(mesh, &draft.sharding.replicated);
    let optional = match (syntax.split.padded, draft.sharding.replicated.is_empty()) {
        (Some(_), _) => quote!(, #replicated, true),
        (None, false) => quote!(, #replicated),
        (None, true) => quote!(),
    };
    Some(quote! {
        ::tensor_layout::sharding::ShardedSparse::<
            #encoding, #element, #shape, #local, #path, (#(#dims,)*) #optional
        >
    })
}

/// The shape of the local tensors. rustc knows the encoding, and thus whether its blocks would be split.
fn local(
    flat: &Flat,
    syntax: &ShardedSparseSyntax<TokenRange>,
    draft: &ShardedSparseDraft,
    encoding: &TokenStream,
    sizes: &[TokenStream],
) -> TokenStream {
    let (rank, padded) = (sizes.len(), syntax.split.padded.is_some());
    let written = || syntax.tensor.sizes.iter().map(|(size, _)| size).zip(&draft.parts);
    let is_named =
        |(size, parts): (&SparseSize, &usize)| matches!(size, SparseSize::Name(_)) && *parts > 1;
    let span = flat.span(syntax.tensor.sizes_span);
    // A name can be a const generic parameter, and stable rustc cannot do arithmetic with these here.
    if !padded && written().any(is_named) {
        let shape = with_arguments("Shape", rank, span, sizes);
        let parts: Vec<_> =
            draft.parts.iter().map(|parts| number(*parts, Span::call_site())).collect();
        let parts = with_arguments("Shape", rank, span, &parts);
        return quote!(::tensor_layout::sharding::types::LocalShape<#shape, #parts>);
    }
    let local = written().zip(sizes).enumerate().map(|(dim, ((written, &parts), size))| {
        if parts == 1 {
            return size.clone();
        }
        if is_named((written, &parts)) {
            return known(None);
        }
        let span = syntax.split.dims.get(dim).map_or(span, |dim| flat.span(dim.span));
        quote_spanned! {span=>
            { ::tensor_layout::__private::sparse_shard_size::<#encoding, #rank>((#size, #dim), #parts, #padded) }
        }
    });
    let local: Vec<_> = local.collect();
    // The last devices may have fewer elements.
    let open: Vec<_> = draft.parts.iter().map(|parts| padded && *parts > 1).collect();
    shape(&local, &open, span)
}
