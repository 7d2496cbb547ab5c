//! The peak of the multiply-add instructions that products of a type use on this CPU, with operands in registers, in operations
//! (multiplications and additions) per second. Not a number if no such instruction is known.

use std::time::Instant;

/// The number of independent instructions in a loop: enough for two units and a latency of 6.
const CHAINS: u64 = 12;
const STEPS: u64 = 200_000;

/// The rate of a loop of [`CHAINS`] instructions with `operations` operations each.
fn rate(name: &str, operations: u64, run: unsafe fn()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        // SAFETY: the callers pass loops of instructions that they have found.
        unsafe { run() };
        start.elapsed().as_secs_f64()
    };
    let best = (0..200).map(time).fold(f64::MAX, f64::min);
    let rate = (operations * CHAINS * STEPS) as f64 / best;
    println!("peak of {name}: {:.1} G/s", rate / 1e9);
    rate
}

/// A loop over instructions for each of the registers `\i`.
#[cfg(target_arch = "x86_64")]
macro_rules! over_registers {
    ($name:ident: $($instruction:literal)+) => {
        pub(super) unsafe fn $name() {
            // SAFETY: the instructions change only registers, all of which are listed; the caller has detected them.
            unsafe {
                std::arch::asm!(
                    "vzeroall", "2:",
                    ".irp i,0,1,2,3,4,5,6,7,8,9,10,11", $($instruction,)+ ".endr",
                    "dec {steps}", "jnz 2b",
                    steps = inout(reg) STEPS => _,
                    out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _,
                    out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                    out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
                    options(nostack, nomem)
                );
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod loops {
    use super::STEPS;

    /// Eight tile registers of 16 rows of 64 bytes.
    static TILES: [u8; 64] = {
        let (mut bytes, mut i) = ([0; 64], 0);
        bytes[0] = 1;
        while i < 8 {
            (bytes[16 + 2 * i], bytes[48 + i]) = (64, 16);
            i += 1;
        }
        bytes
    };

    /// A loop over an instruction of AMX for each of the tile registers `\i`.
    macro_rules! over_tiles {
        ($name:ident: $instruction:literal) => {
            pub(super) unsafe fn $name() {
                // SAFETY: the instructions read the configuration and change only tile registers, all of which are listed; the
                // caller has detected them.
                unsafe {
                    std::arch::asm!(
                        "ldtilecfg [{tiles}]", "2:",
                        ".irp i,0,1,2,3,4,5,0,1,2,3,4,5", $instruction, ".endr",
                        "dec {steps}", "jnz 2b",
                        "tilerelease",
                        steps = inout(reg) STEPS => _,
                        tiles = in(reg) &raw const TILES,
                        out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                        out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                        options(nostack, readonly)
                    );
                }
            }
        };
    }

    over_tiles! { tile_bf16: "tdpbf16ps tmm\\i, tmm6, tmm7" }
    over_tiles! { tile_s8: "tdpbssd tmm\\i, tmm6, tmm7" }
    over_registers! { fma_256: "vfmadd231ps ymm\\i, ymm12, ymm13" }
    over_registers! { fma_512: "vfmadd231ps zmm\\i, zmm12, zmm13" }
    over_registers! { dpbf16: "vdpbf16ps zmm\\i, zmm12, zmm13" }
    over_registers! { maddwd: "vpmaddwd ymm14, ymm12, ymm13" "vpaddd ymm\\i, ymm\\i, ymm14" }
    over_registers! { dpbusd_256: "{{vex}} vpdpbusd ymm\\i, ymm12, ymm13" }
    over_registers! { dpbusd_512: "vpdpbusd zmm\\i, zmm12, zmm13" }
}

/// Whether Linux lists a feature of AMX, the environment lets the library use it, and the process may. The standard
/// library does not detect it.
#[cfg(target_arch = "x86_64")]
fn has_tiles(feature: &str) -> bool {
    let listed = std::fs::read_to_string("/proc/cpuinfo")
        .is_ok_and(|text| text.split_whitespace().any(|word| word == feature));
    if !listed || std::env::var("TENSOR_LAYOUT_CPU").is_ok_and(|limit| limit != "amx") {
        return false;
    }
    let result: i64;
    // SAFETY: `arch_prctl` asks for the use of component 18 of the state, the tiles' data; it touches no memory.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") 158_i64 => result,
            in("rdi") 0x1023, in("rsi") 18,
            lateout("rcx") _, lateout("r11") _,
            options(nostack, nomem)
        );
    }
    result == 0
}

/// Products of `f32`.
pub(crate) fn f32() -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            return rate("vfmadd231ps, 512 bits", 32, loops::fma_512);
        }
        if is_x86_feature_detected!("fma") {
            return rate("vfmadd231ps, 256 bits", 16, loops::fma_256);
        }
    }
    f64::NAN
}

/// Products of `bf16`.
pub(crate) fn bf16() -> f64 {
    #[cfg(target_arch = "x86_64")]
    if has_tiles("amx_bf16") {
        return rate("tdpbf16ps", 16 * 16 * 64, loops::tile_bf16);
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512bf16") {
        return rate("vdpbf16ps, 512 bits", 64, loops::dpbf16);
    }
    f32()
}

/// Products of `s8`.
pub(crate) fn s8() -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if has_tiles("amx_int8") {
            return rate("tdpbssd", 16 * 16 * 128, loops::tile_s8);
        }
        if is_x86_feature_detected!("avx512vnni") {
            return rate("vpdpbusd, 512 bits", 128, loops::dpbusd_512);
        }
        if is_x86_feature_detected!("avxvnni") {
            return rate("vpdpbusd, 256 bits", 64, loops::dpbusd_256);
        }
        if is_x86_feature_detected!("avx2") {
            return rate("vpmaddwd and vpaddd, 256 bits", 32, loops::maddwd);
        }
    }
    f64::NAN
}
