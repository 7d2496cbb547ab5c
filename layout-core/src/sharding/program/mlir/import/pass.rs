//! Variants of Shardy's pipeline: a single pass of propagation, and functions that all calls share.

use super::print;
use super::{Built, Failure, Imported, Root, bodies, build, declared, gspmd, lift, mentions, read};
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
    let mut declared = Vec::new();
    for function in 0..module.functions.len() {
        if module.functions[function].body.is_none() {
            declared.push(function);
        }
        if let Some(region) = module.functions[function].body.take() {
            // The results of functions that are called are added later.
            let returns =
                main.map_or(!module.functions[function].is_private, |main| main == function);
            let first_return = returns.then_some(0);
            roots.push(Root { function, region, first_return, is_mentioned: false });
        }
    }
    let built = build(&module, &mut roots, &Overrides::default(), mode, false)?;
    let Built { mut graph, values, calls, unruled } = built;
    graph.set_conservative(mode == Mode::Conservative);
    propagate_alone(&mut graph, strategy);
    let mut imported =
        Imported { module, graph, values, roots, declared, calls, unruled, shardings: Vec::new() };
    imported.replace();
    let values = imported.values.iter();
    imported.shardings = values.map(|value| imported.graph.sharding((*value)?)).collect();
    Ok(print::pass(&imported))
}

/// The module after the pipeline, if all calls of a function share its shardings.
pub(super) fn shared(text: &str) -> Result<String, Failure> {
    let mut module = read::read(text)?;
    gspmd::import(&mut module)?;
    lift::inline_meshes(&mut module);
    let mut bodies: BTreeMap<_, _> = bodies(&mut module)?.into_iter().collect();
    let functions = module.functions.iter().enumerate();
    let is_public = |at: &usize| !module.functions[*at].is_private;
    let mut main = functions.filter(|(_, function)| function.name == "main").map(|(at, _)| at);
    let Some(main) = main.next().or_else(|| bodies.keys().copied().find(is_public)) else {
        return Err(Failure::new(0, "no function is `@main` or public"));
    };
    let by_number = bodies.iter().map(|(at, body)| (*at, body)).collect();
    let found = mentions::mentions(&module, &by_number, [main]);
    let declared = declared(&by_number, found.reached.clone());
    let roots = found.reached.into_iter().filter_map(|function| {
        let first_return = (function == main).then_some(0);
        let region = bodies.remove(&function)?;
        Some(Root { function, region, first_return, is_mentioned: false })
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
        declared,
        calls: Vec::new(),
        unruled,
        shardings: Vec::new(),
    };
    imported.settle(&calls);
    // They are printed from the last one to the first, and here the order is that of the calls.
    imported.roots.reverse();
    Ok(print::pipeline(&imported, core::iter::empty()).0)
}
