//! `sparse_kernel!`: statements in index notation as functions over sparse storage.
//!
//! ```text
//! tokens -> encodings, read by name one by one -> layout_core::sparse_kernel::syntax (grammar, loops) -> [function]
//!
//! [function]                       signatures and documentation
//! [pair]                           the two functions of a kernel: one returns its output, and one is given it
//! [dense], [in_place], [reusing], [accumulating]   these functions for each kind of output
//! [sizes]                          the checks of sizes that rustc makes at a call
//! [work]                           the loops, compiled for each instruction set
//! [emit]                           the bindings before the loops, and the result after them
//! [parts]                          loops that run in parts on several threads
//! [stmts], [entries], [merge], [segment], [strip], [panels]   the loops
//! [ints], [values], [names]        the expressions and names in them
//! [several]                        functions of several statements, each of which becomes an inner function
//! [rows]                           statements that share their outermost loop
//! [written]                        the Rust functions in a statement
//! ```

mod accumulating;
mod dense;
mod emit;
mod entries;
mod function;
mod in_place;
mod ints;
mod merge;
mod names;
mod pair;
mod panels;
mod parts;
mod reusing;
mod rows;
mod segment;
mod several;
mod sizes;
mod stmts;
mod strip;
mod values;
mod work;
mod written;

use crate::conditions;
use crate::editor;
use crate::error::compile_errors;
use crate::flatten::{Flat, TokenRange};
use crate::rust::attributes;
use crate::warning::{is_lint, warning};
use function::Function;
use layout_core::sparse::SparseEncoding;
use layout_core::sparse::syntax::{lower_encoding, parse_encoding};
use layout_core::sparse_kernel::ir::Storage;
use layout_core::sparse_kernel::syntax::{
    ItemSyntax, KernelSyntax, OperandSyntax, TypeSyntax, lower_kept, lower_kernel, lower_sum,
    parse_kernels,
};
use layout_core::syntax::{Diagnostics, Span};
use layout_core::tiled::syntax::parse_shape;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use several::Several;
use syn::Attribute;

pub(crate) fn expand(input: TokenStream) -> TokenStream {
    let functions = functions(input.clone());
    match editor::before_items(&input, |cursor| drop(parse_kernels(cursor))) {
        Ok(offers) => quote!(#offers #functions),
        Err(alone) => alone,
    }
}

fn functions(input: TokenStream) -> TokenStream {
    let flat = Flat::new(input.clone());
    let mut cursor = flat.cursor();
    let kernels = parse_kernels(&mut cursor);
    if !cursor.diagnostics.is_empty() {
        // Reported here: once the macros of encodings have passed the tokens on, the brackets of groups have no spans of their own.
        let (errors, others) = (errors(&flat, cursor.diagnostics), next(input, Vec::new()));
        return quote!(#errors #others);
    }
    if kernels.iter().all(|item| conditions(&flat, item).is_empty()) {
        return next(input, Vec::new());
    }
    // A function that is configured out can name encodings that are configured out too, so each function reads its own.
    let each = kernels.iter().map(|syntax| {
        let first = syntax.attributes().first().copied().unwrap_or(syntax.span());
        next(flat.tokens(first.to(syntax.span())), Vec::new())
    });
    each.collect()
}

/// Continues after an encoding has been read. The input is the kernels in braces, then names and definitions alternately.
pub(crate) fn on_encoding(input: TokenStream) -> TokenStream {
    let mut groups = input.into_iter().filter_map(|tree| match tree {
        TokenTree::Group(group) => Some(group.stream()),
        _ => None,
    });
    let kernels = groups.next().unwrap_or_default();
    let groups: Vec<TokenStream> = groups.collect();
    let read = groups.chunks(2).filter_map(|pair| match pair {
        [name, definition] => Some((name.clone(), definition.clone())),
        _ => None,
    });
    next(kernels, read.collect())
}

/// Reads the next unknown encoding, or emits the functions.
fn next(input: TokenStream, read: Vec<(TokenStream, TokenStream)>) -> TokenStream {
    let flat = Flat::new(input.clone());
    let kernels = parse_kernels(&mut flat.cursor());
    // Spelled as the grammar spells it.
    let spelled = |tokens: &TokenStream| tokens.to_string().replace(' ', "").replace("r#", "");
    let operands = kernels.iter().flat_map(ItemSyntax::operands);
    let unread = operands.filter_map(|operand| match &operand.ty {
        TypeSyntax::Alias(name) => Some(flat.tokens(name.span)),
        _ => None,
    });
    let mut unread =
        unread.filter(|path| read.iter().all(|(known, _)| spelled(known) != spelled(path)));
    if let Some(path) = unread.next() {
        let read = read.iter().map(|(name, definition)| quote!({ #name } { #definition }));
        let arguments = quote!([::tensor_layout::__private::sparse_kernel_on] [::tensor_layout] { #input } #(#read)* { #path });
        let arguments = Group::new(proc_macro2::Delimiter::Brace, arguments);
        // Functions with conditions are expanded one at a time.
        let first = kernels.first().map(|item| conditions(&flat, item));
        let conditions = first.unwrap_or_default();
        return quote!(#(#conditions)* #path! #arguments);
    }
    let known: Vec<(String, Option<SparseEncoding>)> =
        read.iter().map(|(name, definition)| (spelled(name), encoding(definition))).collect();
    let find = |name: &str| {
        let name = name.replace(' ', "");
        known.iter().find(|(known, _)| *known == name).and_then(|(_, encoding)| *encoding)
    };
    let is_wrong = |operand: &&OperandSyntax<TokenRange>| match &operand.ty {
        TypeSyntax::Alias(name) => {
            let name = spelled(&flat.tokens(name.span));
            read.iter()
                .any(|(known, definition)| spelled(known) == name && has_mistakes(definition))
        }
        _ => false,
    };
    let each = kernels.iter().map(|item| {
        let is_wrong = item.operands().iter().any(is_wrong);
        let function = match item {
            ItemSyntax::One(kernel) if is_wrong => {
                let function = Function { flat: &flat, syntax: kernel, called: None };
                Err(function.instead(&function.returned()))
            }
            ItemSyntax::Several(several) if is_wrong => {
                Err(Several::new(&flat, several).instead().unwrap_or_default())
            }
            ItemSyntax::One(kernel) => one(&flat, kernel, &find),
            ItemSyntax::Several(several) => Several::new(&flat, several).expand(&find),
        };
        match function {
            Ok(function) => {
                let warnings = warnings(&flat, item);
                quote!(#function #warnings)
            }
            Err(instead) => instead,
        }
    });
    each.collect()
}

/// Whether a definition is an encoding with mistakes, which have been reported where it is defined.
fn has_mistakes(definition: &TokenStream) -> bool {
    #[cfg(feature = "sharding")]
    let is_mesh = || !crate::mesh::Definition::read(definition.clone()).mesh.is_empty();
    #[cfg(not(feature = "sharding"))]
    let is_mesh = || false;
    let is_array = || {
        let flat = Flat::new(definition.clone());
        let mut cursor = flat.cursor();
        parse_shape(&mut cursor).is_some() && cursor.diagnostics.is_empty()
    };
    encoding(definition).is_none() && !is_mesh() && !is_array()
}

/// Warns about terms of a sum that are added several times.
fn warnings(flat: &Flat, item: &ItemSyntax<TokenRange>) -> TokenStream {
    let terms = item.repeated_terms();
    if terms.is_empty() {
        return TokenStream::new();
    }
    let attributes = attributes(flat, item.attributes());
    let allowed = attributes.iter().filter(|attribute| is_lint(attribute));
    let conditions = conditions::of_item(&attributes);
    let terms = terms.iter().map(|term| warning("repeated_term", flat.span(term.span), &term.text));
    quote! {
        #(#conditions)*
        #(#allowed)*
        const _: () = { #(#terms;)* };
    }
}

/// The conditions under which a function exists.
fn conditions(flat: &Flat, item: &ItemSyntax<TokenRange>) -> Vec<Attribute> {
    conditions::of_item(&attributes(flat, item.attributes()))
}

/// A function of one statement, or its errors and a function that cannot run.
fn one(
    flat: &Flat,
    syntax: &KernelSyntax<TokenRange>,
    encodings: &dyn Fn(&str) -> Option<SparseEncoding>,
) -> Result<TokenStream, TokenStream> {
    let mut diagnostics = Vec::new();
    let function = Function { flat, syntax, called: None };
    let lowered = lower_kernel(syntax, encodings, &mut diagnostics);
    let kept = lower_kept(syntax, encodings, &mut diagnostics);
    match lowered {
        Some((kernel, functions)) if diagnostics.is_empty() => {
            let is_sparse = matches!(kernel.operands[kernel.output].storage, Storage::Sparse(_));
            let sum = is_sparse.then(|| lower_sum(syntax, encodings)).flatten();
            Ok(function.emit(&kernel, &functions, kept.as_ref(), sum.as_ref()))
        }
        _ => {
            let instead = function.instead(&function.returned());
            let conditions = function.conditions();
            let errors = compile_errors(flat, diagnostics);
            let errors = errors.map(|error| quote!(#(#conditions)* #error;));
            Err(quote!(#(#errors)* #instead))
        }
    }
}

/// An encoding, which was checked where it is defined.
fn encoding(definition: &TokenStream) -> Option<SparseEncoding> {
    let flat = Flat::new(definition.clone());
    let syntax = parse_encoding(&mut flat.cursor())?;
    lower_encoding(&syntax, &mut Vec::new())
}

fn errors(flat: &Flat, diagnostics: Diagnostics<TokenRange>) -> TokenStream {
    let errors = compile_errors(flat, diagnostics);
    quote!(#(#errors;)*)
}
