use super::affine::Affine;
use super::encoding::EncodingSyntax;
use super::map::MapSyntax;
use crate::sparse::MAX_RANK;
use crate::sparse::{
    DimSlice, LevelExpr, LevelFormat, LevelSpec, Problem, Properties, SparseDraft, SparseEncoding,
    Subject,
};
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Turns an encoding as written into a checked one. Every mistake is reported at its position.
pub fn lower_encoding<S: Span>(
    syntax: &EncodingSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<SparseEncoding> {
    let before = diagnostics.len();
    let encoding = Lowering { syntax, diagnostics }.encoding();
    if diagnostics.len() > before { None } else { encoding }
}

struct Lowering<'a, S> {
    syntax: &'a EncodingSyntax<S>,
    diagnostics: &'a mut Diagnostics<S>,
}

impl<S: Span> Lowering<'_, S> {
    fn encoding(mut self) -> Option<SparseEncoding> {
        let syntax = self.syntax;
        let Some(map) = syntax.map.as_ref().filter(|map| map.is_complete) else {
            if syntax.map.is_none() && syntax.is_complete {
                self.report(
                    syntax.span,
                    "an encoding needs a `map`",
                    "for rows of sorted columns write `map = (i, j) -> (i : dense, j : compressed)`",
                );
            }
            self.entries_alone();
            return None;
        };
        let before = self.diagnostics.len();
        self.names(map);
        let Some(draft) = self.draft(map) else {
            self.entries_alone();
            return None;
        };
        let names: BTreeSet<_> = map.dims.iter().map(|dim| &dim.name).collect();
        // If two dimensions have the same name, only the first can be referred to; further errors would repeat that mistake.
        if self.diagnostics.len() > before || names.len() < map.dims.len() {
            return None;
        }
        let problems = draft.problems();
        let problems = problems.as_slice();
        match renamed_dim(problems) {
            Some((level, dim)) => {
                let span = map.levels.get(level).map_or(map.levels_span, |level| level.expr_span);
                let name = map.dims.get(dim).map_or("", |dim| dim.name.as_str());
                let message = Problem::PartRedundant { level }.message().to_string();
                self.report(
                    span,
                    message,
                    format!("no level holds `{name}`: did you mean `{name}`?"),
                );
            }
            None => problems.iter().for_each(|problem| self.problem(map, problem)),
        }
        if self.diagnostics.len() > before {
            return None;
        }
        let encoding = draft.validate().ok()?;
        self.inverse(map, &encoding);
        if let Some(tensor) = &syntax.tensor {
            for problem in encoding.array_problems(&tensor.dims, Some(tensor.element)) {
                self.problem(map, &problem);
            }
        }
        syntax.is_complete.then_some(encoding)
    }

    /// Reports entries that are wrong regardless of the map, which could not be read.
    fn entries_alone(&mut self) {
        let syntax = self.syntax;
        // A width of two bits is allowed for structured levels, which only the map can show.
        let any = |bits: usize| if bits == 2 { 0 } else { bits };
        let mut draft = SparseDraft::new(1);
        let (expr, format) = (LevelExpr::dim(0), LevelFormat::Compressed);
        let level = LevelSpec { expr, format, properties: Properties::NONE };
        draft.levels = draft.levels.push(level).unwrap_or(draft.levels);
        draft.position_bits =
            any(self.width(syntax.position_bits, |bits| Problem::PositionWidth { bits }));
        draft.coordinate_bits =
            any(self.width(syntax.coordinate_bits, |bits| Problem::CoordinateWidth { bits }));
        for problem in draft.problems().as_slice() {
            let span = match problem.subject() {
                Subject::PositionWidth => syntax.position_bits,
                Subject::CoordinateWidth => syntax.coordinate_bits,
                _ => None,
            };
            if let Some((_, span)) = span {
                self.report(span, problem.message().to_string(), problem.help().to_string());
            }
        }
    }

    fn report(&mut self, span: S, message: impl Into<String>, help: impl Into<String>) {
        self.diagnostics.push(Diagnostic { span, message: message.into(), help: help.into() });
    }

    fn problem(&mut self, map: &MapSyntax<S>, problem: &Problem) {
        let names: Vec<&str> = map.dims.iter().map(|dim| dim.name.as_str()).collect();
        let span = match problem.subject() {
            Subject::Levels => map.levels_span,
            Subject::Expr(level) => {
                map.levels.get(level).map_or(map.levels_span, |level| level.expr_span)
            }
            Subject::Format(level) => {
                map.levels.get(level).map_or(map.levels_span, |level| level.format_span)
            }
            Subject::Dim(dim) => map.dims.get(dim).map_or(map.dims_span, |dim| dim.span),
            Subject::PositionWidth => {
                self.syntax.position_bits.map_or(self.syntax.span, |(_, span)| span)
            }
            Subject::CoordinateWidth => {
                self.syntax.coordinate_bits.map_or(self.syntax.span, |(_, span)| span)
            }
            Subject::Explicit => self.syntax.explicit.map_or(self.syntax.span, |(_, span)| span),
            Subject::Implicit => self.syntax.implicit.map_or(self.syntax.span, |(_, span)| span),
            Subject::Shape => {
                self.syntax.tensor.as_ref().map_or(self.syntax.span, |tensor| tensor.span)
            }
        };
        let (message, help) = (problem.message_with(&names), problem.help_with(&names));
        self.report(span, message.to_string(), help.to_string());
    }

    /// The names of the levels: all of those that are declared, in the same order, or none.
    fn names(&mut self, map: &MapSyntax<S>) {
        let declared = &map.level_names;
        for (at, level) in map.levels.iter().enumerate() {
            match (&level.name, declared.get(at)) {
                (Some((name, span)), Some((expected, _))) if name != expected => {
                    self.report(
                        *span,
                        format!("level {at} is declared as `{expected}`, not `{name}`"),
                        "levels come in the order in which they are declared",
                    );
                }
                (Some((name, span)), None) if declared.is_empty() => {
                    let names = map.levels.iter().filter_map(|level| level.name.as_ref());
                    let names: Vec<_> = names.map(|(name, _)| name.as_str()).collect();
                    let help = format!(
                        "level variables are declared in braces before the dimensions: `{{{}}}`",
                        names.join(", ")
                    );
                    self.report(*span, format!("`{name}` is not declared"), help);
                }
                (None, Some((expected, _))) => {
                    self.report(
                        level.expr_span,
                        format!("level {at} is declared as `{expected}`, but has no name"),
                        format!("write `{expected} = ..`"),
                    );
                }
                _ => {}
            }
        }
        if !declared.is_empty() && declared.len() != map.levels.len() {
            let message = format!(
                "{} levels are declared, but there are {}",
                declared.len(),
                map.levels.len()
            );
            let (span, help) = match declared.get(map.levels.len()) {
                Some((name, span)) => {
                    (*span, format!("leave `{name}` out, or write a level for it"))
                }
                None => (map.levels_span, "declare a name for each level".into()),
            };
            self.report(span, message, help);
        }
    }

    fn draft(&mut self, map: &MapSyntax<S>) -> Option<SparseDraft> {
        let syntax = self.syntax;
        let mut draft = SparseDraft::new(map.dims.len());
        let (mut counts, mut complete) = (false, true);
        for level in &map.levels {
            let (Some(affine), Some(format)) = (&level.expr, level.format) else {
                complete = false;
                continue;
            };
            let expr = match affine.level() {
                Ok(expr) => expr,
                Err((message, help)) => {
                    self.report(level.expr_span, message, help);
                    continue;
                }
            };
            counts |= matches!(expr, LevelExpr::Count { .. });
            let spec = LevelSpec { expr, format, properties: level.properties };
            draft.levels = draft.levels.push(spec).ok()?;
        }
        if !counts
            && complete
            && let Some((name, span)) = map.symbols.first()
        {
            let help = "a symbol counts the entries of a dimension, as in ELL: `[c](i, j) -> (c * 3 * i : dense, i : dense, j : compressed)`";
            self.report(*span, format!("symbol `{name}` has no meaning here"), help);
        }
        if counts && map.symbols.len() > 1 {
            let (name, span) = &map.symbols[1];
            self.report(
                *span,
                format!("symbol `{name}` has no meaning here"),
                "one symbol is enough",
            );
        }
        if map.dims.iter().any(|dim| dim.slice.is_some()) {
            let mut slices = [DimSlice::WHOLE; MAX_RANK];
            for (slice, dim) in slices.iter_mut().zip(&map.dims) {
                *slice = dim.slice.unwrap_or(DimSlice::WHOLE);
            }
            draft.slices = Some(slices);
        }
        draft.position_bits =
            self.width(syntax.position_bits, |bits| Problem::PositionWidth { bits });
        draft.coordinate_bits =
            self.width(syntax.coordinate_bits, |bits| Problem::CoordinateWidth { bits });
        draft.explicit = syntax.explicit.map(|(value, _)| value);
        draft.implicit = syntax.implicit.map(|(value, _)| value);
        draft.exact = syntax.padded == Some(false);
        // A wrong level has been reported already. It is kept, so that the numbers of the other levels do not change.
        complete.then_some(draft)
    }

    /// A width as a draft can store it; the rules of drafts decide which widths are allowed.
    fn width(
        &mut self,
        written: Option<(i128, S)>,
        problem: impl FnOnce(i128) -> Problem,
    ) -> usize {
        let Some((bits, span)) = written else { return 0 };
        usize::try_from(bits).unwrap_or_else(|_| {
            let problem = problem(bits);
            self.report(span, problem.message().to_string(), problem.help().to_string());
            0
        })
    }

    /// Checks that an explicit inverse is the inverse of the levels.
    fn inverse(&mut self, map: &MapSyntax<S>, encoding: &SparseEncoding) {
        let Some(first) = map.dims.iter().find(|dim| dim.has_expr) else { return };
        if let Some((_, span)) = map.symbols.first() {
            self.report(
                *span,
                "a map with a symbol cannot have an explicit inverse",
                "leave the inverse out: it follows from the levels",
            );
            return;
        }
        if let Some(without) = map.dims.iter().find(|dim| !dim.has_expr) {
            let message =
                format!("`{}` has an inverse, but `{}` has none", first.name, without.name);
            self.report(
                without.span,
                message,
                "write it for all dimensions, or leave it out: it follows from the levels",
            );
            return;
        }
        for (dim, syntax) in map.dims.iter().enumerate() {
            let Some(written) = &syntax.expr else { continue };
            if !is_inverse(encoding, dim, written) {
                let message = format!("this is not what the levels hold of `{}`", syntax.name);
                self.report(
                    syntax.span,
                    message,
                    "leave the inverse out: it follows from the levels",
                );
            }
        }
    }
}

fn is_inverse(encoding: &SparseEncoding, dim: usize, written: &Affine) -> bool {
    let inverse = encoding.inverse();
    let levels = 0..encoding.levels().len();
    let digit = inverse.digit(dim);
    !written.counted
        && written.constant == 0
        && levels.into_iter().all(|l| written.terms[l] == i128::from(inverse.weight(dim, l)))
        && written.div == i128::from(digit.div)
        && written.modulus == digit.size.map(i128::from)
}

/// The level that names one dimension twice and the dimension that it was to name, if these are the only problems:
/// `(i, j) -> (i : dense, i : compressed)`.
fn renamed_dim(problems: &[Problem]) -> Option<(usize, usize)> {
    match problems {
        [Problem::DimMissing { dim }, Problem::PartRedundant { level, .. }]
        | [Problem::PartRedundant { level, .. }, Problem::DimMissing { dim }] => {
            Some((*level, *dim))
        }
        _ => None,
    }
}
