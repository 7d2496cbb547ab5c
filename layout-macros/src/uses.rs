//! Name resolution in the modules of a crate: the definition that a path refers to, through imports.

use proc_macro2::Ident;
use std::collections::BTreeMap;
use syn::{Path, UseTree};

/// The largest number of imports that are followed, because they can form a cycle.
const MAX_STEPS: usize = 32;

/// One name of `use a::{b, c as d, e::*};`
struct Use {
    /// The imported name; `None` for a glob.
    name: Option<String>,
    path: Vec<String>,
}

/// The definitions of a crate, by their paths from its root.
pub(crate) struct Names<T> {
    /// `None` if there are several different definitions.
    definitions: BTreeMap<Vec<String>, Option<T>>,
    uses: BTreeMap<Vec<String>, Vec<Use>>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self { definitions: BTreeMap::new(), uses: BTreeMap::new() }
    }
}

impl<T: PartialEq> Names<T> {
    pub(crate) fn define(&mut self, path: Vec<String>, definition: T) {
        let slot = self.definitions.entry(path);
        slot.and_modify(|known| {
            if known.as_ref() != Some(&definition) {
                *known = None;
            }
        })
        .or_insert(Some(definition));
    }

    /// Records the names that a `use` imports into a module.
    pub(crate) fn import(&mut self, module: &[String], imported: &UseTree) {
        let mut uses = Vec::new();
        tree(&[], imported, &mut uses);
        self.uses.entry(module.to_vec()).or_default().extend(uses);
    }

    /// The definition that a path in a module refers to.
    pub(crate) fn find(&self, module: &[String], path: &Path) -> Option<&T> {
        // A path with leading colons refers to another crate.
        if path.leading_colon.is_some() {
            return None;
        }
        let names: Vec<_> = path.segments.iter().map(|name| name.ident.to_string()).collect();
        let mut steps = MAX_STEPS;
        self.follow(module, &names, &mut steps)
    }

    fn follow(&self, module: &[String], path: &[String], steps: &mut usize) -> Option<&T> {
        *steps = steps.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => return self.follow(&[], rest, steps),
            "self" => return self.follow(module, rest, steps),
            "super" => return self.follow(module.split_last()?.1, rest, steps),
            _ => {}
        }
        let inner = [module, std::slice::from_ref(first)].concat();
        if rest.is_empty() {
            if let Some(found) = self.definitions.get(&inner) {
                return found.as_ref();
            }
        } else if self.has_module(&inner) {
            return self.follow(&inner, rest, steps);
        }
        let uses = self.uses.get(module)?;
        if let Some(named) = uses.iter().find(|used| used.name.as_ref() == Some(first)) {
            return self.follow(module, &[&named.path, rest].concat(), steps);
        }
        let all = uses.iter().filter(|used| used.name.is_none());
        all.filter(|used| used.path.first() != path.first())
            .find_map(|used| self.follow(module, &[&used.path, path].concat(), steps))
    }

    fn has_module(&self, path: &[String]) -> bool {
        let after = |start: &[String]| start.starts_with(path);
        self.definitions.keys().any(|definition| definition.len() > path.len() && after(definition))
            || self.uses.keys().any(|module| after(module))
    }
}

/// Reads a tree of imports after a path.
fn tree(before: &[String], imported: &UseTree, uses: &mut Vec<Use>) {
    let path = |name: &Ident| [before, &[name.to_string()]].concat();
    match imported {
        UseTree::Path(inner) => tree(&path(&inner.ident), &inner.tree, uses),
        UseTree::Group(group) => group.items.iter().for_each(|inner| tree(before, inner, uses)),
        UseTree::Glob(_) => uses.push(Use { name: None, path: before.to_vec() }),
        UseTree::Rename(renamed) => {
            let name = Some(renamed.rename.to_string());
            uses.push(Use { name, path: imported_path(before, &renamed.ident) });
        }
        UseTree::Name(name) => {
            let path = imported_path(before, &name.ident);
            uses.push(Use { name: path.last().cloned(), path });
        }
    }
}

/// `use a::{self}` imports `a`.
fn imported_path(before: &[String], name: &Ident) -> Vec<String> {
    match name == "self" && !before.is_empty() {
        true => before.to_vec(),
        false => [before, &[name.to_string()]].concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import(names: &mut Names<u8>, module: &[&str], text: &str) {
        let imported = syn::parse_str(text).expect("imports");
        names.import(&module.iter().map(ToString::to_string).collect::<Vec<_>>(), &imported);
    }

    #[test]
    fn paths_lead_through_imports() {
        let mut names = Names::default();
        let path = |path: &str| path.split("::").map(str::to_owned).collect::<Vec<_>>();
        names.define(path("a::Pod"), 1);
        names.define(path("b::Pod"), 2);
        names.define(path("c::d::Pod"), 3);
        names.define(path("twice::Pod"), 4);
        names.define(path("twice::Pod"), 5);
        import(&mut names, &[], "a::Pod");
        import(&mut names, &["e"], "crate::{b::{self, Pod as Other}, c::d::*}");
        import(&mut names, &["f"], "super::e::Other as Third");
        import(&mut names, &["g"], "self::h");
        import(&mut names, &["g", "h"], "super::h::Pod");
        import(&mut names, &["i"], "other_crate::Pod");
        for (module, written, expected) in [
            ("", "Pod", Some(1)),
            ("", "b::Pod", Some(2)),
            ("a", "Pod", Some(1)),
            ("a", "super::b::Pod", Some(2)),
            ("e", "Other", Some(2)),
            ("e", "b::Pod", Some(2)),
            ("e", "Pod", Some(3)),
            ("f", "Third", Some(2)),
            ("f", "crate::c::d::Pod", Some(3)),
            ("f", "Pod", None),
            ("g", "h::Pod", None),
            ("i", "Pod", None),
            ("twice", "Pod", None),
            ("a", "::a::Pod", None),
        ] {
            let module: Vec<_> =
                module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            let path = syn::parse_str(written).expect("a path");
            assert_eq!(names.find(&module, &path).copied(), expected, "{written}");
        }
    }
}
