//! The syntax of a program whose shardings are propagated.

mod numbers;
mod parse;

use super::rule::RuleSyntax;
use super::tensor::{AxisSyntax, SplitSyntax};
use crate::syntax::Number;
use crate::tiled::syntax::ArraySyntax;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
pub use parse::parse_program;

/// A name and where it stands.
#[derive(Clone, Debug)]
pub struct NameSyntax<S> {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: S,
}

/// `@Ring [{"x"}]`
#[derive(Clone, Debug)]
pub struct PlacedSyntax<S> {
    /// The mesh, if it is not the first one.
    pub mesh: Option<NameSyntax<S>>,
    /// How the array is split.
    pub split: SplitSyntax<S>,
}

/// `x: bf16[64,512] [{"data"}, {}]`
#[derive(Clone, Debug)]
pub struct ParameterSyntax<S> {
    /// Its name.
    pub name: NameSyntax<S>,
    /// The array.
    pub array: ArraySyntax<S>,
    /// How it is split, if that is written.
    pub split: Option<PlacedSyntax<S>>,
}

/// What an attribute of an operation is.
#[derive(Clone, Debug)]
pub enum AttributeSyntax<S> {
    /// `[1, 0]`
    List(Vec<Number<S>>),
    /// `1`
    Number(Number<S>),
    /// `FORWARD`
    Word(String),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub enum ArgumentSyntax<S> {
    /// A value.
    Value(ExpressionSyntax<S>),
    /// `[1, 0]`, `1`, or `f32[8,8]`.
    Attribute(AttributeSyntax<S>, S),
    /// `dim=1`
    Named(NameSyntax<S>, AttributeSyntax<S>),
    /// `f32[8,8]`
    Array(Box<ArraySyntax<S>>),
}

/// A value that is named, or made by an operation.
#[derive(Clone, Debug)]
pub enum ExpressionSyntax<S> {
    /// `x`
    Name(NameSyntax<S>),
    /// `dot(x, w)`
    Call(Box<CallSyntax<S>>),
    /// `while (h = x) { .. }`
    Region(Box<RegionSyntax<S>>),
}

impl<S: Copy> ExpressionSyntax<S> {
    /// Where it stands.
    pub fn span(&self) -> S {
        match self {
            Self::Name(name) => name.span,
            Self::Call(call) => call.span,
            Self::Region(region) => region.keyword.span,
        }
    }
}

/// The rule behind a call.
#[derive(Clone, Debug)]
pub enum RuleUseSyntax<S> {
    /// `(i,k),(k,j)->(i,j)`
    Written(RuleSyntax<S>),
    /// `ops::Attention`, which `sharding_rule!` defined.
    Named(NameSyntax<S>),
}

/// `op(x, w) : (i,k),(k,j)->(i,j)`
#[derive(Clone, Debug)]
pub struct CallSyntax<S> {
    /// The operation.
    pub op: NameSyntax<S>,
    /// What it is called with.
    pub arguments: Vec<ArgumentSyntax<S>>,
    /// Its rule, if that is written.
    pub rule: Option<RuleUseSyntax<S>>,
    /// How each result is split, if that is written.
    pub splits: Vec<PlacedSyntax<S>>,
    /// Where it stands.
    pub span: S,
}

/// `h = x [{"data"}, {}]`: an argument of a body, and the value that it is at first.
#[derive(Clone, Debug)]
pub struct InputSyntax<S> {
    /// Its name.
    pub name: NameSyntax<S>,
    /// The value.
    pub value: ExpressionSyntax<S>,
    /// How it is split, if that is written.
    pub split: Option<PlacedSyntax<S>>,
}

/// `while (h = x) { .. }`, `case { .. } { .. }`, `manual {"data"} (a = x [{"data"}, {}]) { .. }`
#[derive(Clone, Debug)]
pub struct RegionSyntax<S> {
    /// `while`, `case` or `manual`.
    pub keyword: NameSyntax<S>,
    /// The axes of a manual computation.
    pub axes: Vec<AxisSyntax<S>>,
    /// The arguments of the body.
    pub inputs: Vec<InputSyntax<S>>,
    /// The bodies.
    pub bodies: Vec<BodySyntax<S>>,
}

/// What a statement defines: a name, and how it is split, if that is written.
#[derive(Clone, Debug)]
pub struct TargetSyntax<S> {
    /// The name.
    pub name: NameSyntax<S>,
    /// How it is split.
    pub split: Option<PlacedSyntax<S>>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum StatementSyntax<S> {
    /// `let y = tanh(x);`, `let (values, indices) = top_k(x, 8);`
    Let(Vec<TargetSyntax<S>>, ExpressionSyntax<S>),
    /// `group(x, y);`
    Group(Vec<NameSyntax<S>>),
}

/// Statements, and what they return.
#[derive(Clone, Debug)]
pub struct BodySyntax<S> {
    /// The statements, in order.
    pub statements: Vec<StatementSyntax<S>>,
    /// What it returns, and how that is split, if that is written.
    pub returns: Vec<(ExpressionSyntax<S>, Option<PlacedSyntax<S>>)>,
    /// Where it ends.
    pub end: S,
}

/// A program: one function over one mesh, or several.
#[derive(Clone, Debug)]
pub struct ProgramSyntax<S> {
    /// The meshes by the path that is written; the first is that of shardings which name none.
    pub meshes: Vec<NameSyntax<S>>,
    /// Whether axes need not divide dimensions.
    pub padded: bool,
    /// Names of numbers.
    pub constants: Vec<(NameSyntax<S>, usize)>,
    /// The name of the function.
    pub name: NameSyntax<S>,
    /// Its parameters.
    pub parameters: Vec<ParameterSyntax<S>>,
    /// What it does.
    pub body: BodySyntax<S>,
    /// The rules that it names, by the path that is written, each once.
    pub rules: Vec<NameSyntax<S>>,
}
