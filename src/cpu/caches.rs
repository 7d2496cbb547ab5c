//! The sizes of the caches.

/// The size in bytes that is assumed for the second-level cache of a core if the CPU does not report it.
const USUAL: usize = 512 << 10;

/// The size in bytes of the second-level cache of a core of this CPU.
pub(crate) fn second_level() -> usize {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    {
        use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
        static FOUND: AtomicUsize = AtomicUsize::new(0);
        match FOUND.load(Relaxed) {
            0 => {
                let bytes = x86::second_level().unwrap_or(USUAL);
                FOUND.store(bytes, Relaxed);
                bytes
            }
            bytes => bytes,
        }
    }
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    USUAL
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86 {
    use core::arch::x86_64::{__cpuid, __cpuid_count};

    /// The leaves of CPUID in which AMD's and Intel's CPUs describe their caches, in the same format.
    const AMD: u32 = 0x8000_001D;
    const INTEL: u32 = 4;

    pub(super) fn second_level() -> Option<usize> {
        let leaf = if __cpuid(0x8000_0000).eax >= AMD { AMD } else { INTEL };
        if __cpuid(0).eax < INTEL {
            return None;
        }
        let caches =
            (0..16).map(|i| __cpuid_count(leaf, i)).take_while(|cache| cache.eax & 31 != 0);
        let size = |cache: core::arch::x86_64::CpuidResult| {
            // The bytes of a line, the partitions, the ways and the sets; each field stores its number minus one.
            let [line, partitions, ways] = [0xFFF, 0x3FF, 0x3FF];
            let fields =
                [cache.ebx & line, cache.ebx >> 12 & partitions, cache.ebx >> 22 & ways, cache.ecx];
            fields.into_iter().map(|less| less as usize + 1).product()
        };
        caches.filter(|cache| cache.eax >> 5 & 7 == 2).map(size).find(|bytes| *bytes >= 1 << 17)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_second_level_has_a_size_that_caches_have() {
        let bytes = super::second_level();
        assert!((1 << 17..=1 << 26).contains(&bytes), "{bytes}");
        assert_eq!(super::second_level(), bytes);
        #[cfg(target_os = "linux")]
        if let Ok(text) = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index2/size")
        {
            let kib: usize = text.trim().trim_end_matches('K').parse().unwrap();
            assert_eq!(bytes, kib << 10);
        }
    }
}
