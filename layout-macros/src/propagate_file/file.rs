//! The input of the macro: the file, and the settings that are given with it.

use super::Mistake;
use crate::error::compile_errors;
use crate::flatten::Flat;
use crate::rust::name_of;
use layout_core::sharding::syntax::{lower_split, parse_split};
use layout_core::sharding::{DimSharding, MeshRef};
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::path::Path;
use syn::parse::Parser;
use syn::{Attribute, LitStr, Visibility};

/// The settings that can be given with the file.
const HELP: &str = "write `file \"models/block.mlir\"; mesh Pod; arg0 [{\"data\"}, {}]; values = all; reshard = shardy; pub mod block;`";

/// Whether a program is in a file.
pub(crate) fn is_file(program: &TokenStream) -> bool {
    let mut trees = without_run(program.clone()).1.into_iter();
    matches!(trees.next(), Some(TokenTree::Ident(word)) if word == "file")
        && matches!(trees.next(), Some(TokenTree::Literal(_)))
}

/// The input without `run;`, and the position of that.
fn without_run(program: TokenStream) -> (Option<Span>, TokenStream) {
    let mut trees = program.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(word)), Some(TokenTree::Punct(end)))
            if word == "run" && end.as_char() == ';' =>
        {
            (Some(word.span()), trees.collect())
        }
        _ => (None, program),
    }
}

/// The name of a value, and the sharding that is given for it.
pub(super) struct Given {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) dims: Vec<DimSharding>,
}

/// The values that get types, besides arguments and results.
pub(super) enum Wanted {
    Named(Vec<(String, Span)>),
    All,
}

/// The input of the macro.
pub(super) struct File {
    pub(super) path: LitStr,
    pub(super) mesh: Option<TokenStream>,
    pub(super) given: Vec<Given>,
    pub(super) wanted: Wanted,
    /// Whether operands are resharded if tensors disagree, as Shardy does.
    pub(super) reshards: bool,
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) name: Option<Ident>,
    /// The position of `run`, if the program should run.
    pub(super) run: Option<Span>,
}

/// The name that a token represents: `arg0`, `12`, `"1#0"`.
fn name_in(tree: &TokenTree) -> Option<String> {
    match tree {
        TokenTree::Ident(name) => Some(crate::rust::unraw(name)),
        TokenTree::Literal(literal) => {
            let text = literal.to_string();
            Some(text.trim_matches('"').to_owned())
        }
        _ => None,
    }
}

impl File {
    pub(super) fn read(program: TokenStream) -> Result<Self, TokenStream> {
        let (run, program) = without_run(program);
        let trees: Vec<_> = program.into_iter().collect();
        let is_end = |tree: &TokenTree| matches!(tree, TokenTree::Punct(end) if [';', ','].contains(&end.as_char()));
        let mut items = trees.split(is_end).filter(|item| !item.is_empty());
        let path: TokenStream = items.next().unwrap_or_default()[1..].iter().cloned().collect();
        let at = trees[1].span();
        let Ok(path) = syn::parse2::<LitStr>(path) else {
            return Err(Mistake::new(at, format!("expected the path of a file\n\nhelp: {HELP}"))
                .into_tokens());
        };
        let mut file = Self {
            path,
            mesh: None,
            given: Vec::new(),
            wanted: Wanted::Named(Vec::new()),
            reshards: false,
            attributes: Vec::new(),
            visibility: Visibility::Inherited,
            name: None,
            run,
        };
        let errors: Vec<_> = items.filter_map(|item| file.item(item).err()).collect();
        if errors.is_empty() { Ok(file) } else { Err(errors.into_iter().collect()) }
    }

    fn item(&mut self, item: &[TokenTree]) -> Result<(), TokenStream> {
        let unknown = || {
            Mistake::new(item[0].span(), format!("not part of a program in a file\n\nhelp: {HELP}"))
        };
        let word = |at: usize| match item.get(at) {
            Some(TokenTree::Ident(word)) => word.to_string(),
            _ => String::new(),
        };
        let is_equals =
            matches!(item.get(1), Some(TokenTree::Punct(equals)) if equals.as_char() == '=');
        if item.iter().any(|tree| matches!(tree, TokenTree::Ident(word) if word == "mod")) {
            let module = |input: syn::parse::ParseStream<'_>| {
                let attributes = input.call(Attribute::parse_outer)?;
                let visibility = input.parse()?;
                input.parse::<syn::Token![mod]>()?;
                Ok((attributes, visibility, input.parse::<Ident>()?))
            };
            let read = module.parse2(item.iter().cloned().collect());
            let (attributes, visibility, name) =
                read.map_err(|error| crate::rust::error(&error, "write `pub mod block;`"))?;
            (self.attributes, self.visibility, self.name) = (attributes, visibility, Some(name));
            return Ok(());
        }
        match (&word(0)[..], is_equals, &item[1..]) {
            ("run", false, []) => self.run = Some(item[0].span()),
            ("mesh", false, path @ [TokenTree::Ident(_) | TokenTree::Punct(_), ..]) => {
                self.mesh = Some(path.iter().cloned().collect());
            }
            ("reshard", true, [_, TokenTree::Ident(word)]) if word == "shardy" => {
                self.reshards = true
            }
            ("values", true, [_, TokenTree::Ident(word)]) if word == "all" => {
                self.wanted = Wanted::All
            }
            ("values", true, [_, TokenTree::Group(list)])
                if list.delimiter() == Delimiter::Bracket =>
            {
                let names = list.stream().into_iter();
                let names = names.filter_map(|tree| Some((name_in(&tree)?, tree.span())));
                self.wanted = Wanted::Named(names.collect());
            }
            (_, false, [TokenTree::Group(split)]) if split.delimiter() == Delimiter::Bracket => {
                let name = name_in(&item[0]).ok_or_else(|| unknown().into_tokens())?;
                let dims = split_of(TokenTree::Group(split.clone()).into())?;
                self.given.push(Given { name, span: item[0].span(), dims });
            }
            _ => return Err(unknown().into_tokens()),
        }
        Ok(())
    }

    /// The name of the module; by default, the name of the file.
    pub(super) fn module(&self) -> Ident {
        match &self.name {
            Some(name) => name.clone(),
            None => {
                let path = self.path.value();
                let stem = Path::new(&path).file_stem().and_then(|stem| stem.to_str());
                ident(stem.unwrap_or("program"), self.path.span())
            }
        }
    }
}

/// How the dimensions of a tensor are split.
fn split_of(tokens: TokenStream) -> Result<Vec<DimSharding>, TokenStream> {
    let flat = Flat::new(tokens);
    let mut cursor = flat.cursor();
    let split = parse_split(&mut cursor);
    let mut diagnostics = cursor.diagnostics;
    let sharding =
        split.and_then(|split| lower_split(MeshRef::Name("mesh".into()), &split, &mut diagnostics));
    match sharding {
        Some(sharding) if diagnostics.is_empty() => Ok(sharding.dims.into_owned()),
        _ => Err(compile_errors(&flat, diagnostics).map(|error| quote!(#error;)).collect()),
    }
}

/// A name as a Rust identifier: `12` becomes `v12`, and `block.3#1` becomes `block_3_1`.
pub(super) fn ident(name: &str, span: Span) -> Ident {
    let mut text: String =
        name.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    if !text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        text.insert(0, 'v');
    }
    name_of(&text, span)
}
