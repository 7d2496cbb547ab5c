//! Finds what `layouts!` defines in the sources of a crate.
//!
//! The modules are followed as rustc does, from the crate root on. Of anything else only the names of macros are looked
//! at, so that sources need not be parsed.

use crate::conditions;
use crate::items::{Item, items};
use crate::layouts::Call;
use crate::lines::Lines;
use crate::mesh;
use crate::uses::Names;
use layout_core::sharding::Mesh;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
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
    /// What `#[cfg(..)]` asks for where only rustc knows whether it holds.
    pub(crate) conditions: Vec<TokenStream>,
}

/// What was found in a crate.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) layouts: Vec<Found>,
    pub(crate) meshes: Names<Mesh>,
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
    conditions: Vec<TokenStream>,
}

impl Module {
    /// What `asked` adds to the conditions of the module; `None` where it does not hold.
    fn conditions(&self, asked: Vec<TokenStream>) -> Option<Vec<TokenStream>> {
        let mut conditions = self.conditions.clone();
        for asked in asked {
            match conditions::holds(&asked) {
                Some(true) => {}
                Some(false) => return None,
                None => conditions.push(asked),
            }
        }
        Some(conditions)
    }
}

impl Sources {
    /// Reads a crate from its root file on, which is given relative to `package`.
    pub(crate) fn read(package: &Path, root: &Path) -> Result<Self, String> {
        let mut sources = Self::default();
        let directory = root.parent().unwrap_or(Path::new("")).to_owned();
        let file = root.to_owned();
        let (path, conditions) = (Vec::new(), Vec::new());
        let module = Module { path, file, directory, public: true, visible: true, conditions };
        sources.file(package, &module)?;
        Ok(sources)
    }

    fn file(&mut self, package: &Path, module: &Module) -> Result<(), String> {
        // Named as it was given: the rest of the path is the machine's.
        let failed = |error: &dyn Display| format!("{}: {error}", module.file.display());
        let text =
            fs::read_to_string(package.join(&module.file)).map_err(|error| failed(&error))?;
        let tokens: TokenStream = text.parse().map_err(|error| failed(&error))?;
        let trees: Vec<_> = tokens.clone().into_iter().collect();
        let Some(conditions) = module.conditions(conditions::of_file(&trees)) else {
            return Ok(());
        };
        let module = Module { conditions, ..module.clone() };
        self.items(package, &module, tokens, &mut Lines::of(&text))
    }

    fn items(
        &mut self,
        package: &Path,
        module: &Module,
        tokens: TokenStream,
        lines: &mut Lines,
    ) -> Result<(), String> {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            let inner = module.conditions(conditions::before(&trees[..at]));
            let inner = inner.map(|conditions| Module { conditions, ..module.clone() });
            at += match (&trees[at..], inner) {
                ([TokenTree::Ident(word), TokenTree::Ident(name), body, ..], Some(inner))
                    if word == "mod" =>
                {
                    self.module(package, &inner, &trees[..at], &name.to_string(), body, lines)?;
                    3
                }
                (
                    [TokenTree::Ident(word), TokenTree::Punct(bang), TokenTree::Group(body), ..],
                    Some(inner),
                ) if bang.as_char() == '!' && (word == "layouts" || word == "mesh") => {
                    match word == "layouts" {
                        true => self.layouts(&inner, body.stream(), lines),
                        false => self.mesh(&inner, body.stream()),
                    }
                    3
                }
                ([TokenTree::Ident(word), rest @ ..], Some(_)) if word == "use" => {
                    let end = rest.iter().position(
                        |tree| matches!(tree, TokenTree::Punct(end) if end.as_char() == ';'),
                    );
                    let end = end.unwrap_or(rest.len());
                    self.meshes.import(&module.path, &rest[..end]);
                    1 + end
                }
                // A type of another kind, or what holds some.
                ([TokenTree::Ident(word), TokenTree::Ident(name), ..], _) if word == "type" => {
                    lines.next(&name.to_string());
                    2
                }
                ([TokenTree::Group(group), ..], _) => {
                    lines.skip(group.stream());
                    1
                }
                _ => 1,
            };
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
        lines: &mut Lines,
    ) -> Result<(), String> {
        let visibility = visibility(before);
        let mut module = parent.clone();
        module.path.push(name.into());
        // The file of `r#async` is called `async`.
        let name = name.strip_prefix("r#").unwrap_or(name);
        module.directory.push(name);
        module.public &= visibility == Visibility::Public;
        module.visible &= parent.path.is_empty() || visibility != Visibility::Private;
        match body {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                self.items(package, &module, body.stream(), lines)
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

    fn layouts(&mut self, module: &Module, body: TokenStream, lines: &mut Lines) {
        // What is wrong with them is an error where they are.
        let Ok(items) = items(body.clone()) else { return lines.skip(body) };
        for item in items {
            let name = item.name.to_string();
            let line = lines.next(&name);
            let (Ok(call), Some(conditions)) = (
                Call::of(&item),
                module.conditions(item.conditions().filter_map(conditions::of).collect()),
            ) else {
                continue;
            };
            let file = module.file.to_string_lossy().replace('\\', "/");
            let place = match line {
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
                conditions,
            });
        }
    }

    fn mesh(&mut self, module: &Module, body: TokenStream) {
        let Ok(item) = mesh::named(body) else { return };
        let conditions = item.conditions().filter_map(conditions::of).collect();
        if module.conditions(conditions).is_some() {
            let path = module.path.iter().cloned().chain([item.name.to_string()]).collect();
            self.meshes.define(path, mesh::defined(item.tokens));
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
