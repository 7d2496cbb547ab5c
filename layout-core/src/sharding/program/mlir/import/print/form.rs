//! The differences between the output of a single pass and the output of the whole pipeline.

use super::super::merge::Merge;
use super::super::prepare::without_unused;
use super::super::read::entries;
use super::super::tree::{Number, Region, Syntax};
use super::super::{Imported, rules};
use crate::sharding::TensorSharding;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

/// The form in which a module is printed.
pub(super) enum Form {
    /// The output of one pass of Shardy, which keeps all operations, names and open dimensions.
    Pass {
        /// Values that a data-flow edge continues; the edge has their sharding.
        continued: BTreeSet<Number>,
    },
    /// The output of Shardy's whole pipeline.
    Pipeline,
}

impl Form {
    /// The form of one pass over these functions.
    pub(super) fn of_pass(imported: &Imported<'_>) -> Self {
        let mut continued = BTreeSet::new();
        imported
            .roots
            .iter()
            .for_each(|root| collect_continued(imported, &root.region, &mut continued));
        Self::Pass { continued }
    }

    pub(super) const fn is_pass(&self) -> bool {
        matches!(self, Self::Pass { .. })
    }

    /// A sharding as it is printed.
    pub(super) fn sharding(&self, sharding: TensorSharding) -> TensorSharding {
        if self.is_pass() { sharding } else { closed(sharding) }
    }

    /// Merges and removes operations of a function, as the pipeline does.
    pub(super) fn simplify(&self, imported: &Imported<'_>, region: &mut Region) {
        if self.is_pass() {
            return;
        }
        let (module, shardings) = (&imported.module, &imported.shardings);
        Merge { module, shardings, merged: BTreeMap::new() }.region(region);
        without_unused(module, region, is_removed);
    }

    /// Whether operations of this name become calls of functions.
    pub(super) fn calls(&self, name: &str) -> bool {
        !self.is_pass() && name == "sdy.named_computation"
    }

    /// The name that replaces the name of an operation.
    pub(super) fn renamed(&self, name: &str) -> Option<&'static str> {
        match name {
            _ if self.is_pass() => None,
            "stablehlo.constant" => Some("sdy.constant"),
            "sdy.sharding_constraint" => Some("sdy.reshard"),
            _ => None,
        }
    }

    /// Whether data-flow edges store the sharding of one of these values, instead of the operation that computes it.
    pub(super) fn is_continued(&self, values: &[Number]) -> bool {
        match self {
            Self::Pass { continued } => values.iter().any(|value| continued.contains(value)),
            Self::Pipeline => false,
        }
    }
}

/// Collects the values that data-flow edges of a region continue.
fn collect_continued(imported: &Imported<'_>, region: &Region, continued: &mut BTreeSet<Number>) {
    for operation in &region.operations {
        if imported.module.name(operation) == "sdy.data_flow_edge" {
            continued.extend(&operation.operands);
        }
        operation.regions.iter().for_each(|region| collect_continued(imported, region, continued));
    }
}

/// The attributes of an operation after propagation, which removes the rules that nothing else needs.
pub(super) fn kept_attributes(written: &str) -> Cow<'_, str> {
    if !written.contains("sdy.sharding_rule") {
        return written.into();
    }
    let is_kept = |entry: &&str| {
        let (name, rule) = entry.split_once('=').unwrap_or((entry, ""));
        name.trim() != "sdy.sharding_rule" || rule.trim_end().ends_with(", custom>")
    };
    entries(written).filter(is_kept).collect::<Vec<_>>().join(", ").into()
}

/// A sharding whose dimensions are all closed; such a sharding need not list replicated axes.
fn closed(mut sharding: TensorSharding) -> TensorSharding {
    sharding.replicated = [][..].into();
    for dim in sharding.dims.to_mut() {
        dim.open = false;
        dim.priority = None;
    }
    sharding
}

/// Whether an unused operation disappears by the end of Shardy's pipeline.
fn is_removed(syntax: &Syntax<'_>) -> bool {
    rules::is_pure(syntax)
        || matches!(
            syntax.name,
            "sdy.manual_computation"
                | "sdy.sharding_constraint"
                | "sdy.sharding_group"
                | "stablehlo.while"
                | "stablehlo.case"
                | "stablehlo.if"
                | "stablehlo.optimization_barrier"
        )
}
