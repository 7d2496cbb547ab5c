//! Names of values, as MLIR chooses them when it prints a function.

use super::tree::{Module, Number, Region};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The names by number, without `%`.
pub(super) struct Names {
    names: BTreeMap<Number, String>,
    /// The names that are visible at the moment.
    used: BTreeSet<String>,
    /// Whether constants are named `%c` and `%cst`, instead of by number.
    constants: bool,
}

/// The numbers that come next.
#[derive(Clone, Copy, Default)]
struct Next {
    value: usize,
    argument: usize,
    conflict: usize,
}

/// The part of a name that does not come from a conflict; `None` for a number.
fn hint(name: &str) -> Option<&str> {
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('_') {
        Some((base, number)) if digits(number) && !base.is_empty() => Some(base),
        _ => Some(name),
    }
}

impl Names {
    pub(super) fn new(module: &Module<'_>, function: &Region) -> Self {
        Self::with(module, function, false)
    }

    /// The names of the values. If `constants` is set, constants are named `%c` and `%cst`, as in a module whose constants stay in
    /// StableHLO.
    pub(super) fn with(module: &Module<'_>, function: &Region, constants: bool) -> Self {
        let mut names = Self { names: BTreeMap::new(), used: BTreeSet::new(), constants };
        names.region(module, function, Next::default());
        names
    }

    pub(super) fn of(&self, value: Number) -> &str {
        self.names.get(&value).map_or("", String::as_str)
    }

    /// The name, or the name with a number if it is taken. `own` collects the names of the region.
    fn unique(&mut self, hint: &str, next: &mut Next, own: &mut Vec<String>) -> String {
        let mut name = hint.to_string();
        while self.used.contains(&name) {
            name = format!("{hint}_{}", next.conflict);
            next.conflict += 1;
        }
        self.used.insert(name.clone());
        own.push(name.clone());
        name
    }

    fn region(&mut self, module: &Module<'_>, region: &Region, mut next: Next) {
        let mut own = Vec::new();
        for &argument in &region.arguments {
            let name = module.values[argument].name;
            let name = match hint(name) {
                Some("iterArg") => self.unique("iterArg", &mut next, &mut own),
                _ => {
                    let number = next.argument;
                    next.argument += 1;
                    self.unique(&format!("arg{number}"), &mut next, &mut own)
                }
            };
            self.names.insert(argument, name);
        }
        for operation in &region.operations {
            let syntax = module.syntax(operation);
            let is_constant = syntax.name == "stablehlo.constant";
            let mut results = operation.results.iter();
            for &(name, count) in &syntax.results {
                let own_hint = || -> Option<&str> {
                    let dtype = module.values[*operation.results.first()?].ty.dtype?;
                    Some(if dtype.mlir_name().contains('i') { "c" } else { "cst" })
                };
                let hint = match (is_constant, self.constants) {
                    (false, _) => hint(name),
                    (true, false) => None,
                    (true, true) => own_hint(),
                };
                let base = match hint {
                    Some(hint) => self.unique(hint, &mut next, &mut own),
                    None => {
                        next.value += 1;
                        (next.value - 1).to_string()
                    }
                };
                for (at, &result) in results.by_ref().take(count).enumerate() {
                    let name = if count == 1 { base.clone() } else { format!("{base}#{at}") };
                    self.names.insert(result, name);
                }
            }
        }
        for operation in &region.operations {
            for region in &operation.regions {
                self.region(module, region, next);
            }
        }
        for name in own {
            self.used.remove(&name);
        }
    }
}
