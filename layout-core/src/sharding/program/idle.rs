//! Axes of meshes that a program does not use.

use super::Program;
use super::nodes::{Node, RegionKind};
use crate::sharding::mesh::MeshAxis;
use crate::sharding::tensor::{MeshRef, TensorSharding};
use alloc::vec::Vec;

impl Program {
    /// The axes, each with the number of its mesh, along which no value is split or summed: devices that differ along such an
    /// axis do the same work.
    ///
    /// ```
    /// use tensor_layout::sharding::{Mesh, program::Program};
    /// let mesh: Mesh = r#"<["data"=2, "model"=4]>"#.parse().unwrap();
    /// let text = r#"mesh Pod; fn f(x: f32[8,4] [{"data"}, {}]) { let y = tanh(x); return y; }"#;
    /// assert_eq!(Program::new(text, &mesh).unwrap().idle_axes(), [(0, "model")]);
    /// ```
    pub fn idle_axes(&self) -> Vec<(usize, &str)> {
        let mut idle = Vec::new();
        for (number, (name, mesh)) in self.meshes.iter().enumerate() {
            let values = self.values.iter().map(|value| &value.sharding);
            let shardings = values.chain(self.returns.iter().map(|(_, sharding, _)| sharding));
            let is_own = |sharding: &&TensorSharding| matches!(&sharding.mesh, MeshRef::Name(own) if own == name);
            let own: Vec<_> = shardings.filter(is_own).collect();
            let split = |axis: &str| {
                own.iter().any(|sharding| {
                    let dims = sharding.dims.iter().flat_map(|dim| dim.axes.iter());
                    dims.chain(sharding.unreduced.iter()).any(|used| used.name == axis)
                })
            };
            let axes = mesh.axes().iter().filter(|axis| axis.size() > 1).map(MeshAxis::name);
            idle.extend(
                axes.filter(|axis| !split(axis) && !is_manual(&self.nodes, axis))
                    .map(|axis| (number, axis)),
            );
        }
        idle
    }
}

/// Whether an axis belongs to a manual computation.
fn is_manual(nodes: &[Node], axis: &str) -> bool {
    nodes.iter().any(|node| {
        let Node::Region(region) = node else { return false };
        matches!(&region.kind, RegionKind::Manual { axes, .. } if axes.iter().any(|own| own.name == axis))
            || region.bodies.iter().any(|body| is_manual(&body.nodes, axis))
    })
}
