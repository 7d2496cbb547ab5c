//! The instruction sets for which kernels are compiled, and the operations that differ between them.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::{HasAvx2, HasAvx512};

/// The number of bytes of a cache line, the unit in which kernels load, shuffle and store.
pub(crate) const LINE: usize = 64;

/// The size in bytes of source and destination together from which stores bypass the caches: about the size of the last-level
/// cache.
const STREAM_FROM: usize = 24 << 20;

/// The same for stores that are far apart: more than the size of the cache before the last level.
const STREAM_APART_FROM: usize = 6 << 20;

/// An instruction set for which kernels are compiled. A value proves that the CPU has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cpu {
    /// The instructions of every CPU of the target.
    Baseline,
    /// Plain Rust, the reference for tests of the others.
    #[cfg(test)]
    Portable,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2(HasAvx2),
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx512(HasAvx512),
}

impl Cpu {
    /// The best instruction set of this CPU.
    #[inline]
    pub(crate) fn detect() -> Self {
        #[cfg(test)]
        if let Some((cpu, _)) = forced::get() {
            return cpu;
        }
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            if let Some(has) = HasAvx512::detect() {
                return Self::Avx512(has);
            }
            if let Some(has) = HasAvx2::detect() {
                return Self::Avx2(has);
            }
        }
        Self::Baseline
    }

    /// All instruction sets of this CPU.
    #[cfg(test)]
    pub(crate) fn all() -> alloc::vec::Vec<Self> {
        let mut all = alloc::vec![Self::Portable, Self::Baseline];
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        {
            all.extend(HasAvx2::detect().map(Self::Avx2));
            all.extend(HasAvx512::detect().map(Self::Avx512));
        }
        all
    }
}

/// Whether stores to the destination should bypass the caches; `apart` if consecutive stores are far apart.
pub(crate) fn streams(source: usize, destination: usize, apart: bool) -> bool {
    #[cfg(test)]
    if let Some((_, stream)) = forced::get() {
        return stream;
    }
    source + destination >= if apart { STREAM_APART_FROM } else { STREAM_FROM }
}

/// The instruction set that a test forces the kernels of its thread to use, and whether they stream.
#[cfg(test)]
pub(crate) mod forced {
    use super::Cpu;
    use core::cell::Cell;

    std::thread_local! { static FORCED: Cell<Option<(Cpu, bool)>> = const { Cell::new(None) }; }

    pub(super) fn get() -> Option<(Cpu, bool)> {
        FORCED.get()
    }

    pub(crate) fn set(cpu: Cpu, stream: bool) {
        FORCED.set(Some((cpu, stream)));
    }
}

/// An instruction set: cache lines in registers, and the operations that differ between the sets. A value proves that the CPU
/// has the instructions.
pub(crate) trait Instructions: Copy {
    /// A line.
    type Line: Copy;

    /// Reads a line. The address need not be aligned.
    ///
    /// # Safety
    /// `from` must be valid for reads of [`LINE`] bytes.
    unsafe fn load(self, from: *const u8) -> Self::Line;

    /// Writes a line. The address need not be aligned.
    ///
    /// # Safety
    /// `to` must be valid for writes of [`LINE`] bytes.
    unsafe fn store(self, to: *mut u8, line: Self::Line);

    /// Writes a line, bypassing the caches.
    ///
    /// # Safety
    /// As for [`Instructions::store`], and `to` must be aligned to [`LINE`] bytes.
    unsafe fn stream(self, to: *mut u8, line: Self::Line);

    /// Interleaves the elements of `N` bytes of `a` and `b`. Returns the first half of the pairs and the second half: `a0 a1`
    /// and `b0 b1` become `a0 b0` and `a1 b1`.
    fn zip<const N: usize>(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line);

    /// Whether [`Instructions::unzip`] is one instruction for each line.
    const UNZIPS: bool = false;

    /// Deinterleaves the elements of `N` bytes of `a` and then `b`. Returns the first elements of all pairs and the second ones:
    /// `a0 b0` and `a1 b1` become `a0 a1` and `b0 b1`.
    #[inline(always)]
    fn unzip<const N: usize>(self, a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line) {
        // Repeated zips restore the original order, so all of them but one undo a zip. With 4 elements, `abcd` becomes `acbd`, and
        // a second zip restores `abcd`: one zip undoes another.
        let mut halves = (a, b);
        for _ in 1..const { (2 * LINE / N).ilog2() } {
            halves = self.zip::<N>(halves.0, halves.1);
        }
        halves
    }

    /// A register of one or more lanes, which are shuffled independently.
    type Lanes: Lanes;

    /// Reads the lanes of a register from addresses that are `stride` bytes apart.
    ///
    /// # Safety
    /// `from` must be valid for reads of each lane.
    unsafe fn load_lanes(self, from: *const u8, stride: usize) -> Self::Lanes;

    /// A register of one lane.
    type Lane: Lanes;

    /// Reads one lane.
    ///
    /// # Safety
    /// `from` must be valid for reads of the lane.
    unsafe fn load_lane(self, from: *const u8) -> Self::Lane;
}

/// A register of lanes of [`LANE`] bytes, whose shuffles move elements only within their lane. A value proves that the CPU
/// has the instructions, because it was made by a value of [`Instructions`].
pub(crate) trait Lanes: Copy {
    /// Interleaves the elements of `N` bytes of two registers in each lane. Returns the first half of the pairs and the second
    /// half.
    fn zip<const N: usize>(self, other: Self) -> (Self, Self);

    /// Deinterleaves groups of `P` elements of `N` bytes in each lane: puts the first elements of all groups first, then the
    /// second ones, and so on. With `P` = 2, `a0 b0 a1 b1` becomes `a0 a1 b0 b1`.
    fn deinterleave<const N: usize, const P: usize>(self) -> Self;

    /// Transposes each unit of `N` bytes in each lane, a square of `P` rows of `P` elements. With `N` = 4 and `P` = 2, the bytes
    /// `0 1 2 3` become `0 2 1 3`.
    fn transpose_units<const N: usize, const P: usize>(self) -> Self;

    /// Writes the lanes to addresses that are `stride` bytes apart.
    ///
    /// # Safety
    /// `to` must be valid for writes of each lane.
    unsafe fn store_lanes(self, to: *mut u8, stride: usize);

    /// Writes the lanes one after the other. The address need not be aligned.
    ///
    /// # Safety
    /// `to` must be valid for writes of the lanes.
    unsafe fn store(self, to: *mut u8);

    /// Writes the lanes one after the other, bypassing the caches.
    ///
    /// # Safety
    /// As for [`Lanes::store`], and `to` must be aligned to the lanes.
    unsafe fn stream(self, to: *mut u8);
}

/// The number of bytes of a lane.
pub(crate) const LANE: usize = 16;

/// For each byte of a lane of transposed units of `n` bytes, the index of that byte in the original lane: 0 2 1 3, 4 6 5 7, ...
/// for units of 4 bytes with 2 rows.
#[cfg(any(test, feature = "std", not(target_arch = "x86_64")))]
const fn transposed_order(n: usize, p: usize) -> [u8; LANE] {
    let mut order = [0; LANE];
    let (mut at, width) = (0, n / (p * p));
    while at < LANE {
        let element = at % n / width;
        order[at] = (at - at % n + (element % p * p + element / p) * width + at % width) as u8;
        at += 1;
    }
    order
}

/// Orders streamed stores before the stores that follow.
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has the instruction.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

#[cfg(target_arch = "aarch64")]
#[path = "arm.rs"]
mod baseline;
#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod baseline;
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[path = "portable.rs"]
mod portable;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use baseline::Baseline;
#[cfg(test)]
pub(crate) use portable::Portable;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use portable::Portable as Baseline;

/// Compiles a function for each instruction set, with the type and the constants in brackets, and calls the copy for
/// `cpu`. The first argument of the function is the value that proves the instructions. If the function is `unsafe`, so is the
/// call.
macro_rules! for_cpu {
    ($cpu:expr, unsafe $($rest:tt)*) => { $crate::cpu::for_cpu!(@[unsafe] $cpu, $($rest)*) };
    (
        @[$($unsafe:tt)?] $cpu:expr,
        $function:ident $(<$T:ident: $Bound:path>)? $([$($CONST:ident: $Const:ty = $value:expr),*])?
        ($($argument:ident: $Type:ty),*)
    ) => {{
        /// # Safety
        /// As for the compiled function, if that is unsafe.
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
        $($unsafe)? fn avx512 <$($T: $Bound,)? $($(const $CONST: $Const),*)?> (
            simd: $crate::cpu::HasAvx512, $($argument: $Type),*
        ) {
            // SAFETY: the caller makes the same promises.
            $($unsafe)? { $function::<$crate::cpu::HasAvx512 $(, $T)? $($(, $CONST)*)?>(simd, $($argument),*) }
        }
        /// # Safety
        /// As for the compiled function, if that is unsafe.
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx2,bmi2,f16c")]
        $($unsafe)? fn avx2 <$($T: $Bound,)? $($(const $CONST: $Const),*)?> (
            simd: $crate::cpu::HasAvx2, $($argument: $Type),*
        ) {
            // SAFETY: the caller makes the same promises.
            $($unsafe)? { $function::<$crate::cpu::HasAvx2 $(, $T)? $($(, $CONST)*)?>(simd, $($argument),*) }
        }
        /// # Safety
        /// As for the compiled function, if that is unsafe.
        $($unsafe)? fn baseline <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            let simd = $crate::cpu::Baseline;
            // SAFETY: the caller makes the same promises.
            $($unsafe)? { $function::<$crate::cpu::Baseline $(, $T)? $($(, $CONST)*)?>(simd, $($argument),*) }
        }
        /// # Safety
        /// As for the compiled function, if that is unsafe.
        #[cfg(test)]
        $($unsafe)? fn portable <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            let simd = $crate::cpu::Portable;
            // SAFETY: the caller makes the same promises.
            $($unsafe)? { $function::<$crate::cpu::Portable $(, $T)? $($(, $CONST)*)?>(simd, $($argument),*) }
        }
        match $cpu {
            #[cfg(test)]
            $crate::cpu::Cpu::Portable => portable::<$($T,)? $($({ $value }),*)?>($($argument),*),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            #[allow(unused_unsafe, reason = "the call of an unsafe function stands in a block of its own")]
            // SAFETY: the value proves the instructions, and the caller makes the promises of the function.
            $crate::cpu::Cpu::Avx512(simd) => unsafe {
                avx512::<$($T,)? $($({ $value }),*)?>(simd, $($argument),*)
            },
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            #[allow(unused_unsafe, reason = "the call of an unsafe function stands in a block of its own")]
            // SAFETY: as above.
            $crate::cpu::Cpu::Avx2(simd) => unsafe {
                avx2::<$($T,)? $($({ $value }),*)?>(simd, $($argument),*)
            },
            $crate::cpu::Cpu::Baseline => baseline::<$($T,)? $($({ $value }),*)?>($($argument),*),
        }
    }};
    ($cpu:expr, $($rest:tt)*) => { $crate::cpu::for_cpu!(@[] $cpu, $($rest)*) };
}
pub(crate) use for_cpu;
