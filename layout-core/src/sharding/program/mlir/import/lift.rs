//! Gives names to meshes that are written within shardings, as Shardy does before it propagates.

use super::tree::{Module, Number, Syntax};
use crate::sharding::TensorSharding;
use crate::sharding::mesh::Mesh;
use crate::sharding::tensor::{MeshRef, Symbol};
use alloc::borrow::{Cow, ToOwned};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;

/// Meshes by name, in the order of the module.
struct Lift<'m, 't> {
    module: &'m mut Module<'t>,
    /// The number of names that were already in use.
    conflicts: Number,
}

/// Names the meshes of all shardings: by the name of an equal mesh of the module, or `@mesh`, `@mesh_0` and so on.
pub(super) fn inline_meshes(module: &mut Module<'_>) {
    let mut functions = core::mem::take(&mut module.functions);
    let mut syntax = core::mem::take(&mut module.syntax);
    let taken = functions.iter().map(|function| function.name.clone()).collect();
    let mut lift = Lift { module, conflicts: 0 };
    for function in &mut functions {
        for border in function.arguments.iter_mut().chain(&mut function.results) {
            border.sharding.iter_mut().for_each(|sharding| lift.sharding(sharding, &taken));
        }
    }
    for Syntax { shardings, constraint, operand_border, result_border, .. } in &mut syntax {
        let borders = operand_border.iter_mut().chain(result_border);
        let all = shardings.iter_mut().chain(constraint).chain(borders);
        all.for_each(|sharding| lift.sharding(sharding, &taken));
    }
    (module.functions, module.syntax) = (functions, syntax);
}

impl Lift<'_, '_> {
    fn sharding(&mut self, sharding: &mut TensorSharding, taken: &BTreeSet<Cow<'_, str>>) {
        if let MeshRef::Inline(mesh) = &sharding.mesh {
            let name = self.name(mesh, taken);
            sharding.mesh = MeshRef::Name(name.into());
        }
    }

    fn name(&mut self, mesh: &Mesh, taken: &BTreeSet<Cow<'_, str>>) -> String {
        let meshes = &mut self.module.meshes;
        if let Some((name, ..)) = meshes.iter().find(|(_, other, _)| other == mesh) {
            return name.clone();
        }
        let base = match () {
            () if mesh.is_maximal() => format!("maximal_mesh_{}", mesh.device_id(0)),
            () if mesh.is_empty() => "empty_mesh".to_owned(),
            () => "mesh".to_owned(),
        };
        let mut name = base.clone();
        while taken.contains(name.as_str()) || meshes.iter().any(|(other, ..)| *other == name) {
            name = format!("{base}_{}", self.conflicts);
            self.conflicts += 1;
        }
        let line = format!("sdy.mesh {} = {mesh}", Symbol(&name));
        meshes.push((name.clone(), mesh.clone(), line.into()));
        name
    }
}
