//! Shardings in the notation of XLA's HLO.

use super::axis::{Axis, AxisRef, product, uncovered};
use super::local::Shards;
use super::mesh::{Mesh, MeshAxis};
use super::tensor::{DimSharding, MeshRef, TensorSharding};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A sharding in the notation of HLO, version 2. Displays as `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`.
///
/// To read it, number the devices of the mesh in its order, reshape them to `reshape`, transpose them by `transpose`, and
/// reshape them to `tiles`: then tile `i` belongs to device `i` of the result.
///
/// ```
/// use tensor_layout::sharding::{Mesh, Padding, Shards, TensorSharding};
/// let (mesh, rows): (Mesh, TensorSharding) = (r#"<["x"=2, "y"=4]>"#.parse()?, r#"<@mesh, [{"x"}, {}]>"#.parse()?);
/// let shards = Shards::new(&rows, &mesh, &[8, 16], Padding::Forbidden)?;
/// assert_eq!(shards.hlo().to_string(), "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HloSharding {
    /// Every device has the whole tensor.
    Replicated,
    /// Every device has a partial sum as large as the tensor.
    Unreduced,
    /// One device has the whole tensor.
    Maximal(usize),
    /// The tensor is split.
    Tiled {
        /// The number of parts of each dimension; then the number of devices with partial sums, if it is larger than 1, and the
        /// number of devices with the same part, if it is larger than 1.
        tiles: Vec<usize>,
        /// The sizes to which the devices are reshaped.
        reshape: Vec<usize>,
        /// The order of these sizes.
        transpose: Vec<usize>,
        /// Whether one of `tiles`, after the dimensions, counts devices with partial sums.
        unreduced: bool,
        /// Whether the last of `tiles` counts devices with the same part.
        replicates: bool,
    },
}

impl Shards {
    /// The sharding in the notation of HLO.
    pub fn hlo(&self) -> HloSharding {
        let mesh = self.mesh();
        if mesh.is_maximal() {
            return HloSharding::Maximal(mesh.device_id(0));
        }
        let mut tiles = self.tiles();
        let parts: usize = tiles.iter().product();
        let sums = self.partial_sums();
        let replicas = mesh.devices() / (parts * sums);
        if parts == 1 && (sums == 1 || replicas == 1) {
            return if sums == 1 { HloSharding::Replicated } else { HloSharding::Unreduced };
        }
        tiles.extend([sums, replicas].into_iter().filter(|&devices| devices > 1));
        let (reshape, transpose) = self.device_order();
        let (unreduced, replicates) = (sums > 1, replicas > 1);
        HloSharding::Tiled { tiles, reshape, transpose, unreduced, replicates }
    }

    /// The parts of all axes in mesh order, and the order in which the dimensions, and after them the sums, use these parts.
    /// Adjacent parts that stay adjacent are merged into one.
    fn device_order(&self) -> (Vec<usize>, Vec<usize>) {
        let mut used: Vec<Axis> = self.axes.concat();
        used.extend_from_slice(&self.unreduced);
        let mut pieces = Vec::new();
        for (index, axis) in self.mesh().axes().iter().enumerate() {
            let mut of_axis = uncovered(index, axis.size(), &used);
            of_axis.extend(used.iter().copied().filter(|axis| axis.index() == index));
            of_axis.sort_unstable_by_key(|axis| axis.pre());
            pieces.extend(of_axis);
        }
        pieces.retain(|piece| piece.size() > 1);
        let rest = (0..pieces.len()).filter(|&at| !used.contains(&pieces[at]));
        let first = used.iter().filter_map(|axis| pieces.iter().position(|piece| piece == axis));
        let order: Vec<_> = first.chain(rest).collect();
        let mut runs: Vec<Vec<usize>> = Vec::new();
        for at in order {
            match runs.last_mut() {
                Some(run) if run.last().is_some_and(|last| last + 1 == at) => run.push(at),
                _ => runs.push(vec![at]),
            }
        }
        let mut in_order: Vec<_> = (0..runs.len()).collect();
        in_order.sort_unstable_by_key(|&run| runs[run][0]);
        let size =
            |run: &usize| product(&runs[*run].iter().map(|&at| pieces[at]).collect::<Vec<_>>());
        let reshape = in_order.iter().map(size).collect();
        let position = |run| in_order.iter().position(|&other| other == run);
        let transpose = (0..runs.len()).filter_map(position).collect();
        (reshape, transpose)
    }
}

/// Devices of a mesh that number the parts of a dimension. `pre` is the product of the more major sizes of the mesh.
struct Piece {
    pre: usize,
    size: usize,
    /// The entry of `tiles`.
    tile: usize,
}

impl HloSharding {
    /// The parts of the devices in the order of `tiles`; `None` if the parts of the two lists do not match.
    ///
    /// In `devices=[6,35]<=[7,10,3]T(2,1,0)`, the devices are numbered by 3, 10 and 7. The 10 is split into 2 and 5: the 6 parts of
    /// the first dimension are 3 times 2, and the 35 parts of the second are 5 times 7.
    fn pieces(&self) -> Option<Vec<Piece>> {
        let Self::Tiled { tiles, reshape, transpose, .. } = self else { return Some(Vec::new()) };
        let mut left = reshape.clone();
        let mut order = transpose.iter().copied().filter(|dim| reshape[*dim] > 1).peekable();
        let mut pieces = Vec::new();
        for (tile, &parts) in tiles.iter().enumerate() {
            let mut parts = parts;
            while parts > 1 {
                let dim = *order.peek()?;
                let size = match (parts % left[dim], left[dim] % parts) {
                    (0, _) => left[dim],
                    (_, 0) => parts,
                    _ => return None,
                };
                let above: usize = reshape[..dim].iter().product();
                pieces.push(Piece { pre: above * (reshape[dim] / left[dim]), size, tile });
                parts /= size;
                left[dim] /= size;
                if left[dim] == 1 {
                    order.next();
                }
            }
        }
        Some(pieces)
    }

    /// The mesh of several shardings, whose axes are the parts of the devices that the shardings name. `None` if the parts overlap,
    /// or if the shardings differ in their number of devices. Shardings that split nothing are ignored.
    pub(crate) fn common_mesh<'a>(shardings: impl Iterator<Item = &'a Self>) -> Option<Mesh> {
        let (mut cuts, mut devices) = (BTreeSet::from([1]), None);
        for sharding in shardings {
            let Self::Tiled { reshape, .. } = sharding else { continue };
            let own = reshape.iter().product::<usize>();
            if *devices.get_or_insert(own) != own {
                return None;
            }
            cuts.insert(own);
            cuts.extend(
                sharding.pieces()?.iter().flat_map(|piece| [piece.pre, piece.pre * piece.size]),
            );
        }
        let cuts: Vec<_> = cuts.into_iter().collect();
        let axes = cuts.windows(2).enumerate().map(|(at, cut)| {
            (cut[1] % cut[0] == 0).then(|| MeshAxis::new(format!("_axis_{at}"), cut[1] / cut[0]))
        });
        Mesh::new(axes.collect::<Option<Vec<_>>>()?, []).ok()
    }

    /// The sharding of a tensor over the [`HloSharding::common_mesh`] of its program; `None` if it has another rank.
    pub(crate) fn over(&self, mesh: &Mesh, name: MeshRef, rank: usize) -> Option<TensorSharding> {
        let mut dims = vec![DimSharding::default(); rank];
        let mut unreduced = Vec::new();
        if let Self::Tiled { tiles, unreduced: sums, replicates, .. } = self {
            if tiles.len() != rank + usize::from(*sums) + usize::from(*replicates) {
                return None;
            }
            let mut pre = 1;
            let axes: Vec<_> = mesh
                .axes()
                .iter()
                .map(|axis| {
                    pre *= axis.size();
                    (pre / axis.size(), AxisRef { name: axis.name().to_string().into(), sub: None })
                })
                .collect();
            for Piece { pre, size, tile } in self.pieces()? {
                let own = axes.iter().filter(|(at, _)| (pre..pre * size).contains(at));
                let own = own.map(|(_, axis)| axis.clone());
                match dims.get_mut(tile) {
                    Some(dim) => dim.axes.to_mut().extend(own),
                    None if *sums && tile == rank => unreduced.extend(own),
                    None => {}
                }
            }
        }
        if *self == Self::Unreduced {
            let all = mesh.axes().iter();
            unreduced.extend(
                all.map(|axis| AxisRef { name: axis.name().to_string().into(), sub: None }),
            );
        }
        Some(TensorSharding { unreduced: unreduced.into(), ..TensorSharding::new(name, dims) })
    }
}

impl fmt::Display for HloSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, numbers: &[usize]| {
            numbers
                .iter()
                .enumerate()
                .try_for_each(|(i, number)| write!(f, "{}{number}", if i > 0 { "," } else { "" }))
        };
        match self {
            Self::Replicated => f.write_str("{replicated}"),
            Self::Unreduced => f.write_str("{unreduced}"),
            Self::Maximal(device) => write!(f, "{{maximal device={device}}}"),
            Self::Tiled { tiles, reshape, transpose, unreduced, replicates } => {
                f.write_str("{devices=[")?;
                list(f, tiles)?;
                f.write_str("]<=[")?;
                list(f, reshape)?;
                f.write_str("]")?;
                if transpose.len() > 1 {
                    f.write_str("T(")?;
                    list(f, transpose)?;
                    f.write_str(")")?;
                }
                f.write_str(match (unreduced, replicates) {
                    (false, false) => "}",
                    (false, true) => " last_tile_dim_replicate}",
                    (true, false) => " last_tile_dims={unreduced}}",
                    (true, true) => " last_tile_dims={unreduced, replicated}}",
                })
            }
        }
    }
}
