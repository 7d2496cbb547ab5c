use crate::emit::{Emit, literal, with_arguments};
use crate::flatten::Flat;
use crate::mesh;
use crate::sharded::{errors, sharded_array};
use layout_core::sharding::Mesh;
use layout_core::sharding::program::{NamedValue, Program};
use layout_core::syntax::sharding::{ProgramSyntax, local_array, parse_program};
use layout_core::syntax::{ArraySyntax, Diagnostics, lower};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    match mesh_path(&input) {
        Some(path) => mesh::on(&path, "propagate_on", input),
        None => {
            let flat = Flat::new(input);
            let mut cursor = flat.cursor();
            if parse_program(&mut cursor).is_some() {
                cursor.expect_end_of("the program");
            }
            errors(&flat, cursor.diagnostics)
        }
    }
}

/// The path in `mesh path;`.
fn mesh_path(input: &TokenStream) -> Option<TokenStream> {
    let mut trees = input.clone().into_iter();
    let Some(TokenTree::Ident(word)) = trees.next() else { return None };
    let path: Vec<TokenTree> = trees
        .take_while(|tree| match tree {
            TokenTree::Ident(word) => word != "padded",
            TokenTree::Punct(colon) => colon.as_char() == ':',
            _ => false,
        })
        .collect();
    let is_path = word == "mesh" && matches!(path.last(), Some(TokenTree::Ident(_)));
    is_path.then(|| path.into_iter().collect())
}

/// The same path, as a module within sees it.
fn from_within(path: TokenStream) -> TokenStream {
    let mut trees = path.clone().into_iter();
    match trees.next() {
        Some(TokenTree::Punct(_)) => path,
        Some(TokenTree::Ident(word)) if word == "crate" => path,
        Some(TokenTree::Ident(word)) if word == "self" => {
            let rest: TokenStream = trees.collect();
            quote!(super #rest)
        }
        _ => quote!(super::#path),
    }
}

pub(crate) fn on_mesh(input: TokenStream) -> TokenStream {
    let (input, mesh) = mesh::read(input);
    let path = from_within(mesh_path(&input).unwrap_or_default());
    let visibility = visibility(&input);
    let flat = Flat::new(input);
    let mut cursor = flat.cursor();
    let syntax = parse_program(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the program");
    }
    let mut diagnostics = cursor.diagnostics;
    let program =
        syntax.as_ref().and_then(|syntax| Program::from_syntax(syntax, &mesh, &mut diagnostics));
    let (Some(syntax), Some(program), true) = (syntax, program, diagnostics.is_empty()) else {
        return errors(&flat, diagnostics);
    };
    let emit = Module { flat: &flat, syntax: &syntax, mesh: &mesh, path: &path };
    let types = program.values().iter().enumerate().map(|(at, value)| emit.alias(at, value));
    let name = Ident::new(program.name(), flat.span(syntax.name.span));
    let (doc, mlir) = (program.describe(), program.mlir());
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, non_snake_case, dead_code)]
        #visibility mod #name {
            #(#types)*

            /// The program with its shardings, in MLIR's dialects `sdy` and `stablehlo`.
            pub const MLIR: &::core::primitive::str = #mlir;
        }
    }
}

/// What stands in front of `fn`.
fn visibility(input: &TokenStream) -> TokenStream {
    let mut trees = input
        .clone()
        .into_iter()
        .skip_while(|tree| !matches!(tree, TokenTree::Punct(end) if end.as_char() == ';'))
        .skip(1);
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(word)), Some(TokenTree::Group(group)))
            if word == "pub" && group.delimiter() == Delimiter::Parenthesis =>
        {
            quote!(#word #group)
        }
        (Some(TokenTree::Ident(word)), _) if word == "pub" => quote!(#word),
        _ => quote!(),
    }
}

struct Module<'a> {
    flat: &'a Flat,
    syntax: &'a ProgramSyntax<crate::flatten::Range>,
    mesh: &'a Mesh,
    path: &'a TokenStream,
}

impl Module<'_> {
    /// The type of a value.
    fn alias(&self, at: usize, value: &NamedValue) -> TokenStream {
        let parameter = self.syntax.parameters.get(at);
        let statement = self.syntax.statements.iter().find(|(name, _)| name.text == value.name);
        let span = match (parameter, statement) {
            (Some(parameter), _) => self.flat.span(parameter.name.span),
            (_, Some((name, _))) => self.flat.span(name.span),
            _ => Span::call_site(),
        };
        let name = Ident::new(&value.name, span);
        let (global, local) = match parameter {
            Some(parameter) => {
                let local = local_array(&parameter.array, value.local_dims());
                (self.written(&parameter.array), self.written(&local))
            }
            None => (row_major(value, &value.dims), row_major(value, value.local_dims())),
        };
        let padded = self.syntax.padded;
        let ty = sharded_array(&global, &local, self.path, self.mesh, &value.sharding, padded);
        let doc = format!(
            "`{}{:?}`, sharded `{}`: `{}{:?}` on each device, {} bytes.",
            value.dtype,
            value.dims,
            value.sharding,
            value.dtype,
            value.local_dims(),
            value.local_bytes()
        );
        quote! {
            #[doc = #doc]
            pub type #name = #ty;
        }
    }

    /// The layout of an array that the program writes.
    fn written(&self, array: &ArraySyntax<crate::flatten::Range>) -> TokenStream {
        let mut diagnostics = Diagnostics::new();
        match lower(array, &mut diagnostics) {
            Some(draft) => {
                let emit = Emit { flat: self.flat, array, draft: &draft };
                let order = draft.minor_to_major.as_slice().iter();
                let order: Vec<_> = order.map(|dim| literal(*dim, Span::call_site())).collect();
                emit.tiled(&order, &emit.tiles())
            }
            None => errors(self.flat, diagnostics),
        }
    }
}

/// The row-major layout of a value of size `dims`.
fn row_major(value: &NamedValue, dims: &[usize]) -> TokenStream {
    let element = crate::emit::element(value.dtype, Span::call_site());
    let numbers = |numbers: &mut dyn Iterator<Item = usize>| -> Vec<TokenStream> {
        numbers.map(|number| literal(number, Span::call_site())).collect()
    };
    let sizes = numbers(&mut dims.iter().copied());
    let order = numbers(&mut (0..dims.len()).rev());
    let shape = with_arguments("Shape", dims.len(), Span::call_site(), &sizes);
    let order = with_arguments("Order", dims.len(), Span::call_site(), &order);
    quote!(::tensor_layout::Tiled<#element, #shape, #order>)
}
