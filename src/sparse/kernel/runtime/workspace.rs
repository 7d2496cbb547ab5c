use super::lazy::lazily_filled;
use crate::sparse::kernel::KernelError;
use alloc::vec::Vec;
use core::mem;

/// The values of one row, with a record of the positions that were scattered to.
///
/// In a row that is dense between its first and last position, a byte marks each position, and draining looks at all bytes in
/// between. In other rows a bit marks each position, and each nonzero word of bits is marked by a bit of a second array, so
/// that the positions are found in order without comparisons: position 4,100 is bit 4 of word 64, which is bit 0 of the second
/// word of that array. Whether the next row is dense is guessed from the rows before.
pub struct Workspace<T> {
    values: Vec<T>,
    identity: T,
    /// All positions that were scattered to are at least `least` and less than `end`.
    least: usize,
    end: usize,
    bytes: Vec<u8>,
    bits: Bits,
    /// Whether bytes mark the positions of this row.
    dense: bool,
    /// The number of positions that dense rows have marked since the last row that was not dense. Bytes are used again once it
    /// is large enough to pay for a row in which they are the wrong choice.
    credit: usize,
}

/// A bit for each position, and a bit for each nonzero word of these.
struct Bits {
    words: Vec<u64>,
    tops: Vec<u64>,
}

/// The number of positions that a bit of `tops` represents, and of bits in a word of it.
const WORD: usize = 64;
const TOP: usize = WORD * WORD;

/// A row is dense if at least one in this many of its positions is marked.
const SPARSE: usize = 8;

/// The number of positions that are skipped at once if none is marked.
const STEP: usize = 32;

impl<T: Copy + 'static> Workspace<T> {
    /// A workspace of `size` values.
    ///
    /// # Errors
    /// If memory for it cannot be allocated.
    #[inline]
    pub fn new(size: usize, identity: T) -> Result<Self, KernelError> {
        let bits = Bits {
            words: lazily_filled(size.div_ceil(WORD), 0)?,
            tops: lazily_filled(size.div_ceil(TOP), 0)?,
        };
        let (values, bytes) = (lazily_filled(size, identity)?, lazily_filled(size, 0)?);
        let (least, end, credit) = (usize::MAX, 0, size / SPARSE);
        Ok(Self { values, identity, least, end, bytes, bits, dense: true, credit })
    }

    /// The value at a position.
    #[inline(always)]
    pub fn get(&self, at: usize) -> T {
        self.values[at]
    }

    /// Reduces `value` with the value at a position.
    #[inline(always)]
    pub fn scatter(&mut self, at: usize, value: T, reduce: impl Fn(T, T) -> T) {
        self.add(at, value, reduce);
        self.cover(at, at);
    }

    /// Allows [`Workspace::add`] at the positions from `first` to `last`, both included.
    #[inline(always)]
    pub fn cover(&mut self, first: usize, last: usize) {
        self.least = self.least.min(first);
        self.end = self.end.max(last + 1);
    }

    /// [`Workspace::scatter`] for a position that is covered. A value at any other position may appear in a later row.
    #[inline(always)]
    pub fn add(&mut self, at: usize, value: T, reduce: impl Fn(T, T) -> T) {
        self.values[at] = reduce(self.values[at], value);
        if self.dense {
            self.bytes[at] = 1;
        } else {
            self.bits.words[at / WORD] |= 1 << (at % WORD);
            self.bits.tops[at / TOP] |= 1 << (at / WORD % WORD);
        }
    }

    /// An upper bound of the number of positions that were scattered to, which is never much too large.
    #[inline(always)]
    pub fn most(&self) -> usize {
        match self.end.saturating_sub(self.least) {
            width if self.dense && width <= STEP => width,
            _ => self.count(),
        }
    }

    /// The number of positions that were scattered to.
    #[inline(never)]
    fn count(&self) -> usize {
        if self.end <= self.least {
            return 0;
        }
        if self.dense {
            return self.bytes[self.least..self.end].iter().map(|byte| usize::from(*byte)).sum();
        }
        let tops = self.least / TOP..self.end.div_ceil(TOP);
        let words =
            tops.flat_map(|top| ones(self.bits.tops[top]).map(move |word| top * WORD + word));
        words.map(|word| self.bits.words[word].count_ones() as usize).sum()
    }

    /// Calls `f` with each position that was scattered to and its value, in order, and empties the workspace.
    ///
    /// # Errors
    /// The first error of `f`. Later positions are then not visited, and some keep their values.
    #[inline(always)]
    pub fn drain<R>(&mut self, mut f: impl FnMut(usize, T) -> Result<(), R>) -> Result<(), R> {
        let (least, end) = (mem::replace(&mut self.least, usize::MAX), mem::take(&mut self.end));
        if end <= least {
            return Ok(());
        }
        let (values, identity, mut count) = (&mut self.values[..], self.identity, 0);
        if self.dense {
            let (values, bytes) = (&mut values[least..end], &mut self.bytes[least..end]);
            let steps = values.chunks_mut(STEP).zip(bytes.chunks_mut(STEP)).enumerate();
            for (step, (values, bytes)) in steps {
                if bytes.iter().all(|byte| *byte == 0) {
                    continue;
                }
                let first = least + step * STEP;
                for (at, (value, byte)) in values.iter_mut().zip(bytes).enumerate() {
                    if mem::take(byte) != 0 {
                        count += 1;
                        f(first + at, mem::replace(value, identity))?;
                    }
                }
            }
        } else {
            for top in least / TOP..end.div_ceil(TOP) {
                for word in ones(mem::take(&mut self.bits.tops[top])) {
                    let word = top * WORD + word;
                    for bit in ones(mem::take(&mut self.bits.words[word])) {
                        count += 1;
                        let at = word * WORD + bit;
                        f(at, mem::replace(&mut values[at], identity))?;
                    }
                }
            }
        }
        // Treating a sparse row as a dense one costs a look at up to every position. That risk is taken only after dense rows
        // have marked an eighth as many positions.
        let full = values.len() / SPARSE;
        if (end - least) / SPARSE <= count {
            self.credit = self.credit.saturating_add(count).min(full);
        } else if self.dense {
            self.credit = 0;
        }
        self.dense = self.credit >= full;
        Ok(())
    }
}

/// The numbers of the bits of a word that are one.
#[inline(always)]
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::convert::Infallible;

    fn drained<T: Copy + 'static>(workspace: &mut Workspace<T>) -> Vec<(usize, T)> {
        let mut all = Vec::new();
        let _ = workspace.drain(|at, value| -> Result<(), Infallible> {
            all.push((at, value));
            Ok(())
        });
        all
    }

    /// Scatters ones, and compares the drained values with a count.
    fn check(workspace: &mut Workspace<i32>, positions: &[usize]) {
        positions.iter().for_each(|at| workspace.scatter(*at, 1, |a, b| a + b));
        let mut expected = alloc::collections::BTreeMap::new();
        positions.iter().for_each(|at| *expected.entry(*at).or_insert(0) += 1);
        assert_eq!(workspace.count(), expected.len());
        assert!(workspace.most() >= expected.len());
        assert_eq!(drained(workspace), expected.into_iter().collect::<Vec<_>>());
        assert_eq!(workspace.most(), 0);
        assert!(positions.iter().all(|at| workspace.get(*at) == 0));
    }

    #[test]
    fn what_was_scattered_comes_back_in_order_once() {
        let mut workspace = Workspace::new(1000, 0).unwrap();
        let all: Vec<usize> = (0..1000).rev().collect();
        let edges = [999, 63, 64, 65, 127, 128, 0, 511, 512, 448, 960, 959];
        let cases: [&[usize]; 6] =
            [&[], &[3, 4, 9], &[7, 3, 5, 3, 4], &[900, 2, 500, 900, 1], &edges, &all];
        for case in cases.into_iter().chain(cases) {
            check(&mut workspace, case);
        }
    }

    #[test]
    fn a_workspace_of_one_position() {
        check(&mut Workspace::new(1, 0).unwrap(), &[0, 0]);
        check(&mut Workspace::new(0, 0).unwrap(), &[]);
        let mut wide = Workspace::new(1 << 20, 0).unwrap();
        check(&mut wide, &[(1 << 20) - 1]);
        check(&mut wide, &[(1 << 20) - 1, 0]);
    }

    #[test]
    fn positions_at_the_edges_of_words_are_in_order() {
        let size = 3 * TOP + 5;
        let mut workspace = Workspace::new(size, 0).unwrap();
        let edges =
            (0..size).filter(|at| matches!(at % WORD, 0 | 63) && (at / WORD).is_multiple_of(9));
        check(&mut workspace, &edges.rev().chain([size - 1, TOP, TOP - 1]).collect::<Vec<_>>());
    }

    #[test]
    fn random_positions_in_windows_of_any_width_come_back() {
        let size = 1 << 19;
        let mut workspace = Workspace::new(size, 0).unwrap();
        let mut state = 1u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 33) as usize % below
        };
        for count in [1, 2, 15, 16, 40, 300, 5000] {
            for width in [1, 30, 500, 5000, 70_000, size] {
                let first = random(size - width + 1);
                let positions: Vec<_> = (0..count).map(|_| first + random(width)).collect();
                check(&mut workspace, &positions);
            }
        }
    }

    #[test]
    fn an_error_ends_the_draining() {
        let mut workspace = Workspace::new(9, 0).unwrap();
        (0..9).for_each(|at| workspace.scatter(at, 1, |a, b| a + b));
        let ended = workspace.drain(|at, _| if at == 4 { Err(at) } else { Ok(()) });
        assert_eq!(ended, Err(4));
    }
}
