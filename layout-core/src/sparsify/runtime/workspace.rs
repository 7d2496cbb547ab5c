use super::filled;
use crate::sparsify::KernelError;
use alloc::vec::Vec;
use core::mem;

/// Values at hand for one row, which know where something was scattered.
pub struct Workspace<T> {
    cells: Vec<Cell<T>>,
    /// The places to which something was scattered are the first `count`. There is room for one more than there are places,
    /// so that each scatter can write without a branch.
    touched: Vec<usize>,
    count: usize,
    marks: Marks,
    identity: T,
}

#[derive(Clone, Copy)]
struct Cell<T> {
    value: T,
    touched: bool,
}

/// Places as bits, to put them in order: a bit for each place, and one for each word of them that is not zero.
struct Marks {
    words: Vec<u64>,
    tops: Vec<u64>,
}

/// How many places for each one that is touched may be looked at to find those that are.
const SPARSE: usize = 8;

/// So many places are put in order by comparing them.
const FEW: usize = 16;

/// How many places a bit of the top stands for, and how many a word of it.
const WORD: usize = 64;
const TOP: usize = WORD * WORD;

impl<T: Copy> Workspace<T> {
    /// A workspace of so many values.
    ///
    /// # Errors
    /// If there is no memory for it.
    #[inline]
    pub fn new(size: usize, identity: T) -> Result<Self, KernelError> {
        let cells = filled(size, Cell { value: identity, touched: false })?;
        let touched = filled(size.saturating_add(1), 0)?;
        let words = filled(size.div_ceil(WORD), 0)?;
        let tops = filled(size.div_ceil(TOP), 0)?;
        Ok(Self { cells, touched, count: 0, marks: Marks { words, tops }, identity })
    }

    /// The value at a place.
    #[inline(always)]
    pub fn get(&self, at: usize) -> T {
        self.cells[at].value
    }

    /// Reduces `value` with the one at a place.
    #[inline(always)]
    pub fn scatter(&mut self, at: usize, value: T, reduce: impl Fn(T, T) -> T) {
        let cell = &mut self.cells[at];
        self.touched[self.count] = at;
        self.count += usize::from(!cell.touched);
        *cell = Cell { value: reduce(cell.value, value), touched: true };
    }

    /// To how many places something was scattered.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Calls `f` with each place to which something was scattered and its value, in order. Leaves the workspace empty.
    ///
    /// # Errors
    /// That of `f`, which is not called any more. Some places are then left as they were.
    #[inline(always)]
    pub fn drain<R>(&mut self, mut f: impl FnMut(usize, T) -> Result<(), R>) -> Result<(), R> {
        let Self { cells, touched, count, marks, identity } = self;
        let touched = &mut touched[..mem::take(count)];
        let empty = Cell { value: *identity, touched: false };
        if touched.is_empty() {
            return Ok(());
        }
        let bounds = |(least, largest): (usize, usize), at: &usize| (least.min(*at), largest.max(*at));
        let (least, largest) = touched.iter().fold((usize::MAX, 0), bounds);
        if (largest - least) / SPARSE < touched.len() {
            for (at, cell) in cells[least..=largest].iter_mut().enumerate() {
                if cell.touched {
                    f(least + at, mem::replace(cell, empty).value)?;
                }
            }
            return Ok(());
        }
        if !touched.is_sorted() {
            marks.sort(touched, least, largest);
        }
        for at in touched {
            f(*at, mem::replace(&mut cells[*at], empty).value)?;
        }
        Ok(())
    }
}

impl Marks {
    /// Puts different places in order, all from `least` to `largest`.
    #[inline(never)]
    fn sort(&mut self, places: &mut [usize], least: usize, largest: usize) {
        if places.len() < FEW || (largest - least) / TOP > places.len() {
            return places.sort_unstable();
        }
        for at in &*places {
            self.words[at / WORD] |= 1 << (at % WORD);
            self.tops[at / TOP] |= 1 << (at / WORD % WORD);
        }
        let mut places = places.iter_mut();
        for top in least / TOP..=largest / TOP {
            for word in ones(mem::take(&mut self.tops[top])) {
                let word = top * WORD + word;
                let ones = ones(mem::take(&mut self.words[word]));
                // As many as were marked.
                ones.zip(&mut places).for_each(|(bit, place)| *place = word * WORD + bit);
            }
        }
    }
}

/// The bits of a word that are one.
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

    fn drained<T: Copy>(workspace: &mut Workspace<T>) -> Vec<(usize, T)> {
        let mut all = Vec::new();
        let _ = workspace.drain(|at, value| -> Result<(), Infallible> {
            all.push((at, value));
            Ok(())
        });
        all
    }

    /// Scatters ones, and compares what comes back with a count.
    fn check(workspace: &mut Workspace<i32>, places: &[usize]) {
        places.iter().for_each(|at| workspace.scatter(*at, 1, |a, b| a + b));
        let mut expected = alloc::collections::BTreeMap::new();
        places.iter().for_each(|at| *expected.entry(*at).or_insert(0) += 1);
        assert_eq!(workspace.count(), expected.len());
        assert_eq!(drained(workspace), expected.into_iter().collect::<Vec<_>>());
        assert_eq!(workspace.count(), 0);
        assert!(places.iter().all(|at| workspace.get(*at) == 0));
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
    fn one_place_is_all_there_is() {
        check(&mut Workspace::new(1, 0).unwrap(), &[0, 0]);
        check(&mut Workspace::new(0, 0).unwrap(), &[]);
        let mut wide = Workspace::new(1 << 20, 0).unwrap();
        check(&mut wide, &[(1 << 20) - 1]);
        check(&mut wide, &[(1 << 20) - 1, 0]);
    }

    #[test]
    fn places_at_the_edges_of_words_are_in_order() {
        let size = 3 * TOP + 5;
        let mut workspace = Workspace::new(size, 0).unwrap();
        let edges = (0..size).filter(|at| matches!(at % WORD, 0 | 63) && at / WORD % 9 == 0);
        check(&mut workspace, &edges.rev().chain([size - 1, TOP, TOP - 1]).collect::<Vec<_>>());
    }

    #[test]
    fn random_places_in_windows_of_any_width_come_back() {
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
                let places: Vec<_> = (0..count).map(|_| first + random(width)).collect();
                check(&mut workspace, &places);
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
