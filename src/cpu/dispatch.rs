//! What kernels are compiled for.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
use super::detect::{HasAvx2, HasAvx512};

/// Bytes of a cache line: what every kernel loads, shuffles and stores at a time.
pub(crate) const LINE: usize = 64;

/// Bytes of source and destination together from which stores go past the caches: about what the last cache holds.
const STREAM_FROM: usize = 24 << 20;

/// The same for stores that are far apart: more than what the cache before the last one holds.
const STREAM_APART_FROM: usize = 6 << 20;

/// An instruction set that kernels are compiled for. A value stands for a CPU that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cpu {
    /// What every CPU of the target has.
    Baseline,
    /// No instructions in particular: what the others are tested against.
    #[cfg(test)]
    Portable,
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx2(HasAvx2),
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    Avx512(HasAvx512),
}

impl Cpu {
    /// The best that this CPU has.
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

    /// All that this CPU has.
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

/// Whether the destination should be written past the caches; `apart` if what is written next is not next to it.
pub(crate) fn streams(source: usize, destination: usize, apart: bool) -> bool {
    #[cfg(test)]
    if let Some((_, stream)) = forced::get() {
        return stream;
    }
    source + destination >= if apart { STREAM_APART_FROM } else { STREAM_FROM }
}

/// What a test makes the kernels of its thread run on, and whether they stream.
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

/// A line of bytes in registers, and what the instruction sets do differently with it.
pub(crate) trait Instructions {
    /// A line.
    type Line: Copy;

    /// Reads a line from any address.
    ///
    /// # Safety
    /// `from` must be good for [`LINE`] bytes, and the CPU must have the instructions.
    unsafe fn load(from: *const u8) -> Self::Line;

    /// Writes a line to any address.
    ///
    /// # Safety
    /// `to` must be good for [`LINE`] bytes, and the CPU must have the instructions.
    unsafe fn store(to: *mut u8, line: Self::Line);

    /// Writes a line past the caches.
    ///
    /// # Safety
    /// As [`Instructions::store`], and `to` must be aligned to [`LINE`] bytes.
    unsafe fn stream(to: *mut u8, line: Self::Line);

    /// The elements of `N` bytes of `a` and `b` in turns: the first half of the pairs, and the second.
    ///
    /// # Safety
    /// The CPU must have the instructions.
    unsafe fn zip<const N: usize>(a: Self::Line, b: Self::Line) -> (Self::Line, Self::Line);

    /// A register whose lanes are shuffled alone.
    type Lanes: Lanes;

    /// One lane.
    type Lane: Lanes;
}

/// A register of lanes of [`LANE`] bytes, in each of which elements are shuffled without crossing to another.
pub(crate) trait Lanes: Copy {
    /// Reads a lane each, `stride` bytes apart.
    ///
    /// # Safety
    /// `from` must be good for each lane, and the CPU must have the instructions.
    unsafe fn load(from: *const u8, stride: usize) -> Self;

    /// Writes a lane each, `stride` bytes apart.
    ///
    /// # Safety
    /// `to` must be good for each lane, and the CPU must have the instructions.
    unsafe fn store(self, to: *mut u8, stride: usize);

    /// The elements of `N` bytes of `a` and `b` in turns, in each lane: the first half of the pairs, and the second.
    ///
    /// # Safety
    /// The CPU must have the instructions.
    unsafe fn zip<const N: usize>(a: Self, b: Self) -> (Self, Self);

    /// The elements of `N` bytes of groups of `P`, in each lane: the first of all groups, then the second, and so on.
    ///
    /// # Safety
    /// The CPU must have the instructions.
    unsafe fn deinterleave<const N: usize, const P: usize>(self) -> Self;

    /// Squares of `N` bytes, of `P` rows of `P` elements, one after the other in each lane: column by column.
    ///
    /// # Safety
    /// The CPU must have the instructions.
    unsafe fn transpose_units<const N: usize, const P: usize>(self) -> Self;

    /// Writes the lanes one after the other past the caches.
    ///
    /// # Safety
    /// `to` must be good for the lanes and aligned to them, and the CPU must have the instructions.
    unsafe fn stream(self, to: *mut u8);
}

/// Bytes of a lane.
pub(crate) const LANE: usize = 16;

/// Of each byte of a lane of squares of `n` bytes that are turned, the byte of the lane that it is.
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

/// Makes streamed lines visible before what is written after.
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has it.
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

#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub(crate) use baseline::{Avx2, Avx512};

/// Compiles a function for each instruction set, with the type and the constants that it has in brackets, and calls the
/// one for `cpu`.
macro_rules! for_cpu {
    (
        $cpu:expr,
        $function:ident $(<$T:ident: $Bound:path>)? $([$($CONST:ident: $Const:ty = $value:expr),*])?
        ($($argument:ident: $Type:ty),*)
    ) => {{
        /// # Safety
        /// As the function that is compiled, and the CPU must have the instructions.
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2")]
        unsafe fn avx512 <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::cpu::Avx512 $(, $T)? $($(, $CONST)*)?>($($argument),*) }
        }
        /// # Safety
        /// As the function that is compiled, and the CPU must have the instructions.
        #[cfg(all(feature = "std", target_arch = "x86_64"))]
        #[target_feature(enable = "avx2,bmi2")]
        unsafe fn avx2 <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::cpu::Avx2 $(, $T)? $($(, $CONST)*)?>($($argument),*) }
        }
        /// # Safety
        /// As the function that is compiled, and the CPU must have the instructions.
        unsafe fn baseline <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::cpu::Baseline $(, $T)? $($(, $CONST)*)?>($($argument),*) }
        }
        /// # Safety
        /// As the function that is compiled, and the CPU must have the instructions.
        #[cfg(test)]
        unsafe fn portable <$($T: $Bound,)? $($(const $CONST: $Const),*)?> ($($argument: $Type),*) {
            // SAFETY: the caller's promises are passed on.
            unsafe { $function::<$crate::cpu::Portable $(, $T)? $($(, $CONST)*)?>($($argument),*) }
        }
        match $cpu {
            #[cfg(test)]
            $crate::cpu::Cpu::Portable => portable::<$($T,)? $($({ $value }),*)?> ($($argument),*),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            $crate::cpu::Cpu::Avx512(_) => avx512::<$($T,)? $($({ $value }),*)?> ($($argument),*),
            #[cfg(all(feature = "std", target_arch = "x86_64"))]
            $crate::cpu::Cpu::Avx2(_) => avx2::<$($T,)? $($({ $value }),*)?> ($($argument),*),
            $crate::cpu::Cpu::Baseline => baseline::<$($T,)? $($({ $value }),*)?> ($($argument),*),
        }
    }};
}
pub(crate) use for_cpu;
