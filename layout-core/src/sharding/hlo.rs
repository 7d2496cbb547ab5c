//! Shardings as XLA's HLO writes them.

use super::axis::{Axis, product, uncovered};
use super::local::Shards;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// A sharding in the notation of HLO, version 2. Displays as `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`.
///
/// Number the devices of the mesh in its order, reshape them to `reshape`, transpose them by `transpose`, and reshape
/// them to `tiles`: then tile `i` belongs to device `i`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum HloSharding {
    /// Every device has the whole tensor.
    Replicated,
    /// Every device has a partial sum as large as the tensor.
    Unreduced,
    /// One device has the tensor.
    Maximal(usize),
    /// The tensor is split.
    Tiled {
        /// The number of parts of each dimension; then the number of devices with partial sums, if there are several,
        /// and the number of devices with the same part, if there are several.
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
    /// The sharding as HLO writes it.
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

    /// The parts of all axes in mesh order, and the order in which the dimensions and then the sums use them.
    /// Neighbours that stay together are one part.
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
        let mut by_place: Vec<_> = (0..runs.len()).collect();
        by_place.sort_unstable_by_key(|&run| runs[run][0]);
        let size =
            |run: &usize| product(&runs[*run].iter().map(|&at| pieces[at]).collect::<Vec<_>>());
        let reshape = by_place.iter().map(size).collect();
        let place = |run| by_place.iter().position(|&other| other == run);
        let transpose = (0..runs.len()).filter_map(place).collect();
        (reshape, transpose)
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
