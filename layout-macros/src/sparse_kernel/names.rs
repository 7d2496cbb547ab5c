//! The names in generated code: the names of the statement, and other names that differ from them.

use crate::rust::is_name;
use layout_core::sparse_kernel::ir::{Kernel, Local, OperandId, Var, WorkspaceId};
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Names<'k> {
    kernel: &'k Kernel,
    taken: BTreeSet<String>,
    made: RefCell<BTreeMap<String, String>>,
    /// The suffix of generated names, if several kernels have names in the same scope.
    suffix: String,
}

impl<'k> Names<'k> {
    pub(crate) fn new(kernel: &'k Kernel) -> Self {
        let taken = taken(kernel).collect();
        Self { kernel, taken, made: RefCell::default(), suffix: String::new() }
    }

    /// The names of the kernel with this number, in the same scope as the other kernels.
    pub(crate) fn among(kernels: &[&'k Kernel], number: usize) -> Self {
        let taken = kernels.iter().flat_map(|kernel| taken(kernel)).collect();
        let suffix = format!("_{number}");
        Self { kernel: kernels[number], taken, made: RefCell::default(), suffix }
    }

    pub(crate) fn operand(&self, operand: OperandId) -> Ident {
        ident(&self.kernel.operands[operand].name)
    }

    pub(crate) fn var(&self, var: Var) -> Ident {
        ident(&self.kernel.vars[var.0])
    }

    pub(crate) fn local(&self, local: Local) -> Ident {
        ident(&self.kernel.locals[local.0])
    }

    pub(crate) fn workspace(&self, workspace: WorkspaceId) -> Ident {
        ident(&self.kernel.workspaces[workspace].name)
    }

    /// A name that the statement does not use. The same `wanted` always results in the same name.
    pub(crate) fn other(&self, wanted: impl Into<String>) -> Ident {
        let wanted = wanted.into();
        let mut made = self.made.borrow_mut();
        if let Some(name) = made.get(&wanted) {
            return Ident::new(name, Span::mixed_site());
        }
        let mut name = word(&wanted) + &self.suffix;
        // If `size_i` is taken, the name becomes `size_i_`, which may be taken too.
        while self.taken.contains(&name) || made.values().any(|known| *known == name) {
            name.push('_');
        }
        let ident = Ident::new(&name, Span::mixed_site());
        made.insert(wanted, name);
        ident
    }

    /// `a_level1`
    pub(crate) fn level(&self, operand: OperandId, level: usize) -> Ident {
        self.other(format!("{}_level{level}", self.kernel.operands[operand].name))
    }

    /// `a_values`
    pub(crate) fn values(&self, operand: OperandId) -> Ident {
        self.other(format!("{}_values", self.kernel.operands[operand].name))
    }
}

fn taken(kernel: &Kernel) -> impl Iterator<Item = String> {
    let operands = kernel.operands.iter().map(|operand| &operand.name);
    let workspaces = kernel.workspaces.iter().map(|workspace| &workspace.name);
    let all = operands.chain(workspaces).chain(&kernel.vars).chain(&kernel.locals);
    all.map(|name| word(name))
}

fn ident(name: &str) -> Ident {
    Ident::new(&word(name), Span::mixed_site())
}

fn word(name: &str) -> String {
    if is_name(name) { name.to_owned() } else { format!("{name}_") }
}
