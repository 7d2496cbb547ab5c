//! Reads the shardings of programs that were lowered for GSPMD, `mhlo.sharding = "{devices=[2,4]<=[8]}"`. As when XLA imports them
//! into Shardy, the result has a single mesh, whose axes are the parts of the devices that the shardings name.

use super::Failure;
use super::attribute::numbers;
use super::read::entry;
use super::tree::{Module, Number, Piece, Region, Syntax};
use crate::sharding::hlo::HloSharding;
use crate::sharding::tensor::MeshRef;
use crate::sharding::{Mesh, TensorSharding};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

/// The name of the attribute.
pub(super) const ATTRIBUTE: &str = "mhlo.sharding";

/// The position of a sharding.
#[derive(Clone, Copy)]
enum Site {
    Argument(usize, usize),
    Result(usize, usize),
    /// The result of an operation.
    Operation(usize),
}

impl Site {
    /// The operation whose result it is.
    const fn operation(self) -> Option<usize> {
        match self {
            Self::Operation(operation) => Some(operation),
            _ => None,
        }
    }
}

struct Found {
    site: Site,
    sharding: HloSharding,
    /// The rank of its tensor.
    rank: usize,
    at: usize,
}

/// The text of the sharding in attributes.
fn text(attributes: &str) -> Option<&str> {
    entry(attributes, ATTRIBUTE)?.strip_prefix('"')?.strip_suffix('"')
}

/// The groups in braces of a text, separated by commas.
fn groups(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let is_end = move |c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth.saturating_sub(1),
            _ => depth,
        };
        c == ',' && depth == 0
    };
    text.split(is_end).map(str::trim)
}

/// The shardings of a text; for a tuple, one for each of its parts. Shardings that no axes of a mesh can express are left out.
fn shardings(text: &str, at: usize) -> Result<Vec<Option<HloSharding>>, Failure> {
    let text = text.trim();
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let parts: Vec<_> = match inner.filter(|inner| inner.trim_start().starts_with('{')) {
        Some(inner) => groups(inner).collect(),
        None => alloc::vec![text],
    };
    let is_unknown = |part: &str| matches!(part, "{manual}" | "{unknown}");
    let read = |part: &str| match is_unknown(part) {
        true => Ok(None),
        false => super::read::parsed(part, at, ATTRIBUTE).map(Some),
    };
    parts.into_iter().map(read).collect()
}

/// Converts the GSPMD shardings of the arguments, results and operations to Shardy shardings, except those that have one already.
pub(super) fn import(module: &mut Module<'_>) -> Result<(), Failure> {
    let mut found = Vec::new();
    for (number, function) in module.functions.iter().enumerate() {
        let arguments = function.arguments.iter().enumerate();
        let arguments = arguments.map(|(at, border)| (Site::Argument(number, at), border));
        let results = function.results.iter().enumerate();
        let results = results.map(|(at, border)| (Site::Result(number, at), border));
        for (site, border) in arguments.chain(results) {
            let (Some(text), None) = (text(border.attributes), &border.sharding) else { continue };
            let Some(dims) = &border.ty.dims else { continue };
            for sharding in shardings(text, function.at)?.into_iter().flatten() {
                found.push(Found { site, sharding, rank: dims.len(), at: function.at });
            }
        }
        if let Some(body) = &function.body {
            operations(module, body, &mut found)?;
        }
    }
    let Some(first) = found.first() else { return Ok(()) };
    let Some(mesh) = HloSharding::common_mesh(found.iter().map(|found| &found.sharding)) else {
        let message =
            format!("the shardings of `{ATTRIBUTE}` split the devices in ways that no mesh has");
        return Err(Failure::new(first.at, message));
    };
    // Operations with a result on one device have a sharding for each of their results.
    let is_maximal = |found: &&Found| matches!(found.sharding, HloSharding::Maximal(_));
    let on_one = found.iter().filter(is_maximal).filter_map(|found| found.site.operation());
    let on_one: BTreeSet<_> = on_one.collect();
    for Found { site, sharding, rank, at } in found {
        let is_needed = site.operation().is_some_and(|operation| on_one.contains(&operation));
        let mesh = match sharding {
            HloSharding::Maximal(device) => Mesh::new([], [device]).unwrap_or_default(),
            // Nothing is split, so there is no mesh for a sharding.
            _ if mesh.is_empty() && !is_needed => continue,
            _ => mesh.clone(),
        };
        let rank = if mesh.is_maximal() { 0 } else { rank };
        let own = sharding.over(&mesh, MeshRef::Inline(mesh.clone()), rank);
        let Some(own) = own else {
            let message = format!(
                "in `{ATTRIBUTE}`: {sharding} is not the sharding of a tensor of rank {rank}"
            );
            return Err(Failure::new(at, message));
        };
        match site {
            Site::Argument(function, at) => {
                module.functions[function].arguments[at].sharding = Some(own);
            }
            Site::Result(function, at) => {
                module.functions[function].results[at].sharding = Some(own);
            }
            Site::Operation(syntax) => module.syntax[syntax].gspmd(own),
        }
    }
    Ok(())
}

/// Finds the shardings of the operations of a region.
fn operations(module: &Module<'_>, region: &Region, found: &mut Vec<Found>) -> Result<(), Failure> {
    for operation in &region.operations {
        let syntax = module.syntax(operation);
        if syntax.shardings.is_empty()
            && let Some(text) = syntax.attributes().find_map(text)
        {
            let all = shardings(text, syntax.at)?;
            let rank = |value: &Number| module.dims(*value).map(<[usize]>::len);
            let ranks: Option<Vec<_>> = operation.results.iter().map(rank).collect();
            let known: Option<Vec<_>> = all.into_iter().collect();
            // A sharding from which parts are missing is ignored.
            if let (Some(ranks), Some(known)) = (ranks, known)
                && ranks.len() == known.len()
            {
                found.extend(known.into_iter().zip(ranks).map(|(sharding, rank)| Found {
                    site: Site::Operation(operation.syntax),
                    sharding,
                    rank,
                    at: syntax.at,
                }));
            }
        }
        for region in &operation.regions {
            operations(module, region, found)?;
        }
    }
    Ok(())
}

impl<'t> Syntax<'t> {
    /// The texts of its attributes.
    fn attributes(&self) -> impl Iterator<Item = &'t str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Attributes(text, _) => Some(*text),
            _ => None,
        })
    }

    /// Adds the sharding of the next result. A call of `@Sharding` constrains its operand, except in the dimensions that it leaves
    /// open: `backend_config = "unspecified_dims=[1]"`.
    fn gspmd(&mut self, mut sharding: TensorSharding) {
        if self.name == "stablehlo.custom_call" && self.target() == "Sharding" {
            let config = self.value("backend_config").and_then(|text| text.strip_prefix('"'));
            let open =
                config.and_then(|text| text.split('"').next()?.split_once("unspecified_dims="));
            for dim in open.map(|(_, list)| numbers(list)).unwrap_or_default() {
                if sharding.dims.get(dim).is_some() {
                    sharding.dims.to_mut()[dim].open = true;
                }
            }
            self.constraint = Some(sharding);
        } else {
            self.shardings.push(sharding);
        }
    }
}
