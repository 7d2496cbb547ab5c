//! The syntax of programs.

mod einsum;
mod elsewhere;
mod expression;
mod functions;
mod header;
mod numbers;
mod operators;
mod parse;
mod regions;
mod statement;

use super::rule::RuleSyntax;
use super::tensor::{AxisSyntax, SplitSyntax};
use crate::syntax::Number;
use crate::tiled::syntax::ArraySyntax;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
pub use parse::parse_program;

/// A name and its span.
#[derive(Clone, Debug)]
pub struct NameSyntax<S> {
    /// The name.
    pub text: String,
    /// Its span.
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
    /// The type of the array.
    pub array: ArraySyntax<S>,
    /// How it is split; `None` if that is not written.
    pub split: Option<PlacedSyntax<S>>,
}

/// The value of an attribute of an operation.
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

/// A value: a name, or the result of an operation.
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
    /// Its span.
    pub fn span(&self) -> S {
        match self {
            Self::Name(name) => name.span,
            Self::Call(call) => call.span,
            Self::Region(region) => region.keyword.span,
        }
    }
}

/// The rule after a call.
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
    /// Its arguments.
    pub arguments: Vec<ArgumentSyntax<S>>,
    /// Its rule; `None` if it is not written.
    pub rule: Option<RuleUseSyntax<S>>,
    /// How each result is split; empty if that is not written.
    pub splits: Vec<PlacedSyntax<S>>,
    /// Its span.
    pub span: S,
}

/// `h = x [{"data"}, {}]`: an argument of a body, and its initial value.
#[derive(Clone, Debug)]
pub struct InputSyntax<S> {
    /// Its name.
    pub name: NameSyntax<S>,
    /// The value.
    pub value: ExpressionSyntax<S>,
    /// How it is split; `None` if that is not written.
    pub split: Option<PlacedSyntax<S>>,
}

/// `(x, r) -> (y, b)`: a data-flow edge between the named values.
#[derive(Clone, Debug)]
pub struct EdgeSyntax<S> {
    /// Operands, and values that the body returns.
    pub sources: Vec<NameSyntax<S>>,
    /// Arguments of the body, and results. The first of them owns the edge.
    pub targets: Vec<NameSyntax<S>>,
}

/// `while (h = x) { .. }`, `while (i = n) cond { .. } do { .. }`, `case (i) { .. } { .. }`,
/// `manual {"data"} (a = x [{"data"}, {}]) { .. }`, or any other operation with a body, `op(b = x) : (x, r) -> (y, b) { .. }`
#[derive(Clone, Debug)]
pub struct RegionSyntax<S> {
    /// `while`, `case`, `manual`, or the name of the operation.
    pub keyword: NameSyntax<S>,
    /// The edges of an operation with another keyword; `None` if they are not written.
    pub edges: Option<Vec<EdgeSyntax<S>>>,
    /// The axes of a manual computation.
    pub axes: Vec<AxisSyntax<S>>,
    /// The arguments of the body.
    pub inputs: Vec<InputSyntax<S>>,
    /// The condition of a loop; `None` if it is not written.
    pub condition: Option<BodySyntax<S>>,
    /// The expression that selects the body of a `case`; `None` if it is not written.
    pub index: Option<ExpressionSyntax<S>>,
    /// The bodies.
    pub bodies: Vec<BodySyntax<S>>,
}

/// The target of a `let`: a name and, if it is written, how the value is split.
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
    /// A statement that could not be read, which has been reported, and the names that it defines.
    Wrong(Vec<NameSyntax<S>>),
}

/// A body: its statements, and the values that it returns.
#[derive(Clone, Debug)]
pub struct BodySyntax<S> {
    /// The statements, in order.
    pub statements: Vec<StatementSyntax<S>>,
    /// The values that it returns and, if that is written, how they are split.
    pub returns: Vec<(ExpressionSyntax<S>, Option<PlacedSyntax<S>>)>,
    /// The position of its end.
    pub end: S,
}

/// A function: the function of the program, or a function that it calls.
#[derive(Clone, Debug)]
pub struct FunctionSyntax<S> {
    /// The positions of its attributes, including documentation.
    pub attributes: Vec<S>,
    /// The position of its visibility, if it has one.
    pub visibility: Option<S>,
    /// Its name.
    pub name: NameSyntax<S>,
    /// Its parameters.
    pub parameters: Vec<ParameterSyntax<S>>,
    /// The names of the parameters that could not be read.
    pub failed: Vec<NameSyntax<S>>,
    /// Its body.
    pub body: BodySyntax<S>,
    /// Whether all of it could be read. Mistakes have been reported.
    pub is_complete: bool,
}

/// A program: a function over one mesh or several, and the functions that it calls.
#[derive(Clone, Debug)]
pub struct ProgramSyntax<S> {
    /// The meshes by their paths as written. Shardings that name no mesh are on the first one.
    pub meshes: Vec<NameSyntax<S>>,
    /// The position of `run`, if the program should run.
    pub run: Option<S>,
    /// Whether dimensions may be padded, so that axes need not divide them.
    pub padded: bool,
    /// The named numbers.
    pub constants: Vec<(NameSyntax<S>, usize)>,
    /// The function that no other function calls.
    pub function: FunctionSyntax<S>,
    /// The functions that are called.
    pub called: Vec<FunctionSyntax<S>>,
    /// The rules that it names, by their paths as written, each once.
    pub rules: Vec<NameSyntax<S>>,
    /// Whether all of it could be read. Mistakes have been reported.
    pub is_complete: bool,
}
