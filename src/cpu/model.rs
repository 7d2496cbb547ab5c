//! The vendor and the family of the CPU. CPUID's flags state which instructions a CPU has; their speed depends on the family.

use core::arch::x86_64::__cpuid;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The vendor of a CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Vendor {
    Intel,
    Amd,
    Other,
}

/// A family of CPUs: Intel's 6 for most of its CPUs, AMD's 0x19 for Zen 3 and Zen 4, and its 0x1A for Zen 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Model {
    pub(crate) vendor: Vendor,
    pub(crate) family: u32,
}

/// The vendor and the family of this CPU. CPUID is read once.
pub(crate) fn model() -> Model {
    /// The number of the vendor plus one, in the bits above those of the family; 0 if not read yet.
    static FOUND: AtomicU32 = AtomicU32::new(0);
    const VENDORS: [Vendor; 3] = [Vendor::Intel, Vendor::Amd, Vendor::Other];
    let kept = FOUND.load(Relaxed);
    if let Some(vendor) = VENDORS.get((kept >> 16).wrapping_sub(1) as usize) {
        return Model { vendor: *vendor, family: kept & 0xFFFF };
    }
    let found = ask();
    FOUND.store((found.vendor as u32 + 1) << 16 | found.family, Relaxed);
    found
}

fn ask() -> Model {
    let leaf = __cpuid(0);
    let vendor = match [leaf.ebx, leaf.edx, leaf.ecx].map(u32::to_le_bytes).as_flattened() {
        b"GenuineIntel" => Vendor::Intel,
        b"AuthenticAMD" => Vendor::Amd,
        _ => Vendor::Other,
    };
    let signature = __cpuid(1).eax;
    // If the first field is 15, the extended family is added to it.
    let family = match signature >> 8 & 15 {
        15 => 15 + (signature >> 20 & 0xFF),
        family => family,
    };
    Model { vendor, family }
}

/// Whether the CPU multiplies pairs of `bf16` faster than two vectors of `f32`. That it has the instruction does not imply it:
///
/// | CPU | pairs, to `f32` |
/// |---|---|
/// | AMD Zen 4 and Zen 5, families 0x19 and 0x1A | twice as fast |
/// | Intel Sapphire Rapids | half as fast |
/// | others | not measured: `f32` keeps denormals |
pub(crate) fn pairs_are_fast() -> bool {
    let Model { vendor, family } = model();
    vendor == Vendor::Amd && family >= 0x19
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_that_of_the_operating_system() {
        let found = model();
        assert_eq!(found, ask());
        assert_eq!(model(), found);
        #[cfg(target_os = "linux")]
        if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") {
            let value = |key: &str| {
                let line = text.lines().find(|line| line.starts_with(key))?;
                Some(line.split_once(": ")?.1.to_owned())
            };
            assert_eq!(value("cpu family").and_then(|n| n.parse().ok()), Some(found.family));
            let vendor = match value("vendor_id").as_deref() {
                Some("GenuineIntel") => Vendor::Intel,
                Some("AuthenticAMD") => Vendor::Amd,
                _ => Vendor::Other,
            };
            assert_eq!(vendor, found.vendor);
        }
    }
}
