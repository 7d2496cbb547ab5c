//! The shards of the values of a program once their shardings are known.

use super::build::Unsharded;
use super::{NamedValue, mesh_of};
use crate::sharding::check::Padding;
use crate::sharding::local::Shards;
use crate::sharding::mesh::Mesh;
use crate::sharding::propagation::Graph;
use crate::sharding::tensor::{MeshRef, TensorSharding};
use crate::syntax::{Diagnostic, Diagnostics, Span};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};

/// The value with its sharding and its shards. A value that propagation did not reach is replicated. `None` if axes do not
/// divide it, which is reported.
pub(super) fn sharded<S: Span>(
    value: Unsharded<S>,
    graph: &Graph,
    meshes: &[(String, Mesh)],
    padding: Padding,
    diagnostics: &mut Diagnostics<S>,
) -> Option<NamedValue> {
    let replicated = || {
        let (name, mesh) = &meshes[graph.default_mesh()];
        let rank = if mesh.is_maximal() { 0 } else { value.dims.len() };
        TensorSharding::closed(MeshRef::Name(name.clone().into()), rank)
    };
    let sharding = graph.sharding(value.value).unwrap_or_else(replicated);
    let known = known_part(&sharding, value.unbounded);
    match Shards::new(&known, mesh_of(meshes, &sharding), &value.dims, padding) {
        Ok(shards) => Some(NamedValue {
            name: value.name,
            dtype: value.dtype,
            dims: value.dims,
            sharding,
            shards,
            unbounded: value.unbounded,
            value: value.value,
        }),
        Err(error) => {
            for problem in error.problems() {
                let message = format!("`{}`: {}", value.name, problem.message);
                let help = "choose a size that the axes divide, or write `padded` after the mesh: `mesh Pod padded;`";
                diagnostics.push(Diagnostic { span: value.span, message, help: help.into() });
            }
            None
        }
    }
}

/// Reports the values of a group whose sharding differs from that of its first value.
pub(super) fn check_group<S: Span>(
    group: &[(usize, S)],
    values: &[NamedValue],
    diagnostics: &mut Diagnostics<S>,
) {
    let Some((first, _)) = group.first() else { return };
    let first = &values[*first];
    for (other, span) in group.iter().map(|(at, span)| (&values[*at], *span)) {
        if other.sharding == first.sharding {
            continue;
        }
        let message = format!(
            "the values of a group are sharded differently: `{}` is {}, `{}` is {}",
            first.name, first.sharding, other.name, other.sharding
        );
        let help = "shard one of them only, or all of them alike".to_string();
        diagnostics.push(Diagnostic { span, message, help });
    }
}

/// The sharding with the unbounded dimensions unsplit, because the parts of such dimensions on devices are unknown.
pub(super) fn known_part(sharding: &TensorSharding, unbounded: u16) -> Cow<'_, TensorSharding> {
    if unbounded == 0 {
        return Cow::Borrowed(sharding);
    }
    let mut known = sharding.clone();
    for (dim, sharding) in known.dims.to_mut().iter_mut().enumerate() {
        if unbounded >> dim & 1 == 1 {
            sharding.axes = Cow::Borrowed(&[]);
        }
    }
    Cow::Owned(known)
}
