//! Sparse tensors over a mesh.

use super::report;
use super::sharded::{over_mesh, parts_and_shards, unknown_size};
use super::tensor::{SplitSyntax, lower_split};
use crate::sharding::{Location, Mesh, MeshRef, Problem, TensorSharding};
use crate::sparse::syntax::{SizedSyntax, SparseSize, parse_sized};
use crate::syntax::{Cursor, Diagnostics, Span};
use alloc::string::String;
use alloc::vec::Vec;

/// `f64[1000,384] Csr @ Pod [{"data"}, {}]`
#[derive(Clone, Debug)]
pub struct ShardedSparseSyntax<S> {
    /// The sparse tensor.
    pub tensor: SizedSyntax<S>,
    /// The name of the mesh, without the path before it, and its span.
    pub mesh: (String, S),
    /// How it is split.
    pub split: SplitSyntax<S>,
}

/// A sharded sparse tensor, checked as far as possible without its encoding.
#[derive(Clone, Debug)]
pub struct ShardedSparseDraft {
    /// How the tensor is split.
    pub sharding: TensorSharding,
    /// The number of parts that each dimension is split into.
    pub parts: Vec<usize>,
}

/// Reads a sharded sparse tensor. `None` if reading had to stop.
pub fn parse_sharded_sparse<S: Span>(cursor: &mut Cursor<'_, S>) -> Option<ShardedSparseSyntax<S>> {
    let tensor = parse_sized(cursor)?;
    let (mesh, split) = over_mesh(cursor).ok()?;
    Some(ShardedSparseSyntax { tensor, mesh, split })
}

/// The sharding of a sparse tensor, unless it has mistakes.
pub fn lower_sharded_sparse<S: Span>(
    syntax: &ShardedSparseSyntax<S>,
    mesh: &Mesh,
    diagnostics: &mut Diagnostics<S>,
) -> Option<ShardedSparseDraft> {
    let before = diagnostics.len();
    let name = MeshRef::Name(syntax.mesh.0.clone().into());
    let sharding = lower_split(name, &syntax.split, diagnostics);
    let known: Vec<_> = (syntax.tensor.sizes.iter())
        .map(|(size, span)| match size {
            SparseSize::Literal(size) => Some(*size),
            SparseSize::Name(_) | SparseSize::Expression => None,
            SparseSize::Dynamic => {
                report(diagnostics, *span, unknown_size("`?`"));
                None
            }
        })
        .collect();
    let sharding = sharding?;
    if let Some(first) = syntax.split.unreduced.first() {
        let problem = Problem::new(Location::All, "a sparse tensor cannot be a partial sum");
        let problem =
            problem.help("leave out `unreduced`: each device has the entries of its shard");
        report(diagnostics, first.span, problem);
    }
    let (parts, _) = parts_and_shards(&sharding, &syntax.split, &known, mesh, diagnostics);
    (diagnostics.len() == before).then_some(ShardedSparseDraft { sharding, parts })
}
