use super::report;
use crate::sharding::{FactorKind, Location, OpShardingRule, Problem, TensorMapping};
use crate::syntax::{Diagnostics, Number, Span, nearest};
use crate::text::Text;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// A factor by its name.
#[derive(Clone, Debug)]
pub struct FactorUse<S> {
    /// Its name.
    pub name: String,
    /// Its span.
    pub span: S,
}

/// The factors of each dimension of a tensor.
#[derive(Clone, Debug)]
pub struct TensorSyntax<S> {
    /// The dimensions.
    pub dims: Vec<(Vec<FactorUse<S>>, S)>,
    /// Its span.
    pub span: S,
}

/// The factors that have a kind, or are blocked.
#[derive(Clone, Debug)]
pub(super) struct Special<S> {
    /// The kind; `None` for blocked factors.
    pub(super) kind: Option<FactorKind>,
    pub(super) factors: Vec<FactorUse<S>>,
}

/// A rule as written, in any notation.
#[derive(Clone, Debug)]
pub struct RuleSyntax<S> {
    /// Whether it is Shardy's own text, in which names represent numbers.
    pub(super) symbols: bool,
    /// The operands.
    pub operands: Vec<TensorSyntax<S>>,
    /// The results.
    pub results: Vec<TensorSyntax<S>>,
    /// The sizes of factors; `None` for `?`.
    pub(super) sizes: Vec<(FactorUse<S>, Option<Number<S>>)>,
    pub(super) special: Vec<Special<S>>,
    pub(super) custom: bool,
    /// The span of the whole text.
    pub span: S,
}

impl<S: Span> RuleSyntax<S> {
    fn tensors(&self) -> impl Iterator<Item = &TensorSyntax<S>> {
        self.operands.iter().chain(&self.results)
    }

    /// The factors that several operands but no results have and that the rule does not mention: `k` in `(i,k),(k,j)->(i,j)`, which
    /// almost certainly lacks `reduction={k}`. Devices that each have a part of such a factor would treat their partial sums as
    /// complete.
    pub fn forgotten_reductions(&self) -> Vec<&FactorUse<S>> {
        fn uses<S>(tensors: &[TensorSyntax<S>]) -> impl Iterator<Item = (usize, &FactorUse<S>)> {
            let dims =
                tensors.iter().enumerate().flat_map(|(at, t)| t.dims.iter().map(move |d| (at, d)));
            dims.flat_map(|(at, (factors, _))| factors.iter().map(move |factor| (at, factor)))
        }
        let special = self.special.iter().flat_map(|special| &special.factors);
        let results = uses(&self.results).map(|(_, factor)| factor);
        let known: BTreeSet<_> =
            special.chain(results).map(|factor| factor.name.as_str()).collect();
        let mut first: BTreeMap<&str, usize> = BTreeMap::new();
        let mut forgotten: Vec<&FactorUse<S>> = Vec::new();
        for (operand, factor) in uses(&self.operands) {
            let name = factor.name.as_str();
            let again = *first.entry(name).or_insert(operand) != operand;
            if again && !known.contains(name) && forgotten.iter().all(|other| other.name != name) {
                forgotten.push(factor);
            }
        }
        forgotten
    }

    /// The span of the tokens that a mistake in the rule is about.
    pub fn span(&self, location: Location) -> S {
        let tensor = |result: bool, at: usize| {
            if result { self.results.get(at) } else { self.operands.get(at) }
        };
        match location {
            Location::Tensor { result, at } => tensor(result, at).map_or(self.span, |t| t.span),
            Location::TensorDim { result, at, dim } => tensor(result, at)
                .and_then(|tensor| tensor.dims.get(dim))
                .map_or(self.span, |(_, span)| *span),
            Location::FactorSize(factor) => {
                self.sizes.get(factor).map_or(self.span, |(factor, _)| factor.span)
            }
            _ => self.span,
        }
    }
}

/// The number of a factor in Shardy's text: 0 for `i`, 17 for `z`, 18 for `z_1`.
pub(super) fn index_of(symbol: &str) -> Option<usize> {
    match symbol.as_bytes() {
        [letter @ b'i'..=b'z'] => Some(usize::from(letter - b'i')),
        _ => symbol.strip_prefix("z_")?.parse::<u16>().ok().map(|n| 17 + usize::from(n)),
    }
}

/// The names of the factors, in the order of their numbers.
fn names<S: Span>(syntax: &RuleSyntax<S>) -> Vec<String> {
    let (mut names, mut known) = (Vec::new(), BTreeSet::new());
    let used = syntax.tensors().flat_map(|tensor| &tensor.dims).flat_map(|(factors, _)| factors);
    for factor in used.chain(syntax.sizes.iter().map(|(factor, _)| factor)) {
        if known.insert(factor.name.as_str()) {
            names.push(factor.name.clone());
        }
    }
    // If the names are Shardy's own, they are in Shardy's order.
    let mut ordered = names.clone();
    ordered.sort_by_key(|name| index_of(name).unwrap_or(usize::MAX));
    let gapless = ordered.iter().enumerate().all(|(at, name)| index_of(name) == Some(at));
    if gapless { ordered } else { names }
}

/// The rule, unless it has mistakes.
pub fn lower_rule<S: Span>(
    syntax: &RuleSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<OpShardingRule> {
    let before = diagnostics.len();
    let names = if syntax.symbols { symbols(syntax, diagnostics)? } else { names(syntax) };
    let mut numbers = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        numbers.entry(name.as_str()).or_insert(at);
    }
    let number = |factor: &FactorUse<S>| numbers.get(factor.name.as_str()).copied();
    let mut rule = OpShardingRule {
        operands: Vec::new(),
        results: Vec::new(),
        factors: vec![OpShardingRule::UNSIZED; names.len()],
        custom: syntax.custom,
    };
    for (factor, size) in &syntax.sizes {
        let (Some(at), Some(size)) = (number(factor), size) else { continue };
        match usize::try_from(size.value) {
            Ok(value @ 1..) => rule.factors[at].size = value,
            _ => {
                let message = format!(
                    "factor {} must have a positive size, got: {}",
                    factor.name, size.value
                );
                let help = "write the size, or `?` where it follows from the shapes";
                report(diagnostics, size.span, Problem::new(Location::All, message).help(help));
            }
        }
    }
    for special in &syntax.special {
        special_factors(special, &number, &names, syntax, &mut rule, diagnostics);
    }
    let mut is_known = true;
    let mut mapping = |tensor: &TensorSyntax<S>| {
        let dims = tensor.dims.iter().map(|(factors, _)| {
            let mut known = Vec::new();
            for factor in factors {
                match number(factor) {
                    Some(at) => known.push(at),
                    None => {
                        is_known = false;
                        let received = index_of(&factor.name).unwrap_or(names.len());
                        let message = format!(
                            "expecting factor indices to be within 0<=...<num_factors; received: {received}, num_factors: {}",
                            names.len()
                        );
                        let help = "the sizes name each factor, in order: `{i=2, j=4}`";
                        report(diagnostics, factor.span, Problem::new(Location::All, message).help(help));
                    }
                }
            }
            known
        });
        TensorMapping::new(dims)
    };
    rule.operands = syntax.operands.iter().map(&mut mapping).collect();
    rule.results = syntax.results.iter().map(&mut mapping).collect();
    if !is_known {
        return None;
    }
    let mut sizes = BTreeMap::new();
    for (written, _) in &syntax.sizes {
        sizes.entry(written.name.as_str()).or_insert(written.span);
    }
    for mut problem in rule.problems() {
        let span = match problem.location {
            Location::FactorSize(factor) => {
                // The rule knows only the number of a factor.
                let symbol = format!("factor {}", crate::sharding::symbol(factor));
                let named = format!("factor {}", names[factor]);
                problem.message = problem.message.replacen(&symbol, &named, 1);
                sizes.get(names[factor].as_str()).copied().unwrap_or(syntax.span)
            }
            location => syntax.span(location),
        };
        report(diagnostics, span, problem);
    }
    (diagnostics.len() == before).then_some(rule)
}

/// The factors of Shardy's text. If it lists their sizes, they are in order there.
fn symbols<S: Span>(
    syntax: &RuleSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Vec<String>> {
    if syntax.sizes.is_empty() {
        return Some(names(syntax));
    }
    let mut sorted: Vec<_> = syntax.sizes.iter().collect();
    sorted.sort_by_key(|(factor, _)| index_of(&factor.name));
    let gapless =
        sorted.iter().enumerate().all(|(at, (factor, _))| index_of(&factor.name) == Some(at));
    for (at, (factor, _)) in syntax.sizes.iter().enumerate() {
        if index_of(&factor.name) != Some(at) {
            let message = format!(
                "expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. {{i=#, j=#, k=#}}), received: {}",
                factor.name
            );
            if gapless {
                // The other parts are checked as well.
                let sizes = sorted.iter().map(|(factor, size)| match size {
                    Some(size) => format!("{}={}", factor.name, size.value),
                    None => format!("{}=?", factor.name),
                });
                let sizes = sizes.collect::<Vec<_>>().join(", ");
                let help = format!("sizes are in the order of the alphabet: `{{{sizes}}}`");
                report(diagnostics, factor.span, Problem::new(Location::All, message).help(help));
                break;
            }
            let help = format!("this is the size of factor {}", crate::sharding::symbol(at));
            report(diagnostics, factor.span, Problem::new(Location::All, message).help(help));
            return None;
        }
    }
    if !gapless {
        return Some(syntax.sizes.iter().map(|(factor, _)| factor.name.clone()).collect());
    }
    if let Some(missing) = without_size(syntax) {
        let sizes = sorted.iter().map(|(factor, size)| {
            let size = size.map_or("?".into(), |size| format!("{}", size.value));
            (index_of(&factor.name), format!("{}={size}", factor.name))
        });
        let others =
            missing.iter().map(|factor| (index_of(&factor.name), format!("{}=?", factor.name)));
        let mut sizes: Vec<_> = sizes.chain(others).collect();
        sizes.sort();
        let sizes: Vec<_> = sizes.into_iter().map(|(_, text)| text).collect();
        let message = format!("factor {} has no size", missing[0].name);
        let help = format!("the sizes list every factor: `{{{}}}`", sizes.join(", "));
        report(diagnostics, missing[0].span, Problem::new(Location::All, message).help(help));
        return None;
    }
    Some(sorted.iter().map(|(factor, _)| factor.name.clone()).collect())
}

/// The factors of tensors whose sizes are missing, each once, if there are any.
fn without_size<S: Span>(syntax: &RuleSyntax<S>) -> Option<Vec<&FactorUse<S>>> {
    let mut known: BTreeSet<&str> =
        syntax.sizes.iter().map(|(factor, _)| factor.name.as_str()).collect();
    let used = syntax.tensors().flat_map(|tensor| &tensor.dims).flat_map(|(factors, _)| factors);
    let missing: Vec<_> = used.filter(|factor| known.insert(factor.name.as_str())).collect();
    let are_next =
        missing.iter().all(|factor| index_of(&factor.name).is_some_and(|at| at < known.len()));
    (!missing.is_empty() && are_next).then_some(missing)
}

/// The help for a factor of a list that no tensor has.
fn instead_of<S: Span>(
    factor: &FactorUse<S>,
    special: &Special<S>,
    names: &[String],
    syntax: &RuleSyntax<S>,
) -> String {
    let in_results = |name: &str| {
        let mut dims = syntax.results.iter().flat_map(|tensor| &tensor.dims);
        dims.any(|(factors, _)| factors.iter().any(|factor| factor.name == name))
    };
    let is_listed = |name: &str| special.factors.iter().any(|factor| factor.name == name);
    let mut absent = names.iter().filter(|name| !in_results(name) && !is_listed(name));
    if let (Some(FactorKind::Reduction), Some(name), None) =
        (special.kind, absent.next(), absent.next())
    {
        return format!("did you mean `{name}`?");
    }
    let known: Vec<_> = names.iter().map(String::as_str).collect();
    match nearest(&factor.name, &known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the factors are {}", Text::new().choice_of_names(&known))
            .replace(" or ", " and "),
    }
}

fn special_factors<S: Span>(
    special: &Special<S>,
    number: &impl Fn(&FactorUse<S>) -> Option<usize>,
    names: &[String],
    syntax: &RuleSyntax<S>,
    rule: &mut OpShardingRule,
    diagnostics: &mut Diagnostics<S>,
) {
    let (count, symbols) = (names.len(), syntax.symbols);
    let mut last = None;
    let mut seen = BTreeSet::new();
    for (entry, factor) in special.factors.iter().enumerate() {
        let at = number(factor);
        let message = match at {
            None => {
                let received = index_of(&factor.name);
                match received.filter(|_| symbols) {
                    Some(index) => format!("index must be less than {count}, got: {index}"),
                    None => format!("no tensor has a factor `{}`", factor.name),
                }
            }
            Some(at) if seen.contains(&at) => "indices of special factors must be unique".into(),
            Some(at) if symbols && last.is_some_and(|last| last > at) => {
                "indices of special factors must be sorted".into()
            }
            Some(at) => {
                let factor = &mut rule.factors[at];
                match special.kind {
                    None => factor.blocked = true,
                    Some(_) if factor.kind != FactorKind::PassThrough => {
                        let message = "a factor can only be in one of the reduction, need replication, or permutation factor sets";
                        let problem = Problem::new(Location::All, message);
                        let problem = problem.help("leave it out of one of the lists");
                        report(diagnostics, special.factors[entry].span, problem);
                    }
                    Some(kind) => factor.kind = kind,
                }
                seen.insert(at);
                last = Some(at);
                continue;
            }
        };
        let help = match at {
            None => instead_of(factor, special, names, syntax),
            Some(_) => "list factors of the tensors, each once and in order".into(),
        };
        report(diagnostics, factor.span, Problem::new(Location::All, message).help(help));
        seen.extend(at);
        last = at.or(last);
    }
}
