//! Finds the functions that operations refer to: the functions that they call, and those that their attributes mention, such as the
//! decomposition of a composite or the called computations of a custom call.

use super::read::{is_call, unquoted};
use super::scan::{Scanner, Token};
use super::tree::{Module, Operation, Piece, Region, Syntax};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// The functions that some functions need.
#[derive(Default)]
pub(super) struct Mentions {
    /// In the order in which they are reached: each before the functions that it refers to.
    pub(super) reached: Vec<usize>,
    /// Those that are mentioned other than by a call.
    pub(super) mentioned: BTreeSet<usize>,
}

/// A function that an operation refers to, and whether it calls it.
type Reference = (usize, bool);

/// The functions that an operation refers to, in the order of its text.
fn references(
    module: &Module<'_>,
    names: &BTreeMap<&str, usize>,
    operation: &Operation,
) -> Vec<Reference> {
    let syntax = module.syntax(operation);
    if is_call(syntax.name) {
        return names.get(&*syntax.callee).map(|at| (*at, true)).into_iter().collect();
    }
    let symbols = symbols(syntax).into_iter();
    symbols.filter_map(|name| Some((*names.get(&*unquoted(name))?, false))).collect()
}

/// The symbols in the text of an operation, except the target of a custom call.
fn symbols<'t>(syntax: &Syntax<'t>) -> Vec<&'t str> {
    if syntax.name.ends_with(".constant") {
        return Vec::new();
    }
    let mut symbols = Vec::new();
    for piece in &syntax.pieces {
        let (Piece::Text(text) | Piece::Attributes(text, _)) = *piece else { continue };
        if !text.contains('@') {
            continue;
        }
        let Ok(mut scan) = Scanner::new(text) else { continue };
        let mut is_target = false;
        loop {
            match scan.token {
                Token::End => break,
                Token::Symbol(name) if !is_target => symbols.push(name),
                _ => {}
            }
            is_target = matches!(scan.token, Token::Word(word) if word.ends_with("custom_call"));
            if scan.next().is_err() {
                break;
            }
        }
    }
    symbols
}

/// The functions that `roots` refer to, directly or through other functions, after the roots themselves. `bodies` are the bodies of
/// functions by number.
pub(super) fn mentions(
    module: &Module<'_>,
    bodies: &BTreeMap<usize, &Region>,
    roots: impl IntoIterator<Item = usize>,
) -> Mentions {
    let functions = module.functions.iter().enumerate();
    let names: BTreeMap<_, _> = functions.map(|(at, function)| (&*function.name, at)).collect();
    let (mut found, mut seen) = (Mentions::default(), BTreeSet::new());
    for root in roots {
        if !seen.insert(root) {
            continue;
        }
        found.reached.push(root);
        let mut open = vec![operations(bodies.get(&root).copied())];
        while let Some(last) = open.last_mut() {
            let Some(operation) = last.next() else {
                open.pop();
                continue;
            };
            open.extend(operation.regions.iter().rev().map(|region| operations(Some(region))));
            let own = references(module, &names, operation);
            found.mentioned.extend(own.iter().filter(|(_, calls)| !calls).map(|(at, _)| *at));
            let new: Vec<_> = own.into_iter().filter(|(at, _)| seen.insert(*at)).collect();
            found.reached.extend(new.iter().map(|(at, _)| *at));
            let bodies = new.iter().rev().map(|(at, _)| operations(bodies.get(at).copied()));
            open.extend(bodies);
        }
    }
    found
}

fn operations(region: Option<&Region>) -> core::slice::Iter<'_, Operation> {
    region.map_or(&[][..], |region| &region.operations).iter()
}
