//! Variants of Shardy's pipeline: a single pass of propagation, and functions that all calls share.

use super::print;
use super::tree::{Module, Region};
use super::{Built, Failure, Imported, Root, bodies, build, gspmd, lift, read};
use crate::sharding::ops::Mode;
use crate::sharding::program::Overrides;
use crate::sharding::propagation::{Strategy, propagate, propagate_alone};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The module with the shardings that the pass finds, including open dimensions. Calls are not replaced by bodies.
pub(super) fn pass(text: &str, strategy: Strategy, mode: Mode) -> Result<String, Failure> {
    let mut module = read::read(text)?;
    let main = module.functions.iter().position(|function| function.name == "main");
    let mut roots = Vec::new();
    for function in 0..module.functions.len() {
        if let Some(region) = module.functions[function].body.take() {
            // The results of functions that are called are added later.
            let returns =
                main.map_or(!module.functions[function].is_private, |main| main == function);
            roots.push(Root { function, region, first_return: returns.then_some(0) });
        }
    }
    let built = build(&module, &mut roots, &Overrides::default(), mode, false)?;
    let Built { mut graph, values, calls, unruled } = built;
    graph.set_conservative(mode == Mode::Conservative);
    propagate_alone(&mut graph, strategy);
    let mut imported =
        Imported { module, graph, values, roots, calls, unruled, shardings: Vec::new() };
    imported.replace();
    let values = imported.values.iter();
    imported.shardings = values.map(|value| imported.graph.sharding((*value)?)).collect();
    Ok(print::pass(&imported))
}

/// The functions that a region calls, each before the functions that it calls.
fn in_order(
    module: &Module<'_>,
    region: &Region,
    names: &BTreeMap<&str, usize>,
    bodies: &BTreeMap<usize, Region>,
    order: &mut Vec<usize>,
) {
    for operation in &region.operations {
        let callee = names.get(module.syntax(operation).callee);
        let callee = callee.filter(|_| module.name(operation).ends_with("call"));
        if let Some((callee, body)) = callee.and_then(|callee| Some((*callee, bodies.get(callee)?)))
            && !order.contains(&callee)
        {
            order.push(callee);
            in_order(module, body, names, bodies, order);
        }
        operation.regions.iter().for_each(|region| in_order(module, region, names, bodies, order));
    }
}

/// The module after the pipeline, if all calls of a function share its shardings.
pub(super) fn shared(text: &str) -> Result<String, Failure> {
    let mut module = read::read(text)?;
    gspmd::import(&mut module)?;
    lift::inline_meshes(&mut module);
    let mut bodies: BTreeMap<_, _> = bodies(&mut module)?.into_iter().collect();
    let functions = module.functions.iter().enumerate();
    let names: BTreeMap<_, _> = functions.map(|(at, function)| (function.name, at)).collect();
    let public = bodies.keys().copied().find(|at| !module.functions[*at].is_private);
    let Some(main) = names.get("main").copied().or(public) else {
        return Err(Failure::new(0, "no function is `@main` or public"));
    };
    let mut order = Vec::from([main]);
    if let Some(body) = bodies.get(&main) {
        in_order(&module, body, &names, &bodies, &mut order);
    }
    let roots = order.into_iter().filter_map(|function| {
        let first_return = (function == main).then_some(0);
        Some(Root { function, region: bodies.remove(&function)?, first_return })
    });
    let mut roots: Vec<_> = roots.collect();
    let built = build(&module, &mut roots, &Overrides::default(), Mode::Normal, true)?;
    let Built { mut graph, values, calls, unruled } = built;
    propagate(&mut graph, Strategy::UserPriority);
    let mut imported = Imported {
        module,
        graph,
        values,
        roots,
        calls: Vec::new(),
        unruled,
        shardings: Vec::new(),
    };
    imported.settle(&calls);
    // They are printed from the last one to the first, and here the order is that of the calls.
    imported.roots.reverse();
    Ok(print::pipeline(&imported, core::iter::empty()).0)
}
