//! Finds what `layouts!` defines in the sources of a crate.
//!
//! The modules are followed as rustc does, from the crate root on. Of anything else only the names of macros are looked
//! at, so that sources need not be parsed.

use crate::flatten::Flat;
use crate::items::{Item, items};
use crate::layouts::Call;
use crate::mesh;
use layout_core::sharding::Mesh;
use layout_core::sharding::syntax::{lower_mesh, mesh_body};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// A layout in the sources.
pub(crate) struct Found {
    /// Its path from the crate root.
    pub(crate) path: Vec<String>,
    /// Whether everyone can name it, and whether the crate root can.
    pub(crate) public: bool,
    pub(crate) visible: bool,
    pub(crate) call: Call,
    /// The file, relative to the package, and the line.
    pub(crate) place: String,
}

/// What was found in a crate.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) layouts: Vec<Found>,
    /// Meshes by name.
    pub(crate) meshes: BTreeMap<String, Mesh>,
}

/// Where in the crate something stands.
#[derive(Clone)]
struct Module {
    path: Vec<String>,
    /// The file that it is in, and the directory of the files of its modules.
    file: PathBuf,
    directory: PathBuf,
    public: bool,
    visible: bool,
}

impl Sources {
    /// Reads a crate from its root file on, which is given relative to `package`.
    pub(crate) fn read(package: &Path, root: &Path) -> Result<Self, String> {
        let mut sources = Self::default();
        let directory = root.parent().unwrap_or(Path::new("")).to_owned();
        let file = root.to_owned();
        let module = Module { path: Vec::new(), file, directory, public: true, visible: true };
        sources.file(package, &module)?;
        Ok(sources)
    }

    fn file(&mut self, package: &Path, module: &Module) -> Result<(), String> {
        // Named as it was given: the rest of the path is the machine's.
        let failed = |error: &dyn Display| format!("{}: {error}", module.file.display());
        let text =
            fs::read_to_string(package.join(&module.file)).map_err(|error| failed(&error))?;
        let tokens = text.parse().map_err(|error| failed(&error))?;
        self.items(package, module, tokens, &text)
    }

    fn items(
        &mut self,
        package: &Path,
        module: &Module,
        tokens: TokenStream,
        text: &str,
    ) -> Result<(), String> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for at in 0..trees.len() {
            match &trees[at..] {
                [TokenTree::Ident(word), TokenTree::Ident(name), body, ..] if word == "mod" => {
                    if is_for_tests(&trees[..at]) {
                        continue;
                    }
                    self.module(package, module, &trees[..at], &name.to_string(), body, text)?;
                }
                [TokenTree::Ident(word), TokenTree::Punct(bang), TokenTree::Group(body), ..]
                    if bang.as_char() == '!' =>
                {
                    match word.to_string().as_str() {
                        "layouts" => self.layouts(module, body.stream(), text),
                        "mesh" => self.mesh(body.stream()),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Follows `mod name;` and `mod name { .. }`, with `before` in front of it.
    fn module(
        &mut self,
        package: &Path,
        parent: &Module,
        before: &[TokenTree],
        name: &str,
        body: &TokenTree,
        text: &str,
    ) -> Result<(), String> {
        let visibility = visibility(before);
        let mut module = parent.clone();
        module.path.push(name.into());
        module.directory.push(name);
        module.public &= visibility == Visibility::Public;
        module.visible &= parent.path.is_empty() || visibility != Visibility::Private;
        match body {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                self.items(package, &module, body.stream(), text)
            }
            TokenTree::Punct(end) if end.as_char() == ';' => {
                let files =
                    [parent.directory.join(format!("{name}.rs")), module.directory.join("mod.rs")];
                // What is not there is left to rustc, which knows `#[path]` and `#[cfg]`.
                match files.into_iter().find(|file| package.join(file).is_file()) {
                    Some(file) => self.file(package, &Module { file, ..module }),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn layouts(&mut self, module: &Module, body: TokenStream, text: &str) {
        // What is wrong with them is an error where they are.
        for item in items(body).unwrap_or_default() {
            let Ok(call) = Call::of(&item) else { continue };
            let name = item.name.to_string();
            let file = module.file.to_string_lossy().replace('\\', "/");
            let place = match line_of(text, &name) {
                Some(line) => format!("{file}:{line}"),
                None => file,
            };
            let visibility = item_visibility(&item);
            self.layouts.push(Found {
                path: module.path.iter().cloned().chain([name]).collect(),
                public: module.public && visibility == Visibility::Public,
                visible: module.visible
                    && (module.path.is_empty() || visibility != Visibility::Private),
                call,
                place,
            });
        }
    }

    fn mesh(&mut self, body: TokenStream) {
        let Ok(item) = mesh::named(body) else { return };
        let flat = Flat::new(item.tokens);
        let mut cursor = flat.cursor();
        let lowered =
            mesh_body(&mut cursor).and_then(|syntax| lower_mesh(&syntax, &mut Vec::new()));
        if let Some(mesh) = lowered {
            self.meshes.insert(item.name.to_string(), mesh);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    Public,
    Restricted,
    Private,
}

/// What stands in front of an item, from its end.
fn visibility(before: &[TokenTree]) -> Visibility {
    match before {
        [.., TokenTree::Ident(word)] if word == "pub" => Visibility::Public,
        [.., TokenTree::Ident(word), TokenTree::Group(_)] if word == "pub" => {
            Visibility::Restricted
        }
        _ => Visibility::Private,
    }
}

fn item_visibility(item: &Item) -> Visibility {
    let trees: Vec<TokenTree> = item.visibility.clone().into_iter().collect();
    visibility(&trees)
}

/// Whether `#[cfg(test)]` stands in front of an item.
fn is_for_tests(before: &[TokenTree]) -> bool {
    let attributes = before.iter().rev().take_while(|tree| match tree {
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == '#',
        TokenTree::Ident(word) => word == "pub",
        TokenTree::Literal(_) => false,
    });
    attributes.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => {
            group.stream().to_string().replace(' ', "").starts_with("cfg(test")
        }
        _ => false,
    })
}

/// The line, from 1, of the definition of an alias: tokens that are read from a file do not say.
fn line_of(text: &str, name: &str) -> Option<usize> {
    let defines = |line: &str| {
        let mut words = line.split_whitespace().skip_while(|word| *word != "type").skip(1);
        words.next().is_some_and(|word| word.trim_end_matches('=') == name)
    };
    text.lines().position(defines).map(|at| at + 1)
}
