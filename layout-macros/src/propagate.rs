use crate::conditions;
use crate::editor;
use crate::emit::{Emit, literal, with_arguments};
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::mesh::{self, Definition};
use crate::propagate_file as file;
use crate::propagate_run as run;
use crate::rust::{attributes, name_of, unraw};
use crate::sharded::{errors, sharded_array};
use crate::sharding_rule;
use crate::stand_in::MeshName;
use crate::warning::{is_lint, warning};
use layout_core::DType;
use layout_core::sharding::program::{Definitions, NamedValue, Program, last_name};
use layout_core::sharding::syntax::{
    BodySyntax, ExpressionSyntax, NameSyntax, ProgramSyntax, StatementSyntax, local_array,
    parse_program,
};
use layout_core::sharding::{Mesh, MeshRef, Padding, Shards, TensorSharding};
use layout_core::syntax::Diagnostics;
use layout_core::tiled::syntax::{ArraySyntax, lower};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;
use syn::Attribute;

/// Reads the program, then the meshes and rules that it names, one by one; [`on_definition`] is called with each.
pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let offers = match editor::before_items(&input, |cursor| drop(parse_program(cursor))) {
        Ok(offers) => offers,
        Err(alone) => return alone,
    };
    // Reported here: once the macros of the definitions have passed the tokens on, the brackets of groups have no spans of their
    // own.
    let mistakes = match file::is_file(&input) {
        true => TokenStream::new(),
        false => {
            let flat = Flat::new(input.clone());
            let (_, diagnostics) = read(&flat);
            errors(&flat, diagnostics)
        }
    };
    let group = TokenTree::Group(Group::new(Delimiter::Brace, input));
    let items = on_definition(group.into());
    quote!(#offers #mistakes #items)
}

/// The syntax of a program, if it could be read, and the mistakes in it.
fn read(flat: &Flat) -> (Option<ProgramSyntax<TokenRange>>, Diagnostics<TokenRange>) {
    let mut cursor = flat.cursor();
    let syntax = parse_program(&mut cursor);
    if syntax.is_some() {
        cursor.expect_end_of("the program");
    }
    (syntax, cursor.diagnostics)
}

/// Continues with `{ program } { definition } { definition } ..`: the definitions that have been read so far.
pub(crate) fn on_definition(input: TokenStream) -> TokenStream {
    let mut groups = input.clone().into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let program = groups.next().unwrap_or_default();
    if file::is_file(&program) {
        return file::on_definition(program, groups.next(), input);
    }
    if input.clone().into_iter().skip(1).any(|tree| match tree {
        TokenTree::Group(group) => mesh::is_unknown(&group.stream()),
        _ => false,
    }) {
        return TokenStream::new();
    }
    let flat = Flat::new(program);
    // The mistakes that the grammar finds have been reported.
    let (Some(syntax), found) = read(&flat) else { return TokenStream::new() };
    let attributes = attributes(&flat, &syntax.function.attributes);
    let conditions = conditions::of_item(&attributes);
    let errors = |diagnostics| -> TokenStream {
        let errors = compile_errors(&flat, diagnostics);
        errors.map(|error| quote!(#(#conditions)* #error;)).collect()
    };
    let read: Vec<_> = groups.collect();
    if let Some(next) = syntax.meshes.iter().chain(&syntax.rules).nth(read.len()) {
        let read = mesh::on(&flat.tokens(next.span), "propagate_on", input);
        return quote!(#(#conditions)* #read);
    }
    let (meshes, rules) = read.split_at(syntax.meshes.len());
    let mut diagnostics = Diagnostics::new();
    let rules = rules.iter().zip(&syntax.rules).map(|(tokens, name)| {
        sharding_rule::defined(tokens.clone()).ok_or_else(|| not_a_rule(name, &mut diagnostics))
    });
    let rules = rules.collect::<Result<_, ()>>().unwrap_or_default();
    let read: Vec<_> = meshes.iter().map(|tokens| Definition::read(tokens.clone())).collect();
    let meshes = read.iter().map(|read| read.mesh.clone()).collect();
    let definitions = Definitions { meshes, rules };
    if !diagnostics.is_empty() {
        return errors(diagnostics);
    }
    match Program::from_syntax(&syntax, &definitions, &mut diagnostics) {
        Some(program) if diagnostics.is_empty() && found.is_empty() => {
            module(&flat, &syntax, &program, &attributes, &read)
        }
        _ => errors(diagnostics),
    }
}

fn not_a_rule(name: &NameSyntax<TokenRange>, diagnostics: &mut Diagnostics<TokenRange>) {
    let message = format!("`{}` is not a sharding rule", name.text);
    let help =
        format!("define it: `sharding_rule! {{ {} = (i,k),(k,j)->(i,j) }}`", last_name(&name.text));
    diagnostics.push(layout_core::syntax::Diagnostic { span: name.span, message, help });
}

fn module(
    flat: &Flat,
    syntax: &ProgramSyntax<TokenRange>,
    program: &Program,
    attributes: &[Attribute],
    meshes: &[Definition],
) -> TokenStream {
    let name = ident(flat, program.name(), Some(syntax.function.name.span));
    let visibility = syntax.function.visibility.map(|range| flat.tokens(range));
    let conditions = conditions::of_item(attributes);
    let taken: Vec<_> = program.values().iter().map(|value| value.name.as_str()).collect();
    let meshes = syntax.meshes.iter().zip(meshes).enumerate().map(|(number, (path, mesh))| {
        let path = flat.tokens(path.span);
        MeshName::new(&name, number, &path, mesh, &conditions, &taken)
    });
    let meshes: Vec<_> = meshes.collect();
    let beside = meshes.iter().map(|mesh| &mesh.beside);
    let within = meshes.iter().map(|mesh| &mesh.within);
    let paths = meshes.iter().map(|mesh| mesh.path.clone());
    let mut names = BTreeMap::new();
    collect(&syntax.function.body, &mut names);
    let emit = Module { flat, syntax, program, paths: paths.collect(), names };
    // A value of unknown size has no type.
    let is_sized = |value: &NamedValue| !(0..value.dims.len()).any(|dim| value.is_unbounded(dim));
    let values = program.values().iter().enumerate().filter(|(_, value)| is_sized(value));
    let types = values.map(|(at, value)| emit.alias(at, value));
    let constants = syntax.constants.iter().map(|(name, value)| {
        let (ident, doc) = (ident(flat, &name.text, Some(name.span)), format!("{value}"));
        quote!(#[doc = #doc] pub const #ident: ::core::primitive::usize = #value;)
    });
    let (doc, mlir) = (program.describe(), program.mlir());
    let run = syntax.run.map(|_| emit.run(flat));
    let idle = program.idle_axes().into_iter().map(|(mesh, axis)| {
        let written = &syntax.meshes[mesh];
        let text = format!(
            "no value of `{}` is split along the axis \"{axis}\" of `{}`\n\nhelp: split an array along it, or leave it out of the mesh",
            program.name(),
            written.text
        );
        warning("idle_axis", flat.span(written.span), &text)
    });
    let idle: Vec<_> = idle.collect();
    let lints = attributes.iter().filter(|attribute| is_lint(attribute));
    let idle = (!idle.is_empty()).then(|| {
        quote! {
            #(#conditions)*
            #(#lints)*
            const _: () = { #(#idle;)* };
        }
    });
    quote! {
        #idle
        #(#attributes)*
        #[doc = ""]
        #[doc = #doc]
        #[allow(non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
        #visibility mod #name {
            #(#within)*
            #(#constants)*
            #(#types)*

            /// The program with its shardings, in MLIR's dialects `sdy` and `stablehlo`.
            pub const MLIR: &::core::primitive::str = #mlir;

            #run
        }
        #(#beside)*
    }
}

/// Collects the positions of the names that a body defines.
fn collect(body: &BodySyntax<TokenRange>, names: &mut BTreeMap<String, TokenRange>) {
    for statement in &body.statements {
        let StatementSyntax::Let(targets, value) = statement else { continue };
        names.extend(targets.iter().map(|target| (target.name.text.clone(), target.name.span)));
        if let ExpressionSyntax::Region(region) = value {
            let inputs = region.inputs.iter();
            names.extend(inputs.map(|input| (input.name.text.clone(), input.name.span)));
            let bodies = region.condition.iter().chain(&region.bodies);
            bodies.for_each(|body| collect(body, names));
        }
    }
}

/// A name as it is spelled in the input, such as `r#type`, or a name that is not in the input.
fn ident(flat: &Flat, name: &str, written: Option<TokenRange>) -> Ident {
    let Some(range) = written else { return name_of(name, Span::call_site()) };
    match flat.tokens(range).into_iter().next() {
        Some(TokenTree::Ident(ident)) if unraw(&ident) == name => ident,
        _ => name_of(name, flat.span(range)),
    }
}

struct Module<'a> {
    flat: &'a Flat,
    syntax: &'a ProgramSyntax<TokenRange>,
    program: &'a Program,
    /// The meshes.
    paths: Vec<TokenStream>,
    /// The positions at which bodies name the values that they define.
    names: BTreeMap<String, TokenRange>,
}

impl Module<'_> {
    /// The type of a value.
    fn alias(&self, at: usize, value: &NamedValue) -> TokenStream {
        let parameter = self.syntax.function.parameters.get(at);
        let written = parameter.map(|parameter| parameter.name.span);
        let span = written.or_else(|| self.names.get(&value.name).copied());
        let name = ident(self.flat, &value.name, span);
        let written = parameter.map(|parameter| &parameter.array);
        let ty = self.sharded(value, &value.sharding, written);
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

    /// The type of a value with a sharding, in the layout that is written for it.
    fn sharded(
        &self,
        value: &NamedValue,
        sharding: &TensorSharding,
        written: Option<&ArraySyntax<TokenRange>>,
    ) -> TokenStream {
        let (path, mesh) = self.mesh(&sharding.mesh);
        let shards = Shards::new(sharding, mesh, &value.dims, Padding::Allowed);
        let dims = shards.as_ref().map_or(value.local_dims(), Shards::local_dims);
        let (global, local) = match written {
            Some(array) => (self.written(array), self.written(&local_array(array, dims))),
            None => (row_major(value.dtype, &value.dims), row_major(value.dtype, dims)),
        };
        sharded_array(&global, &local, path, mesh, sharding, self.syntax.padded)
    }

    /// The function that runs the program.
    fn run(&self, flat: &Flat) -> TokenStream {
        let parameters = self.syntax.function.parameters.iter();
        let names = parameters.map(|own| ident(flat, &own.name.text, Some(own.name.span)));
        let names: Vec<_> = names.collect();
        let results = self.program.results().map(|(value, sharding)| {
            let at = self.program.parameters().iter().position(|own| core::ptr::eq(own, value));
            let written = at.map(|at| &self.syntax.function.parameters[at].array);
            self.sharded(value, sharding, written)
        });
        let text = plain_text(&flat.all());
        let meshes = self.paths.iter();
        let runner = quote! {
            PROGRAM.of_text(#text, &[#(<#meshes as ::tensor_layout::sharding::MeshType>::MESH),*])
        };
        let constants = self.syntax.constants.iter().map(|(name, _)| name.text.as_str());
        let constants: Vec<_> = constants.chain(["MLIR"]).collect();
        run::functions(&runner, &names, &results.collect::<Vec<_>>(), &constants)
    }

    /// A mesh, and its type.
    fn mesh(&self, mesh: &MeshRef) -> (&TokenStream, &Mesh) {
        let meshes = self.program.meshes();
        let is_named = |name: &String| matches!(mesh, MeshRef::Name(other) if other == name);
        let at = meshes.iter().position(|(name, _)| is_named(name)).unwrap_or(0);
        (&self.paths[at], &meshes[at].1)
    }

    /// The layout of an array that is written in the program.
    fn written(&self, array: &ArraySyntax<TokenRange>) -> TokenStream {
        let mut diagnostics = Diagnostics::new();
        match lower(array, &mut diagnostics) {
            Some(draft) => {
                let emit = Emit { flat: self.flat, array, draft: &draft };
                emit.tiled(&emit.order(), &emit.tiles())
            }
            None => errors(self.flat, diagnostics),
        }
    }
}

/// The text of a program as it is read at run time: without attributes, which are not part of it, and with plain names.
fn plain_text(tokens: &TokenStream) -> String {
    fn plain(tokens: TokenStream, is_top: bool) -> TokenStream {
        let mut trees = tokens.into_iter().peekable();
        let mut made = TokenStream::new();
        while let Some(tree) = trees.next() {
            let follows = trees.peek().and_then(|next| match next {
                TokenTree::Group(group) => Some(group.delimiter()),
                _ => None,
            });
            made.extend([match tree {
                TokenTree::Punct(mark) if is_top && mark.as_char() == '#' => {
                    drop(trees.next());
                    continue;
                }
                TokenTree::Ident(word) if is_top && word == "pub" => {
                    drop(trees.next_if(|_| follows == Some(Delimiter::Parenthesis)));
                    continue;
                }
                TokenTree::Group(group) => {
                    TokenTree::Group(Group::new(group.delimiter(), plain(group.stream(), false)))
                }
                TokenTree::Ident(name) => TokenTree::Ident(Ident::new(&unraw(&name), name.span())),
                tree => tree,
            }]);
        }
        made
    }
    plain(tokens.clone(), true).to_string()
}

/// The row-major layout of a value of size `dims`.
pub(crate) fn row_major(dtype: DType, dims: &[usize]) -> TokenStream {
    let element = crate::emit::element(dtype, Span::call_site());
    let numbers = |numbers: &mut dyn Iterator<Item = usize>| -> Vec<TokenStream> {
        numbers.map(|number| literal(number, Span::call_site())).collect()
    };
    let sizes = numbers(&mut dims.iter().copied());
    let order = numbers(&mut (0..dims.len()).rev());
    let shape = with_arguments("Shape", dims.len(), Span::call_site(), &sizes);
    let order = with_arguments("Order", dims.len(), Span::call_site(), &order);
    quote!(::tensor_layout::Tiled::<#element, #shape, #order>)
}
