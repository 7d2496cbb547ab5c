//! Random meshes, and shardings with parts of axes.

pub(crate) use crate::numbers::Random;
use tensor_layout::sharding::{AxisRef, DimSharding, Mesh, MeshAxis, MeshRef, TensorSharding};

impl Random {
    /// A mesh of at most `most` devices.
    pub(crate) fn mesh(&mut self, most: usize) -> Mesh {
        let shapes: [&[usize]; 14] = [
            &[4, 6],
            &[3, 8],
            &[6, 4],
            &[2, 4],
            &[2, 2, 2],
            &[4, 4],
            &[2, 3, 4],
            &[2, 2, 4],
            &[3, 2, 2],
            &[12],
            &[16],
            &[5, 3],
            &[2, 9],
            &[6, 1, 2],
        ];
        loop {
            let sizes = self.one(&shapes);
            if sizes.iter().product::<usize>() <= most {
                let axes = ["x", "y", "z"].into_iter().zip(sizes);
                return Mesh::new(axes.map(|(name, size)| MeshAxis::new(name, *size)), [])
                    .expect("a mesh");
            }
        }
    }

    /// Cuts every axis into parts, `(axis, pre, size)`, for use by one or several shardings.
    pub(crate) fn parts(&mut self, mesh: &Mesh) -> Vec<(usize, usize, usize)> {
        let mut parts = Vec::new();
        for (axis, size) in mesh.axes().iter().map(MeshAxis::size).enumerate() {
            let mut pre = 1;
            while pre < size {
                let left = size / pre;
                let divisors: Vec<_> =
                    (2..=left).filter(|part| left.is_multiple_of(*part)).collect();
                let part = if self.chance(60) { left } else { self.one(&divisors) };
                parts.push((axis, pre, part));
                pre *= part;
            }
        }
        parts
    }

    /// A sharding that uses some of `parts`, and all of `unreduced` as unreduced axes.
    pub(crate) fn sharding(
        &mut self,
        mesh: &Mesh,
        rank: usize,
        parts: &[(usize, usize, usize)],
        unreduced: &[(usize, usize, usize)],
    ) -> TensorSharding {
        let mut free: Vec<_> =
            parts.iter().copied().filter(|part| !unreduced.contains(part)).collect();
        self.shuffle(&mut free);
        let mut dims = vec![Vec::new(); rank];
        for part in free {
            if rank > 0 && self.chance(70) {
                dims[self.below(rank)].push(part);
            }
        }
        let mut unreduced = unreduced.to_vec();
        unreduced.sort_unstable();
        let dims: Vec<_> = dims
            .iter()
            .map(|parts| DimSharding { axes: merged(mesh, parts).into(), ..DimSharding::default() })
            .collect();
        TensorSharding {
            unreduced: merged(mesh, &unreduced).into(),
            ..TensorSharding::new(MeshRef::Name("mesh".into()), dims)
        }
    }
}

/// The parts as axes. Consecutive parts of an axis are merged.
fn merged(mesh: &Mesh, parts: &[(usize, usize, usize)]) -> Vec<AxisRef> {
    let mut joined: Vec<(usize, usize, usize)> = Vec::new();
    for &(axis, pre, size) in parts {
        match joined.last_mut() {
            Some((last, start, len)) if *last == axis && *start * *len == pre => *len *= size,
            _ => joined.push((axis, pre, size)),
        }
    }
    let name = |axis: usize| mesh.axes()[axis].name().to_owned();
    joined
        .into_iter()
        .map(|(axis, pre, size)| match size == mesh.axes()[axis].size() {
            true => AxisRef::full(name(axis)),
            false => AxisRef::part(name(axis), pre, size),
        })
        .collect()
}

/// The coordinate of a device along an axis or a part of one.
pub(crate) fn coordinate(mesh: &Mesh, axis: &AxisRef, device: usize) -> usize {
    let at = mesh.axes().iter().position(|other| other.name() == axis.name).expect("an axis");
    let (coordinate, size) = (mesh.coordinates(device)[at], mesh.axes()[at].size());
    match axis.sub {
        None => coordinate,
        Some(sub) => coordinate / (size / (sub.pre * sub.size)) % sub.size,
    }
}
