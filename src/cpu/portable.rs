//! Lines as arrays, for targets without kernels in their own instructions.

use super::{Instructions, LANE, LINE, Lanes, transposed_order};

#[derive(Clone, Copy)]
pub(crate) struct Portable;

impl Instructions for Portable {
    type Line = [u8; LINE];

    /// # Safety
    /// As for [`Instructions::load`].
    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> [u8; LINE] {
        // SAFETY: the caller passes a valid pointer.
        unsafe { from.cast::<[u8; LINE]>().read_unaligned() }
    }

    /// # Safety
    /// As for [`Instructions::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut u8, line: [u8; LINE]) {
        // SAFETY: the caller passes a valid pointer.
        unsafe { to.cast::<[u8; LINE]>().write_unaligned(line) };
    }

    /// # Safety
    /// As for [`Instructions::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8, line: [u8; LINE]) {
        // SAFETY: the caller passes a valid pointer.
        unsafe { self.store(to, line) };
        #[cfg(test)]
        super::super::streaming::unfenced::set(true);
    }

    #[inline(always)]
    fn zip<const N: usize>(self, a: [u8; LINE], b: [u8; LINE]) -> ([u8; LINE], [u8; LINE]) {
        let pairs: [u8; 2 * LINE] = core::array::from_fn(|at| {
            let (pair, second, byte) = (at / (2 * N), at / N % 2, at % N);
            if second == 1 { b[pair * N + byte] } else { a[pair * N + byte] }
        });
        halves(&pairs)
    }

    type Lanes = [u8; LANE];

    /// # Safety
    /// As for [`Instructions::load_lanes`].
    #[inline(always)]
    unsafe fn load_lanes(self, from: *const u8, _: usize) -> [u8; LANE] {
        // SAFETY: the caller passes a valid pointer.
        unsafe { from.cast::<[u8; LANE]>().read_unaligned() }
    }

    type Lane = [u8; LANE];

    /// # Safety
    /// As for [`Instructions::load_lane`].
    #[inline(always)]
    unsafe fn load_lane(self, from: *const u8) -> [u8; LANE] {
        // SAFETY: the caller passes a valid pointer.
        unsafe { from.cast::<[u8; LANE]>().read_unaligned() }
    }
}

fn halves(both: &[u8; 2 * LINE]) -> ([u8; LINE], [u8; LINE]) {
    (core::array::from_fn(|at| both[at]), core::array::from_fn(|at| both[LINE + at]))
}

impl Lanes for [u8; LANE] {
    #[inline(always)]
    fn zip<const N: usize>(self, other: Self) -> (Self, Self) {
        let half = |first: usize| {
            core::array::from_fn(|at| {
                let (pair, second, byte) = (first + at / (2 * N), at / N % 2, at % N);
                if second == 1 { other[pair * N + byte] } else { self[pair * N + byte] }
            })
        };
        (half(0), half(LANE / N / 2))
    }

    #[inline(always)]
    fn deinterleave<const N: usize, const P: usize>(self) -> Self {
        let groups = LANE / N / P;
        core::array::from_fn(|at| {
            let (row, group, byte) = (at / N / groups, at / N % groups, at % N);
            self[(group * P + row) * N + byte]
        })
    }

    #[inline(always)]
    fn transpose_units<const N: usize, const P: usize>(self) -> Self {
        const { transposed_order(N, P) }.map(|at| self[at as usize])
    }

    /// # Safety
    /// As for [`Lanes::store_lanes`].
    #[inline(always)]
    unsafe fn store_lanes(self, to: *mut u8, _: usize) {
        // SAFETY: as the caller promises.
        unsafe { self.store(to) };
    }

    /// # Safety
    /// As for [`Lanes::store`].
    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller passes a valid pointer.
        unsafe { to.cast::<Self>().write_unaligned(self) };
    }

    /// # Safety
    /// As for [`Lanes::stream`].
    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller passes a valid pointer.
        unsafe { self.store(to) };
        #[cfg(test)]
        super::super::streaming::unfenced::set(true);
    }
}
