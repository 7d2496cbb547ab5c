//! The memories of TPUs: their names, their numbers in layouts, and their sizes.

use super::generation::TpuGeneration;
use super::spec::TiledSpec;

/// A memory of a TPU.
///
/// ```
/// use tensor_layout::{TiledSpec, tiled::{TpuChip, TpuMemory}};
/// let spec: TiledSpec = "f32[8,128]{1,0:T(8,128)S(1)}".parse().unwrap();
/// assert_eq!(spec.memory(), Some(TpuMemory::Vmem));
/// assert_eq!(TpuChip::V5e.capacity(TpuMemory::Vmem), Some(128 << 20));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TpuMemory {
    /// High-bandwidth memory, the default memory of arrays: `S(0)`.
    Hbm,
    /// Vector memory, on the chip: `S(1)`.
    Vmem,
    /// Scalar memory, on the chip.
    Smem,
    /// Memory that the TensorCores of a TPU v4 share.
    Cmem,
    /// The memory of the host: `S(5)`.
    Host,
}

impl TpuMemory {
    /// All memories.
    pub const ALL: [Self; 5] = [Self::Hbm, Self::Vmem, Self::Smem, Self::Cmem, Self::Host];

    /// The name in JAX and in the compiler's dumps.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hbm => "HBM",
            Self::Vmem => "VMEM",
            Self::Smem => "SMEM",
            Self::Cmem => "CMEM",
            Self::Host => "host",
        }
    }

    /// The memory with this name, in upper or lower case; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|memory| memory.name().eq_ignore_ascii_case(name))
    }

    /// The `n` of `S(n)`. XLA names three numbers (`xla/layout.h`): 0 is the default memory, 1 the fast memory, 5 the host's.
    /// `None` for SMEM and CMEM, whose numbers are not documented.
    pub const fn space(self) -> Option<usize> {
        match self {
            Self::Hbm => Some(0),
            Self::Vmem => Some(1),
            Self::Host => Some(5),
            Self::Smem | Self::Cmem => None,
        }
    }

    /// The memory that `S(n)` names; `None` for the numbers that are not documented.
    pub const fn of_space(space: usize) -> Option<Self> {
        match space {
            0 => Some(Self::Hbm),
            1 => Some(Self::Vmem),
            5 => Some(Self::Host),
            _ => None,
        }
    }
}

/// A TPU chip, under the name that Pallas uses. It decides how the arrays of kernels are tiled, and how large memories are.
///
/// ```
/// use tensor_layout::tiled::{TpuChip, TpuMemory};
/// assert_eq!(TpuChip::V5e.capacity(TpuMemory::Vmem), Some(128 << 20));
/// assert_eq!(TpuChip::V5e.capacity(TpuMemory::Cmem), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "they are what their names say")]
pub enum TpuChip {
    V2,
    V3,
    V4i,
    V4,
    V5e,
    V5p,
    V6e,
    V7x,
}

impl TpuChip {
    /// All chips.
    pub const ALL: [Self; 8] =
        [Self::V2, Self::V3, Self::V4i, Self::V4, Self::V5e, Self::V5p, Self::V6e, Self::V7x];

    /// The generation, which decides how the arrays of kernels are tiled.
    pub const fn generation(self) -> TpuGeneration {
        match self {
            Self::V2 => TpuGeneration::V2,
            Self::V3 => TpuGeneration::V3,
            Self::V4i | Self::V4 => TpuGeneration::V4,
            Self::V5e | Self::V5p => TpuGeneration::V5,
            Self::V6e => TpuGeneration::V6,
            Self::V7x => TpuGeneration::V7,
        }
    }

    /// The size in bytes of a memory of one TensorCore, as JAX documents it (Pallas, "TPU Hardware Reference", the table of
    /// `pltpu.get_tpu_info`, in which HBM and CMEM are rounded). `None` for a memory that the chip does not have, and for
    /// the host's.
    pub const fn capacity(self, memory: TpuMemory) -> Option<u64> {
        const KIB: u64 = 1 << 10;
        const MIB: u64 = 1 << 20;
        // The sizes of VMEM, SMEM, CMEM and HBM.
        let (vmem, smem, cmem, hbm) = match self {
            Self::V2 => (16 * MIB, 16 * KIB, 0, 8_000_000_000),
            Self::V3 => (16 * MIB, 16 * KIB, 0, 17_200_000_000),
            Self::V4i => (16 * MIB, MIB, 134_000_000, 8_590_000_000),
            Self::V4 => (16 * MIB, MIB, 67_000_000, 17_200_000_000),
            Self::V5e => (128 * MIB, MIB, 0, 17_200_000_000),
            Self::V5p => (64 * MIB, MIB, 0, 51_500_000_000),
            Self::V6e => (128 * MIB, MIB, 0, 34_400_000_000),
            Self::V7x => (64 * MIB, MIB, 0, 103_000_000_000),
        };
        match memory {
            TpuMemory::Vmem => Some(vmem),
            TpuMemory::Smem => Some(smem),
            TpuMemory::Cmem if cmem > 0 => Some(cmem),
            TpuMemory::Hbm => Some(hbm),
            TpuMemory::Cmem | TpuMemory::Host => None,
        }
    }
}

impl TiledSpec {
    /// The memory of a TPU that [`TiledSpec::memory_space`] names; `None` if its number is not documented.
    pub const fn memory(&self) -> Option<TpuMemory> {
        TpuMemory::of_space(self.memory_space())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_memory_is_found_by_its_name_and_by_its_number() {
        for memory in TpuMemory::ALL {
            assert_eq!(TpuMemory::from_name(memory.name()), Some(memory));
            if let Some(space) = memory.space() {
                assert_eq!(TpuMemory::of_space(space), Some(memory));
            }
        }
        assert_eq!(TpuMemory::from_name("vmem"), Some(TpuMemory::Vmem));
        assert_eq!((TpuMemory::from_name("GMEM"), TpuMemory::of_space(2)), (None, None));
    }

    #[test]
    fn every_chip_has_vmem_smaller_than_its_hbm() {
        for chip in TpuChip::ALL {
            let [vmem, smem, hbm] = [TpuMemory::Vmem, TpuMemory::Smem, TpuMemory::Hbm]
                .map(|memory| chip.capacity(memory).expect("documented"));
            assert!(smem < vmem && vmem < hbm, "{chip:?}");
            let is_fourth = chip.generation() == TpuGeneration::V4;
            assert_eq!(chip.capacity(TpuMemory::Cmem).is_some(), is_fourth, "{chip:?}");
            assert_eq!(chip.capacity(TpuMemory::Host), None);
        }
    }
}
