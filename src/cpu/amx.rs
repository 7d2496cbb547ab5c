//! Whether this process may use AMX: the CPU must have it, and the operating system must save its registers and grant their
//! use.

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The bits of EDX of CPUID's leaf 7 for the tiles themselves, and for the dot products of `bf16` and of bytes.
const TILE: u32 = 1 << 24;
pub(super) const BF16: u32 = 1 << 22;
pub(super) const INT8: u32 = 1 << 25;

/// The bit of ECX of CPUID's leaf 1: the operating system has enabled `xgetbv`.
const OSXSAVE: u32 = 1 << 27;

/// The bits of XCR0 for the configuration of the tiles and for their data.
const STATE: u64 = 1 << 17 | 1 << 18;

/// Whether all threads of the process may use tiles with these dot products, [`BF16`] or [`INT8`], after this call.
pub(super) fn is_usable(dot_products: u32) -> bool {
    let bits = TILE | dot_products;
    __cpuid(0).eax >= 7
        && __cpuid_count(7, 0).edx & bits == bits
        && __cpuid(1).ecx & OSXSAVE != 0
        && enabled_state() & STATE == STATE
        && is_granted()
}

/// The value of XCR0: the registers that the operating system saves.
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

/// Requests permission from Linux to use the data of tiles in all threads of this process. A process that has the permission may
/// request it again.
#[cfg(target_os = "linux")]
fn is_granted() -> bool {
    use core::arch::asm;
    /// The number of the system call.
    const ARCH_PRCTL: i64 = 158;
    /// The request: permission to use a component of the state.
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    /// The component: the data of tiles.
    const XTILEDATA: u64 = 18;
    let result: i64;
    // SAFETY: the call does not access memory of the process, and the kernel changes only `rax`, `rcx` and `r11`.
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

/// Other systems grant permission in other ways, which have not been tested.
#[cfg(not(target_os = "linux"))]
fn is_granted() -> bool {
    false
}
