//! Lines as arrays, for targets without kernels of their own.

use super::{Baseline, Instructions, LINE};

impl Instructions for Baseline {
    type Line = [u8; LINE];

    #[inline(always)]
    unsafe fn load(from: *const u8) -> [u8; LINE] {
        // SAFETY: the caller passes a good pointer.
        unsafe { from.cast::<[u8; LINE]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(to: *mut u8, line: [u8; LINE]) {
        // SAFETY: the caller passes a good pointer.
        unsafe { to.cast::<[u8; LINE]>().write_unaligned(line) };
    }

    #[inline(always)]
    unsafe fn stream(to: *mut u8, line: [u8; LINE]) {
        // SAFETY: as the caller promises.
        unsafe { Self::store(to, line) };
    }

    #[inline(always)]
    unsafe fn zip<const N: usize>(a: [u8; LINE], b: [u8; LINE]) -> ([u8; LINE], [u8; LINE]) {
        let pairs: [u8; 2 * LINE] = core::array::from_fn(|at| {
            let (pair, second, byte) = (at / (2 * N), at / N % 2, at % N);
            if second == 1 { b[pair * N + byte] } else { a[pair * N + byte] }
        });
        halves(&pairs)
    }

    #[inline(always)]
    unsafe fn unzip<const N: usize>(a: [u8; LINE], b: [u8; LINE]) -> ([u8; LINE], [u8; LINE]) {
        let each: [u8; 2 * LINE] = core::array::from_fn(|at| {
            let (second, pair, byte) = (at / LINE, at % LINE / N, at % N);
            let from = (2 * pair + second) * N + byte;
            if from < LINE { a[from] } else { b[from - LINE] }
        });
        halves(&each)
    }

    #[inline(always)]
    fn prefetch(_: *const u8) {}
}

fn halves(both: &[u8; 2 * LINE]) -> ([u8; LINE], [u8; LINE]) {
    (core::array::from_fn(|at| both[at]), core::array::from_fn(|at| both[LINE + at]))
}
