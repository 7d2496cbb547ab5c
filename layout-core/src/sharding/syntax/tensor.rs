use super::elsewhere;
use super::jax::{in_list, jax, specification};
use super::mesh::{MeshSyntax, lower_mesh, mesh};
use super::{axis_name, report};
use crate::sharding::{
    AxisRef, DimSharding, Location, MeshRef, Problem, ReductionOp, TensorSharding,
};
use crate::syntax::{
    Cursor, Diagnostics, Kind, Number, Offer, Parsed, Span, Stop, Token, list, nearest, number,
    written,
};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `"x":(2)4`
#[derive(Clone, Debug)]
pub struct AxisSyntax<S> {
    /// The name of the axis.
    pub name: String,
    /// The pre-size and the size of a sub-axis.
    pub sub: Option<(Number<S>, Number<S>)>,
    /// Its span.
    pub span: S,
}

/// `{"a", "b", ?}p1`
#[derive(Clone, Debug)]
pub struct DimShardingSyntax<S> {
    /// The axes.
    pub axes: Vec<AxisSyntax<S>>,
    /// Whether it ends in `?`.
    pub open: bool,
    /// The priority and its span.
    pub priority: Option<(usize, S)>,
    /// Its span.
    pub span: S,
}

/// `[{"a"}, {?}], replicated={"b"}, unreduced={"c"}`
#[derive(Clone, Debug)]
pub struct SplitSyntax<S> {
    /// The dimensions.
    pub dims: Vec<DimShardingSyntax<S>>,
    /// Their span.
    pub dims_span: S,
    /// Replicated axes.
    pub replicated: Vec<AxisSyntax<S>>,
    /// Unreduced axes.
    pub unreduced: Vec<AxisSyntax<S>>,
    /// How the devices combine their values along the unreduced axes.
    pub reduction: ReductionOp,
    /// The span of `padded`, if it is written; the axes then need not divide the dimensions.
    pub padded: Option<S>,
    /// The span of the whole text.
    pub span: S,
}

/// The mesh of a sharding as written.
#[derive(Clone, Debug)]
pub enum MeshRefSyntax<S> {
    /// `@mesh`
    Name(String, S),
    /// `mesh<["a"=2]>`
    Inline(MeshSyntax<S>),
}

/// `<@mesh, [{"a"}, {?}], replicated={"b"}>`
#[derive(Clone, Debug)]
pub struct ShardingSyntax<S> {
    /// The mesh.
    pub mesh: MeshRefSyntax<S>,
    /// How the tensor is split over it.
    pub split: SplitSyntax<S>,
}

impl<S: Span> SplitSyntax<S> {
    /// The span of the tokens that a mistake is about.
    pub fn span(&self, location: Location) -> S {
        match location {
            Location::Dims => self.dims_span,
            Location::Dim(dim) => self.dims[dim].span,
            Location::Axis { dim, at } => self.dims[dim].axes[at].span,
            Location::Priority(dim) => {
                self.dims[dim].priority.map_or(self.dims[dim].span, |(_, span)| span)
            }
            Location::Replicated(at) => self.replicated[at].span,
            Location::Unreduced(at) => self.unreduced[at].span,
            _ => self.span,
        }
    }
}

/// What the axes of an array look like.
pub(super) const AXES: &str = "each dimension has its axes in braces: `[{\"data\"}, {}]`";

/// Reads a sharding in Shardy's text. `None` if reading had to stop.
pub fn parse_sharding<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ShardingSyntax<S>> {
    cursor.reads("a sharding is written `<@mesh, [{\"data\"}, {}]>`");
    sharding(cursor).ok()
}

/// Reads the text after the mesh. `None` if reading had to stop.
pub fn parse_split<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<SplitSyntax<S>> {
    cursor.reads(AXES);
    split(cursor).ok()
}

fn sharding<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ShardingSyntax<S>> {
    cursor.expect(&Kind::Symbol('<'))?;
    let mesh = match cursor.peek() {
        Some(Kind::Symbol('@')) => {
            cursor.next();
            let span = cursor.span();
            match cursor.peek() {
                Some(Kind::Word(name) | Kind::Text(name)) => {
                    cursor.next();
                    MeshRefSyntax::Name(name.clone(), span)
                }
                _ => return Err(cursor.unexpected("the name of a mesh")),
            }
        }
        Some(Kind::Word(word)) if word == "mesh" => {
            cursor.next();
            MeshRefSyntax::Inline(mesh(cursor)?)
        }
        _ => {
            return Err(cursor.unexpected_with_help(
                "a mesh",
                "a mesh is named, `@mesh`, or written out, `mesh<[\"a\"=2]>`",
            ));
        }
    };
    cursor.expect(&Kind::Symbol(','))?;
    let split = split(cursor)?;
    cursor.expect(&Kind::Symbol('>'))?;
    Ok(ShardingSyntax { mesh, split })
}

pub(super) fn split<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<SplitSyntax<S>> {
    jax(cursor, "")?;
    elsewhere::annotation(cursor)?;
    elsewhere::sharding(cursor)?;
    if cursor.peek() == Some(&Kind::Open('{')) {
        // `{"data"}, {}` without brackets.
        let mut ahead = Cursor::new(cursor.rest(), cursor.end());
        let first = ahead.span();
        ahead.skip_group();
        while ahead.peek() == Some(&Kind::Symbol(','))
            && ahead.peek_nth(1) == Some(&Kind::Open('{'))
        {
            ahead.next();
            ahead.skip_group();
        }
        let group = ahead.from(0);
        let text = written(group).unwrap_or_default().replace(',', ", ");
        let span = ahead.since(first);
        let len = ahead.taken();
        cursor.take_many(len);
        let help = match group {
            // One dimension that both axes split, or one for each?
            [
                _,
                Token { kind: Kind::Text(first), .. },
                _,
                Token { kind: Kind::Text(second), .. },
                _,
            ] => {
                format!(
                    "`[{text}, {{}}]` splits a dimension along both axes, and `[{{{first:?}}}, {{{second:?}}}]` one along each"
                )
            }
            // `{{"data"}, {}}`: the outer braces are the brackets.
            [_, Token { kind: Kind::Open('{'), .. }, .., last] if last.kind == Kind::Close('}') => {
                format!("write `[{}]`", &text[1..text.len() - 1])
            }
            _ => format!("write `[{text}]`"),
        };
        cursor.report(span, "expected `[`, found `{`", help);
        return Err(Stop);
    }
    if let Some(axes) = in_list(cursor) {
        let (first, len) = (cursor.span(), cursor.group_len());
        let span = cursor.take_many(len).unwrap_or(first);
        cursor.report(span, "the axes of a dimension go in braces", format!("write `{axes}`"));
        return Err(Stop);
    }
    if cursor.peek() != Some(&Kind::Open('[')) {
        let help = match (cursor.peek(), cursor.peek_nth(1)) {
            (Some(Kind::Word(name)), Some(Kind::Open('['))) => {
                format!("an encoding comes before the mesh: `{name} @ Pod [..]`")
            }
            _ => "the axes of each dimension follow in brackets: `[{\"data\"}, {}]`".into(),
        };
        return Err(cursor.unexpected_with_help("`[`", &help));
    }
    let open = cursor.span();
    cursor.next();
    let dims = list(cursor, ']', dim);
    let dims_span = cursor.since(open);
    // If the dimensions have mistakes, the text after them is read too.
    let is_wrong = dims.is_err();
    let dims = dims.unwrap_or_default();
    let (mut replicated, mut unreduced, mut padded) = (None, None, None);
    let mut reduction = ReductionOp::Sum;
    while cursor.peek() == Some(&Kind::Symbol(','))
        && let Some(Kind::Word(word)) = cursor.peek_nth(1)
    {
        let has_axes = cursor.peek_nth(2) == Some(&Kind::Symbol('='));
        let axes = match word.as_str() {
            _ if has_axes && meant(word).is_some() => {
                let help = format!("did you mean `{}`?", meant(word).unwrap_or_default());
                cursor.next();
                cursor.report(cursor.span(), format!("unknown list of axes `{word}`"), help);
                cursor.take_many(2);
                cursor.skip_to(Cursor::at_separator_or_angle);
                continue;
            }
            _ if !has_axes && word != "padded" && nearest_padded(word) => {
                cursor.next();
                let message = format!("unknown word `{word}` after a sharding");
                cursor.report(cursor.span(), message, "did you mean `padded`?");
                cursor.next();
                continue;
            }
            "replicated" if has_axes => &mut replicated,
            "unreduced" if has_axes => &mut unreduced,
            "replicated" | "unreduced" => {
                cursor.take_many(2);
                let help = format!("its axes follow it: `{word}={{\"data\"}}`");
                return Err(cursor.unexpected_with_help("`=`", &help));
            }
            "padded" => {
                cursor.next();
                padded = Some(cursor.span());
                cursor.next();
                continue;
            }
            _ => break,
        };
        let is_unreduced = word == "unreduced";
        cursor.next();
        if axes.is_some() {
            let help = format!("write all its axes in one list: `{word}={{\"a\", \"b\"}}`");
            cursor.report(cursor.span(), format!("`{word}` is listed twice"), help);
        }
        let listed = cursor.part(Cursor::at_separator_or_angle, |cursor| {
            cursor.take_many(2);
            if is_unreduced && let Some(Kind::Word(word)) = cursor.peek() {
                reduction = reduction_op(cursor, word)?;
            }
            axes_in_braces(cursor, word)
        });
        *axes = Some(listed.unwrap_or_default());
    }
    // What is listed wrongly is reported, and the dimensions are checked.
    if is_wrong {
        return Err(Stop);
    }
    let (replicated, unreduced) = (replicated.unwrap_or_default(), unreduced.unwrap_or_default());
    let span = cursor.since(open);
    Ok(SplitSyntax { dims, dims_span, replicated, unreduced, reduction, padded, span })
}

/// `{"data", "model"}`, the axes of the list `word`.
fn axes_in_braces<S: Span>(cursor: &mut Cursor<'_, S>, word: &str) -> Parsed<Vec<AxisSyntax<S>>> {
    let axes = match cursor.peek() {
        Some(Kind::Text(axis)) => format!("{axis:?}"),
        Some(Kind::Open('[')) => {
            written(&cursor.rest()[1..cursor.group_len().max(2) - 1]).unwrap_or_default()
        }
        Some(Kind::Open('{')) => {
            cursor.next();
            return list(cursor, '}', axis);
        }
        _ => "\"data\"".into(),
    };
    let help = format!("axes go in braces: `{word}={{{axes}}}`");
    Err(cursor.unexpected_with_help("`{`", &help))
}

/// The word before unreduced axes, which comes next: `max`, `min` or `sum`.
fn reduction_op<S: Span>(cursor: &mut Cursor<'_, S>, word: &str) -> Parsed<ReductionOp> {
    let reduction = match word {
        "sum" => ReductionOp::Sum,
        "max" => ReductionOp::Max,
        "min" => ReductionOp::Min,
        _ => {
            let help = "devices combine what they hold in one of three ways: `unreduced={\"a\"}` for a sum, \
                        `unreduced=max{\"a\"}`, `unreduced=min{\"a\"}`";
            return Err(cursor.unexpected_with_help("`{`, `max` or `min`", help));
        }
    };
    cursor.next();
    Ok(reduction)
}

/// Whether `padded` was probably meant.
fn nearest_padded(word: &str) -> bool {
    matches!(word, "pad" | "padding") || nearest(word, &["padded"]).is_some()
}

/// The list of axes that was probably meant.
fn meant(word: &str) -> Option<&'static str> {
    const NAMES: [&str; 2] = ["replicated", "unreduced"];
    if matches!(word, "partial" | "Partial" | "partial_sum" | "pending") {
        return Some("unreduced");
    }
    nearest(word, &NAMES).filter(|name| *name != word)
}

/// The axes in parentheses, as in a tuple of Python: `("data", "model")`.
fn tuple_of_axes<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let (Some(Kind::Open('(')), len) = (cursor.peek(), cursor.group_len()) else { return None };
    let axes = cursor.rest().get(1..len.checked_sub(1)?)?.iter().map(|token| match &token.kind {
        Kind::Text(axis) => Some(Some(format!("{axis:?}"))),
        Kind::Symbol(',') => Some(None),
        _ => None,
    });
    let axes: Vec<_> = axes.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    (!axes.is_empty()).then(|| axes.join(", "))
}

fn dim<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<DimShardingSyntax<S>> {
    if cursor.peek() != Some(&Kind::Open('{')) {
        if let (Some(Kind::Word(word)), Some(Kind::Open('('))) = (cursor.peek(), cursor.peek_nth(1))
            && matches!(word.as_str(), "P" | "PartitionSpec")
            && let Some(axes) = specification(cursor)
        {
            let first = cursor.span();
            cursor.next();
            cursor.skip_group();
            let axes = axes.trim_matches(['[', ']']);
            let help = format!("write `{}`", if axes.is_empty() { "{}" } else { axes });
            cursor.report(cursor.since(first), "a dimension lists the axes that split it", help);
            return Err(Stop);
        }
        if let Some(axes) = tuple_of_axes(cursor) {
            let (first, len) = (cursor.span(), cursor.group_len());
            let span = cursor.take_many(len).unwrap_or(first);
            let message = "the axes of a dimension go in braces, found `(`";
            cursor.report(span, message, format!("write `{{{axes}}}`"));
            return Err(Stop);
        }
        let help = match cursor.peek() {
            Some(Kind::Text(axis)) => {
                format!("the axes of a dimension go in braces: `{{{axis:?}}}`")
            }
            Some(Kind::Word(word)) if word == "None" => {
                "a dimension that is not split is `{}`".into()
            }
            Some(Kind::Word(word)) if word == "Replicate" => {
                "a dimension that is not split is `{}`; there is one item for each dimension, not for each axis".into()
            }
            Some(Kind::Word(word)) if word == "Shard" => {
                "each dimension lists the axes that split it: `{\"data\"}`".into()
            }
            Some(Kind::Word(word))
                if word.starts_with('p') && cursor.peek_nth(1) == Some(&Kind::Open('{')) =>
            {
                format!("a priority follows the axes: `{{\"data\"}}{word}`")
            }
            Some(Kind::Symbol('?')) => "a dimension that propagation may split is `{?}`".into(),
            Some(Kind::Word(axis)) => {
                format!("the axes of a dimension go in braces and quotes: `{{{axis:?}}}`")
            }
            _ => "the axes of a dimension go in braces: `{\"data\"}`, or `{}`".into(),
        };
        return Err(cursor.unexpected_with_help("`{`", &help));
    }
    let start = cursor.span();
    cursor.next();
    let (mut axes, mut open) = (Vec::new(), false);
    if cursor.take(&Kind::Close('}')).is_none() {
        loop {
            if cursor.take_symbol('?') {
                open = true;
                if cursor.take(&Kind::Close('}')).is_none() {
                    let help = "the `?` comes last: `{\"data\", ?}`";
                    return Err(cursor.unexpected_with_help("`}`", help));
                }
                break;
            }
            axes.push(axis(cursor)?);
            if let (Some(Kind::Symbol('=')), Some(Kind::Number(size))) =
                (cursor.peek(), cursor.peek_nth(1))
            {
                let (first, help) = (cursor.span(), format!("leave the `= {size}` out"));
                let span = cursor.take_many(2).unwrap_or(first);
                cursor.report(span, "the mesh has the sizes of its axes", help);
            }
            if !cursor.take_symbol(',') {
                cursor.expect_close('}')?;
                break;
            }
        }
    }
    let priority = match cursor.peek() {
        Some(Kind::Word(word)) => {
            let span = cursor.span();
            let value = priority(cursor, word)?;
            cursor.next();
            Some((value, span))
        }
        _ => None,
    };
    Ok(DimShardingSyntax { axes, open, priority, span: cursor.since(start) })
}

fn priority<S: Span>(cursor: &mut Cursor<'_, S>, word: &str) -> Parsed<usize> {
    let digits = word
        .strip_prefix('p')
        .filter(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()));
    let message = match digits {
        None => format!("expecting priority in format 'p<number>', got: {word}"),
        Some(digits) if digits.len() > 1 && digits.starts_with('0') => {
            format!("priorities with leading zeros are not allowed, got: {word}")
        }
        Some(digits) => match digits.parse::<isize>() {
            Ok(value) => return Ok(value as usize),
            Err(_) => format!("expecting integer priority, got: {word}"),
        },
    };
    cursor.report(cursor.span(), message, "a priority follows the axes: `{\"data\"}p1`");
    cursor.next();
    Err(Stop)
}

/// `{"a", "b"}`
pub(super) fn axes<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<Vec<AxisSyntax<S>>> {
    cursor.expect(&Kind::Open('{'))?;
    list(cursor, '}', axis)
}

fn axis<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<AxisSyntax<S>> {
    let help = match cursor.peek() {
        Some(Kind::Close(_)) => "leave the last `,` out, or write one more axis",
        Some(Kind::Symbol('.')) => "write `?` where propagation may add axes: `{\"data\", ?}`",
        Some(Kind::Symbol('*')) => "write `?` where propagation may add axes: `{?}`",
        _ => "",
    };
    if !help.is_empty() {
        return Err(cursor.unexpected_with_help("the name of an axis, in quotes", help));
    }
    cursor.offer(Offer::Axis);
    if let Some(Kind::Word(word)) = cursor.peek()
        && word.len() > 1
        && word.chars().all(|c| c.is_ascii_uppercase() || c == '_')
    {
        let help = format!("write the name itself: macros do not know the value of `{word}`");
        return Err(cursor.unexpected_with_help("the name of an axis, in quotes", &help));
    }
    let (name, start) = axis_name(cursor)?;
    elsewhere::sub_axis(cursor, &name, start)?;
    let sub = if cursor.take_symbol(':') {
        cursor.expect(&Kind::Open('('))?;
        let pre = number(cursor)?;
        cursor.expect(&Kind::Close(')'))?;
        Some((pre, number(cursor)?))
    } else {
        None
    };
    Ok(AxisSyntax { name, sub, span: cursor.since(start) })
}

/// The sharding, unless it violates a rule that does not depend on the mesh. If the mesh is inline, all rules are checked.
pub fn lower_sharding<S: Span>(
    syntax: &ShardingSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<TensorSharding> {
    let before = diagnostics.len();
    let mesh = match &syntax.mesh {
        MeshRefSyntax::Name(name, _) => MeshRef::Name(name.clone().into()),
        MeshRefSyntax::Inline(mesh) => MeshRef::Inline(lower_mesh(mesh, diagnostics)?),
    };
    if let Some(span) = syntax.split.padded {
        let problem = Problem::new(Location::All, "`padded` is not part of Shardy's text");
        report(diagnostics, span, problem.help("allow padding where the sizes are checked"));
    }
    let sharding = lower_split(mesh, &syntax.split, diagnostics)?;
    if let MeshRef::Inline(mesh) = &sharding.mesh {
        // The shape is unknown; the axes can be checked with any shape of the right rank.
        let dims = alloc::vec![1; sharding.rank()];
        let seen: Vec<_> = diagnostics[before..].iter().map(|d| d.message.clone()).collect();
        for problem in sharding.problems(mesh, &dims) {
            if !seen.contains(&problem.message) {
                report(diagnostics, syntax.split.span(problem.location), problem);
            }
        }
    }
    (diagnostics.len() == before).then_some(sharding)
}

/// How a tensor is split over `mesh`. Reports the mistakes that depend on neither the mesh nor the shape.
pub fn lower_split<S: Span>(
    mesh: MeshRef,
    syntax: &SplitSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<TensorSharding> {
    let before = diagnostics.len();
    let mut axes = |axes: &[AxisSyntax<S>]| -> Vec<AxisRef> {
        axes.iter().map(|axis| lower_axis(axis, diagnostics)).collect()
    };
    let dims: Vec<_> = syntax
        .dims
        .iter()
        .map(|dim| DimSharding {
            axes: axes(&dim.axes).into(),
            open: dim.open,
            priority: dim.priority.map(|(value, _)| value),
        })
        .collect();
    let (replicated, unreduced) = (axes(&syntax.replicated), axes(&syntax.unreduced));
    if diagnostics.len() > before {
        return None;
    }
    let sharding = TensorSharding {
        mesh,
        dims: dims.into(),
        replicated: replicated.into(),
        unreduced: unreduced.into(),
        reduction: syntax.reduction,
    };
    let unreduced = sharding.unreduced.clone();
    let sharding = sharding.with_unreduced(unreduced);
    for problem in sharding.problems_within() {
        report(diagnostics, syntax.span(problem.location), problem);
    }
    Some(sharding)
}

pub(crate) fn lower_axis<S: Span>(
    axis: &AxisSyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> AxisRef {
    let name = axis.name.clone();
    let Some((pre, size)) = &axis.sub else { return AxisRef::full(name) };
    match (usize::try_from(pre.value), usize::try_from(size.value)) {
        (Ok(pre), Ok(size)) => AxisRef::part(name, pre, size),
        (pre_size, _) => {
            let (number, rule) = match pre_size {
                Err(_) => (pre, "sub-axis pre-size must be at least 1"),
                Ok(_) => (size, "sub-axis sizes must be greater than 1"),
            };
            let message = format!("{rule}: \"{name}\":({}){}", pre.value, size.value);
            let help = "both numbers of a part of an axis are positive: `\"x\":(1)2`";
            report(diagnostics, number.span, Problem::new(Location::All, message).help(help));
            AxisRef::full(name)
        }
    }
}
