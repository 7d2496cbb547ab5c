//! How the module of `propagate!` names a mesh that is defined around it.

use crate::mesh::Definition;
use crate::rust::{is_absolute, module_path, name_of, unraw};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Visibility};

/// How a module names a mesh.
///
/// A module cannot see the definitions of the function around it. So next to the module, where the path of the mesh is written, an
/// `impl` defines the mesh that a type of the module stands for:
///
/// ```text
/// mod mlp { pub struct __Mesh0; pub type Pod = <__Mesh0 as StandsFor>::Mesh; pub type y = ShardedArray<.., Pod, ..>; }
/// impl StandsFor for mlp::__Mesh0 { type Mesh = Pod; }
/// ```
pub(crate) struct MeshName {
    /// The items next to the module, and those in it.
    pub(crate) beside: TokenStream,
    pub(crate) within: TokenStream,
    /// The path by which types in the module name the mesh.
    pub(crate) path: TokenStream,
}

impl MeshName {
    /// `number` is the number of the mesh in the program.
    pub(crate) fn new(
        program: &Ident,
        number: usize,
        path: &TokenStream,
        mesh: &Definition,
        conditions: &[Attribute],
        taken: &[&str],
    ) -> Self {
        let plain = |path| Self { beside: quote!(), within: quote!(), path };
        let Some(parsed) = module_path(path.clone()) else {
            return plain(path.clone());
        };
        if is_absolute(&parsed) {
            return plain(path.clone());
        }
        // As visible as the mesh, because the type of the mesh is part of the interface of its stand-in.
        let visibility = match &mesh.visibility {
            Visibility::Inherited => quote!(pub(super)),
            Visibility::Restricted(to) if !to.path.is_ident("crate") => {
                // Only items of a module can have restricted visibility.
                let mut segments = parsed.segments.iter();
                return match segments.next() {
                    Some(first) if first.ident == "self" => plain(quote!(super #(::#segments)*)),
                    _ => plain(quote!(super::#path)),
                };
            }
            visibility => visibility.to_token_stream(),
        };
        let stand_in = format_ident!("__Mesh{number}");
        let mut name = parsed.segments.last().map_or_else(String::new, |last| unraw(&last.ident));
        while taken.contains(&name.as_str()) {
            name.push('_');
        }
        let name = name_of(&name, Span::call_site());
        Self {
            beside: quote! {
                #(#conditions)*
                #[allow(non_local_definitions, deprecated)]
                impl ::tensor_layout::__private::StandsFor for #program::#stand_in {
                    type Mesh = #path;
                }
            },
            within: quote! {
                #[doc(hidden)]
                #visibility struct #stand_in;
                #[doc(hidden)]
                pub type #name = <#stand_in as ::tensor_layout::__private::StandsFor>::Mesh;
            },
            path: name.to_token_stream(),
        }
    }
}
