use super::super::array::{ArraySyntax, Size, array};
use super::super::cursor::{Cursor, Diagnostics, Kind, Parsed, Span};
use super::super::lower::lower;
use super::report;
use super::tensor::{SplitSyntax, lower_split, split};
use crate::sharding::{Mesh, MeshRef, Padding, Place, Problem, Shards, TensorSharding};
use crate::tiled::Draft;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// `bf16[8192,4096]{1,0} @ Pod [{"data"}, {"model"}]`
#[derive(Clone, Debug)]
pub struct ShardedSyntax<S> {
    /// The array.
    pub array: ArraySyntax<S>,
    /// The name of the mesh, without the path before it, and where it stands.
    pub mesh: (String, S),
    /// How it is split.
    pub split: SplitSyntax<S>,
}

/// A sharded array, checked.
#[derive(Clone, Debug)]
pub struct ShardedDraft<S> {
    /// The whole array.
    pub global: Draft,
    /// What each device holds, as it would be written.
    pub local_syntax: ArraySyntax<S>,
    /// The same, checked.
    pub local: Draft,
    /// How the array is split.
    pub sharding: TensorSharding,
    /// Its shards.
    pub shards: Shards,
}

/// Reads a sharded array. `None` where reading could not go on.
pub fn parse_sharded<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ShardedSyntax<S>> {
    sharded(cursor).ok()
}

fn sharded<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<ShardedSyntax<S>> {
    let array = array(cursor)?;
    // As Shardy prints a sharding, and so do we: `<@Pod, [{"data"}, {}]>`.
    let printed = cursor.take_symbol('<');
    cursor.expect(&Kind::Symbol('@'))?;
    let mesh = path(cursor)?;
    if printed {
        cursor.expect(&Kind::Symbol(','))?;
    }
    let split = split(cursor)?;
    if printed {
        cursor.expect(&Kind::Symbol('>'))?;
    }
    Ok(ShardedSyntax { array, mesh, split })
}

/// `pods::Pod`: its last name.
pub(super) fn path<S: Span>(cursor: &mut Cursor<'_, S>) -> Parsed<(String, S)> {
    let start = cursor.span();
    loop {
        while cursor.take_symbol(':') {}
        let Some(Kind::Word(name)) = cursor.peek() else {
            return Err(cursor.unexpected("the name of a mesh"));
        };
        cursor.next();
        if cursor.peek() != Some(&Kind::Symbol(':')) {
            return Ok((name.clone(), cursor.since(start)));
        }
    }
}

/// The sizes of the dimensions, which must be numbers: what they are split into is.
pub(crate) fn literal_dims<S: Span>(
    array: &ArraySyntax<S>,
    diagnostics: &mut Diagnostics<S>,
) -> Option<Vec<usize>> {
    let before = diagnostics.len();
    for dim in &array.dims {
        let found = match &dim.size {
            Size::Literal(_) => continue,
            Size::Name(name) => format!("`{name}`"),
            Size::Expression => "an expression".into(),
            Size::Unbounded => "`?`".into(),
            Size::Combine => "`*`".into(),
        };
        let message = format!("the size of a sharded dimension must be a number, found {found}");
        let problem = Problem::new(Place::Whole, message);
        report(diagnostics, dim.span, problem.help("the macro divides it among the devices"));
    }
    if diagnostics.len() > before {
        return None;
    }
    let size = |size: &Size| match size {
        Size::Literal(size) => usize::try_from(*size).ok(),
        _ => None,
    };
    array.dims.iter().map(|dim| size(&dim.size)).collect()
}

/// The array that each device holds, as it would be written.
pub fn local_array<S: Span>(array: &ArraySyntax<S>, local: &[usize]) -> ArraySyntax<S> {
    let mut array = array.clone();
    for (dim, &size) in array.dims.iter_mut().zip(local) {
        dim.size = Size::Literal(size as i128);
    }
    array
}

/// The array and its shards, unless something is wrong with them.
pub fn lower_sharded<S: Span>(
    syntax: &ShardedSyntax<S>,
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> Option<ShardedDraft<S>> {
    let before = diagnostics.len();
    let name = MeshRef::Name(syntax.mesh.0.clone().into());
    let sharding = lower_split(name, &syntax.split, diagnostics);
    let dims = literal_dims(&syntax.array, diagnostics);
    let global = lower(&syntax.array, diagnostics);
    let (sharding, dims) = (sharding?, dims?);
    let padding = match syntax.split.padded {
        Some(_) => Padding::Allowed,
        None => Padding::Forbidden,
    };
    // What is wrong whatever the mesh is has been said.
    let said = sharding.problems_within();
    let mut is_sharding = true;
    for problem in sharding.problems(mesh, &dims) {
        is_sharding = false;
        if !said.contains(&problem) {
            report(diagnostics, syntax.split.span(problem.place), problem);
        }
    }
    if is_sharding {
        for problem in sharding.size_problems(mesh, &dims, padding) {
            report(diagnostics, syntax.split.span(problem.place), problem);
        }
    }
    let global = global.filter(|_| diagnostics.len() == before)?;
    let shards = Shards::new(&sharding, mesh, &dims, padding).ok()?;
    let local_syntax = local_array(&syntax.array, shards.local_dims());
    let local = lower(&local_syntax, diagnostics)?;
    Some(ShardedDraft { global, local_syntax, local, sharding, shards })
}
