//! Rows whose elements take turns, and back.

use super::copy;
use super::cpu::Instructions;

/// Bytes that are put in order before they are written: they stay in the nearest cache.
const STAGE: usize = 4096;

#[repr(align(64))]
struct Stage([u8; STAGE]);

/// What missing rows hold: padding.
static ZEROS: Stage = Stage([0; STAGE]);

/// Writes `count` groups of `P` elements of `N` bytes, one from each of `rows` rows that are `stride` bytes apart;
/// missing rows are zeros.
///
/// # Safety
/// `from` must be good for each row, `to` for the groups, not overlapping; the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn interleave<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    (rows, stride, count): (usize, usize, usize),
    stream: bool,
) {
    let chunk = const { STAGE / (N * P) };
    let mut stage = Stage([0; STAGE]);
    let mut at = 0;
    while at < count {
        let n = chunk.min(count - at);
        // SAFETY: `n` elements from `at` on lie within each row that there is, and within the zeros; the groups lie
        // within the destination.
        unsafe {
            let row = |p: usize| match p < rows {
                true => {
                    core::slice::from_raw_parts(from.add(p * stride + at * N).cast::<[u8; N]>(), n)
                }
                false => core::slice::from_raw_parts(ZEROS.0.as_ptr().cast::<[u8; N]>(), n),
            };
            let rows: [&[[u8; N]]; P] = core::array::from_fn(row);
            let to = to.add(at * N * P);
            if stream {
                groups(&rows, &mut stage.0.as_chunks_mut::<N>().0.as_chunks_mut::<P>().0[..n]);
                copy::run::<I>(stage.0.as_ptr(), to, n * N * P, true);
            } else {
                groups(&rows, core::slice::from_raw_parts_mut(to.cast::<[[u8; N]; P]>(), n));
            }
        }
        at += n;
    }
}

#[inline(always)]
pub(super) fn groups<const N: usize, const P: usize>(
    rows: &[&[[u8; N]]; P],
    groups: &mut [[[u8; N]; P]],
) {
    let n = groups.len();
    let rows: [&[[u8; N]]; P] = core::array::from_fn(|p| &rows[p][..n]);
    for i in 0..n {
        for p in 0..P {
            groups[i][p] = rows[p][i];
        }
    }
}

/// The reverse: `count` groups of `P` elements of `N` bytes to `rows` rows that are `stride` bytes apart.
///
/// # Safety
/// `from` must be good for the groups, `to` for each row, not overlapping; the CPU must have the instructions.
#[inline(always)]
pub(super) unsafe fn deinterleave<I: Instructions, const N: usize, const P: usize>(
    from: *const u8,
    to: *mut u8,
    (rows, stride, count): (usize, usize, usize),
    stream: bool,
) {
    let chunk = const { STAGE / (N * P) };
    let mut stage = Stage([0; STAGE]);
    let mut at = 0;
    while at < count {
        let n = chunk.min(count - at);
        // SAFETY: `n` groups from `at` on lie within the source, and `n` elements within each row.
        unsafe {
            let groups =
                core::slice::from_raw_parts(from.add(at * N * P).cast::<[[u8; N]; P]>(), n);
            ungroup(groups, stage.0.as_chunks_mut::<N>().0, chunk);
            let mut p = 0;
            while p < P && p < rows {
                let row = stage.0.as_ptr().add(p * chunk * N);
                copy::run::<I>(row, to.add(p * stride + at * N), n * N, stream);
                p += 1;
            }
        }
        at += n;
    }
}

/// Takes groups apart to rows of `chunk` elements.
#[inline(always)]
pub(super) fn ungroup<const N: usize, const P: usize>(
    groups: &[[[u8; N]; P]],
    rows: &mut [[u8; N]],
    chunk: usize,
) {
    let n = groups.len();
    let mut rest = rows;
    let rows: [&mut [[u8; N]]; P] = core::array::from_fn(|_| {
        let (row, after) = core::mem::take(&mut rest).split_at_mut(chunk);
        rest = after;
        &mut row[..n]
    });
    for i in 0..n {
        for p in 0..P {
            rows[p][i] = groups[i][p];
        }
    }
}
