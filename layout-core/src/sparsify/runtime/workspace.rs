use super::filled;
use crate::sparsify::KernelError;
use alloc::vec::Vec;

/// Values at hand for one row, which know where something was scattered.
pub struct Workspace<T> {
    values: Vec<T>,
    marks: Vec<bool>,
    touched: Vec<usize>,
    /// Whether `touched` is in order.
    ordered: bool,
    identity: T,
}

impl<T: Copy> Workspace<T> {
    /// A workspace of so many values.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(size: usize, identity: T) -> Result<Self, KernelError> {
        let (values, marks) = (filled(size, identity)?, filled(size, false)?);
        Ok(Self { values, marks, touched: Vec::new(), ordered: true, identity })
    }

    /// The value at a place.
    #[inline(always)]
    pub fn get(&self, at: usize) -> T {
        self.values[at]
    }

    /// Reduces `value` with the one at a place.
    #[inline(always)]
    pub fn scatter(&mut self, at: usize, value: T, reduce: impl Fn(T, T) -> T) {
        if !self.marks[at] {
            self.marks[at] = true;
            self.ordered &= self.touched.last().is_none_or(|last| *last < at);
            self.touched.push(at);
        }
        self.values[at] = reduce(self.values[at], value);
    }

    /// Number of places to which something was scattered.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.touched.len()
    }

    /// Whether nothing was scattered.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// The places to which something was scattered with their values, in order. Leaves the workspace empty.
    #[inline]
    pub fn drain(&mut self) -> impl Iterator<Item = (usize, T)> + '_ {
        if !self.ordered {
            self.sort();
        }
        self.ordered = true;
        let Self { values, marks, touched, identity, .. } = self;
        touched.drain(..).map(move |at| {
            marks[at] = false;
            (at, core::mem::replace(&mut values[at], *identity))
        })
    }

    /// Puts the places in order: where most of those between the first and the last are touched by going through the
    /// marks, elsewhere by comparing.
    #[inline(never)]
    fn sort(&mut self) {
        let (Some(least), Some(largest)) = (self.touched.iter().min(), self.touched.iter().max())
        else {
            return;
        };
        let (least, largest) = (*least, *largest);
        let compares = self.touched.len() * (self.touched.len().ilog2() as usize + 1);
        if largest - least < compares {
            self.touched.clear();
            let marks = self.marks[least..=largest].iter().enumerate();
            self.touched.extend(marks.filter(|(_, mark)| **mark).map(|(at, _)| least + at));
        } else {
            self.touched.sort_unstable();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_scattered_comes_back_in_order_once() {
        let mut workspace = Workspace::new(1000, 0).unwrap();
        let cases: [&[usize]; 4] = [&[], &[3, 4, 9], &[7, 3, 5, 3, 4], &[900, 2, 500, 900, 1]];
        for case in cases {
            case.iter().for_each(|at| workspace.scatter(*at, 1, |a, b| a + b));
            let mut expected = case.to_vec();
            expected.sort_unstable();
            expected.dedup();
            let count = |at: usize| case.iter().filter(|other| **other == at).count();
            let drained: Vec<_> = workspace.drain().collect();
            assert_eq!(drained, expected.iter().map(|at| (*at, count(*at))).collect::<Vec<_>>());
        }
        assert!(workspace.is_empty() && (0..1000).all(|at| workspace.get(at) == 0));
    }
}
