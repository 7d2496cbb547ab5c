//! Operations whose tensors are on several meshes.

use super::conflict::{Conflict, ConflictKind};
use super::graph::Graph;
use super::resolved::Resolved;
use alloc::string::{String, ToString};

/// Two tensors of an operation, by number.
type Pair = (usize, usize);

impl Graph {
    /// The mesh, by number, of values without a sharding: the first mesh that is not a single named device.
    pub(crate) fn default_mesh(&self) -> usize {
        self.meshes.iter().position(|(_, mesh)| !mesh.is_maximal()).unwrap_or(0)
    }

    /// Whether two meshes, by number, have the same devices in the same positions.
    pub(super) fn same_mesh(&self, one: usize, other: usize) -> bool {
        one == other || self.meshes[one].1 == self.meshes[other].1
    }

    /// Whether every device of the mesh has the whole tensor, so that the sharding is valid on every mesh of these devices.
    fn is_everywhere(&self, sharding: &Resolved) -> bool {
        let mesh = self.mesh_of(sharding);
        sharding.is_unsplit() && sharding.unreduced.is_empty() && !mesh.is_maximal()
    }

    /// The mesh to which the tensors of an operation are bound, if any.
    fn bound_mesh(&self, shardings: &[Option<&Resolved>]) -> Result<Option<usize>, Pair> {
        let bound =
            shardings.iter().enumerate().filter_map(|(at, sharding)| Some((at, (*sharding)?)));
        let mut bound = bound.filter(|(_, sharding)| !self.is_everywhere(sharding));
        let Some((first, sharding)) = bound.next() else { return Ok(None) };
        let mesh = sharding.mesh;
        match bound.find(|(_, other)| !self.same_mesh(other.mesh, mesh)) {
            Some((other, _)) => Err((first, other)),
            None => Ok(Some(mesh)),
        }
    }

    /// The first tensor that is not on the only device of mesh number `mesh`: an operand of which this device has no part, or a
    /// result on another mesh.
    fn off_device(
        &self,
        mesh: usize,
        shardings: &[Option<&Resolved>],
        operands: usize,
    ) -> Option<usize> {
        let device = self.meshes[mesh].1.device_id(0);
        let is_off = |at: usize, sharding: Option<&Resolved>| {
            let own = sharding.map_or_else(|| self.default_mesh(), |sharding| sharding.mesh);
            let has = at < operands && self.meshes[own].1.position(device).is_some();
            !self.same_mesh(own, mesh) && !has
        };
        let mut tensors = shardings.iter().enumerate();
        tensors.find(|(at, sharding)| is_off(*at, **sharding)).map(|(at, _)| at)
    }

    /// The mesh of an operation; `None` if it has none.
    pub(super) fn operation_mesh(
        &self,
        shardings: &[Option<&Resolved>],
        operands: usize,
    ) -> Result<Option<usize>, Pair> {
        let Some(mesh) = self.bound_mesh(shardings)? else {
            let mut meshes = shardings.iter().flatten().map(|sharding| sharding.mesh);
            return Ok(meshes.find(|&mesh| !self.meshes[mesh].1.is_empty()));
        };
        if !self.meshes[mesh].1.is_maximal() {
            return Ok(Some(mesh));
        }
        let on = shardings.iter().position(|sharding| sharding.is_some_and(|own| own.mesh == mesh));
        match self.off_device(mesh, shardings, operands) {
            Some(off) => Err((on.unwrap_or(0), off)),
            None => Ok(None),
        }
    }

    /// The mesh on which an operation runs if some operands, by number, may be resharded: the mesh of the other tensors, or
    /// otherwise the mesh of the first operand that is bound to one.
    pub(super) fn resharded_mesh(
        &self,
        shardings: &[Option<&Resolved>],
        resharded: &[usize],
    ) -> Result<Option<usize>, Pair> {
        let mut fixed = shardings.to_vec();
        resharded.iter().for_each(|&operand| fixed[operand] = None);
        if let Some(mesh) = self.bound_mesh(&fixed)? {
            return Ok(Some(mesh));
        }
        let known = || shardings.iter().flatten();
        let bound = known().find(|sharding| !self.is_everywhere(sharding));
        Ok(bound.or_else(|| known().next()).map(|sharding| sharding.mesh))
    }

    /// The conflict between two tensors on different meshes.
    pub(super) fn apart(&self, shardings: &[Option<&Resolved>], (tensor, other): Pair) -> Conflict {
        let name = |tensor: usize| -> String {
            let mesh = shardings[tensor].map_or_else(|| self.default_mesh(), |own| own.mesh);
            self.meshes[mesh].0.to_string()
        };
        let (axes, other_axes) = (name(tensor), name(other));
        Conflict { kind: ConflictKind::Meshes, factor: 0, tensor, other, axes, other_axes }
    }
}
