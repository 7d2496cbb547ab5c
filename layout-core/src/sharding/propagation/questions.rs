//! Queries of a graph about one operation: its conflict, and the reshards that would resolve it.

use super::super::axis::{AxisList, product};
use super::super::mesh::Mesh;
use super::super::tensor::TensorSharding;
use super::conflict::{self, Conflict};
use super::graph::{Graph, Op, OpData};
use super::projection::Projection;
use super::resolved::Resolved;
use alloc::vec::Vec;

impl Graph {
    /// The factors of an operation and its mesh, assuming the given shardings of some operands, by number. `None` if the operation
    /// has no mesh.
    #[track_caller]
    pub(super) fn project_with(
        &self,
        op: Op,
        others: &[(usize, Resolved)],
    ) -> Result<Option<(Projection, usize)>, Conflict> {
        let data = self.op_data(op);
        // An operation without a rule cannot violate one.
        if data.rule.tensors().next().is_none() {
            return Ok(None);
        }
        let seen = self.seen(data);
        let mut shardings: Vec<_> = data.tensors().map(|value| self.held(value)).collect();
        if let (Some(seen), Some(target)) = (&seen, shardings.last_mut()) {
            *target = Some(seen);
        }
        for (operand, sharding) in others {
            shardings[*operand] = Some(sharding);
        }
        let mesh = match self.operation_mesh(&shardings, data.operands.len()) {
            Ok(Some(mesh)) => mesh,
            Ok(None) => return Ok(None),
            Err(tensors) => return Err(self.apart(&shardings, tensors)),
        };
        Ok(Some((self.fill(data, shardings, mesh), mesh)))
    }

    /// The factors of an operation on a mesh. A tensor on another mesh is complete on all devices.
    fn fill(
        &self,
        data: &OpData,
        mut shardings: Vec<Option<&Resolved>>,
        mesh: usize,
    ) -> Projection {
        for sharding in &mut shardings {
            *sharding = sharding.filter(|own| self.same_mesh(own.mesh, mesh));
        }
        let mut projection = Projection::default();
        projection.fill(&data.rule, shardings.into_iter(), &self.meshes[mesh].1);
        projection
    }

    /// The reason why an operation cannot run on the shardings of its tensors; `None` if it can.
    ///
    /// It can run if every factor is sharded in the same way in all tensors that have it, no axis shards two factors, and the
    /// factors that must not be split are not sharded. Otherwise Shardy reshards a tensor without a message. Tensors on different
    /// meshes are also in conflict, except those that are complete on every device.
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    #[track_caller]
    pub fn conflict(&self, op: Op) -> Option<Conflict> {
        match self.project_with(op, &[]) {
            Ok(Some((projection, mesh))) => self.found(&projection, op, mesh),
            Ok(None) => None,
            Err(conflict) => Some(conflict),
        }
    }

    /// [`Graph::conflict`] or, if there is none, the conflict that elements would move between devices because a factor is
    /// padded ([`ConflictKind::Padded`]).
    ///
    /// # Panics
    /// If the operation belongs to another graph.
    ///
    /// [`ConflictKind::Padded`]: super::ConflictKind::Padded
    #[track_caller]
    pub fn conflict_or_padded(&self, op: Op) -> Option<Conflict> {
        match self.project_with(op, &[]) {
            Ok(Some((projection, mesh))) => self.found_or_padded(&projection, op, mesh),
            Ok(None) => None,
            Err(conflict) => Some(conflict),
        }
    }

    fn found_or_padded(&self, projection: &Projection, op: Op, mesh: usize) -> Option<Conflict> {
        self.found(projection, op, mesh).or_else(|| {
            let found = conflict::padded(projection, &self.ops[op.0].rule)?;
            Some(self.written_conflict(&found, mesh))
        })
    }

    fn found(&self, projection: &Projection, op: Op, mesh: usize) -> Option<Conflict> {
        let found = conflict::find(projection, &self.ops[op.0].rule)?;
        Some(self.written_conflict(&found, mesh))
    }

    fn written_conflict(&self, found: &conflict::Found, mesh: usize) -> Conflict {
        let [axes, other_axes] = &found.axes;
        Conflict {
            kind: found.kind,
            factor: found.factor,
            tensor: found.tensors[0],
            other: found.tensors[1],
            axes: self.listed(mesh, axes),
            other_axes: self.listed(mesh, other_axes),
        }
    }

    /// The shardings that operands, by number, must have for an operation to run, if only these operands may be resharded.
    ///
    /// # Errors
    /// The conflict that remains.
    ///
    /// # Panics
    /// If the operation belongs to another graph, or has no operand with such a number.
    #[track_caller]
    pub fn reshards(
        &self,
        op: Op,
        operands: &[usize],
    ) -> Result<Vec<(usize, TensorSharding)>, Conflict> {
        let data = &self.ops[op.0];
        if data.rule.tensors().next().is_none() {
            return Ok(Vec::new());
        }
        let seen = self.seen(data);
        let mut shardings: Vec<_> = data.tensors().map(|value| self.held(value)).collect();
        if let (Some(seen), Some(target)) = (&seen, shardings.last_mut()) {
            *target = Some(seen);
        }
        let mesh = match self.resharded_mesh(&shardings, operands) {
            Ok(Some(mesh)) => mesh,
            Ok(None) => return Ok(Vec::new()),
            Err(tensors) => return Err(self.apart(&shardings, tensors)),
        };
        let name = &self.meshes[mesh];
        if name.1.is_maximal() {
            let there = Resolved::open(mesh, 0);
            for &operand in operands {
                shardings[operand] = Some(&there);
            }
            return match self.operation_mesh(&shardings, data.operands.len()) {
                Err(tensors) => Err(self.apart(&shardings, tensors)),
                Ok(_) => {
                    let sharding = there.written(&name.1, name.0.clone());
                    Ok(operands.iter().map(|&operand| (operand, sharding.clone())).collect())
                }
            };
        }
        let mut projection = self.fill(data, shardings, mesh);
        projection.adapt(&data.rule, operands);
        if let Some(conflict) = self.found_or_padded(&projection, op, mesh) {
            return Err(conflict);
        }
        let sharding =
            |&operand: &usize| (operand, self.operand_of(&projection, op, operand, mesh));
        Ok(operands.iter().map(sharding).collect())
    }

    /// The sharding of an operand, computed from the shardings of the factors.
    fn operand_of(
        &self,
        projection: &Projection,
        op: Op,
        operand: usize,
        mesh: usize,
    ) -> TensorSharding {
        let data = &self.ops[op.0];
        let mapping = &data.rule.operands[operand];
        let name = &self.meshes[mesh];
        let old = self.held(data.operands[operand]);
        let old = old.filter(|old| self.same_mesh(old.mesh, mesh));
        let mut new = projection.back(&data.rule, operand, mapping, old, (mesh, &name.1));
        // The resharded operand may be split along axes that were replicated before.
        let used = new.dims.iter().flat_map(|dim| &dim.axes);
        new.replicated.retain(|axis| !used.clone().any(|other| other.overlaps(*axis)));
        new.written(&name.1, name.0.clone())
    }

    /// The sharding that makes an operand agree with another tensor of its operation, both by number.
    pub(crate) fn agreeing(&self, op: Op, operand: usize, with: usize) -> Option<TensorSharding> {
        let (mut projection, mesh) = self.project_with(op, &[]).ok()??;
        let others: Vec<_> = (0..projection.tensors).filter(|tensor| *tensor != with).collect();
        projection.adapt(&self.ops[op.0].rule, &others);
        Some(self.operand_of(&projection, op, operand, mesh))
    }

    /// [`Graph::conflict_or_padded`] after operands, by number, have been resharded.
    pub(crate) fn conflict_after(
        &self,
        op: Op,
        resharded: &[(usize, TensorSharding)],
    ) -> Option<Conflict> {
        match self.project_with(op, &self.resolved(op, resharded)) {
            Ok(Some((projection, mesh))) => self.found_or_padded(&projection, op, mesh),
            Ok(None) => None,
            Err(conflict) => Some(conflict),
        }
    }

    /// Shardings of operands, by number, on the meshes of the graph.
    pub(super) fn resolved(
        &self,
        op: Op,
        shardings: &[(usize, TensorSharding)],
    ) -> Vec<(usize, Resolved)> {
        let resolved = shardings.iter().filter_map(|(operand, sharding)| {
            let dims = self.dims(*self.ops[op.0].operands.get(*operand)?);
            Some((*operand, self.resolve(sharding, dims).ok()?))
        });
        resolved.collect()
    }

    /// The mesh of an operation whose operands, by number, have been resharded, and the axes of each factor in its operands.
    pub(crate) fn factor_axes(
        &self,
        op: Op,
        resharded: &[(usize, TensorSharding)],
    ) -> Option<(&Mesh, Vec<AxisList>)> {
        let resharded = self.resolved(op, resharded);
        let (projection, mesh) = self.project_with(op, &resharded).ok()??;
        let axes = |factor: usize| {
            let mut cells =
                (0..projection.operands).map(|operand| projection.cell(operand, factor));
            cells.find(|cell| cell.present).map(|cell| cell.axes.clone()).unwrap_or_default()
        };
        Some((&self.meshes[mesh].1, (0..projection.factors).map(axes).collect()))
    }

    /// Whether a tensor of an operation, after operands, by number, have been resharded, is split along axes that no factor has: in
    /// a dimension without factors, or because the axes do not divide the factors.
    pub(crate) fn splits_no_factor(&self, op: Op, resharded: &[(usize, TensorSharding)]) -> bool {
        let resharded = self.resolved(op, resharded);
        let Ok(Some((projection, mesh))) = self.project_with(op, &resharded) else { return false };
        let data = &self.ops[op.0];
        data.tensors().zip(data.rule.tensors()).enumerate().any(|(tensor, (value, mapping))| {
            let other = resharded.iter().find(|(operand, _)| *operand == tensor);
            let sharding = other.map(|(_, sharding)| sharding).or_else(|| self.held(value));
            let Some(sharding) = sharding.filter(|own| self.same_mesh(own.mesh, mesh)) else {
                return false;
            };
            sharding.dims.iter().enumerate().any(|(dim, own)| {
                let cells = mapping.dim(dim).map(|factor| projection.cell(tensor, factor));
                product(&own.axes) != cells.map(|cell| product(&cell.axes)).product::<usize>()
            })
        })
    }
}
