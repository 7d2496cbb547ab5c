//! Whether this process may use AMX: the CPU has it, the operating system saves its registers, and grants their use.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The bits of CPUID's leaf 7, in EDX, for the tiles themselves and for the dot products of `bf16` and of bytes.
const TILE: u32 = 1 << 24;
pub(super) const BF16: u32 = 1 << 22;
pub(super) const INT8: u32 = 1 << 25;

/// The bit of CPUID's leaf 1, in ECX: the operating system has enabled `xgetbv`.
const OSXSAVE: u32 = 1 << 27;

/// The bits of XCR0 for the configuration of the tiles and for their data.
const STATE: u64 = 1 << 17 | 1 << 18;

/// Whether tiles with these dot products, [`BF16`] or [`INT8`], may be used by every thread of the process from now on.
pub(super) fn is_usable(dot_products: u32) -> bool {
    let bits = TILE | dot_products;
    __cpuid(0).eax >= 7
        && __cpuid_count(7, 0).edx & bits == bits
        && __cpuid(1).ecx & OSXSAVE != 0
        && enabled_state() & STATE == STATE
        && is_granted()
}

/// XCR0: the registers that the operating system saves.
fn enabled_state() -> u64 {
    /// Reads XCR0.
    #[target_feature(enable = "xsave")]
    fn read() -> u64 {
        // SAFETY: the function has the feature, and every CPU with it has the register 0.
        unsafe { _xgetbv(0) }
    }
    if std::is_x86_feature_detected!("xsave") {
        // SAFETY: the CPU has the feature, and its operating system has enabled it, or it would not be detected.
        unsafe { read() }
    } else {
        0
    }
}

/// Asks Linux for the use of the tiles' data by this process, all of whose threads have it then. A process that has it
/// may ask again.
#[cfg(target_os = "linux")]
fn is_granted() -> bool {
    use core::arch::asm;
    /// The number of the system call.
    const ARCH_PRCTL: i64 = 158;
    /// What is asked of it: the use of a component of the state.
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    /// The component: the data of tiles.
    const XTILEDATA: u64 = 18;
    let result: i64;
    // SAFETY: the call reads and writes no memory of the process; the kernel changes `rax`, `rcx` and `r11` only.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") ARCH_REQ_XCOMP_PERM,
            in("rsi") XTILEDATA,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack, nomem),
        );
    }
    result == 0
}

/// Other systems have other ways, which have not been tried.
#[cfg(not(target_os = "linux"))]
fn is_granted() -> bool {
    false
}
