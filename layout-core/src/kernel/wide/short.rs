//! Rows that take turns within groups of fewer columns than a line: as many groups as make a few lines move together.

use super::copy::{Mode, short};
use super::cpu::{Instructions, LINE};
use super::interleave::{Turns, deinterleave, interleave};
use crate::kernel::boxes::Axis;
use core::mem::MaybeUninit;

/// Bytes of the groups that move together: what stays in the nearest cache.
const TOGETHER: usize = 4096;

/// Rows that take turns, at most.
const ROWS: usize = 8;

/// Where groups follow each other: those that move together, and those that are left and fill less than a line.
#[repr(align(64))]
pub(super) struct Stage([MaybeUninit<u8>; TOGETHER + 2 * ROWS * LINE]);

impl Stage {
    pub(super) const NEW: Self = Self([MaybeUninit::uninit(); TOGETHER + 2 * ROWS * LINE]);
}

/// Rows of one line each, or groups of them, of which those that are left fill the first bytes.
#[repr(align(64))]
struct Lines([MaybeUninit<u8>; ROWS * LINE]);

impl Lines {
    const NEW: Self = Self([MaybeUninit::uninit(); ROWS * LINE]);

    #[inline(always)]
    fn zeroed(&mut self) -> *mut u8 {
        self.0.fill(MaybeUninit::new(0));
        self.0.as_mut_ptr().cast()
    }
}

/// Whether groups of so many bytes of each row are moved by these functions.
pub(in crate::kernel) const fn is_short(row: usize) -> bool {
    row < LINE
}

/// How many of the groups that are left move together: all that there are once those after them would not fill a line,
/// and one where rows do not go on from group to group.
#[inline(always)]
fn together(left: usize, row: usize, group: usize, goes_on: bool) -> usize {
    let most = TOGETHER / group;
    match goes_on {
        true if left < most + LINE.div_ceil(row) => left,
        true => most,
        false => 1,
    }
}

/// [`interleave`] for the groups along an axis.
///
/// # Safety
/// As [`interleave`], for each step of the axis; the rows of a group must be [short](is_short).
#[inline(always)]
pub(super) unsafe fn interleave_groups<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    turns: Turns,
    along: Axis,
    stage: &mut Stage,
) {
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let mut lines = Lines::NEW;
    let (row, group) = (turns.count * N, turns.count * P * N);
    let mut first = 0;
    while first < along.count {
        let groups = together(along.count - first, row, group, along.source == row);
        // SAFETY: rows go on for as many groups as move together, for which the stage has room; fewer bytes than a line
        // of each are copied to one.
        unsafe {
            let mut from = from.add(first * along.source);
            let mut rows = Turns { count: groups * turns.count, ..turns };
            if groups * row < LINE {
                let lines = lines.zeroed();
                for number in 0..turns.rows {
                    let from = from.add(number * turns.row_stride);
                    short::<I>(from, lines.add(number * LINE), groups * row);
                }
                from = lines;
                rows = Turns { count: LINE / N, row_stride: LINE, ..turns };
            }
            interleave::<I, N, P, false, _>(from, stage, rows, Mode::NEAR);
            for number in 0..groups {
                let to = to.add((first + number) * along.destination);
                short::<I>(stage.add(number * group), to, group);
            }
        }
        first += groups;
    }
}

/// [`deinterleave`] for the groups along an axis.
///
/// # Safety
/// As [`deinterleave`], for each step of the axis; the rows of a group must be [short](is_short).
#[inline(always)]
pub(super) unsafe fn deinterleave_groups<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    turns: Turns,
    along: Axis,
    stage: &mut Stage,
) {
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let mut lines = Lines::NEW;
    let (row, group) = (turns.count * N, turns.count * P * N);
    let mut first = 0;
    while first < along.count {
        let groups = together(along.count - first, row, group, along.destination == row);
        let few = groups * row < LINE;
        // SAFETY: rows go on for as many groups as move together, for which the stage has room; so have the lines for
        // groups that fill less than a line of each row, which is all that is copied of it.
        unsafe {
            let put = if few { lines.zeroed() } else { stage };
            for number in 0..groups {
                let from = from.add((first + number) * along.source);
                short::<I>(from, put.add(number * group), group);
            }
            let to = to.add(first * along.destination);
            let (rows, rows_to) = match few {
                true => (Turns { count: LINE / N, row_stride: LINE, ..turns }, stage),
                false => (Turns { count: groups * turns.count, ..turns }, to),
            };
            deinterleave::<I, N, P, false, _>(put, rows_to, rows, Mode::NEAR);
            for number in 0..if few { turns.rows } else { 0 } {
                let to = to.add(number * turns.row_stride);
                short::<I>(stage.add(number * LINE), to, groups * row);
            }
        }
        first += groups;
    }
}
