//! Finds the definitions of `layouts!` in the sources of a crate.
//!
//! The scan starts at the crate root and follows modules as rustc does, through `#[path]` and `cfg_attr`.

use crate::conditions;
use crate::layouts::Call;
use crate::lines::Lines;
use crate::rust::{Aliases, aliases, named, unraw};
use crate::uses::Names;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Attribute, ItemMacro, ItemMod, Visibility};

/// A layout in the sources.
pub(crate) struct Found {
    /// Its path, starting from the crate root.
    pub(crate) path: Vec<String>,
    /// Whether other crates can name it, and whether the crate root can.
    pub(crate) public: bool,
    pub(crate) visible: bool,
    /// Whether it has parameters without defaults, so that it is not a single layout.
    pub(crate) is_generic: bool,
    pub(crate) call: Call,
    /// The file, relative to the package, and the line.
    pub(crate) location: String,
    /// The conditions of `#[cfg(..)]` that only rustc can evaluate.
    pub(crate) conditions: Vec<TokenStream>,
}

/// The definitions that were found in a crate.
#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) layouts: Vec<Found>,
    /// The definitions of meshes.
    pub(crate) meshes: Names<String>,
}

/// A module, and the directory with the files of its modules.
#[derive(Clone)]
struct Module {
    path: Vec<String>,
    /// The file that contains it.
    file: PathBuf,
    /// The directory of the file, or that of an inline module.
    directory: PathBuf,
    /// The directory within it that contains the files of its modules: `a` for `a.rs`, whose modules are in `a/`.
    below: Option<String>,
    public: bool,
    visible: bool,
    conditions: Vec<TokenStream>,
}

impl Module {
    /// The module under the additional conditions of `attributes`; `None` if they do not hold.
    fn under(&self, attributes: &[Attribute]) -> Option<Self> {
        self.if_all(conditions::asked(attributes))
    }

    /// The module under the additional conditions `asked`; `None` if they do not hold.
    fn if_all(&self, asked: Vec<TokenStream>) -> Option<Self> {
        let mut conditions = self.conditions.clone();
        for asked in asked {
            match conditions::holds(&asked) {
                Some(true) => {}
                Some(false) => return None,
                None => conditions.push(asked),
            }
        }
        Some(Self { conditions, ..self.clone() })
    }

    /// A module within it whose file is not known yet.
    fn inner(&self, item: &ItemMod) -> Self {
        let path = self.path.iter().cloned().chain([item.ident.to_string()]).collect();
        Self {
            path,
            public: self.public && matches!(item.vis, Visibility::Public(_)),
            visible: self.visible && (self.path.is_empty() || is_visible(&item.vis)),
            ..self.clone()
        }
    }

    /// The module in `file`. Its own modules are in the directory of the file, or in the directory `below` in it.
    fn in_file(self, file: PathBuf, below: Option<String>) -> Self {
        let directory = file.parent().unwrap_or(Path::new("")).to_owned();
        Self { file, directory, below, ..self }
    }
}

/// Whether an item is visible outside of its module.
fn is_visible(visibility: &Visibility) -> bool {
    !matches!(visibility, Visibility::Inherited)
}

impl Sources {
    /// Reads a crate, starting from its root file, which is relative to `package`.
    pub(crate) fn read(package: &Path, root: &Path) -> Result<Self, String> {
        let mut sources = Self::default();
        let module = Module {
            path: Vec::new(),
            file: PathBuf::new(),
            directory: PathBuf::new(),
            below: None,
            public: true,
            visible: true,
            conditions: Vec::new(),
        };
        sources.file(package, &module.in_file(root.to_owned(), None))?;
        Ok(sources)
    }

    fn file(&mut self, package: &Path, module: &Module) -> Result<(), String> {
        // The path as it was given, because the rest of it differs between machines.
        let failed = |error: &dyn Display| format!("{}: {error}", module.file.display());
        let text =
            fs::read_to_string(package.join(&module.file)).map_err(|error| failed(&error))?;
        let file = syn::parse_file(&text).map_err(|error| failed(&error))?;
        match module.under(&file.attrs) {
            Some(module) => self.items(package, &module, &file.items, &mut Lines::of(&text)),
            None => Ok(()),
        }
    }

    fn items(
        &mut self,
        package: &Path,
        module: &Module,
        items: &[syn::Item],
        lines: &mut Lines,
    ) -> Result<(), String> {
        for item in items {
            match item {
                syn::Item::Mod(item) => self.module(package, module, item, lines)?,
                syn::Item::Macro(call) => self.call(module, call, lines),
                syn::Item::Use(item)
                    if item.leading_colon.is_none() && module.under(&item.attrs).is_some() =>
                {
                    self.meshes.import(&module.path, &item.tree);
                }
                item => lines.skip(item.to_token_stream()),
            }
        }
        Ok(())
    }

    /// Follows `mod name;` and `mod name { .. }`.
    fn module(
        &mut self,
        package: &Path,
        parent: &Module,
        item: &ItemMod,
        lines: &mut Lines,
    ) -> Result<(), String> {
        let Some(here) = parent.under(&item.attrs) else {
            lines.skip(item.to_token_stream());
            return Ok(());
        };
        let module = here.inner(item);
        // The file of `r#async` is `async.rs`.
        let name = unraw(&item.ident);
        // If only rustc knows the conditions, it can be any of these files; the last one is used if no condition holds.
        let mut files: Vec<_> = conditions::paths(&item.attrs)
            .into_iter()
            .map(|(conditions, file)| (conditions, Some(file)))
            .chain([(Vec::new(), None)])
            .collect();
        let last = files.iter().position(|(conditions, _)| conditions.is_empty());
        files.truncate(last.map_or(files.len(), |last| last + 1));
        let mut others = Vec::new();
        for (conditions, file) in files {
            let otherwise = quote!(not(all(#(#conditions),*)));
            let asked = others.iter().cloned().chain(conditions).collect();
            others.push(otherwise);
            let Some(module) = module.if_all(asked) else { continue };
            let below = parent.below.iter();
            let directory = below.fold(parent.directory.clone(), |at, below| at.join(below));
            match (&item.content, file) {
                // The path of an inline module is the directory of its files.
                (Some((_, items)), file) => {
                    let directory = match file {
                        Some(directory) => parent.directory.join(directory),
                        None => directory.join(&name),
                    };
                    let inner = Module { directory, below: None, ..module };
                    self.items(package, &inner, items, &mut lines.clone())?;
                }
                (None, Some(file)) => {
                    self.file_of(package, module, [(parent.directory.join(file), None)])?;
                }
                (None, None) => {
                    let file = directory.join(format!("{name}.rs"));
                    let files =
                        [(file, Some(name.clone())), (directory.join(&name).join("mod.rs"), None)];
                    self.file_of(package, module, files)?;
                }
            }
        }
        let items = item.content.iter().flat_map(|(_, items)| items);
        lines.skip(quote!(#(#items)*));
        Ok(())
    }

    /// Reads the first of the files that exists. Each comes with the directory of its own modules.
    fn file_of<const N: usize>(
        &mut self,
        package: &Path,
        module: Module,
        files: [(PathBuf, Option<String>); N],
    ) -> Result<(), String> {
        // rustc reports a file that does not exist.
        let found = files.into_iter().find(|(file, _)| package.join(file).is_file());
        found.map_or(Ok(()), |(file, below)| self.file(package, &module.in_file(file, below)))
    }

    /// A call of `layouts!` or `mesh!`, by any path.
    fn call(&mut self, module: &Module, call: &ItemMacro, lines: &mut Lines) {
        let body = &call.mac.tokens;
        let name = call.mac.path.segments.last().map(|last| last.ident.to_string());
        match (name.as_deref(), module.under(&call.attrs)) {
            (Some("layouts"), Some(module)) => self.layouts(&module, body.clone(), lines),
            (Some("mesh"), Some(module)) => self.mesh(&module, body.clone()),
            _ => lines.skip(call.to_token_stream()),
        }
    }

    fn layouts(&mut self, module: &Module, body: TokenStream, lines: &mut Lines) {
        // Mistakes are reported where the layouts are defined.
        let Some(Aliases { items, mistakes: None, .. }) = aliases(body.clone()) else {
            return lines.skip(body);
        };
        for item in items {
            let name = item.name.to_string();
            let line = lines.next(&name);
            let (Ok(call), Some(module)) = (Call::of(&item), module.under(&item.attributes)) else {
                continue;
            };
            let file = module.file.to_string_lossy().replace('\\', "/");
            let location = match line {
                Some(line) => format!("{file}:{line}"),
                None => file,
            };
            self.layouts.push(Found {
                path: module.path.iter().cloned().chain([name]).collect(),
                public: module.public && item.is_public(),
                visible: module.visible && (module.path.is_empty() || is_visible(&item.visibility)),
                is_generic: item.is_generic(),
                call,
                location,
                conditions: module.conditions,
            });
        }
    }

    fn mesh(&mut self, module: &Module, body: TokenStream) {
        // Mistakes are reported where the mesh is defined.
        let Ok(item) = named(body, "") else { return };
        if module.under(&item.attributes).is_some() {
            let path = module.path.iter().cloned().chain([item.name.to_string()]).collect();
            self.meshes.define(path, item.tokens.to_string());
        }
    }
}
