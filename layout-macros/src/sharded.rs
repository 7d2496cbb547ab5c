use crate::editor;
use crate::emit::{Emit, literal};
use crate::error::{compile_errors, layout};
use crate::flatten::{Flat, TokenRange};
use crate::layouts::{self, Call};
use crate::mesh;
use crate::rust::{Item, aliases, leading_path};
use crate::sharded_sparse;
use crate::tiled;
use crate::uses::Names;
use layout_core::TiledSpec;
use layout_core::sharding::draw::Sharded;
use layout_core::sharding::syntax::{ShardedSyntax, is_sparse, lower_sharded, parse_sharded};
use layout_core::sharding::{AxisRef, DimSharding, Mesh, ReductionOp, TensorSharding};
use layout_core::tiled::syntax::Size;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    editor::in_type(input, |cursor| editor::read("sharded", cursor), |input| (on_path(input), None))
}

fn on_path(input: TokenStream) -> TokenStream {
    match mesh_path(&input) {
        Some(path) => mesh::on(&path, "sharded_on", input),
        // Without a mesh there is at least one mistake, and the grammar reports it.
        None => without_mesh(input),
    }
}

/// The path after `@`.
pub(crate) fn mesh_path(input: &TokenStream) -> Option<Path> {
    let mut trees = input.clone().into_iter();
    trees.find(|tree| matches!(tree, TokenTree::Punct(at) if at.as_char() == '@'))?;
    leading_path(trees.collect())
}

/// `pub type W1 = sharded!(..);` of `layouts!`. The picture needs the mesh, so the macro of the mesh is called.
pub(crate) fn alias(item: &Item, input: TokenStream) -> TokenStream {
    let Some(path) = mesh_path(&input) else {
        return layouts::alias(item, &expand(input), "", None::<&TiledSpec>);
    };
    let Item { attributes, visibility, name, generics, tokens } = item;
    let written = quote!(#(#attributes)* #visibility type #name #generics = #tokens;);
    let (read, conditions) = (mesh::on(&path, "layouts_on", written), item.conditions());
    quote!(#(#conditions)* #read)
}

/// Such a definition, with its mesh after it.
pub(crate) fn aliases_on_mesh(input: TokenStream) -> TokenStream {
    let (input, mesh) = mesh::read(input);
    let Some(mesh) = mesh else { return without_definition(input) };
    let definition = |item: &Item| {
        let input = Call::of(item).map(|call| call.input).unwrap_or_default();
        let (array, described) = described(input, &mesh);
        layouts::alias(item, &array, "", described.as_ref())
    };
    let items = aliases(input).map(|aliases| aliases.items).unwrap_or_default();
    items.iter().map(definition).collect()
}

/// Placeholders for definitions on a mesh that could not be read.
fn without_definition(input: TokenStream) -> TokenStream {
    let items = aliases(input).map(|aliases| aliases.items).unwrap_or_default();
    let alias = |item: &Item| layouts::alias(item, &quote!(()), "", None::<&TiledSpec>);
    items.iter().map(alias).collect()
}

/// The array in `module`, if its mesh is among the definitions of `meshes`.
pub(crate) fn in_module(
    input: TokenStream,
    module: &[String],
    meshes: &Names<String>,
) -> Option<Sharded> {
    let mesh = meshes.find(module, &mesh_path(&input)?)?;
    described(input, &mesh::defined(mesh.parse().ok()?)).1
}

/// The array of a type `alias`, evaluated by rustc.
pub(crate) fn evaluated(alias: &TokenStream, input: &TokenStream) -> TokenStream {
    match is_sparse(&Flat::new(input.clone()).cursor()) {
        true => quote!(<#alias as ::tensor_layout::sharding::ShardedSparseLayout>::sharded()),
        false => quote!(<#alias as ::tensor_layout::ShardedLayout>::sharded()),
    }
}

fn without_mesh(input: TokenStream) -> TokenStream {
    let flat = Flat::new(input);
    if let Some(tensor) = sharded_sparse::expand(&flat, &quote!(()), None) {
        return tensor;
    }
    let mut cursor = flat.cursor();
    if parse_sharded(&mut cursor).is_some() {
        cursor.expect_end_of("the sharded array");
    }
    instead(&flat, cursor.diagnostics, &quote!(()))
}

/// A placeholder for a type with mistakes.
fn instead(
    flat: &Flat,
    diagnostics: Vec<layout_core::syntax::Diagnostic<TokenRange>>,
    path: &TokenStream,
) -> TokenStream {
    let array = layout(flat, diagnostics);
    quote!(::tensor_layout::sharding::ShardedArray::<#array, (), #path, ()>)
}

pub(crate) fn on_mesh(input: TokenStream) -> TokenStream {
    let (input, mesh) = mesh::read(input);
    let Some(mesh) = mesh else {
        let path = mesh_path(&input).map(ToTokens::into_token_stream).unwrap_or_default();
        return instead(&Flat::new(input), Vec::new(), &path);
    };
    let (ty, sharded) = described(input, &mesh);
    editor::beside(&TokenStream::new(), ty, sharded.as_ref().and_then(editor::shown))
}

/// The type of a sharded array, and its description if it has no mistakes.
pub(crate) fn described(input: TokenStream, mesh: &Mesh) -> (TokenStream, Option<Sharded>) {
    let path = mesh_path(&input).map(ToTokens::into_token_stream).unwrap_or_default();
    let flat = Flat::new(input);
    if let Some(tensor) = sharded_sparse::expand(&flat, &path, Some(mesh)) {
        return (tensor, None);
    }
    let mut cursor = flat.cursor();
    let syntax = parse_sharded(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the sharded array");
    }
    let mut diagnostics = cursor.diagnostics;
    let drafts = syntax.as_ref().and_then(|syntax| lower_sharded(syntax, mesh, &mut diagnostics));
    let (Some(ShardedSyntax { array: Some(written), over: Some((_, split)) }), Some(drafts), true) =
        (syntax, drafts, diagnostics.is_empty())
    else {
        return (instead(&flat, diagnostics, &path), None);
    };
    let global = Emit { flat: &flat, array: &written, draft: &drafts.global };
    let mut order = global.order();
    // The warning is about the memory of a device, so the local array is checked for padding.
    let stored = tiled::spec(&drafts.local_syntax, &drafts.local);
    tiled::warn_of_padding(&flat, &written, stored.as_ref(), &mut order);
    let global = global.tiled(&order, &global.tiles());
    let padded = split.padded.is_some();
    let emit = Emit { flat: &flat, array: &drafts.local_syntax, draft: &drafts.local };
    let sizes = drafts.local_syntax.dims.iter().zip(emit.dims()).zip(&drafts.parts);
    let sizes: Vec<_> = sizes
        .map(|((dim, size), &parts)| match dim.size {
            Size::Literal(_) => size,
            _ if parts == 1 => size,
            // Only rustc knows the size.
            _ => {
                let span = flat.span(dim.span);
                quote_spanned!(span=> { ::tensor_layout::__private::shard_size(#size, #parts, #padded) })
            }
        })
        .collect();
    // A named size can be a const generic parameter, and stable rustc cannot do arithmetic with these here.
    let mut split = drafts.local_syntax.dims.iter().zip(&drafts.parts);
    let is_named = split.any(|(dim, &parts)| matches!(dim.size, Size::Name(_)) && parts > 1);
    let local = if is_named && written.padded.is_none() {
        let whole = Emit { flat: &flat, array: &written, draft: &drafts.global };
        let shape = whole.shape(&whole.dims());
        let parts: Vec<_> =
            drafts.parts.iter().map(|&parts| literal(parts, Span::call_site())).collect();
        let parts = whole.shape(&parts);
        let padded = if padded { quote!(, true) } else { quote!() };
        emit.of_shape(&quote!(::tensor_layout::sharding::types::LocalShape<#shape, #parts #padded>))
    } else {
        emit.of_size(&sizes)
    };
    let tokens = sharded_array(&global, &local, &path, mesh, &drafts.sharding, padded);
    (tokens, Sharded::from_draft(&drafts))
}

/// `ShardedArray<G, L, M, (Closed<(FullAxis<0>,)>, ..), ..>`, without trailing arguments that have their default value.
pub(crate) fn sharded_array(
    global: &TokenStream,
    local: &TokenStream,
    path: &TokenStream,
    mesh: &Mesh,
    sharding: &TensorSharding,
    padded: bool,
) -> TokenStream {
    let dims = sharding.dims.iter().map(|dim| dim_type(mesh, dim));
    let replicated = axes(mesh, &sharding.replicated);
    let unreduced = axes(mesh, &sharding.unreduced);
    let unreduced = match sharding.reduction {
        ReductionOp::Sum => unreduced,
        ReductionOp::Max => quote!(::tensor_layout::sharding::types::Max<#unreduced>),
        ReductionOp::Min => quote!(::tensor_layout::sharding::types::Min<#unreduced>),
    };
    let optional = match (padded, sharding.unreduced.is_empty(), sharding.replicated.is_empty()) {
        (true, _, _) => quote!(, #replicated, #unreduced, true),
        (false, false, _) => quote!(, #replicated, #unreduced),
        (false, true, false) => quote!(, #replicated),
        (false, true, true) => quote!(),
    };
    quote! {
        ::tensor_layout::sharding::ShardedArray::<#global, #local, #path, (#(#dims,)*) #optional>
    }
}

pub(crate) fn dim_type(mesh: &Mesh, dim: &DimSharding) -> TokenStream {
    let axes = axes(mesh, &dim.axes);
    let split = match dim.open {
        true => quote!(::tensor_layout::sharding::types::Open<#axes>),
        false => quote!(::tensor_layout::sharding::types::Closed<#axes>),
    };
    match dim.priority {
        Some(priority) => {
            quote!(::tensor_layout::sharding::types::Prioritized<#split, #priority>)
        }
        None => split,
    }
}

pub(crate) fn axes(mesh: &Mesh, axes: &[AxisRef]) -> TokenStream {
    let axes = axes.iter().map(|axis| {
        let index = mesh.axes().iter().position(|other| other.name() == axis.name);
        let index = literal(index.unwrap_or_default(), Span::call_site());
        match axis.sub {
            None => quote!(::tensor_layout::sharding::types::FullAxis<#index>),
            Some(sub) => {
                let (pre, size) = (sub.pre, sub.size);
                quote!(::tensor_layout::sharding::types::SubAxis<#index, #pre, #size>)
            }
        }
    });
    quote!((#(#axes,)*))
}

/// The errors of several mistakes, as items.
pub(crate) fn errors(
    flat: &Flat,
    diagnostics: Vec<layout_core::syntax::Diagnostic<TokenRange>>,
) -> TokenStream {
    compile_errors(flat, diagnostics).map(|error| quote!(#error;)).collect()
}
