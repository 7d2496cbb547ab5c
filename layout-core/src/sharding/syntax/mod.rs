//! The grammars of meshes, shardings, rules and programs, for the macros and for text at run time.

mod elsewhere;
mod hlo;
mod jax;
mod mesh;
mod program;
mod rule;
mod rule_elsewhere;
mod rule_forms;
mod sharded;
#[cfg(feature = "sparse")]
mod sparse;
mod tensor;

pub use mesh::{MeshSyntax, lower_mesh, parse_mesh};
pub use program::{
    ArgumentSyntax, AttributeSyntax, BodySyntax, CallSyntax, EdgeSyntax, ExpressionSyntax,
    FunctionSyntax, InputSyntax, NameSyntax, ParameterSyntax, PlacedSyntax, ProgramSyntax,
    RegionSyntax, RuleUseSyntax, StatementSyntax, TargetSyntax, parse_program,
};
pub use rule::{FactorUse, RuleSyntax, TensorSyntax, lower_rule};
pub(crate) use rule_forms::FACTOR_LISTS;
pub use rule_forms::parse_rule;
pub use sharded::{
    ShardedDraft, ShardedSyntax, is_sparse, local_array, lower_sharded, parse_sharded,
};
pub(crate) use sharded::{Unbounded, literal_dims, unbounded_dims};
#[cfg(feature = "sparse")]
pub use sparse::{
    ShardedSparseDraft, ShardedSparseSyntax, lower_sharded_sparse, parse_sharded_sparse,
};
pub(crate) use tensor::lower_axis;
pub use tensor::{
    AxisSyntax, DimShardingSyntax, MeshRefSyntax, ShardingSyntax, SplitSyntax, lower_sharding,
    lower_split, parse_sharding, parse_split,
};

use crate::sharding::draw::Sharded;
use crate::sharding::{HloSharding, Mesh, OpShardingRule, Problem, TensorSharding};
use crate::syntax::{Cursor, Diagnostics, Kind, ParseError, Parsed, Span, read_text};
use alloc::format;
use alloc::string::String;
use core::str::FromStr;

/// Reports a mistake of the model at the tokens that it is about.
fn report<S>(diagnostics: &mut Diagnostics<S>, span: S, problem: Problem) {
    let Problem { message, help, .. } = problem;
    diagnostics.push(crate::syntax::Diagnostic { span, message, help });
}

/// The name of an axis. A name without its quotes is reported, and read.
fn axis_name<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(String, S)> {
    let what = "the name of an axis, in quotes";
    let span = cursor.span();
    let (name, help) = match cursor.peek() {
        Some(Kind::Text(text)) => {
            cursor.next();
            return Ok((text.clone(), span));
        }
        Some(Kind::Word(word)) => {
            (word.as_str(), format!("names are written in quotes: `\"{word}\"`"))
        }
        Some(Kind::Other(literal)) if let Some(name) = literal.strip_prefix('\'') => {
            let name = name.trim_end_matches('\'');
            (name, format!("names are in double quotes: write `\"{name}\"`"))
        }
        Some(Kind::Close(_)) if cursor.last() == Some(&Kind::Symbol(',')) => {
            return Err(cursor.unexpected_with_help(what, "leave the last `,` out"));
        }
        // rustc reads `"data"p1` as one literal.
        Some(Kind::Other(literal)) if literal.starts_with('"') && literal.contains("\"p") => {
            let help = "a priority follows the axes of a dimension: `{\"data\"}p1`";
            return Err(cursor.unexpected_with_help(what, help));
        }
        _ => return Err(cursor.unexpected_with_help(what, "an axis has a name: `\"data\"`")),
    };
    cursor.unexpected_with_help(what, &help);
    cursor.next();
    Ok((name.into(), span))
}

/// Skips the prefix before an attribute in MLIR: `#sdy.sharding`.
fn skip_prefix<S: Span>(cursor: &mut Cursor<'_, S>) {
    if cursor.peek() == Some(&Kind::Symbol('#')) {
        while matches!(cursor.peek(), Some(Kind::Symbol('#' | '.') | Kind::Word(_))) {
            cursor.next();
        }
    }
}

/// Reads a whole text and lowers its syntax.
fn read<T, Y>(
    text: &str,
    what: &str,
    parse: impl FnOnce(&mut Cursor<'_, usize>) -> Option<Y>,
    make: impl FnOnce(&Y, &mut Diagnostics<usize>) -> Option<T>,
) -> Result<T, ParseError> {
    let parse = |cursor: &mut Cursor<'_, usize>| {
        skip_prefix(cursor);
        parse(cursor)
    };
    read_text(text, what, parse, make)
}

/// Reads a program and lowers its syntax.
pub(crate) fn read_parsed<T>(
    text: &str,
    make: impl FnOnce(&ProgramSyntax<usize>, &mut Diagnostics<usize>) -> Option<T>,
) -> Result<T, ParseError> {
    read(text, "the program", parse_program, make)
}

impl FromStr for Mesh {
    type Err = ParseError;

    /// Reads Shardy's text, with or without angle brackets. Quadratic in the number of axes.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, "the mesh", parse_mesh, lower_mesh)
    }
}

impl FromStr for TensorSharding {
    type Err = ParseError;

    /// Reads Shardy's text. Mistakes that do not depend on the mesh and the shape are errors here; [`TensorSharding::check`]
    /// finds the others. Quadratic in the number of axes.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, "the sharding", parse_sharding, lower_sharding)
    }
}

impl FromStr for HloSharding {
    type Err = ParseError;

    /// Reads the notation of HLO, version 2.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, "the sharding", hlo::parse_hlo, |sharding, _| Some(sharding.clone()))
    }
}

impl FromStr for OpShardingRule {
    type Err = ParseError;

    /// Reads a rule in any of its three notations. Linear in the length of the text.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        read(text, "the rule", parse_rule, lower_rule)
    }
}

/// Reads a sharded array for a mesh.
pub(crate) fn read_sharded(text: &str, mesh: &Mesh) -> Result<Sharded, ParseError> {
    read(text, "the sharded array", parse_sharded, |syntax, diagnostics| {
        Sharded::from_draft(&lower_sharded(syntax, mesh, diagnostics)?)
    })
}
