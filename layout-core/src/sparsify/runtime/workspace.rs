use super::filled;
use crate::sparsify::KernelError;
use alloc::vec::Vec;

/// Values at hand for one row, which know where something was scattered.
pub struct Workspace<T> {
    cells: Vec<Cell<T>>,
    /// The places to which something was scattered are the first `count`. There is room for one more than there are places,
    /// so that each scatter can write without a branch.
    touched: Vec<usize>,
    count: usize,
    identity: T,
}

#[derive(Clone, Copy)]
struct Cell<T> {
    value: T,
    touched: bool,
}

impl<T: Copy> Workspace<T> {
    /// A workspace of so many values.
    ///
    /// # Errors
    /// If there is no memory for it.
    #[inline]
    pub fn new(size: usize, identity: T) -> Result<Self, KernelError> {
        let cells = filled(size, Cell { value: identity, touched: false })?;
        let touched = filled(size.saturating_add(1), 0)?;
        Ok(Self { cells, touched, count: 0, identity })
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

    /// The places to which something was scattered with their values, in order. Leaves the workspace empty.
    #[inline(always)]
    pub fn drain(&mut self) -> impl Iterator<Item = (usize, T)> + '_ {
        let Self { cells, touched, count, identity } = self;
        let touched = &mut touched[..*count];
        *count = 0;
        if !touched.is_sorted() {
            sort(touched, cells);
        }
        touched.iter().map(move |at| {
            let cell = Cell { value: *identity, touched: false };
            (*at, core::mem::replace(&mut cells[*at], cell).value)
        })
    }
}

/// Puts places in order: where most of those between the first and the last are touched by going through them, elsewhere by
/// comparing.
#[inline(never)]
fn sort<T>(touched: &mut [usize], cells: &[Cell<T>]) {
    let (Some(least), Some(largest)) = (touched.iter().min(), touched.iter().max()) else { return };
    let (least, largest) = (*least, *largest);
    let compares = touched.len() * (touched.len().ilog2() as usize + 1);
    if largest - least < compares {
        let between = cells[least..=largest].iter().enumerate();
        let between = between.filter(|(_, cell)| cell.touched).map(|(at, _)| least + at);
        touched.iter_mut().zip(between).for_each(|(place, at)| *place = at);
    } else {
        touched.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_scattered_comes_back_in_order_once() {
        let mut workspace = Workspace::new(1000, 0).unwrap();
        let all: Vec<usize> = (0..1000).rev().collect();
        let cases: [&[usize]; 5] =
            [&[], &[3, 4, 9], &[7, 3, 5, 3, 4], &[900, 2, 500, 900, 1], &all];
        for case in cases {
            case.iter().for_each(|at| workspace.scatter(*at, 1, |a, b| a + b));
            let mut expected = case.to_vec();
            expected.sort_unstable();
            expected.dedup();
            let count = |at: usize| case.iter().filter(|other| **other == at).count();
            let drained: Vec<_> = workspace.drain().collect();
            assert_eq!(drained, expected.iter().map(|at| (*at, count(*at))).collect::<Vec<_>>());
        }
        assert!((0..1000).all(|at| workspace.get(at) == 0));
    }
}
