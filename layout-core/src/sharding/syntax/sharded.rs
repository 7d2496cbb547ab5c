use super::elsewhere;
use super::jax::{jax, keywords};
use super::tensor::{SplitSyntax, lower_split, split};
use super::{report, skip_prefix};
use crate::sharding::{Location, Mesh, MeshRef, Padding, Problem, Shards, TensorSharding};
use crate::syntax::{Cursor, Diagnostics, Kind, Offer, Parsed, Span, Stop, written};
use crate::tiled::syntax::{ARRAY, ArraySyntax, DimSyntax, Size, array, lower};
use crate::tiled::{Draft, TiledSpec};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// `bf16[8192,4096]{1,0} @ Pod [{"data"}, {"model"}]`
#[derive(Clone, Debug)]
pub struct ShardedSyntax<S> {
    /// The array; `None` if it could not be read, which has been reported.
    pub array: Option<ArraySyntax<S>>,
    /// The name of the mesh, without the path before it, and its span; and how the array is split. `None` if that could not be
    /// read, which has been reported.
    pub over: Option<((String, S), SplitSyntax<S>)>,
}

/// A sharded array, checked.
#[derive(Clone, Debug)]
pub struct ShardedDraft<S> {
    /// The whole array.
    pub global: Draft,
    /// The local array of each device, as a draft.
    pub local_syntax: ArraySyntax<S>,
    /// The local array, checked.
    pub local: Draft,
    /// How the array is split.
    pub sharding: TensorSharding,
    /// The number of parts that each dimension is split into.
    pub parts: Vec<usize>,
    /// Its shards; `None` if only rustc can compute the sizes.
    pub shards: Option<Shards>,
}

/// Reads a sharded array. `None` if reading had to stop.
pub fn parse_sharded<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ShardedSyntax<S>> {
    if mesh_first(cursor).is_err() {
        return None;
    }
    cursor.reads(ARRAY);
    let array = cursor.part(|cursor| cursor.peek() == Some(&Kind::Symbol('@')), array);
    if array.is_err() && cursor.peek().is_none() {
        return None;
    }
    let over = cursor.part(|_| false, over_mesh);
    Some(ShardedSyntax { array: array.ok(), over: over.ok() })
}

const OVER_MESH: &str =
    "the mesh and the axes of each dimension follow the array: `@ Pod [{\"data\"}, {}]`";

/// Reports a mesh before the array, `Pod, f32[8,16], [{"data"}, {}]`.
fn mesh_first<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let at = usize::from(cursor.peek() == Some(&Kind::Symbol('@')));
    let (Some(Kind::Word(mesh)), Some(Kind::Symbol(',') | Kind::Word(_))) =
        (cursor.peek_nth(at), cursor.peek_nth(at + 1))
    else {
        return Ok(());
    };
    let first = cursor.span();
    let rest = cursor.rest().get(at + 1..).unwrap_or_default();
    let text = written(rest).unwrap_or_default();
    let text = text.trim_start_matches(',');
    let help = match text.find("[{") {
        Some(axes) if text.len() < 120 => {
            format!("write `{} @ {mesh} {}`", text[..axes].trim_end_matches(','), &text[axes..])
        }
        _ => OVER_MESH.into(),
    };
    cursor.skip_to(|_| false);
    cursor.report(cursor.since(first), "the mesh follows the array", help);
    Err(Stop)
}

/// `@ Pod [{"data"}, {}]`
pub(super) fn over_mesh<S: Span>(
    cursor: &mut Cursor<'_, S>,
) -> Parsed<((String, S), SplitSyntax<S>)> {
    cursor.reads(OVER_MESH);
    // The form in which shardings are printed: `<@Pod, [{"data"}, {}]>`.
    skip_prefix(cursor);
    let printed = cursor.take_symbol('<');
    jax(cursor, "@ Pod ")?;
    if !cursor.take_symbol('@') {
        keywords(cursor)?;
        attribute_of_hlo(cursor)?;
        elsewhere::annotation(cursor)?;
        elsewhere::sharding(cursor)?;
        // The word of `f32[8,16] on Pod [..]` has been read as an encoding.
        if let (Some(Kind::Word(_)), Some(Kind::Open('['))) = (cursor.peek(), cursor.peek_nth(1))
            && let Some(word @ ("on" | "over" | "at" | "mesh" | "with")) = word_before(cursor)
        {
            let span = cursor.from(cursor.taken() - 1)[0].span;
            cursor.report(span, format!("expected `@`, found `{word}`"), "write `@`");
            return Err(Stop);
        }
        let help = match (cursor.peek(), cursor.peek_nth(1)) {
            // The mesh of `f32[8,16] Pod [..]` has been read as an encoding.
            (Some(Kind::Open('[')), _) if let Some(mesh) = word_before(cursor) => {
                let axes = written(&cursor.rest()[..cursor.group_len()]);
                match axes.filter(|axes| axes.starts_with("[{")) {
                    Some(axes) => format!(
                        "if `{mesh}` is the mesh, an `@` comes before it: `@ {mesh} {axes}`"
                    ),
                    None => format!(
                        "an `@` comes before the mesh, and the axes go in braces: `@ {mesh} [{{\"data\"}}, {{}}]`"
                    ),
                }
            }
            // So has the word of `f32[8,16] sharding={devices=[2,4]<=[8]}`.
            (Some(Kind::Symbol('=')), Some(Kind::Open('{'))) => {
                cursor.next();
                elsewhere::sharding(cursor)?;
                "write `@ Pod [{\"data\"}, {}]`".into()
            }
            (Some(Kind::Word(mesh)), Some(Kind::Open('['))) => {
                format!("an `@` comes before the mesh: `@ {mesh} [..]`")
            }
            (Some(Kind::Open('[')), _) if axes_first(cursor).is_some() => {
                format!(
                    "the mesh comes before the axes: `{}`",
                    axes_first(cursor).unwrap_or_default()
                )
            }
            _ => OVER_MESH.into(),
        };
        return Err(cursor.unexpected_with_help("`@`", &help));
    }
    jax(cursor, "Pod ")?;
    let mesh = path(cursor)?;
    if printed {
        cursor.expect(&Kind::Symbol(','))?;
    } else if let (Some(Kind::Symbol(sign @ (',' | ':' | '=' | ';'))), Some(Kind::Open('['))) =
        (cursor.peek(), cursor.peek_nth(1))
    {
        let message = format!("expected `[`, found `{sign}`");
        cursor.report(cursor.span(), message, format!("leave the `{sign}` out"));
        cursor.next();
    }
    let split = split(cursor)?;
    if printed {
        cursor.expect(&Kind::Symbol('>'))?;
    }
    Ok((mesh, split))
}

/// The word before the next token, unless it ends a path.
fn word_before<'t, S: Span>(cursor: &Cursor<'t, S>) -> Option<&'t str> {
    match cursor.from(cursor.taken().checked_sub(2)?) {
        [before, last] if before.kind != Kind::Symbol(':') => match &last.kind {
            Kind::Word(word) => Some(word.as_str()),
            _ => None,
        },
        _ => None,
    }
}

/// `[{"data"}, {}] @ Pod`, rearranged in the order that the notation requires.
fn axes_first<S: Span>(cursor: &Cursor<'_, S>) -> Option<String> {
    let (axes, mesh) = cursor.rest().split_at(cursor.group_len());
    match mesh {
        [at, mesh] if at.kind == Kind::Symbol('@') => {
            let Kind::Word(mesh) = &mesh.kind else { return None };
            Some(format!("@ {mesh} {}", written(axes)?))
        }
        _ => None,
    }
}

/// Reports `, sharding={devices=[2,1]<=[2]}`, as in a line of HLO.
fn attribute_of_hlo<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<()> {
    let comma = usize::from(cursor.peek() == Some(&Kind::Symbol(',')));
    let is_sharding =
        matches!(cursor.peek_nth(comma), Some(Kind::Word(word)) if word == "sharding");
    if !is_sharding || cursor.peek_nth(comma + 1) != Some(&Kind::Symbol('=')) {
        return Ok(());
    }
    cursor.take_many(comma + 2);
    elsewhere::sharding(cursor)
}

/// `pods::Pod`: its last name.
pub(super) fn path<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(String, S)> {
    let start = cursor.span();
    loop {
        while cursor.take_symbol(':') {}
        cursor.offer(Offer::Type);
        let Some(Kind::Word(name)) = cursor.peek() else {
            let help = match cursor.peek() {
                Some(Kind::Text(name)) => format!("write it without quotes: `{name}`"),
                Some(Kind::Symbol('@')) => "leave one `@` out".into(),
                _ => String::new(),
            };
            return Err(cursor.unexpected_with_help("the name of a mesh", &help));
        };
        cursor.next();
        let is_path = cursor.peek() == Some(&Kind::Symbol(':'))
            && cursor.peek_nth(1) == Some(&Kind::Symbol(':'));
        if !is_path {
            return Ok((name.clone(), cursor.since(start)));
        }
    }
}

pub(super) fn unknown_size(found: &str) -> Problem {
    let message = format!("the size of a sharded dimension must be known, found {found}");
    Problem::new(Location::All, message).help("write the size, or the name of a constant")
}

/// The sizes of the dimensions that are numbers. Only rustc can compute the others.
fn known_dims<S: Span>(
    array: &ArraySyntax<S>,
    unbounded: Unbounded,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Vec<Option<usize>>> {
    let size = |dim: &DimSyntax<S>| match &dim.size {
        Size::Literal(size) => usize::try_from(*size).ok().map(Some),
        Size::Name(_) | Size::Expression => Some(None),
        // It was reported when it was read.
        Size::Wrong => None,
        Size::Unbounded if unbounded == Unbounded::Allowed => Some(Some(0)),
        Size::Unbounded | Size::Combine => {
            let found = if dim.size == Size::Unbounded { "`?`" } else { "`*`" };
            report(diagnostics, dim.span, unknown_size(found));
            None
        }
    };
    let sizes: Vec<_> = array.dims.iter().map(size).collect();
    sizes.into_iter().collect()
}

/// Whether a dimension may be unbounded: `?`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unbounded {
    /// It has size 0, as in a [`TiledSpec`](crate::TiledSpec).
    Allowed,
    /// It is a mistake.
    Refused,
}

/// Bit `d` is set if dimension `d` is unbounded.
pub(crate) fn unbounded_dims<S>(array: &ArraySyntax<S>) -> u16 {
    let bits = array.dims.iter().zip(0..u16::BITS);
    bits.fold(0, |bits, (dim, at)| bits | u16::from(dim.size == Size::Unbounded) << at)
}

/// The sizes of the dimensions of a tensor of a program. They must be numbers, because propagation needs them.
pub(crate) fn literal_dims<S: Span>(
    array: &ArraySyntax<S>,
    unbounded: Unbounded,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Vec<usize>> {
    let known = known_dims(array, unbounded, diagnostics)?;
    for (dim, _) in array.dims.iter().zip(&known).filter(|(_, size)| size.is_none()) {
        let (found, help) = match &dim.size {
            Size::Name(name) => (
                format!("`{name}`"),
                format!("define it in the program, after the mesh: `const {name} = 512;`"),
            ),
            _ => (
                "an expression".into(),
                "it may use numbers and names that the program defines: `const N = 512;` after the mesh".into(),
            ),
        };
        let message =
            format!("propagation needs a number as a size, found {found}, which only rustc knows");
        report(diagnostics, dim.span, Problem::new(Location::All, message).help(help));
    }
    known.into_iter().collect()
}

/// The local array of each device, as a draft. Its padding is that of the whole array, except that a dimension without padding has
/// none in the local array either.
pub fn local_array<S: Span>(array: &ArraySyntax<S>, local: &[usize]) -> ArraySyntax<S> {
    let mut array = array.clone();
    let widths = array.padded.iter_mut().flat_map(|padded| &mut padded.widths);
    let mut widths = widths.map(|width| &mut width.size);
    let numbers = array.dims.iter_mut().zip(local);
    for (dim, &size) in numbers {
        let width = widths.next();
        if !matches!(dim.size, Size::Literal(_)) {
            continue;
        }
        if let Some(width) = width.filter(|width| **width == dim.size) {
            *width = Size::Literal(size as i128);
        }
        dim.size = Size::Literal(size as i128);
    }
    array
}

/// Reports explicit padding of dimensions that are split: `f32[8,16]{1,0} padded to [10,16] @ Pod [{"data"}, {}]`. The widths would be
/// those of one device's array, which has fewer elements.
fn check_widths<S: Span>(
    array: &ArraySyntax<S>,
    local: &ArraySyntax<S>,
    parts: &[usize],
    diagnostics: &mut Diagnostics<S>,
) {
    let Some(padded) = array.padded.as_ref().filter(|padded| padded.has_widths) else { return };
    let sizes = array.dims.iter().zip(&padded.widths);
    let is_padded = |dim: &DimSyntax<S>, width: &DimSyntax<S>| {
        !matches!(dim.size, Size::Literal(_)) || dim.size != width.size
    };
    let mut split = sizes.zip(parts).enumerate().filter(|(_, (_, parts))| **parts > 1);
    let Some((dim, _)) = split.find(|(_, ((dim, width), _))| is_padded(dim, width)) else { return };
    let message = format!(
        "widths are those of one device's array, but dim {dim} is split into {} parts",
        parts[dim]
    );
    let help = "leave the widths out, and pad the array of one device in a type of its own";
    let help = match padded_local(array, local, parts) {
        Some(spec) => format!("{help}: `tiled!({spec})`"),
        None => format!("{help}, as in `tiled!(f32[4,16]{{1,0}} padded to [5,16])`"),
    };
    report(diagnostics, padded.widths_span, Problem::new(Location::All, message).help(help));
}

/// One device's array with its part of the widths of the whole array, if all of them are numbers.
fn padded_local<S: Span>(
    array: &ArraySyntax<S>,
    local: &ArraySyntax<S>,
    parts: &[usize],
) -> Option<TiledSpec> {
    let mut local = ArraySyntax { padded: array.padded.clone(), ..local.clone() };
    if local.dims.iter().any(|dim| !matches!(dim.size, Size::Literal(_))) {
        return None;
    }
    for (width, parts) in local.padded.as_mut()?.widths.iter_mut().zip(parts) {
        let Size::Literal(whole) = width.size else { return None };
        width.size = Size::Literal(usize::try_from(whole).ok()?.div_ceil(*parts) as i128);
    }
    lower(&local, &mut Vec::new())?.validate().ok()
}

/// The array and its shards, unless they have mistakes.
pub fn lower_sharded<S: Span>(
    syntax: &ShardedSyntax<S>,
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> Option<ShardedDraft<S>> {
    let before = diagnostics.len();
    let over = syntax.over.as_ref().and_then(|((name, _), split)| {
        let name = MeshRef::Name(name.clone().into());
        Some((lower_split(name, split, diagnostics)?, split))
    });
    let array = syntax.array.as_ref().map(|array| {
        let known = known_dims(array, Unbounded::Refused, diagnostics);
        (array, known, lower(array, diagnostics))
    });
    let known = array.as_ref().and_then(|(_, known, _)| known.as_ref());
    if let (Some((sharding, split)), None) = (&over, known) {
        // The axes can be checked with any array of the right rank.
        let unknown = vec![None; sharding.rank()];
        parts_and_shards(sharding, split, &unknown, mesh, diagnostics);
    }
    let ((sharding, split), (array, known, global)) = (over?, array?);
    let known = known?;
    let (parts, shards) = parts_and_shards(&sharding, split, &known, mesh, diagnostics);
    let global = global.filter(|_| diagnostics.len() == before)?;
    let shards = shards?;
    let local_syntax = local_array(array, shards.local_dims());
    check_widths(array, &local_syntax, &parts, diagnostics);
    let local = lower(&local_syntax, diagnostics)?;
    let shards = known.iter().all(Option::is_some).then_some(shards);
    Some(ShardedDraft { global, local_syntax, local, sharding, parts, shards })
}

/// The number of parts of each dimension, and the shards, unless the sharding has mistakes, which are reported.
pub(super) fn parts_and_shards<S: Span>(
    sharding: &TensorSharding,
    split: &SplitSyntax<S>,
    known: &[Option<usize>],
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> (Vec<usize>, Option<Shards>) {
    let mut parts = sharding.parts(mesh);
    if mesh.is_maximal() {
        // A maximal sharding has no dimensions, because one device has the whole array.
        parts.resize(known.len(), 1);
    }
    // An unknown size is assumed to be a multiple of the sizes of the axes; rustc checks it.
    let part = |dim: usize| parts.get(dim).copied().unwrap_or(1);
    let dims: Vec<_> =
        known.iter().enumerate().map(|(dim, size)| size.unwrap_or_else(|| part(dim))).collect();
    let padding = match split.padded {
        Some(_) => Padding::Allowed,
        None => Padding::Forbidden,
    };
    // The mistakes that do not depend on the mesh have been reported already.
    let said = sharding.problems_within();
    let mut is_sharding = true;
    for problem in sharding.problems(mesh, &dims) {
        is_sharding = false;
        if !said.contains(&problem) {
            report(diagnostics, split.span(problem.location), problem);
        }
    }
    // The axes that the mesh does not have change no size.
    let known = sharding.on_axes_of(mesh);
    if is_sharding || known.problems(mesh, &dims).is_empty() {
        for problem in known.size_problems(mesh, &dims, padding) {
            report(diagnostics, split.span(problem.location), problem);
        }
    }
    (parts, Shards::new(sharding, mesh, &dims, padding).ok())
}

/// Whether the text is that of a sparse tensor: `tensor<.., #Csr>`, or an encoding after the sizes.
pub fn is_sparse<S: Span>(cursor: &Cursor<'_, S>) -> bool {
    if cursor.is_word("tensor") {
        // Without an encoding it is a dense array in the notation of MLIR.
        let mut tensor = cursor.rest().iter().take_while(|token| token.kind != Kind::Symbol('@'));
        return tensor.any(|token| matches!(token.kind, Kind::Symbol(',' | '#')));
    }
    let mut cursor = Cursor::new(cursor.rest(), cursor.end());
    cursor.next();
    if cursor.peek() != Some(&Kind::Open('[')) {
        return false;
    }
    cursor.skip_group();
    // `f32[3,5] Pod [{"data"}, {}]`, which lacks its `@`.
    let is_split = matches!(cursor.peek(), Some(Kind::Word(_)))
        && cursor.peek_nth(1) == Some(&Kind::Open('['))
        && cursor.peek_nth(2) == Some(&Kind::Open('{'));
    // `f32[3,5] padded to [4,8]`
    if is_split
        || cursor.is_word("padded")
        || !matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(':')))
    {
        return false;
    }
    while matches!(cursor.peek(), Some(Kind::Word(_) | Kind::Symbol(':' | '.'))) {
        cursor.next();
    }
    // `f32[3,5] NamedSharding(mesh, P("data"))` and `f32[3,5] mesh=Pod` are dense arrays with a JAX sharding.
    !matches!(cursor.peek(), Some(Kind::Open('(') | Kind::Symbol('=')))
}

#[cfg(test)]
mod tests {
    use super::super::read_sharded;
    use crate::sharding::Mesh;
    use alloc::string::ToString;

    #[test]
    fn widths_are_allowed_where_no_padding_is_split() {
        let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().expect("a mesh");
        let local = |array: &str| {
            let text = alloc::format!(r#"{array} @ Pod [{{"data"}}, {{}}]"#);
            read_sharded(&text, &mesh).map(|sharded| sharded.local().to_string())
        };
        for (array, expected) in [
            ("f32[8,16]{1,0} padded to [8,20]", "f32[4,16]{1,0} padded to [4,20] with zero"),
            ("f32[8,16]{1,0} padded with one", "f32[4,16]{1,0} padded to [4,16] with one"),
        ] {
            assert_eq!(local(array).expect("an array"), expected);
        }
        let error = local("f32[8,16]{1,0} padded to [10,16]").expect_err("split padding");
        let [mistake] = error.mistakes() else { panic!("{error}") };
        assert_eq!(mistake.column, 26);
        assert!(
            mistake.help.ends_with("`tiled!(f32[4,16]{1,0} padded to [5,16] with zero)`"),
            "{error}"
        );
    }
}
