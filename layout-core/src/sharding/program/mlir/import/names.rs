//! Names of values, as MLIR gives them when it prints a function.

use super::tree::{Module, Number, Region};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The names by number, without `%`.
pub(super) struct Names {
    names: Vec<String>,
}

/// The numbers that come next.
#[derive(Clone, Default)]
struct Next {
    value: usize,
    argument: usize,
    conflict: usize,
    used: BTreeSet<String>,
}

impl Next {
    /// The name, or the name with a number if it is taken.
    fn unique(&mut self, hint: &str) -> String {
        let mut name = hint.to_string();
        while self.used.contains(&name) {
            name = format!("{hint}_{}", self.conflict);
            self.conflict += 1;
        }
        self.used.insert(name.clone());
        name
    }
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
        let mut names = Self { names: vec![String::new(); module.values.len()] };
        names.region(module, function, Next::default());
        names
    }

    pub(super) fn of(&self, value: Number) -> &str {
        &self.names[value]
    }

    fn region(&mut self, module: &Module<'_>, region: &Region, mut next: Next) {
        for &argument in &region.arguments {
            let name = module.values[argument].name;
            self.names[argument] = match hint(name) {
                Some("iterArg") => next.unique("iterArg"),
                _ => {
                    let number = next.argument;
                    next.argument += 1;
                    next.unique(&format!("arg{number}"))
                }
            };
        }
        for operation in &region.operations {
            let syntax = module.syntax(operation);
            let is_constant = syntax.name == "stablehlo.constant";
            let mut results = operation.results.iter();
            for &(name, count) in &syntax.results {
                let base = match hint(name).filter(|_| !is_constant) {
                    Some(hint) => next.unique(hint),
                    None => {
                        next.value += 1;
                        (next.value - 1).to_string()
                    }
                };
                for (at, &result) in results.by_ref().take(count).enumerate() {
                    self.names[result] =
                        if count == 1 { base.clone() } else { format!("{base}#{at}") };
                }
            }
        }
        for operation in &region.operations {
            for region in &operation.regions {
                self.region(module, region, next.clone());
            }
        }
    }
}
